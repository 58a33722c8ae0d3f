#include <holdfast/root.h>

#include <set>
#include <thread>

#include "disk/steps.h"
#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

// A file system that claims to be a network one.
class NetworkDisk final : public FileSystem {
 public:
  explicit NetworkDisk(SimFileSystem& disk) : disk_(disk) {}
  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override {
    return disk_.open_directory(path, create);
  }
  Result<FileSystemKind> kind_of(std::string_view) override { return FileSystemKind{"nfs", true}; }
  std::uint64_t entropy() override { return disk_.entropy(); }

 private:
  SimFileSystem& disk_;
};

TEST(Root, RefusesNetworkFileSystemsUnlessAllowed) {
  SimStore store;
  NetworkDisk network(store.disk);
  const auto refused = Root::open({}, network, "/s");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::network_file_system);
  EXPECT_NE(refused.error().message.find("nfs"), std::string::npos);
  EXPECT_TRUE(Root::open({}, network, "/s", {.allow_network = true}));
  EXPECT_TRUE(Root::open({}, network, "/s", {.write = false})) << "reading is always allowed";
}

TEST(Root, OpeningForReadingChangesNothing) {
  SimStore store;
  must(store.disk.put_file("/s/.holdfast/tmp/orphan", "x"));
  must(store.disk.put_file("/s/.holdfast/journal", "garbage"));
  const std::uint64_t calls = store.disk.calls();
  store.again({.write = false});
  EXPECT_EQ(store.disk.calls(), calls);
}

TEST(Root, WriteOpenRemovesOrphansAndSetsBrokenJournalAside) {
  SimStore store;
  must(store.disk.put_file("/s/.holdfast/tmp/orphan", "x"));
  must(store.disk.put_file("/s/.holdfast/journal", "garbage"));
  auto root = store.again();
  EXPECT_FALSE(store.disk.exists("/s/.holdfast/tmp/orphan"));
  ASSERT_EQ(root->findings().size(), 1U);
  EXPECT_EQ(root->findings()[0].kind, "journal");
  EXPECT_EQ(store.bytes(root->findings()[0].moved_to), "garbage");
  EXPECT_TRUE(store.again()->findings().empty());
}

TEST(Root, DeletingTheSideFolderLosesNothing) {
  SimStore store;
  auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  must(log->append({}, R"({"n":1})"));
  must(replace_document({}, *store.root, "doc", "{}"));
  for (const auto& entry : store.disk.tree())
    if (entry.path.starts_with("/s/.holdfast/") && entry.kind == FileKind::file)
      must(store.root->directory().remove(std::string_view(entry.path).substr(3)));
  const auto paths = store.disk.paths();
  for (auto path = paths.rbegin(); path != paths.rend(); ++path)
    if (path->starts_with("/s/.holdfast"))
      must(store.root->directory().remove_directory(std::string_view(*path).substr(3)));
  must(log->append({}, R"({"n":2})"));
  must(replace_document({}, *store.root, "doc", "{\"v\":1}"));
  EXPECT_EQ(store.bytes("log"), "{\"n\":1}\n{\"n\":2}\n");
  EXPECT_EQ(store.bytes("doc"), "{\"v\":1}");
}

TEST(Root, EnsureDirectoryRecreatesRemovedDirectory) {
  SimStore files;
  must(files.root->ensure_directory("a/b"));
  must(files.root->directory().remove_directory("a/b"));
  must(files.root->ensure_directory("a/b"));
  EXPECT_TRUE(files.root->directory().exists("a/b"));
  must(files.root->directory().rename("a", "elsewhere"));
  must(files.root->ensure_directory("a/b"));
  EXPECT_TRUE(files.root->directory().exists("a/b"));
}

TEST(Root, LockIsExclusiveAndTimesOut) {
  SimStore store;
  auto other = store.again();
  {
    const auto held = store.root->lock({});
    ASSERT_TRUE(held);
    // In a separate thread, because no thread may wait for a lock that it holds (I-19).
    std::thread([&] {
      const auto second = other->lock(Context{}.within(std::chrono::milliseconds(30)));
      ASSERT_FALSE(second);
      EXPECT_EQ(second.error().code, Code::busy);
    }).join();
  }
  EXPECT_TRUE(other->lock({}));
}

TEST(Root, MissingRootIsNotFoundUnlessCreated) {
  SimStore store;
  EXPECT_EQ(Root::open({}, store.disk, "/none").error().code, Code::not_found);
  EXPECT_TRUE(Root::open({}, store.disk, "/none/deep", {.create = true}));
}

TEST(Steps, EveryStepHasAReasonAndUniqueName) {
  std::set<std::string_view> names;
  for (int i = 0; i < kStepCount; ++i) {
    EXPECT_TRUE(names.insert(step_name(static_cast<Step>(i))).second);
    EXPECT_FALSE(step_reason(static_cast<Step>(i)).empty());
  }
}

TEST(Root, UnremovableTemporaryFileIsReportedAndSkipped) {
  SimStore store;
  must(replace_document({}, *store.root, "one.json", "{}"));
  must(store.disk.put_file("/s/.holdfast/tmp/folder/file", "text"));
  must(store.disk.put_file("/s/.holdfast/tmp/orphan", "text"));
  const auto root = store.again();
  ASSERT_EQ(root->findings().size(), 1U);
  EXPECT_EQ(root->findings()[0].file, ".holdfast/tmp/folder");
  EXPECT_EQ(store.bytes(".holdfast/tmp/orphan"), "<none>");
  must(replace_document({}, *root, "one.json", "{\"v\":1}"));
}

TEST(Root, ReplaceRecreatesRemovedDirectories) {
  SimStore store;
  must(store.root->ensure_directory("a/b/c"));
  must(store.root->directory().remove_directory("a/b/c"));
  must(store.root->directory().remove_directory("a/b"));
  must(store.root->directory().remove_directory("a"));
  must(replace_document({}, *store.root, "a/b/c/d.json", "{}"));
  EXPECT_EQ(store.bytes("a/b/c/d.json"), "{}");
}

}  // namespace
}  // namespace holdfast::inline v1
