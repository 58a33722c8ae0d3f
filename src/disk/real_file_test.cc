#include "disk/real_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "disk/real_testing.h"

namespace holdfast {
namespace {

class RealFileTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = real_file_system().open_directory(temporary_.path(), false);
    ASSERT_TRUE(opened) << opened.error().text();
    directory_ = std::move(*opened);
  }
  std::unique_ptr<File> open(std::string_view name, OpenMode mode) {
    auto file = directory_->open(name, mode);
    EXPECT_TRUE(file) << file.error().text();
    return file ? std::move(*file) : nullptr;
  }
  TemporaryDirectory temporary_;
  std::unique_ptr<Directory> directory_;
};

TEST_F(RealFileTest, AppendReadStatTruncateSync) {
  const auto file = open("log", OpenMode::create_append);
  ASSERT_TRUE(file);
  EXPECT_EQ(*file->append("one\n"), 4U);
  EXPECT_EQ(file->append_end(), 4U);
  EXPECT_EQ(*file->append("two\n"), 4U);
  EXPECT_EQ(file->append_end(), 8U);
  EXPECT_EQ(*file->append(""), 0U);
  EXPECT_EQ(read_whole(*file), "one\ntwo\n");
  EXPECT_OK(file->sync());
  const auto stat = file->stat();
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->kind, FileKind::file);
  EXPECT_EQ(stat->size, 8U);
  EXPECT_EQ(stat->links, 1U);
  EXPECT_EQ(stat->mode, 0600U);
  EXPECT_EQ(stat->owner, ::geteuid());
  EXPECT_GT(stat->mtime_ns, 1'600'000'000'000'000'000);
  EXPECT_OK(file->truncate(4));
  EXPECT_EQ(*file->append("three\n"), 6U);
  EXPECT_EQ(file->append_end(), 10U);
  EXPECT_EQ(read_whole(*file), "one\nthree\n");
  EXPECT_OK(file->set_mode(0644));
  EXPECT_EQ(file->stat()->mode, 0644U);
}

TEST_F(RealFileTest, ReadAtStopsAtTheEnd) {
  const auto file = open("f", OpenMode::create_update);
  ASSERT_TRUE(file);
  EXPECT_OK(file->write_at(0, "0123456789"));
  char buffer[8] = {};
  EXPECT_EQ(*file->read_at(6, buffer), 4U);
  EXPECT_EQ(std::string_view(buffer, 4), "6789");
  EXPECT_EQ(*file->read_at(10, buffer), 0U);
  EXPECT_EQ(*file->read_at(1000, buffer), 0U);
  EXPECT_EQ(*file->read_at(0, std::span<char>()), 0U);
  EXPECT_CODE(file->read_at(~0ULL, buffer), Code::invalid_argument);
}

TEST_F(RealFileTest, WriteAtOverwritesAndExtends) {
  const auto file = open("f", OpenMode::create_update);
  ASSERT_TRUE(file);
  EXPECT_OK(file->write_at(0, "aaaaaa"));
  EXPECT_OK(file->write_at(2, "bb"));
  EXPECT_OK(file->write_at(8, "c"));
  EXPECT_EQ(read_whole(*file), std::string_view("aabbaa\0\0c", 9));
}

