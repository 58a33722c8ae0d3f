// An atomic document: one file that is replaced as a whole. Readers see the old
// or the new version, never a mixture; the version before is kept as a backup
// in the side folder (decision 3).
//
// A revision is the hash of the bytes last read (decision 4): a replace that
// names the revision it was made from fails with `conflict` when somebody else
// has replaced or edited the file since. No field in the file is needed.
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

// 32 hex digits of the document's bytes; "absent" when there is no file.
using Revision = std::string;
inline constexpr std::string_view kAbsent = "absent";
HOLDFAST_EXPORT Revision revision_of(std::string_view bytes);

// What a check says of a document's bytes.
enum class Verdict { valid, corrupt, newer_schema };
using DocumentCheck = std::function<Verdict(std::string_view bytes)>;

// One JSON value; newer_schema when its "schema_version" is a number above `newest`.
HOLDFAST_EXPORT DocumentCheck json_document(std::int64_t newest = 1);

struct LoadOptions {
  DocumentCheck check;          // json_document() when empty
  bool use_backup = true;       // fall back to the backup when the file is bad (decision 10)
  bool move_bad_aside = false;  // write-open: a bad file goes to quarantine
};

struct Loaded {
  std::string bytes;
  Revision revision;  // of the file itself, so that a replace can follow
  bool restored_from_backup = false;
  std::optional<Finding> finding;  // what was wrong with the file, and where it went
};

// not_found when there is neither file nor backup; newer_schema when the file
// is from a newer version (never moved, never replaced by the backup);
// serialization_failed when it is bad and no valid backup may be used.
HOLDFAST_EXPORT Result<Loaded> load_document(const Context& context, Root& root, std::string_view path,
                                             const LoadOptions& options = {});

// As a mode: the file keeps the bits it has, a new one gets 0644. For files that
// belong to the project, not to a store (decision 24).
inline constexpr std::uint32_t kKeepMode = 0;

struct ReplaceOptions {
  std::optional<Revision> expected;  // conflict unless the file still has it; kAbsent: must not exist
  bool backup = true;
  std::uint32_t mode = 0600;
  // Readers never see half a version; `none`: after power loss it may be empty or gone (derived data).
  Durability durability = Durability::power;
};

// The new revision. Bytes equal to those in the file are not written again.
HOLDFAST_EXPORT Result<Revision> replace_document(const Context& context, Root& root, std::string_view path,
                                                  std::string_view bytes, const ReplaceOptions& options = {});

// Removes the file; its backup stays. not_found when there is none.
HOLDFAST_EXPORT Result<void> remove_document(const Context& context, Root& root, std::string_view path,
                                             const std::optional<Revision>& expected = {});

}  // namespace holdfast::inline v1
