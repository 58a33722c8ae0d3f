// A real full disk and a real missing permission: code, path and errno are reported,
// nothing acknowledged is lost, and the store works again when there is room.
#include <cerrno>
#include <fstream>

#include "store/processes_testing.h"
#include "store/small_disk_testing.h"

namespace holdfast::inline v1 {
namespace {

Message prompt(std::size_t size) {
  Message message;
  message.blocks.push_back({.text = std::string(size, 'x')});
  return message;
}

TEST(Failure, FullDiskIsReportedAndKeepsAcknowledgedMessages) {
  const TemporaryDirectory scratch;
  const std::string disk = scratch.path("disk");
  const SmallDisk small(disk);
  if (!small.mounted()) GTEST_SKIP() << "mounting a small disk needs root";
  auto store = must(try_open_at("holdfast", disk + "/store"));
  const std::string id = must(store->create({}, {.project = "/p"}, Durability::power));
  auto writer = must(store->write({}, id, {}));
  const std::string filler = disk + "/filler";
  std::ofstream(filler) << std::string(200 << 10, 'f');
  std::size_t acknowledged = 0;
  Error error;
  for (int n = 0; n < 1000; ++n) {
    const auto appended = writer->append({}, prompt(4000), Durability::power);
    if (!appended) {
      error = appended.error();
      break;
    }
    ++acknowledged;
  }
  EXPECT_EQ(error.code, Code::disk_full) << error.text();
  EXPECT_EQ(error.os_error, ENOSPC);
  EXPECT_NE(error.path.find("messages.jsonl"), std::string::npos) << error.text();
  EXPECT_GT(acknowledged, 10u);
  EXPECT_EQ(must(store->read({}, id, {})).messages.size(), acknowledged);

  ASSERT_EQ(::unlink(filler.c_str()), 0);
  must(writer->append({}, prompt(4000), Durability::power));
  EXPECT_EQ(must(store->read({}, id, {})).messages.size(), acknowledged + 1);
}

// Root may write anywhere, so a child without privileges does this.
TEST(Failure, MissingPermissionIsReportedWithPath) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("store");
  must(try_open_at("holdfast", path));
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(3);
    if (::geteuid() != 65534) ::chmod(path.c_str(), 0500);
    const auto refused = [&]() -> Result<std::string> {
      HOLDFAST_LET(store, try_open_at("holdfast", path));
      return store->create({}, {.project = "/p"}, Durability::power);
    }();
    if (refused) ::_exit(1);
    const bool told = (refused.error().code == Code::permission_denied || refused.error().code == Code::unsafe_path) &&
                      refused.error().path.find(path) != std::string::npos;
    ::_exit(told ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace holdfast::inline v1
