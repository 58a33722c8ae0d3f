// What POSIX and file_system.h require of the simulated file system.
#include <array>
#include <cerrno>
#include <thread>

#include "crash/disk/sim_testing.h"

namespace holdfast::inline v1 {
namespace {

class SimFileSystemTest : public ::testing::Test {
 protected:
  void write(std::string_view path, std::string_view bytes) {
    auto file = must(root_->open(path, OpenMode::create_append));
    EXPECT_EQ(must(file->append(bytes)), bytes.size());
  }
  std::string read(std::string_view path) {
    auto file = must(root_->open(path, OpenMode::read));
    std::array<char, 100> buffer{};
    return std::string(buffer.data(), must(file->read_at(0, buffer)));
  }
  template <typename T>
  static Code code(const Result<T>& result) {
    EXPECT_FALSE(result);
    return result ? Code::internal : result.error().code;
  }

  SimFileSystem disk_;
  std::unique_ptr<Directory> root_ = must(disk_.open_directory("/store", true));
};

TEST_F(SimFileSystemTest, WritesReadsAndStats) {
  auto file = must(root_->open("f", OpenMode::create_append));
  EXPECT_EQ(must(file->append("abc")), 3u);
  EXPECT_EQ(must(file->append("de")), 2u);
  EXPECT_EQ(file->append_end(), 5u);
  EXPECT_EQ(code(file->write_at(0, "x")), Code::invalid_argument);
  std::array<char, 3> three{};
  EXPECT_EQ(must(file->read_at(1, three)), 3u);
  EXPECT_EQ(std::string(three.data(), 3), "bcd");
  EXPECT_EQ(must(file->read_at(9, three)), 0u);

  const FileStat before = must(file->stat());
  EXPECT_EQ(before.kind, FileKind::file);
  EXPECT_EQ(before.size, 5u);
  EXPECT_EQ(before.links, 1u);
  EXPECT_EQ(before.mode, 0600u);
  must(file->set_mode(0644));
  must(file->truncate(2));
  const FileStat after = must(root_->stat("f"));
  EXPECT_EQ(after.mode, 0644u);
  EXPECT_EQ(after.size, 2u);
  EXPECT_GT(after.mtime_ns, before.mtime_ns);
  EXPECT_TRUE(after.same_file(before));
  EXPECT_EQ(must(root_->stat("")).mode, 0700u);

  auto update = must(root_->open("f", OpenMode::update));
  must(update->write_at(4, "z"));
  EXPECT_EQ(read("f"), std::string("ab\0\0z", 5));
  EXPECT_EQ(code(update->append("x")), Code::invalid_argument);
  EXPECT_EQ(code(root_->open("f", OpenMode::create_update)), Code::already_exists);
}

TEST_F(SimFileSystemTest, ListsInByteOrder) {
  write("b", "");
  must(root_->make_directory("a"));
  must(root_->make_symlink("b", "B"));
  const auto names = must(root_->list(""));
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0].name, "B");
  EXPECT_EQ(names[0].kind, FileKind::symlink);
  EXPECT_EQ(names[1].kind, FileKind::directory);
  EXPECT_EQ(names[2].kind, FileKind::file);
}

TEST_F(SimFileSystemTest, RefusesUnsafePaths) {
  for (const std::string_view path : {"../f", "a/../f", "/store/f", "a//f", "a/", "./f", ""}) {
    EXPECT_EQ(code(root_->open(path, OpenMode::read)), Code::unsafe_path) << path;
    EXPECT_EQ(code(root_->remove(path)), Code::unsafe_path) << path;
  }
}

