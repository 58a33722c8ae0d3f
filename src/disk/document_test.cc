#include <holdfast/commit.h>
#include <holdfast/document.h>

#include <cerrno>
#include <thread>

#include "disk/real_testing.h"
#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST(Document, ReplaceKeepsPreviousVersionAsBackup) {
  SimStore store;
  const Revision one = must(replace_document({}, *store.root, "d/doc.json", "{\"v\":1}"));
  const Revision two = must(replace_document({}, *store.root, "d/doc.json", "{\"v\":2}"));
  EXPECT_NE(one, two);
  const Loaded loaded = must(load_document({}, *store.root, "d/doc.json"));
  EXPECT_EQ(loaded.bytes, "{\"v\":2}");
  EXPECT_EQ(loaded.revision, two);
  // The newest version is damaged: the previous one is used and reported.
  must(store.disk.put_file("/s/d/doc.json", "{\"v\":"));
  const Loaded restored = must(load_document({}, *store.root, "d/doc.json"));
  EXPECT_EQ(restored.bytes, "{\"v\":1}");
  EXPECT_TRUE(restored.restored_from_backup);
  ASSERT_TRUE(restored.finding);
  EXPECT_EQ(restored.finding->file, "d/doc.json");
  EXPECT_EQ(store.bytes("d/doc.json"), "{\"v\":") << "reads never write";
}

TEST(Document, LoadMovesBadFileAsideAndRestoresBackup) {
  SimStore store;
  must(replace_document({}, *store.root, "doc.json", "{\"v\":1}"));
  must(replace_document({}, *store.root, "doc.json", "{\"v\":2}"));
  must(store.disk.put_file("/s/doc.json", std::string_view("\0\0\0", 3)));
  LoadOptions options;
  options.move_bad_aside = true;
  const Loaded loaded = must(load_document({}, *store.root, "doc.json", options));
  EXPECT_EQ(loaded.bytes, "{\"v\":1}");
  EXPECT_EQ(store.bytes("doc.json"), "{\"v\":1}");
  EXPECT_EQ(store.bytes(loaded.finding->moved_to), std::string("\0\0\0", 3));
  EXPECT_TRUE(replace_document({}, *store.root, "doc.json", "{\"v\":3}", {.expected = loaded.revision}));
}

TEST(Document, BadFileWithoutBackupIsAnError) {
  SimStore store;
  must(store.disk.put_file("/s/doc.json", "nonsense"));
  auto loaded = load_document({}, *store.root, "doc.json");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, Code::serialization_failed);
  EXPECT_EQ(loaded.error().path, "doc.json");
  EXPECT_EQ(store.bytes("doc.json"), "nonsense");
  LoadOptions options;
  options.move_bad_aside = true;
  loaded = load_document({}, *store.root, "doc.json", options);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, Code::serialization_failed);
  EXPECT_EQ(store.bytes("doc.json"), "<none>");
  EXPECT_EQ(must(store.root->directory().list(store.root->side("corrupt"))).size(), 1U);
}

TEST(Document, NewerSchemaIsNotDamage) {
  SimStore store;
  must(replace_document({}, *store.root, "doc.json", "{\"schema_version\":1}"));
  must(replace_document({}, *store.root, "doc.json", "{\"schema_version\":2}"));
  LoadOptions options;
  options.move_bad_aside = true;
  const auto loaded = load_document({}, *store.root, "doc.json", options);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, Code::newer_schema);
  EXPECT_EQ(store.bytes("doc.json"), "{\"schema_version\":2}");
  options.check = json_document(2);
  EXPECT_TRUE(load_document({}, *store.root, "doc.json", options));
}

TEST(Document, StaleRevisionIsAConflict) {
  SimStore store;
  const Revision one = must(replace_document({}, *store.root, "doc", "{}", {.expected = Revision(kAbsent)}));
  must(store.disk.put_file("/s/doc", "{ }"));  // an editor
  const auto lost = replace_document({}, *store.root, "doc", "{\"v\":2}", {.expected = one});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Code::conflict);
  EXPECT_EQ(store.bytes("doc"), "{ }");
  EXPECT_EQ(replace_document({}, *store.root, "doc", "{}", {.expected = Revision(kAbsent)}).error().code,
            Code::conflict);
  EXPECT_EQ(remove_document({}, *store.root, "doc", one).error().code, Code::conflict);
}

TEST(Document, SameBytesAreNotRewritten) {
  SimStore store;
  must(replace_document({}, *store.root, "doc", "{\"v\":1}"));
  const auto before = must(store.root->directory().stat("doc"));
  must(replace_document({}, *store.root, "doc", "{\"v\":1}"));
  EXPECT_TRUE(must(store.root->directory().stat("doc")).same_file(before));
  EXPECT_FALSE(store.disk.exists("/s/.holdfast/backup/doc"));
}

