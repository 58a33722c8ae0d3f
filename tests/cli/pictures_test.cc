// Pictures through the doors: appended, exported, imported, shown, verified and removed.
#include <filesystem>

#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

// One transparent pixel.
const std::string kPixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

struct Pictures : Shell {
  Pictures() : Shell("desk") {}

  // Creates a session with a picture, in the store `from`.
  std::string make() {
    EXPECT_EQ(sh("$H call session.create '{\"store\":\"holdfast:'$HOME'/from\",\"project\":\"'$HOME'\"}'"), 0) << err;
    const std::string id = field({"id"});
    EXPECT_EQ(sh("$H call message.append '{\"store\":\"holdfast:'$HOME'/from\",\"session\":\"" + id +
                 R"(","message":{"role":"user","content":[{"type":"text","text":"look"},)"
                 R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":")" +
                 kPixel + "\"}}]}}'"),
              0)
        << err;
    return id;
  }
  // The only file among the blobs of a store.
  std::string blob_of(const std::string& store) const {
    std::string only;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/" + store + "/blobs")) {
      if (!entry.is_regular_file()) continue;
      EXPECT_EQ(only, "");
      only = entry.path();
    }
    return only;
  }
};

TEST_F(Pictures, SurviveExportAndImport) {
  const std::string id = make();
  for (const std::string format : {"json", "jsonl"}) {
    ASSERT_EQ(sh("$H export " + id + " --format " + format + " --store holdfast:$HOME/from > ../out." + format), 0);
    ASSERT_EQ(sh("$H import ../out." + format + " --store holdfast:$HOME/" + format), 0) << err;
    ASSERT_EQ(sh("$H export " + id + " --format json --store holdfast:$HOME/" + format), 0) << err;
    EXPECT_NE(out.find("\"data\":\"" + kPixel + "\""), std::string::npos) << out;
    EXPECT_EQ(fs::path(blob_of(format)).filename(), fs::path(blob_of("from")).filename());
  }
}

TEST_F(Pictures, AreEmbeddedInHtmlExport) {
  ASSERT_EQ(sh("$H export " + make() + " --format html --store holdfast:$HOME/from"), 0) << err;
  EXPECT_NE(out.find("src=\"data:image/png;base64," + kPixel + "\""), std::string::npos) << out;
}

TEST_F(Pictures, DamagedPictureIsReportedAndNotShown) {
  const std::string id = make(), blob = blob_of("from");
  std::string bytes;
  {
    std::ifstream file(blob, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  bytes[40] ^= 1;
  std::ofstream(blob, std::ios::binary) << bytes;
  EXPECT_NE(sh("$H verify --store holdfast:$HOME/from"), 0) << out;
  EXPECT_NE((out + err).find(fs::path(blob).filename().string().substr(0, 16)), std::string::npos) << out << err;
  EXPECT_EQ(sh("$H export " + id + " --format html --store holdfast:$HOME/from"), 0) << err;
  EXPECT_EQ(out.find("data:image/png"), std::string::npos);
}

TEST_F(Pictures, AreRestoredFromTrashAndPrunedWithIt) {
  const std::string id = make();
  ASSERT_EQ(sh("$H rm " + id + " --yes --store holdfast:$HOME/from"), 0) << err;
  EXPECT_NE(blob_of("from"), "") << "it can still be restored";
  ASSERT_EQ(sh("$H restore " + id + " --store holdfast:$HOME/from"), 0) << err;
  ASSERT_EQ(sh("$H export " + id + " --format json --store holdfast:$HOME/from"), 0) << err;
  EXPECT_NE(out.find(kPixel), std::string::npos);
  ASSERT_EQ(sh("$H rm " + id + " --yes --store holdfast:$HOME/from"), 0) << err;
  ASSERT_EQ(sh("$H prune --trash-days 0 --yes --store holdfast:$HOME/from"), 0) << err;
  EXPECT_EQ(blob_of("from"), "");
}

}  // namespace
}  // namespace holdfast::inline v1
