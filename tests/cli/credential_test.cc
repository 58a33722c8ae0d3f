// A key goes into a store and appears nowhere else.
#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Credentials : Shell {
  Credentials() : Shell("desk") {}
  // Lists the files of the home that contain the text.
  std::string holding(const std::string& text) {
    (void)sh("grep -rlF '" + text + "' $HOME --exclude=script --exclude=out --exclude=err");
    return out;
  }
};

TEST_F(Credentials, ReplacedOrRemovedKeyIsErased) {
  for (const std::string store : {"holdfast:$HOME/hf", "linggen:$HOME/lg"}) {
    ASSERT_EQ(sh("printf first-key-of-mine | $H credential set y --api-key - --store " + store), 0) << err;
    EXPECT_NE(holding("first-key-of-mine"), "");
    ASSERT_EQ(sh("printf second-key-of-mine | $H credential set y --api-key - --store " + store), 0) << err;
    EXPECT_EQ(holding("first-key-of-mine"), "") << store;
    ASSERT_EQ(sh("$H credential remove y --yes --store " + store), 0) << err;
    EXPECT_EQ(holding("second-key-of-mine"), "") << store;
  }
}

TEST_F(Credentials, RemovalNeedsAnId) {
  for (const std::string yes : {"", " --yes"}) {
    EXPECT_EQ(sh("$H credential remove ''" + yes), 2) << out;
    EXPECT_TRUE(err.contains("must not be empty")) << err;
  }
}

// A layout without keys may have a configuration of another format.
TEST_F(Credentials, LayoutWithoutKeysIsNamed) {
  ASSERT_EQ(sh("git init -q . && $H session start --module auth --store lopen:."), 0) << err;
  for (int configured = 0; configured < 2; ++configured) {
    EXPECT_EQ(sh("$H credential get foo --store lopen:."), 2) << out << err;
    EXPECT_TRUE(err.contains("layout lopen cannot hold: credential records")) << err;
    ASSERT_EQ(sh("$H store configure '{\"format\":\"yaml\"}' --store lopen:."), 0) << err;
  }
}

TEST_F(Credentials, DoesNotPrintMisplacedKey) {
  EXPECT_EQ(sh("$H credential set y k3y-of-mine"), 2);
  EXPECT_EQ((out + err).find("k3y"), std::string::npos) << err;
  EXPECT_NE(err.find("--api-key -"), std::string::npos) << err;
}

TEST_F(Credentials, RedactsKeysInConfiguration) {
  const std::string values =
      R"('{"values":{"name":"x","providers":{"groq":{"api_key":"k3y-of-mine","url":"https://u"}}}}')";
  ASSERT_EQ(sh("$H session create --title x && $H call config.set " + values), 0) << err;
  EXPECT_EQ((out + err).find("k3y"), std::string::npos) << out;
  for (const std::string line : {"$H config list", "$H config list --json", "$H record get config",
                                 "$H record list config", "$H call config.get", "$H store settings"}) {
    (void)sh(line);
    EXPECT_EQ((out + err).find("k3y"), std::string::npos) << line << out << err;
  }
  ASSERT_EQ(sh("$H call config.get"), 0) << err;
  EXPECT_NE(out.find("https://u"), std::string::npos) << out;
  EXPECT_NE(holding("k3y-of-mine"), "") << "it is kept all the same";
  EXPECT_EQ(sh("$H call config.set '{\"values\":{\"api_key\":\"[redacted: secret]\"}}'"), 2)
      << "what was shown is no value";
}

}  // namespace
}  // namespace holdfast::inline v1
