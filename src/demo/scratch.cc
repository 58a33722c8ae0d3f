#include "demo/scratch.h"

#include <holdfast/file_system.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kNeeded = std::uint64_t{512} << 20;

std::string usual_place() {
  const auto kind = real_file_system().kind_of("/tmp");
  return kind && kind->name == "tmpfs" ? "/var/tmp" : "/tmp";
}

}  // namespace

Result<Scratch> Scratch::create(const std::string& base) {
  std::error_code wrong;
  const auto place = std::filesystem::absolute(base.empty() ? usual_place() : base, wrong).lexically_normal();
  struct statvfs room{};
  if (::statvfs(place.c_str(), &room) != 0) {
    Error error = os_error(errno, "cannot use this directory for temporary files", place.string());
    if (error.code == Code::not_found) error.code = Code::storage_unavailable;
    return fail(std::move(error));
  }
  if (room.f_bavail * room.f_frsize < kNeeded)
    return fail(Code::disk_full, "the demo needs 512 MB of free space; set TMPDIR to use another directory",
                place.string());
  std::string path = (place / "holdfast-demo-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) return fail(os_error(errno, "cannot create a directory", path));
  return Scratch(std::move(path));
}

Scratch::~Scratch() {
  if (!kept_) remove();
}

bool Scratch::remove() {
  if (path_.empty()) return true;
  std::error_code wrong;
  std::filesystem::remove_all(path_, wrong);
  if (!wrong) path_.clear();
  return !wrong;
}

}  // namespace holdfast::inline v1
