#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "disk/directory_facts.h"

namespace holdfast::inline v1 {
namespace {

bool others_reach(const std::string& path) {
  struct stat now{};
  for (std::string at = path; at.size() > 1; at.resize(at.rfind('/'))) {
    const mode_t needed = at == path ? S_IROTH | S_IXOTH : S_IXOTH;
    if (::stat(at.c_str(), &now) != 0 || (now.st_mode & needed) != needed) return false;
  }
  return true;
}

}  // namespace

std::optional<DirectoryFacts> directory_facts(const std::string& path) {
  struct stat now{};
  if (!path.starts_with('/') || ::stat(path.c_str(), &now) != 0) return std::nullopt;
  DirectoryFacts facts;
  facts.mode = now.st_mode & 07777U;
  facts.readable = ::access(path.c_str(), R_OK | X_OK) == 0;
  facts.writable = ::access(path.c_str(), W_OK) == 0;
  facts.ours = now.st_uid == ::geteuid();
  facts.open_to_others = others_reach(path);
  struct statvfs space{};
  if (::statvfs(path.c_str(), &space) == 0)
    facts.free_bytes = static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
  return facts;
}

}  // namespace holdfast::inline v1
