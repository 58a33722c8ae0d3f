#include "text/secrets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "text/secret_names.h"
#include "text/secret_rules.h"
#include "text/secrets_testing.h"

namespace holdfast {
namespace {

using testing::made_up;
using testing::secret_samples;
using testing::SecretSample;

std::string hide(const std::string& text) { return redacted(text).value_or(text); }

TEST(Secrets, RedactsEachKindButNotItsNearMiss) {
  for (const SecretSample& sample : secret_samples()) {
    const std::string text = "see " + sample.before + sample.secret + sample.after + " there";
    EXPECT_EQ("see " + sample.before + "[redacted: " + sample.what + "]" + sample.after + " there", hide(text));
    const std::string near = "see " + sample.near_miss + " there";
    EXPECT_EQ(near, hide(near)) << sample.what;
  }
}

TEST(Secrets, EveryRuleHasASample) {
  for (std::size_t i = 0; i < secret_rules().size(); ++i) {
    const SecretRule& rule = secret_rules()[i];
    const bool shown = std::ranges::any_of(secret_samples(), [&](const SecretSample& sample) {
      const std::string text = sample.before + sample.secret + sample.after;
      for (std::size_t at = 0; at < text.size(); ++at) {
        for (const std::string_view anchor : rule.anchors) {
          const bool there = std::string_view(text).substr(at).starts_with(anchor) || rule.any_case;
          if (there && match_secret(i, text, at, 0)) return true;
        }
      }
      return false;
    });
    EXPECT_TRUE(shown) << rule.what << ": " << rule.pattern;
  }
}

TEST(Secrets, AreFoundAtEdgesAndRepeated) {
  for (const SecretSample& sample : secret_samples()) {
    const std::string alone = sample.before + sample.secret + sample.after;
    EXPECT_EQ(std::string::npos, hide(alone).find(sample.secret)) << alone;
    const std::string twice = alone + "\n" + alone;
    EXPECT_EQ(std::string::npos, hide(twice).find(sample.secret)) << twice;
    // In JSON inside a text, where \n is two characters.
    EXPECT_EQ(std::string::npos, hide("{\\\"log\\\":\\\"one\\n" + alone + "\\\"}").find(sample.secret)) << alone;
  }
}

TEST(Secrets, PlaceholderIsNotRedacted) {
  for (const SecretSample& sample : secret_samples()) {
    const std::string once = hide("API_KEY=" + sample.before + sample.secret + sample.after);
    EXPECT_EQ(once, hide(once));
    EXPECT_FALSE(redacted("password: " + secret_placeholder(sample.what)));
    EXPECT_TRUE(is_secret_placeholder(secret_placeholder(sample.what)));
  }
  EXPECT_FALSE(is_secret_placeholder("[redacted: a] and more]"));
}

TEST(Secrets, RedactsChainOfAssignmentsOfAnyLength) {
  for (const int links : {1, 2, 15, 16, 17, 40, 3000}) {
    std::string text = "\"";
    for (int i = 0; i < links; ++i) text += "api_keyTOKEN=q7Xv9AIza";
    text += "0123456789abcdef\" and more";
    const auto hidden = redacted(text);
    ASSERT_TRUE(hidden) << links;
    EXPECT_EQ(hidden->find("q7Xv9"), std::string::npos) << links;
    EXPECT_TRUE(hidden->ends_with("\" and more")) << *hidden;
    EXPECT_FALSE(redacted(*hidden)) << links;
  }
}

TEST(Secrets, KnownTokenIsLabeledByItsShape) {
  const std::string token = "ghp_" + made_up(testing::kLetters, 36);
  EXPECT_EQ("GITHUB_TOKEN=[redacted: GitHub token]", hide("GITHUB_TOKEN=" + token));
  EXPECT_EQ("GITHUB_TOKEN=[redacted: secret]", hide("GITHUB_TOKEN=" + token + "/more"));
}

TEST(Secrets, NamesAreClassifiedByTheirWords) {
  for (const std::string_view name : {"API_KEY", "apiKey", "x-api-key", "GITHUB_TOKEN", "authToken", "client_secret",
                                      "AWS_SECRET_ACCESS_KEY", "Authorization", "privateKey", "session_cookie"})
    EXPECT_EQ(SecretName::secret, secret_name(name)) << name;
  for (const std::string_view name : {"password", "DB_PASS", "MYSQL_PWD", "userPassword2", "keyPassphrase"})
    EXPECT_EQ(SecretName::password, secret_name(name)) << name;
  for (const std::string_view name : {"PWD", "OLDPWD", "max_tokens", "tokenizer", "TOKEN_URL", "password_length", "key",
                                      "primaryKey", "keyboard", "PATH", "author", "secretary", "", "__"})
    EXPECT_EQ(SecretName::no, secret_name(name)) << name;
  EXPECT_EQ(SecretName::no, secret_name("STRIPE_KEY"));
  EXPECT_EQ(SecretName::key, secret_name("STRIPE_KEY", true));
}

// Common content of transcripts that must stay unchanged.
TEST(Secrets, ProseHashesIdsAndImagesAreKept) {
  std::mt19937_64 random(4711);
  const std::vector<std::string> words{
      "the",         "token",       "limit", "is",   "secret", "password", "a",          "key",   "https://",
      "example.org", "commit",      "sk-",   "task", "api",    "bearer",   "of",         "basic", "idea",
      "passwords:",  "tokens=4096", "auth",  "=",    ":",      "and",      "credential", "BEGIN"};
  const auto pick = [&](std::string_view alphabet, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += alphabet[random() % alphabet.size()];
    return text;
  };
  constexpr std::string_view kImage = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::size_t bytes = 0;
  for (int round = 0; round < 400; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += words[random() % words.size()] + (random() % 9 == 0 ? "\n" : " ");
    text += "commit " + pick(testing::kHexDigits, 40) + "\nsha256:" + pick(testing::kHexDigits, 64) + "\n";
    text += pick(testing::kHexDigits, 8) + "-" + pick(testing::kHexDigits, 4) + "-4" + pick(testing::kHexDigits, 3) +
            "-a" + pick(testing::kHexDigits, 3) + "-" + pick(testing::kHexDigits, 12) + "\n";
    text += "data:image/png;base64," + pick(kImage, 4000) + "==\n";
    const auto found = find_secrets(text);
    ASSERT_TRUE(found.empty()) << found[0].what << ": " << text.substr(found[0].at, found[0].length);
    bytes += text.size();
  }
  EXPECT_GT(bytes, 1'500'000U);
}

TEST(Secrets, CodeThatMentionsSecretsIsKept) {
  for (const std::string text :
       {"def login(user: str, password: Optional[str] = None):", "const token = await getToken(user1);",
        "token = self.config.token2", "os.environ[\"API_KEY\"]", "\"input_tokens\": 1234567890,",
        "tokenizer: cl100k_base", "password = \"password\"", "API_KEY=your-api-key-here1", "SECRET_KEY=<secret 1>",
        "api_key: xxxxxxxxxxxx1", "if (password === confirm2) {", "secret: $ref-12345678",
        "PASSWORD_FILE=/run/secrets/db_1"})
    EXPECT_EQ(text, hide(text));
}

}  // namespace
}  // namespace holdfast
