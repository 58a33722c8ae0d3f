#include <holdfast/error.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace holdfast::inline v1 {
namespace {

struct Entry {
  std::string_view name;
  std::string_view meaning;
};

// In the order of enum Code.
constexpr std::array<Entry, kCodeCount> kCodes{{
    {"invalid_argument", "the caller passed something that can never work"},
    {"invalid_record", "the bytes are not one whole JSON object on one line"},
    {"unsafe_path", "a name or path that leaves its root, or is not a plain file of ours"},
    {"not_found", "nothing has that name"},
    {"already_exists", "something with that name exists and must not be replaced"},
    {"conflict", "somebody else changed it since it was read"},
    {"busy", "another living owner holds it, or the wait for it ran out"},
    {"corrupt", "bytes that cannot be what was written"},
    {"serialization_failed", "a document cannot be read and has no valid backup"},
    {"newer_schema", "written by a newer version; it was left alone"},
    {"schema_mismatch", "readable, but not what was expected here"},
    {"unsupported", "this layout, file system or build cannot do that"},
    {"network_file_system", "refused, because locks and syncs are not reliable there"},
    {"permission_denied", "the system does not permit it"},
    {"disk_full", "no space, quota or inode is left, or a size limit was reached"},
    {"read_only", "the file system is mounted read-only"},
    {"io_error", "the device or the system failed"},
    {"durability_unknown", "written, but the sync failed: it may or may not survive"},
    {"poisoned", "an earlier sync failed here and could not be repaired yet"},
    {"unfinished", "committed, but not all of it is in place yet: the next change here finishes it; do not repeat it"},
    {"too_large", "over a stated limit"},
    {"cancelled", "the caller stopped it"},
    {"deadline_exceeded", "the caller's time ran out"},
    {"out_of_memory", "an allocation failed"},
    {"storage_unavailable", "the store cannot be reached at all"},
    {"atomic_write_failed", "a document could not be replaced; the old version is in place"},
    {"schema_version_mismatch", "the record does not have the required schema version"},
    {"sync_transport_failed", "a remote did not accept what was sent to it"},
    {"internal", "a bug in Holdfast itself; please report it"},
}};

Code code_of(int number) {
  switch (number) {
    case ENOENT: return Code::not_found;
    case EEXIST: return Code::already_exists;
    case EACCES:
    case EPERM: return Code::permission_denied;
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return Code::disk_full;
    case EROFS: return Code::read_only;
    case ELOOP:
    case EXDEV:
    case ENXIO:
    case ENOTDIR: return Code::unsafe_path;
    case ENAMETOOLONG:
    case EINVAL: return Code::invalid_argument;
    case EWOULDBLOCK:
    case EBUSY: return Code::busy;
    case ENOMEM: return Code::out_of_memory;
    case EOPNOTSUPP:
    case ENOSYS: return Code::unsupported;
    default: return Code::io_error;
  }
}

}  // namespace

std::string_view code_name(Code code) { return kCodes[static_cast<std::size_t>(code)].name; }
std::string_view code_meaning(Code code) { return kCodes[static_cast<std::size_t>(code)].meaning; }

std::string Error::text() const {
  std::string out(code_name(code));
  out.append(": ").append(message);
  if (!path.empty()) out.append(" (").append(path).append(")");
  return out;
}

Error os_error(int number, std::string_view what, std::string_view path) {
  std::string message(what);
  char buffer[128];
  // GNU strerror_r may return a static text instead of the buffer.
  message.append(": ").append(::strerror_r(number, buffer, sizeof buffer));
  return Error{code_of(number), std::move(message), std::string(path), number};
}

}  // namespace holdfast::inline v1