TEST_F(RealFileTest, AppendLandsAfterAForeignAppend) {
  const auto file = open("log", OpenMode::create_append);
  ASSERT_TRUE(file);
  EXPECT_OK(file->append("ours\n"));
  const int foreign = ::open(temporary_.path("log").c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(foreign, 0);
  ASSERT_EQ(::write(foreign, "theirs\n", 7), 7);
  EXPECT_OK(file->append("ours again\n"));
  EXPECT_EQ(file->append_end(), 23U);
  ASSERT_EQ(::write(foreign, "x\n", 2), 2);
  ::close(foreign);
  EXPECT_EQ(file->append_end(), 23U);
  EXPECT_EQ(read_whole(*file), "ours\ntheirs\nours again\nx\n");
}

TEST_F(RealFileTest, WrongModeIsRefusedAndWritesNothing) {
  {
    const auto append = open("log", OpenMode::create_append);
    EXPECT_CODE(append->write_at(0, "x"), Code::invalid_argument);
  }
  const auto update = open("log", OpenMode::update);
  EXPECT_CODE(update->append("x"), Code::invalid_argument);
  const auto read = open("log", OpenMode::read);
  EXPECT_CODE(read->append("x"), Code::invalid_argument);
  EXPECT_FALSE(read->write_at(0, "x"));
  EXPECT_FALSE(read->truncate(1));
  EXPECT_EQ(read->stat()->size, 0U);
}

TEST_F(RealFileTest, AppendLargerThanOneWriteIsRefused) {
  const auto file = open("log", OpenMode::create_append);
  const char byte = 'x';
  // Refused by its length alone; the bytes are never read.
  EXPECT_CODE(file->append(std::string_view(&byte, 0x7ffff001)), Code::too_large);
  EXPECT_EQ(file->stat()->size, 0U);
}

TEST_F(RealFileTest, LocksExcludeBetweenHandles) {
  const auto one = open("lock", OpenMode::create_update);
  auto two = open("lock", OpenMode::update);
  const auto reader = open("lock", OpenMode::read);
  EXPECT_TRUE(*one->try_lock(LockKind::exclusive));
  EXPECT_TRUE(*one->try_lock(LockKind::exclusive)) << "taking it again is harmless";
  EXPECT_FALSE(*two->try_lock(LockKind::exclusive));
  EXPECT_FALSE(*reader->try_lock(LockKind::shared));
  one->unlock();
  EXPECT_TRUE(*two->try_lock(LockKind::shared));
  EXPECT_TRUE(*reader->try_lock(LockKind::shared));
  EXPECT_FALSE(*one->try_lock(LockKind::exclusive));
  reader->unlock();
  EXPECT_FALSE(*one->try_lock(LockKind::exclusive));
  two.reset();  // closing releases
  EXPECT_TRUE(*one->try_lock(LockKind::exclusive));
}

TEST_F(RealFileTest, LockDiesWithItsProcess) {
  const auto mine = open("lock", OpenMode::create_update);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto theirs = directory_->open("lock", OpenMode::update);
    const bool locked = theirs && (*theirs)->try_lock(LockKind::exclusive).value_or(false);
    (void)!::write(ready[1], locked ? "y" : "n", 1);
    ::pause();
    ::_exit(0);
  }
  char answer = 0;
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  EXPECT_FALSE(*mine->try_lock(LockKind::exclusive));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(*mine->try_lock(LockKind::exclusive));
  ::close(ready[0]);
  ::close(ready[1]);
}

// A size limit cuts the write short; the next one fails. Runs in a child, because the limit applies to the process.
TEST_F(RealFileTest, ShortAppendIsReportedThenDiskFull) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(10);
    auto file = directory_->open("log", OpenMode::create_append);
    if (!file) ::_exit(11);
    const std::string bytes(70, 'x');
    if ((*file)->append(bytes).value_or(0) != 70) ::_exit(12);
    if ((*file)->append(bytes).value_or(0) != 30) ::_exit(13);
    if ((*file)->append_end() != 100) ::_exit(14);
    const auto last = (*file)->append(bytes);
    if (last || last.error().code != Code::disk_full || last.error().os_error != EFBIG) ::_exit(15);
    auto update = directory_->open("log", OpenMode::update);
    if (!update) ::_exit(16);
    const auto written = (*update)->write_at(60, bytes);
    if (written || written.error().code != Code::disk_full) ::_exit(17);
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(directory_->stat("log")->size, 100U);
}

TEST_F(RealFileTest, ErrorsNameTheAbsolutePath) {
  const auto file = open("log", OpenMode::create_append);
  const auto error = file->truncate(~0ULL);
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().path, temporary_.path("log"));
  EXPECT_TRUE(error.error().message.starts_with("cannot truncate: ")) << error.error().message;
  EXPECT_NE(error.error().os_error, 0);
}

}  // namespace
}  // namespace holdfast
