// A blob whose contents do not match its name, and a crash between a blob and its line.
#include "base/hash.h"
#include "layout/holdfast/line.h"
#include "store/crash_testing.h"
#include "store/layout_store_testing.h"

namespace holdfast::inline v1 {
namespace {

Message large(const std::string& word) {
  Message message;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::string(native::kBlobOver, 'x') + word});
  return message;
}

std::string path_of(const std::string& word) { return native::blob_path(sha256_hex(large(word).text())); }

struct BlobDamage : testing::Test {
  LayoutStore files{"holdfast"};
  const Context& context = files.context;
  std::string id = must(files.store->create(context, {.project = "/srv/p"}, Durability::power));

  void SetUp() override {
    auto writer = must(files.store->write(context, id, {}));
    for (const char* word : {"one", "two"}) must(writer->append(context, large(word), Durability::power));
    must(writer->close(context));
  }
  std::string blob(const std::string& word) { return "/store/" + path_of(word); }
  void put(const std::string& word, std::string bytes) { must(files.disk.put_file(blob(word), std::move(bytes))); }

  // The beginning is shown, with a finding that names the file; the other message is complete.
  void expect_found(const std::string& kind) {
    const Transcript read = must(files.store->read(context, id, {}));
    ASSERT_EQ(read.messages.size(), 2u);
    EXPECT_EQ(read.messages[0].text(), std::string(native::kPreview, 'x'));
    EXPECT_EQ(read.messages[1].text(), large("two").text());
    ASSERT_EQ(read.findings.size(), 1u);
    EXPECT_EQ(read.findings[0].file, path_of("one"));
    EXPECT_EQ(read.findings[0].kind, kind);
  }
};

TEST_F(BlobDamage, FlippedBitIsReported) {
  std::string bytes = large("one").text();
  bytes[1000] ^= 1;
  put("one", bytes);
  expect_found("checksum");
}

TEST_F(BlobDamage, TruncatedBlobIsReported) {
  put("one", large("one").text().substr(0, 5000));
  expect_found("checksum");
}

TEST_F(BlobDamage, EmptyBlobIsReported) {
  put("one", "");
  expect_found("checksum");
}

TEST_F(BlobDamage, ZeroedBlobIsReported) {
  put("one", std::string(large("one").text().size(), '\0'));
  expect_found("checksum");
}

TEST_F(BlobDamage, SwappedBlobIsReported) {
  put("one", large("two").text());
  expect_found("checksum");
}

TEST_F(BlobDamage, LinkIsNotFollowed) {
  must(files.disk.put_file("/private/key", large("one").text()));
  auto root = must(files.disk.open_directory("/store", false));
  must(root->remove(path_of("one")));
  must(root->make_symlink("/private/key", path_of("one")));
  expect_found("unsafe_path");
}

TEST_F(BlobDamage, MissingBlobIsReported) {
  auto root = must(files.disk.open_directory("/store", false));
  must(root->remove(path_of("one")));
  expect_found("missing");
}

TEST(BlobDurability, BlobIsDurableBeforeItsLine) {
  std::string id;
  all_or_none({.layout = "holdfast",
               .prepare =
                   [&](Store& store) {
                     id = must(store.create({}, {.project = "/srv/p"}, Durability::power));
                     must(must(store.write({}, id, {}))->append({}, said_by_a_person("first"), Durability::power));
                   },
               .happen = [&](Store& store) -> Result<void> {
                 HOLDFAST_LET(writer, store.write({}, id, {}));
                 HOLDFAST_TRY(writer->append({}, large("one"), Durability::power));
                 return writer->close({});
               },
               .picture =
                   [&](Store& store) {
                     const Transcript read = must(store.read({}, id, {}));
                     std::string seen;
                     for (const Message& message : read.messages) seen += message.text() + "\n";
                     // A line that was never acknowledged may be torn, but what a line names must not be missing.
                     for (const Finding& finding : read.findings)
                       if (finding.file.starts_with("blobs/")) seen += finding.file + " " + finding.kind + "\n";
                     return seen;
                   }});
}

}  // namespace
}  // namespace holdfast::inline v1
