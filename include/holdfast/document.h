// An atomic document: one file that is replaced as a whole. Readers see the old
// or the new version, never a mixture; the previous version is kept as a backup
// in the side folder (decision 3).
//
// A revision is the hash of a document's bytes (decision 4). A replace that
// expects the revision it started from fails with `conflict` if somebody else
// has replaced or edited the file since. The file needs no field for this.
// Thread-safety: free functions on a shared Root; any thread, any process.
#pragma once

#include <holdfast/append_log.h>
#include <holdfast/export.h>
#include <holdfast/root.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// The hash of the document's bytes, 32 hex digits; "absent" if there is no file.
using Revision = std::string;
inline constexpr std::string_view kAbsent = "absent";
HOLDFAST_EXPORT Revision revision_of(std::string_view bytes);

// The result of checking a document's bytes.
enum class Verdict { valid, corrupt, newer_schema };
using DocumentCheck = std::function<Verdict(std::string_view bytes)>;

// Accepts one JSON value; newer_schema if its "schema_version" is a number above `newest`.
HOLDFAST_EXPORT DocumentCheck json_document(std::int64_t newest = 1);

struct LoadOptions {
  DocumentCheck check;          // json_document() if empty
  bool use_backup = true;       // fall back to the backup if the file is bad (decision 10)
  bool move_bad_aside = false;  // move a bad file to quarantine; takes the root's lock and writes
};

struct Loaded {
  std::string bytes;
  Revision revision;  // of the file itself: pass it to replace_document as `expected`
  bool restored_from_backup = false;
  std::optional<Finding> finding;  // what was wrong with the file, and where its bytes were moved
};

// Fails with not_found if there is no file, even if there is a backup; with
// newer_schema if a newer version wrote the file (never moved or replaced by the
// backup); with serialization_failed if it is bad and no valid backup may be used.
HOLDFAST_EXPORT Result<Loaded> load_document(const Context& context, Root& root, std::string_view path,
                                             const LoadOptions& options = {});

// A mode: an existing file keeps its permission bits, a new one gets 0644. For
// files that belong to the project, not to a store (decision 24).
inline constexpr std::uint32_t kKeepMode = 0;

struct ReplaceOptions {
  std::optional<Revision> expected;  // conflict unless the file has this revision; kAbsent: it must not exist
  bool backup = true;
  std::uint32_t mode = 0600;
  // Readers never see half a version. With `none` the file may be empty or gone after power loss (for derived data).
  Durability durability = Durability::power;
};

// Returns the new revision. Writes nothing if the file already has these bytes.
HOLDFAST_EXPORT Result<Revision> replace_document(const Context& context, Root& root, std::string_view path,
                                                  std::string_view bytes, const ReplaceOptions& options = {});

// Removes the file but keeps a backup. Fails with not_found if there is no file.
HOLDFAST_EXPORT Result<void> remove_document(const Context& context, Root& root, std::string_view path,
                                             const std::optional<Revision>& expected = {});

}  // namespace holdfast::inline v1
