#include "disk/real_file_system.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "disk/real_kind.h"
#include "disk/real_testing.h"

namespace holdfast {
namespace {

TEST(RealFileSystem, MakesMissingDirectoriesPrivate) {
  const TemporaryDirectory temporary;
  const std::string deep = temporary.path("a/b/c");
  EXPECT_CODE(real_file_system().open_directory(deep, false), Code::not_found);
  const mode_t before = ::umask(0);
  const auto made = real_file_system().open_directory(deep + "//", true);
  ::umask(before);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ((*made)->path(), deep);
  const auto top = real_file_system().open_directory(temporary.path(), false);
  for (const char* name : {"a", "a/b", "a/b/c"}) EXPECT_EQ((*top)->stat(name)->mode, 0700U) << name;
  EXPECT_OK(real_file_system().open_directory(deep, true));
}

TEST(RealFileSystem, RefusesNonDirectoriesAndRelativePaths) {
  const TemporaryDirectory temporary;
  const auto top = real_file_system().open_directory(temporary.path(), false);
  EXPECT_OK((*top)->open("f", OpenMode::create_update));
  for (const bool create : {false, true}) {
    EXPECT_CODE(real_file_system().open_directory("relative", create), Code::invalid_argument);
    EXPECT_CODE(real_file_system().open_directory("", create), Code::invalid_argument);
    EXPECT_CODE(real_file_system().open_directory(std::string_view("/tmp\0x", 6), create), Code::invalid_argument);
    EXPECT_CODE(real_file_system().open_directory(temporary.path("f"), create), Code::invalid_argument);
    EXPECT_CODE(real_file_system().open_directory(temporary.path("f/x"), create), Code::invalid_argument);
  }
}

TEST(RealFileSystem, FollowsLinksInThePathOfTheRoot) {
  const TemporaryDirectory temporary;
  ASSERT_EQ(::mkdir(temporary.path("real").c_str(), 0700), 0);
  ASSERT_EQ(::symlink("real", temporary.path("link").c_str()), 0);
  EXPECT_OK(real_file_system().open_directory(temporary.path("link"), false));
  EXPECT_OK(real_file_system().open_directory(temporary.path("link/new"), true));
  EXPECT_EQ(::access(temporary.path("real/new").c_str(), F_OK), 0);
}

TEST(RealFileSystem, RefusesRootsThatOthersCanChange) {
  const TemporaryDirectory temporary;
  const std::string path = temporary.path("r");
  ASSERT_EQ(::mkdir(path.c_str(), 0700), 0);
  for (const mode_t good : {0700U, 0755U, 0775U, 01777U}) {
    ASSERT_EQ(::chmod(path.c_str(), good), 0);
    EXPECT_OK(real_file_system().open_directory(path, false));
  }
  ASSERT_EQ(::chmod(path.c_str(), 0777), 0);
  const auto open = real_file_system().open_directory(path, false);
  EXPECT_CODE(open, Code::unsafe_path);
  EXPECT_TRUE(!open && open.error().message.contains("anybody may write"));
}

// Both belong to root; only one can be written to.
bool refuses_roots_of_others() {
  const auto closed = real_file_system().open_directory("/", false),
             open = real_file_system().open_directory("/tmp", false);
  return !closed && closed.error().code == Code::permission_denied && !open && open.error().code == Code::unsafe_path;
}

TEST(RealFileSystem, RefusesRootsOfOtherUsers) {
  if (::geteuid() != 0) {
    EXPECT_TRUE(refuses_roots_of_others());
    return;
  }
  EXPECT_OK(real_file_system().open_directory("/", false));
  const pid_t child = ::fork();
  if (child == 0) {
    if (::seteuid(65534) != 0) ::_exit(2);
    ::_exit(refuses_roots_of_others() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// Both ways of resolving refuse to write across a mount point below the root.
TEST(RealFileSystem, MountPointsAreNotCrossed) {
  const TemporaryDirectory temporary;
  const std::string mount = temporary.path("m");
  ASSERT_EQ(::mkdir(mount.c_str(), 0700), 0);
  if (::mount("none", mount.c_str(), "tmpfs", 0, "mode=0700") != 0) GTEST_SKIP() << "mounting is not permitted here";
  struct Unmount {
    std::string path;
    ~Unmount() { ::umount2(path.c_str(), MNT_DETACH); }
  } const at_the_end{mount};
  for (const auto resolve : {Resolve::openat2, Resolve::walk}) {
    const auto file_system = make_real_file_system(resolve);
    const auto directory = file_system->open_directory(temporary.path(), false);
    ASSERT_TRUE(directory);
    EXPECT_CODE((*directory)->open("m/f", OpenMode::create_append), Code::unsafe_path);
    EXPECT_CODE((*directory)->make_directory("m/d"), Code::unsafe_path);
    EXPECT_CODE((*directory)->list("m"), Code::unsafe_path);
    const auto inside = file_system->open_directory(mount, false);
    ASSERT_TRUE(inside);
    EXPECT_TRUE((*inside)->list("")->empty());
    EXPECT_EQ(file_system->kind_of(mount)->name, "tmpfs");
  }
}

TEST(RealFileSystem, EntropyDiffers) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(real_file_system().entropy());
  EXPECT_EQ(seen.size(), 1000U);
}

TEST(RealFileSystem, KindOfRealPaths) {
  const auto kind = real_file_system().kind_of("/");
  ASSERT_TRUE(kind);
  EXPECT_FALSE(kind->name.empty());
  EXPECT_CODE(real_file_system().kind_of("/nonexistent/x"), Code::not_found);
  EXPECT_CODE(real_file_system().kind_of("x"), Code::invalid_argument);
}

TEST(RealKind, MapsMagicNumbersToKinds) {
  const auto expect = [](std::uint64_t magic, std::string_view type, std::string_view name, bool network) {
    const auto kind = file_system_kind(magic, type);
    EXPECT_EQ(kind.name, name);
    EXPECT_EQ(kind.network, network) << name;
  };
  expect(0xEF53, "", "ext4", false);
  expect(0x58465342, "", "xfs", false);
  expect(0x9123683E, "", "btrfs", false);
  expect(0x01021994, "", "tmpfs", false);
  expect(0x794C7630, "", "overlayfs", false);
  expect(0x2FC12FC1, "", "zfs", false);
  expect(0xF2F52010, "", "f2fs", false);
  expect(0x6969, "", "nfs", true);
  expect(0x517B, "", "smb", true);
  expect(0xFFFFFFFFFF534D42, "", "cifs", true);  // sign-extended
  expect(0xFE534D42, "", "smb2", true);
  expect(0x01021997, "", "9p", true);
  expect(0x5346414F, "", "afs", true);
  expect(0x73757245, "", "coda", true);
  expect(0x00C36400, "", "ceph", true);
  expect(0x0BD00BD0, "", "lustre", true);
  expect(0x12345678, "", "0x12345678", false);
  for (const char* type : {"sshfs", "s3fs", "rclone", "davfs", "glusterfs", "gvfsd-fuse", "virtiofs"})
    expect(0x65735546, std::string("fuse.") + type, type, true);
  for (const char* type : {"encfs", "gocryptfs", "mergerfs", "bindfs"})
    expect(0x65735546, std::string("fuse.") + type, type, false);
  expect(0x65735546, "fuseblk", "fuseblk", false);
  expect(0x65735546, "", "fuse", false);
  EXPECT_TRUE(file_system_kind(0x65735546, "fuse", "https://dav.example.org/").network);
  EXPECT_FALSE(file_system_kind(0x65735546, "fuse", "/dev/fuse").network);
}

TEST(RealKind, FindsMountByDevice) {
  constexpr std::string_view kText =
      "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
      "40 22 0:35 / /mnt/a\\040b rw shared:1 master:2 - fuse.sshfs me@host:/srv rw,user_id=0\n"
      "41 22 0:36 / /x rw -\n"
      "nonsense";
  EXPECT_EQ(find_mount(kText, 0, 35).type, "fuse.sshfs");
  EXPECT_EQ(find_mount(kText, 0, 35).source, "me@host:/srv");
  EXPECT_EQ(find_mount(kText, 254, 0).type, "ext4");
  EXPECT_EQ(find_mount(kText, 0, 36).type, "");
  EXPECT_EQ(find_mount(kText, 9, 9).type, "");
  EXPECT_EQ(find_mount("", 0, 0).type, "");
}

}  // namespace
}  // namespace holdfast