TEST_F(SimFileSystemTest, WritesOnlyToPlainFilesWithOneLink) {
  write("f", "abc");
  must(root_->make_symlink("f", "s"));
  must(root_->make_directory("d"));
  must(root_->make_symlink("../f", "d/up"));
  must(root_->make_symlink("/store/d", "dir"));
  must(root_->make_symlink("loop", "loop"));
  EXPECT_EQ(read("s"), "abc");
  EXPECT_EQ(read("d/up"), "abc");
  EXPECT_EQ(read("dir/up"), "abc");
  EXPECT_EQ(must(root_->stat("dir/up")).kind, FileKind::symlink);
  EXPECT_EQ(must(root_->read_symlink("d/up")), "../f");
  EXPECT_EQ(code(root_->open("loop", OpenMode::read)), Code::unsafe_path);
  for (const std::string_view path : {"s", "d/up", "dir/up", "d", "f/x"}) {
    EXPECT_EQ(code(root_->open(path, OpenMode::append)), Code::unsafe_path) << path;
    EXPECT_EQ(code(root_->open(path, OpenMode::update)), Code::unsafe_path) << path;
  }
  must(root_->make_link("f", "g"));
  EXPECT_EQ(code(root_->open("f", OpenMode::append)), Code::unsafe_path);
  EXPECT_EQ(read("g"), "abc");
  EXPECT_EQ(code(root_->make_directory("dir/x")), Code::unsafe_path);
}

TEST_F(SimFileSystemTest, CountsLinksLikePosix) {
  write("a", "1");
  must(root_->make_link("a", "b"));
  EXPECT_EQ(must(root_->stat("a")).links, 2u);
  EXPECT_EQ(code(root_->make_link("a", "b")), Code::already_exists);
  must(root_->rename("a", "b"));  // two links of one file: no effect
  EXPECT_TRUE(disk_.exists("/store/a"));
  EXPECT_TRUE(disk_.exists("/store/b"));

  write("c", "2");
  auto open = must(root_->open("c", OpenMode::append));
  must(root_->rename("a", "c"));
  EXPECT_EQ(read("c"), "1");
  EXPECT_EQ(must(open->stat()).links, 0u);  // replaced, but still open
  EXPECT_EQ(must(open->append("22")), 2u);
  EXPECT_EQ(must(open->stat()).size, 3u);
  must(root_->remove("b"));
  EXPECT_EQ(must(root_->stat("c")).links, 1u);
  EXPECT_EQ(code(root_->remove("b")), Code::not_found);
}

TEST_F(SimFileSystemTest, MovesDirectoriesLikePosix) {
  must(root_->make_directory("d"));
  auto inner = must(disk_.open_directory("/store/d", false));
  must(inner->make_directory("sub"));
  EXPECT_EQ(code(root_->rename("d", "d/sub/d")), Code::invalid_argument);
  EXPECT_EQ(code(root_->remove_directory("d")), Code::already_exists);
  EXPECT_EQ(code(root_->remove("d")), Code::unsafe_path);
  write("f", "");
  EXPECT_FALSE(root_->rename("f", "d"));
  EXPECT_FALSE(root_->rename("d", "f"));
  must(root_->rename("d", "e"));
  must(inner->make_directory("sub/more"));  // the handle follows the renamed directory
  EXPECT_TRUE(disk_.exists("/store/e/sub/more"));
  must(root_->remove_directory("e/sub/more"));
  must(root_->remove_directory("e/sub"));
  must(root_->remove_directory("e"));
  EXPECT_EQ(code(inner->make_directory("x")), Code::not_found);
  EXPECT_EQ(code(disk_.open_directory("/none", false)), Code::not_found);
  EXPECT_EQ(code(disk_.open_directory("store", false)), Code::invalid_argument);
}

TEST_F(SimFileSystemTest, OpenedRootsAreDurable) {
  must(disk_.open_directory("/x/y/z", true));
  EXPECT_TRUE(must(disk_.open_directory("/x", true)));
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), States{"/store/ /x/ /x/y/ /x/y/z/"});
}

TEST_F(SimFileSystemTest, LocksBelongToTheOpenFile) {
  write("f", "");
  auto one = must(root_->open("f", OpenMode::append));
  auto two = must(root_->open("f", OpenMode::read));
  EXPECT_TRUE(must(one->try_lock(LockKind::exclusive)));
  EXPECT_FALSE(must(two->try_lock(LockKind::shared)));
  EXPECT_TRUE(must(one->try_lock(LockKind::shared)));
  EXPECT_TRUE(must(two->try_lock(LockKind::shared)));
  EXPECT_FALSE(must(one->try_lock(LockKind::exclusive)));  // like flock, it also loses its shared lock
  EXPECT_TRUE(must(two->try_lock(LockKind::exclusive)));
  two.reset();
  EXPECT_TRUE(must(one->try_lock(LockKind::exclusive)));
  one->unlock();
  EXPECT_TRUE(must(must(root_->open("f", OpenMode::read))->try_lock(LockKind::exclusive)));
}

