// The rows that the Open Agent SDK requires, on the native layout.
#include <gtest/gtest.h>
#include <holdfast/store.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "crash/disk/sim_testing.h"
#include "disk/real_testing.h"

namespace holdfast::inline v1 {
namespace {

struct NativeRows : testing::Test {
  Context context;
  TemporaryDirectory scratch;
  std::shared_ptr<Store> store = open();
  std::string id = must(store->create(context, {.project = "/p", .title = "t"}));

  std::shared_ptr<Store> open() {
    StoreOptions options;
    options.roots[""] = scratch.path("store");
    options.write = options.create = true;
    return must(Store::open(context, real_file_system(), options));
  }
  static Message said(std::string text) {
    Message message;
    message.blocks.push_back({.text = std::move(text)});
    return message;
  }
  std::string log() { return scratch.path("store/") + must(store->get(context, id)).path; }
};

TEST_F(NativeRows, O01_TornTailLosesNoMessage) {
  must(must(store->write(context, id))->append(context, said("one")));
  std::ofstream(log(), std::ios::app) << R"({"type":"message","id":"msg_torn","bl)";
  must(must(store->write(context, id))->append(context, said("two")));
  const Transcript transcript = must(store->read(context, id));
  ASSERT_EQ(transcript.messages.size(), 2u);
  EXPECT_EQ(transcript.messages[1].text(), "two");
  EXPECT_EQ(store->write(context, "ses_unknown").error().code, Code::not_found);
}

TEST_F(NativeRows, O07_ListFollowsDirectoryNotCatalogue) {
  StoreOptions options;
  options.roots[""] = scratch.path("store");
  options.cache = scratch.path("cache");
  const auto list = [&] { return must(must(Store::open(context, real_file_system(), options))->list(context)); };
  EXPECT_EQ(list().total, 1u);
  must(must(store->write(context, id))->append(context, said("one")));
  EXPECT_EQ(list().sessions.at(0).counts.user, 1);
  const std::string other = must(store->create(context, {.project = "/p"}));
  EXPECT_EQ(list().total, 2u);
  std::filesystem::remove_all(std::filesystem::path(log()).parent_path());
  ASSERT_EQ(list().total, 1u);
  EXPECT_EQ(list().sessions.at(0).id, other);
  std::ofstream(scratch.path("cache/") + "sessions-nonsense.index") << "x";
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path("cache")))
    if (entry.is_regular_file()) std::ofstream(entry.path()) << "damaged";
  EXPECT_EQ(list().total, 1u);
}

TEST_F(NativeRows, O15_ReadsAndWritesProjectMemory) {
  const RecordKey key{"memory", "/p", "MEMORY"};
  const auto put = [&](const char* json) {
    must(store->edit_records(context, [&](const Store::Look&) -> Result<std::vector<RecordEdit>> {
      return std::vector<RecordEdit>{{RecordEdit::Kind::put, key, json}};
    }));
  };
  put(R"({"body":"# Learned\n- tokens expire\n"})");
  EXPECT_NE(must(store->get_record(context, key)).find("tokens expire"), std::string::npos);
  put(R"({"body":"# Learned\n"})");
  EXPECT_EQ(must(store->get_record(context, key)).find("tokens expire"), std::string::npos);
}

TEST_F(NativeRows, O17_FilesAreAccessibleOnlyToOwner) {
  must(must(store->write(context, id))->append(context, said(std::string(300 << 10, 'x'))));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch.path("store"))) {
    struct stat now{};
    ASSERT_EQ(::lstat(entry.path().c_str(), &now), 0);
    EXPECT_EQ(now.st_mode & 0777, entry.is_directory() ? 0700u : 0600u) << entry.path();
  }
}

TEST_F(NativeRows, O18_RawLinesRoundTripByteForByte) {
  const std::vector<std::string> lines = {
      R"({ "type": "message", "id": "m1", "parent": null, "role": "user", "blocks": [], "new_key": 1.10 })",
      R"({"type":"never_seen","x":"é😀","n":1E5,"dup":1,"dup":2})"};
  auto writer = must(store->write(context, id));
  for (const std::string& line : lines) must(writer->append_raw(context, line));
  const Transcript transcript = must(store->read(context, id, {.raw = true, .branch = "all"}));
  ASSERT_EQ(transcript.messages.size(), 2u);
  for (std::size_t n = 0; n < lines.size(); ++n) EXPECT_EQ(transcript.messages[n].raw, lines[n]);
  EXPECT_EQ(writer->append_raw(context, "{\"a\":1}{\"b\":2}").error().code, Code::invalid_record);
}

}  // namespace
}  // namespace holdfast::inline v1
