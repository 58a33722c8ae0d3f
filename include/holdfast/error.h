// Errors are values. Every failure of the library carries one code of a closed
// list, a message for people, the path of the file concerned and the errno.
// Thread-safety: plain values, no shared state.
#pragma once

#include <holdfast/export.h>

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::inline v1 {

// The closed list. Scripts see the names that `code_name` returns; a code is
// never renamed or reused. `code_meaning` explains each in one line.
enum class Code {
  invalid_argument,         // the caller passed something that can never work
  invalid_record,           // the bytes are not one whole JSON object on one line
  unsafe_path,              // a name or path that leaves its root or is not a plain file
  not_found,                // nothing has that name
  already_exists,           // something with that name exists and must not be replaced
  conflict,                 // somebody else changed it since it was read
  busy,                     // another living owner holds it, or the wait ran out
  corrupt,                  // the bytes cannot be what was written
  serialization_failed,     // a document cannot be read and has no valid backup
  newer_schema,             // written by a newer version; left alone
  schema_mismatch,          // readable, but not what was expected here
  unsupported,              // this layout, file system or build cannot do that
  network_file_system,      // refused, because locks and syncs do not hold there
  permission_denied,        // the system does not permit it
  disk_full,                // no space, quota or inode is left, or a size limit was reached
  read_only,                // the file system is mounted read-only
  io_error,                 // the device or the system failed
  durability_unknown,       // written, but the sync failed: may or may not survive
  poisoned,                 // an earlier sync failed here and could not be repaired yet
  unfinished,               // committed, but not all in place yet: the next change finishes it; do not repeat it
  too_large,                // over a stated limit
  cancelled,                // the caller stopped it
  deadline_exceeded,        // the caller's time ran out
  out_of_memory,            // an allocation failed
  storage_unavailable,      // the store cannot be reached at all
  atomic_write_failed,      // a document could not be replaced; the old version is in place
  schema_version_mismatch,  // the record has another schema version; the message names the one required
  sync_transport_failed,    // a remote did not accept what was sent to it
  internal,                 // a bug in Holdfast itself; please report it
};
inline constexpr int kCodeCount = static_cast<int>(Code::internal) + 1;

HOLDFAST_EXPORT std::string_view code_name(Code code);
HOLDFAST_EXPORT std::string_view code_meaning(Code code);

struct Error {
  Code code = Code::internal;
  std::string message;  // for people: what failed and why; never contains a secret
  std::string path;     // the file concerned, or empty
  int os_error = 0;     // errno, or 0

  // "disk_full: cannot append: No space left on device (messages.jsonl)"
  HOLDFAST_EXPORT std::string text() const;
};

// Makes an Error from an errno: chooses the code, keeps the number and the path.
// Called only where the library calls the operating system.
HOLDFAST_EXPORT Error os_error(int number, std::string_view what, std::string_view path);

template <typename T>
using Result = std::expected<T, Error>;
using Failure = std::unexpected<Error>;

inline Failure fail(Error error) { return Failure(std::move(error)); }
inline Failure fail(Code code, std::string message, std::string path = {}) {
  return Failure(Error{code, std::move(message), std::move(path), 0});
}

}  // namespace holdfast::inline v1

// HOLDFAST_TRY(expr): if the Result `expr` failed, returns its error from the enclosing function.
// HOLDFAST_LET(name, expr): the same; otherwise defines `name` as the value.
#define HOLDFAST_CONCAT2(a, b) a##b
#define HOLDFAST_CONCAT(a, b) HOLDFAST_CONCAT2(a, b)
#define HOLDFAST_TRY(expr)                                                                                            \
  do {                                                                                                                \
    if (auto holdfast_result = (expr); !holdfast_result) return ::holdfast::fail(std::move(holdfast_result).error()); \
  } while (false)
#define HOLDFAST_LET(name, expr) HOLDFAST_LET_AS(HOLDFAST_CONCAT(holdfast_let_, __LINE__), name, expr)
#define HOLDFAST_LET_AS(temporary, name, expr)                           \
  auto temporary = (expr);                                               \
  if (!temporary) return ::holdfast::fail(std::move(temporary).error()); \
  auto name = std::move(*temporary)