TEST(Document, RemovedDocumentIsNotFound) {
  SimStore store;
  must(replace_document({}, *store.root, "doc", "{}"));
  must(remove_document({}, *store.root, "doc"));
  EXPECT_EQ(load_document({}, *store.root, "doc").error().code, Code::not_found);
  EXPECT_EQ(remove_document({}, *store.root, "doc").error().code, Code::not_found);
}

TEST(Document, RefusesLinksAndPathsThatLeaveTheRoot) {
  SimStore store;
  must(store.disk.put_file("/outside", "secret"));
  must(store.root->directory().make_symlink("../outside", "link"));
  must(store.disk.put_file("/s/hard", "{}"));
  must(store.root->directory().make_link("hard", "hard2"));
  for (const char* path : {"link", "hard", "../outside", "/outside", "a/../b", ""}) {
    const auto replaced = replace_document({}, *store.root, path, "{}x");
    ASSERT_FALSE(replaced) << path;
    EXPECT_EQ(replaced.error().code, Code::unsafe_path) << path;
  }
  EXPECT_EQ(store.disk.read_file("/outside").value(), "secret");
}

TEST(Document, SaveAfterFailedDirectorySyncIsDurable) {
  SimStore store;
  must(replace_document({}, *store.root, "doc", "{\"v\":1}"));
  OneFault fault(SimCallKind::sync_directory, {Injection::Kind::fail, EIO});
  // The side folder is already durable: the first directory sync is that of the name.
  must(replace_document({}, *store.root, "doc", "{\"v\":2}"));
  store.disk.set_observer(&fault);
  const auto failed = replace_document({}, *store.root, "doc", "{\"v\":3}");
  store.disk.set_observer(nullptr);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Code::durability_unknown);
  // Another process saves the same bytes: it must not trust what is in place.
  must(replace_document({}, *store.again(), "doc", "{\"v\":3}"));
  auto nothing = Chooser::random(1, 0);
  EXPECT_EQ(store.disk.crash(CrashModel::weak, nothing)->read_file("/s/doc").value(), "{\"v\":3}");
}

TEST(Document, CompareAndSwapFromManyThreadsLosesNoUpdate) {
  TemporaryDirectory directory;
  constexpr int kThreads = 4;
  constexpr int kEach = 15;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&] {
        auto root = must(Root::open({}, real_file_system(), directory.path()));
        for (int done = 0; done < kEach;) {
          const auto now = load_document({}, *root, "n");
          const int value = now ? std::stoi(now->bytes) : 0;
          ReplaceOptions options;
          options.expected = now ? now->revision : Revision(kAbsent);
          const auto next = replace_document({}, *root, "n", std::to_string(value + 1), options);
          if (next)
            ++done;
          else
            EXPECT_EQ(next.error().code, Code::conflict) << next.error().text();
        }
      });
  }
  auto root = must(Root::open({}, real_file_system(), directory.path()));
  EXPECT_EQ(must(load_document({}, *root, "n")).bytes, std::to_string(kThreads * kEach));
}

TEST(Document, CreatesFileWithRequestedMode) {
  TemporaryDirectory directory;
  auto root = must(Root::open({}, real_file_system(), directory.path()));
  must(replace_document({}, *root, "README.md", "# x\n", {.mode = 0644}));
  EXPECT_EQ(must(root->directory().stat("README.md")).mode, 0644U);
}

TEST(Document, KeepModePreservesExistingMode) {
  TemporaryDirectory directory;
  auto root = must(Root::open({}, real_file_system(), directory.path()));
  must(replace_document({}, *root, "new.md", "# x\n", {.mode = kKeepMode}));
  EXPECT_EQ(must(root->directory().stat("new.md")).mode, 0644U);
  must(replace_document({}, *root, "run.sh", "x\n", {.mode = 0755}));
  must(replace_document({}, *root, "run.sh", "y\n", {.mode = kKeepMode}));
  Commit commit(root);
  commit.put(root, "new.md", "# y\n", {}, kKeepMode);
  commit.put(root, "run.sh", "z\n", {}, kKeepMode);
  must(commit.run({}));
  EXPECT_EQ(must(root->directory().stat("new.md")).mode, 0644U);
  EXPECT_EQ(must(root->directory().stat("run.sh")).mode, 0755U);
}

TEST(Document, NoDurabilitySkipsSync) {
  SimStore store;
  must(replace_document({}, *store.root, "cache/a.json", "{}", {.backup = false, .durability = Durability::none}));
  OneFault refuse(SimCallKind::sync, {Injection::Kind::fail, EIO});
  store.disk.set_observer(&refuse);
  must(replace_document({}, *store.root, "cache/a.json", "[]", {.backup = false, .durability = Durability::none}));
  EXPECT_FALSE(replace_document({}, *store.root, "cache/a.json", "{}", {.backup = false}));
  store.disk.set_observer(nullptr);
  EXPECT_EQ(store.bytes("cache/a.json"), "[]");
}

}  // namespace
}  // namespace holdfast::inline v1
