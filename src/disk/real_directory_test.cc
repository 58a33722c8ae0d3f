#include "disk/real_directory.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <thread>
#include <tuple>

#include "disk/real_file_system.h"
#include "disk/real_testing.h"

namespace holdfast {
namespace {

constexpr OpenMode kWriteModes[] = {OpenMode::append, OpenMode::update};
constexpr OpenMode kCreateModes[] = {OpenMode::create_append, OpenMode::create_update};

// Runs everything twice: with openat2 and with the walk for old kernels.
class RealDirectoryTest : public testing::TestWithParam<Resolve> {
 protected:
  void SetUp() override {
    file_system_ = make_real_file_system(GetParam());
    ASSERT_EQ(::mkdir(root().c_str(), 0700), 0);
    auto opened = file_system_->open_directory(root(), false);
    ASSERT_TRUE(opened) << opened.error().text();
    directory_ = std::move(*opened);
  }
  std::string root() const { return temporary_.path("root"); }
  std::string in_root(std::string_view name) const { return root() + "/" + std::string(name); }

  void put(std::string_view name, std::string_view text) {
    auto file = directory_->open(name, OpenMode::create_update);
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_OK((*file)->write_at(0, text));
  }
  std::string get(std::string_view name) {
    auto file = directory_->open(name, OpenMode::read);
    return file ? read_whole(**file) : file.error().text();
  }
  void outside(std::string_view name, std::string_view text) {
    const int file = ::open(temporary_.path(name).c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
    ASSERT_GE(file, 0);
    ASSERT_EQ(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(file);
  }
  std::string outside(std::string_view name) {
    auto directory = real_file_system().open_directory(temporary_.path(), false);
    auto file = (*directory)->open(name, OpenMode::read);
    return file ? read_whole(**file) : file.error().text();
  }
  // Must be neither opened for writing nor replaced by creating.
  void expect_refused(std::string_view name) {
    for (const auto mode : kWriteModes) EXPECT_CODE(directory_->open(name, mode), Code::unsafe_path);
    for (const auto mode : kCreateModes) {
      const auto file = directory_->open(name, mode);
      ASSERT_FALSE(file) << name;
      EXPECT_TRUE(file.error().code == Code::unsafe_path || file.error().code == Code::already_exists)
          << file.error().text();
    }
  }

  TemporaryDirectory temporary_;
  std::unique_ptr<FileSystem> file_system_;
  std::unique_ptr<Directory> directory_;
};

TEST_P(RealDirectoryTest, OpenModes) {
  EXPECT_EQ(directory_->path(), root());
  for (const auto mode : {OpenMode::read, OpenMode::append, OpenMode::update})
    EXPECT_CODE(directory_->open("f", mode), Code::not_found);
  put("f", "text");
  for (const auto mode : kCreateModes) EXPECT_CODE(directory_->open("f", mode), Code::already_exists);
  EXPECT_EQ(get("f"), "text");
  EXPECT_OK((*directory_->open("f", OpenMode::append))->append("!"));
  EXPECT_EQ(get("f"), "text!");
  EXPECT_OK(directory_->make_directory("d"));
  EXPECT_OK(directory_->make_directory("d/e"));
  put("d/e/g", "deep");
  EXPECT_EQ(get("d/e/g"), "deep");
  const auto missing = directory_->open("d/x/g", OpenMode::append);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::not_found);
  EXPECT_EQ(missing.error().path, in_root("d/x/g"));
  EXPECT_TRUE(missing.error().message.starts_with("cannot open for appending: ")) << missing.error().message;
}

TEST_P(RealDirectoryTest, StatAndList) {
  put("b", "123");
  put("a", "");
  EXPECT_OK(directory_->make_directory("c"));
  EXPECT_OK(directory_->make_symlink("nowhere", "l"));
  ASSERT_EQ(::mkfifo(in_root("p").c_str(), 0600), 0);
  EXPECT_EQ(directory_->stat("")->kind, FileKind::directory);
  EXPECT_EQ(directory_->stat("b")->size, 3U);
  EXPECT_EQ(directory_->stat("l")->kind, FileKind::symlink);
  EXPECT_EQ(directory_->stat("p")->kind, FileKind::other);
  EXPECT_CODE(directory_->stat("x"), Code::not_found);
  EXPECT_CODE(directory_->stat("../root"), Code::unsafe_path);
  EXPECT_TRUE(directory_->stat("b")->same_file(*(*directory_->open("b", OpenMode::read))->stat()));
  const auto entries = directory_->list("");
  ASSERT_TRUE(entries);
  std::string all;
  for (const auto& entry : *entries) all += entry.name + std::to_string(static_cast<int>(entry.kind)) + " ";
  EXPECT_EQ(all, "a0 b0 c1 l2 p3 ");
  EXPECT_EQ(directory_->list("")->size(), 5U) << "a second listing starts from the beginning";
  EXPECT_TRUE(directory_->list("c")->empty());
  EXPECT_CODE(directory_->list("b"), Code::unsafe_path);
  EXPECT_CODE(directory_->list("l"), Code::unsafe_path);
  EXPECT_CODE(directory_->list("x"), Code::not_found);
}

TEST_P(RealDirectoryTest, StatWithoutTimesMatchesStat) {
  put("a", "12345");
  ASSERT_EQ(::symlink("a", in_root("link").c_str()), 0);
  for (const auto* name : {"a", "link"}) {
    auto whole = directory_->stat(name);
    const auto quick = directory_->stat_without_times(name);
    ASSERT_TRUE(whole && quick) << name;
    EXPECT_TRUE(quick->same_file(*whole)) << name;
    EXPECT_EQ(std::tie(quick->kind, quick->size, quick->links, quick->mode, quick->owner),
              std::tie(whole->kind, whole->size, whole->links, whole->mode, whole->owner))
        << name;
    EXPECT_EQ(quick->mtime_ns, 0);
  }
  EXPECT_CODE(directory_->stat_without_times("none"), Code::not_found);
  EXPECT_FALSE(directory_->stat_without_times("../root/a"));
}

TEST_P(RealDirectoryTest, LinksRenamesAndRemovesNames) {
  put("a", "A");
  EXPECT_OK(directory_->make_directory("d"));
  EXPECT_CODE(directory_->make_directory("d"), Code::already_exists);
  EXPECT_CODE(directory_->make_directory("x/y"), Code::not_found);
  EXPECT_OK(directory_->make_link("a", "d/b"));
  EXPECT_EQ(directory_->stat("a")->links, 2U);
  EXPECT_CODE(directory_->make_link("a", "d/b"), Code::already_exists);
  EXPECT_OK(directory_->remove("a"));
  EXPECT_EQ(get("d/b"), "A");
  put("c", "C");
  EXPECT_OK(directory_->rename("c", "d/b"));
  EXPECT_EQ(get("d/b"), "C");
  EXPECT_CODE(directory_->rename("c", "d/b"), Code::not_found);
  EXPECT_CODE(directory_->remove_directory("d"), Code::already_exists);
  EXPECT_CODE(directory_->remove("d"), Code::unsafe_path);
  EXPECT_CODE(directory_->remove("c"), Code::not_found);
  EXPECT_OK(directory_->remove("d/b"));
  EXPECT_OK(directory_->sync_directory("d"));
  EXPECT_OK(directory_->remove_directory("d"));
  EXPECT_OK(directory_->sync_directory(""));
  EXPECT_CODE(directory_->sync_directory("d"), Code::not_found);
  EXPECT_OK(directory_->make_symlink("../target", "l"));
  EXPECT_CODE(directory_->make_symlink("other", "l"), Code::already_exists);
  EXPECT_EQ(*directory_->read_symlink("l"), "../target");
  put("f", "");
  EXPECT_CODE(directory_->read_symlink("f"), Code::invalid_argument);
  EXPECT_CODE(directory_->make_symlink("", "m"), Code::invalid_argument);
  EXPECT_OK(directory_->remove("l"));
}

TEST_P(RealDirectoryTest, KeepsWorkingAfterRename) {
  put("f", "1");
  ASSERT_EQ(::rename(root().c_str(), temporary_.path("moved").c_str()), 0);
  EXPECT_EQ(get("f"), "1");
  put("g", "2");
  EXPECT_EQ(outside("moved/g"), "2");
}

TEST_P(RealDirectoryTest, BadPathsAreRefusedEverywhere) {
  outside("secret", "s");
  put("ok", "o");
  for (const std::string_view bad :
       {"", "/", "/etc/passwd", "..", "../secret", "a/../../secret", "./ok", "ok/", "a//b"}) {
    for (const auto mode : {OpenMode::read, OpenMode::append, OpenMode::create_update})
      EXPECT_CODE(directory_->open(bad, mode), Code::unsafe_path);
    EXPECT_CODE(directory_->make_directory(bad), Code::unsafe_path);
    EXPECT_CODE(directory_->make_link("ok", bad), Code::unsafe_path);
    EXPECT_CODE(directory_->make_link(bad, "x"), Code::unsafe_path);
    EXPECT_CODE(directory_->rename("ok", bad), Code::unsafe_path);
    EXPECT_CODE(directory_->rename(bad, "x"), Code::unsafe_path);
    EXPECT_CODE(directory_->make_symlink("t", bad), Code::unsafe_path);
    EXPECT_CODE(directory_->read_symlink(bad), Code::unsafe_path);
    EXPECT_CODE(directory_->remove(bad), Code::unsafe_path);
    EXPECT_CODE(directory_->remove_directory(bad), Code::unsafe_path);
    if (bad.empty()) continue;
    EXPECT_CODE(directory_->stat(bad), Code::unsafe_path);
    EXPECT_CODE(directory_->list(bad), Code::unsafe_path);
    EXPECT_CODE(directory_->sync_directory(bad), Code::unsafe_path);
  }
  EXPECT_EQ(outside("secret"), "s");
  EXPECT_EQ(get("ok"), "o");
}

TEST_P(RealDirectoryTest, SymlinkAtTheEndIsReadButNeverWritten) {
  outside("target", "precious");
  put("plain", "inside");
  ASSERT_EQ(::symlink(temporary_.path("target").c_str(), in_root("out").c_str()), 0);
  ASSERT_EQ(::symlink("plain", in_root("in").c_str()), 0);
  ASSERT_EQ(::symlink("missing", in_root("dangling").c_str()), 0);
  for (const char* name : {"out", "in", "dangling"}) expect_refused(name);
  EXPECT_EQ(get("out"), "precious");
  EXPECT_EQ(get("in"), "inside");
  EXPECT_CODE(directory_->open("dangling", OpenMode::read), Code::not_found);
  EXPECT_CODE(directory_->stat("missing"), Code::not_found);
  // A rename replaces the link, not what it points to.
  put("new", "new");
  EXPECT_OK(directory_->rename("new", "out"));
  EXPECT_EQ(outside("target"), "precious");
}

TEST_P(RealDirectoryTest, SymlinkInTheMiddleIsReadButNeverWritten) {
  ASSERT_EQ(::mkdir(temporary_.path("elsewhere").c_str(), 0700), 0);
  outside("elsewhere/f", "precious");
  ASSERT_EQ(::symlink(temporary_.path("elsewhere").c_str(), in_root("d").c_str()), 0);
  put("mine", "m");
  expect_refused("d/f");
  EXPECT_EQ(get("d/f"), "precious");
  for (const auto mode : kCreateModes) EXPECT_CODE(directory_->open("d/new", mode), Code::unsafe_path);
  EXPECT_CODE(directory_->make_directory("d/new"), Code::unsafe_path);
  EXPECT_CODE(directory_->make_link("mine", "d/new"), Code::unsafe_path);
  EXPECT_CODE(directory_->make_link("d/f", "new"), Code::unsafe_path);
  EXPECT_CODE(directory_->rename("mine", "d/f"), Code::unsafe_path);
  EXPECT_CODE(directory_->rename("d/f", "mine"), Code::unsafe_path);
  EXPECT_CODE(directory_->make_symlink("x", "d/new"), Code::unsafe_path);
  EXPECT_CODE(directory_->read_symlink("d/f"), Code::unsafe_path);
  EXPECT_CODE(directory_->remove("d/f"), Code::unsafe_path);
  EXPECT_CODE(directory_->remove_directory("d/f"), Code::unsafe_path);
  EXPECT_CODE(directory_->list("d"), Code::unsafe_path);
  EXPECT_CODE(directory_->sync_directory("d"), Code::unsafe_path);
  EXPECT_EQ(outside("elsewhere/f"), "precious");
  EXPECT_EQ(get("mine"), "m");
}

TEST_P(RealDirectoryTest, FifoSocketAndDirectoryAreRefusedWithoutHanging) {
  ASSERT_EQ(::mkfifo(in_root("fifo").c_str(), 0600), 0);
  ASSERT_EQ(::mkdir(in_root("dir").c_str(), 0700), 0);
  const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  in_root("sock").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(server, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  for (const char* name : {"fifo", "dir", "sock"}) {
    expect_refused(name);
    EXPECT_CODE(directory_->open(name, OpenMode::read), Code::unsafe_path);
  }
  const auto fifo = directory_->open("fifo", OpenMode::append);
  EXPECT_TRUE(!fifo && fifo.error().message.contains("FIFO"));
  ::close(server);
}

TEST_P(RealDirectoryTest, DeviceIsRefused) {
  if (::mknod(in_root("null").c_str(), S_IFCHR | 0600, 0x0103) != 0) GTEST_SKIP() << "mknod is not permitted here";
  expect_refused("null");
  EXPECT_CODE(directory_->open("null", OpenMode::read), Code::unsafe_path);
}

TEST_P(RealDirectoryTest, HardLinkIsReadButNeverWritten) {
  outside("target", "precious");
  ASSERT_EQ(::link(temporary_.path("target").c_str(), in_root("f").c_str()), 0);
  expect_refused("f");
  EXPECT_EQ(get("f"), "precious");
  EXPECT_TRUE(directory_->open("f", OpenMode::update).error().message.contains("hard link"));
  ASSERT_EQ(::unlink(temporary_.path("target").c_str()), 0);
  EXPECT_OK(directory_->open("f", OpenMode::update));
}

TEST_P(RealDirectoryTest, FileOfAnotherUserIsReadButNeverWritten) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs chown";
  put("f", "theirs");
  ASSERT_EQ(::chown(in_root("f").c_str(), 65534, 65534), 0);
  expect_refused("f");
  EXPECT_EQ(get("f"), "theirs");
  EXPECT_TRUE(directory_->open("f", OpenMode::append).error().message.contains("another user"));
}

TEST_P(RealDirectoryTest, ModesDoNotDependOnUmask) {
  for (const mode_t mask : {0000U, 0022U, 0077U, 0777U}) {
    const mode_t before = ::umask(mask);
    const std::string name = "m" + std::to_string(mask);
    const auto file = directory_->open(name, OpenMode::create_append);
    const auto made = directory_->make_directory(name + "d");
    ::umask(before);
    EXPECT_OK(file);
    EXPECT_OK(made);
    EXPECT_EQ(directory_->stat(name)->mode, 0600U) << mask;
    EXPECT_EQ(directory_->stat(name + "d")->mode, 0700U) << mask;
  }
}

// A directory on the path is constantly swapped with a link that leads out of the root (T14).
TEST_P(RealDirectoryTest, SwappedDirectoryNeverEscapesRoot) {
  ASSERT_EQ(::mkdir(temporary_.path("elsewhere").c_str(), 0700), 0);
  outside("elsewhere/f", "precious");
  EXPECT_OK(directory_->make_directory("d"));
  put("d/f", "mine");
  ASSERT_EQ(::symlink(temporary_.path("elsewhere").c_str(), in_root("link").c_str()), 0);
  std::jthread swapper([&](const std::stop_token& stop) {
    const std::string a = in_root("d");
    const std::string b = in_root("link");
    while (!stop.stop_requested()) ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE);
  });
  int opened = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (auto file = directory_->open("d/f", OpenMode::append)) opened += (*file)->append("x").has_value() ? 1 : 0;
    (void)directory_->remove("d/gone");
    if (i % 4 == 0) (void)directory_->open("d/gone", OpenMode::create_update);
  }
  swapper = {};
  EXPECT_GT(opened, 0);
  EXPECT_EQ(outside("elsewhere/f"), "precious");
  const auto there = real_file_system().open_directory(temporary_.path("elsewhere"), false);
  ASSERT_TRUE(there);
  EXPECT_EQ((*there)->list("")->size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Resolve, RealDirectoryTest, testing::Values(Resolve::automatic, Resolve::walk),
                         [](const auto& each) { return each.param == Resolve::walk ? "walk" : "automatic"; });

}  // namespace
}  // namespace holdfast