TEST_F(SimFileSystemTest, FillsUpAndRecovers) {
  write("f", "12345");
  disk_.set_capacity(8, 4);
  auto file = must(root_->open("f", OpenMode::append));
  EXPECT_EQ(must(file->append("6789")), 3u);
  EXPECT_EQ(code(file->append("9")), Code::disk_full);
  auto update = must(root_->open("f", OpenMode::update));
  must(update->write_at(0, "x"));
  EXPECT_EQ(code(update->write_at(7, "yz")), Code::disk_full);
  EXPECT_EQ(read("f"), "x234567y");
  write("g", "");
  EXPECT_EQ(code(root_->open("h", OpenMode::create_append)), Code::disk_full);
  EXPECT_EQ(code(root_->make_directory("h")), Code::disk_full);
  must(root_->remove("g"));
  write("h", "");
  must(file->truncate(4));
  EXPECT_EQ(must(file->append("90")), 2u);
  disk_.set_capacity(Chooser::kUnlimited, Chooser::kUnlimited);
  EXPECT_EQ(must(file->append("0123456789")), 10u);
}

TEST_F(SimFileSystemTest, HelpersWorkOnTheLiveTree) {
  must(disk_.put_file("/store/d/f", "abc"));
  must(disk_.foreign_append("/store/d/f", "def"));
  EXPECT_EQ(must(disk_.read_file("/store/d/f")), "abcdef");
  EXPECT_EQ(disk_.paths(), (std::vector<std::string>{"/store", "/store/d", "/store/d/f"}));
  for (const CrashModel model : kAllModels) {
    Chooser nothing = Chooser::exhaustive();
    EXPECT_EQ(picture(*disk_.crash(model, nothing)), "/store/ /store/d/ /store/d/f=abc");
  }
  auto copy = disk_.clone();
  EXPECT_TRUE(copy->same_tree(disk_));
  EXPECT_EQ(copy->entropy(), disk_.entropy());
  EXPECT_TRUE(copy->flip_bit("/store/d/f", 5));
  EXPECT_FALSE(copy->flip_bit("/store/d/f", 48));
  EXPECT_EQ(must(copy->read_file("/store/d/f")), "Abcdef");
  EXPECT_FALSE(copy->same_tree(disk_));
  Chooser nothing = Chooser::exhaustive();
  EXPECT_EQ(must(copy->crash(CrashModel::weak, nothing)->read_file("/store/d/f")), "Abc");
  EXPECT_EQ(SimFileSystem(7).entropy(), SimFileSystem(7).entropy());
  EXPECT_NE(SimFileSystem(7).entropy(), SimFileSystem(8).entropy());
}

TEST_F(SimFileSystemTest, SupportsConcurrentThreads) {
  auto write_some = [&](int id) {
    auto directory = must(disk_.open_directory("/store", false));
    auto mine = must(directory->open("own" + std::to_string(id), OpenMode::create_append));
    auto shared = must(directory->open("shared", OpenMode::append));
    for (int round = 0; round < 200; ++round) {
      EXPECT_TRUE(mine->append("x"));
      EXPECT_TRUE(shared->append("12345678"));
      if (round % 10 == 0) must(mine->sync());
      if (round % 20 != 0) continue;
      Chooser chooser = Chooser::random(1, 1);
      EXPECT_TRUE(disk_.crash(CrashModel::weak, chooser)->exists("/store"));
    }
  };
  write("shared", "");
  std::thread one(write_some, 1);
  std::thread two(write_some, 2);
  one.join();
  two.join();
  EXPECT_EQ(must(disk_.read_file("/store/shared")).size(), 3200u);
}

}  // namespace
}  // namespace holdfast::inline v1
