#include <holdfast/document.h>

#include <utility>

#include "base/hash.h"
#include "base/safe_name.h"
#include "disk/poison.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

Revision present_revision(const std::optional<std::string>& bytes) {
  return bytes ? revision_of(*bytes) : Revision(kAbsent);
}

Result<void> expect(const std::optional<Revision>& expected, const std::optional<std::string>& present,
                    std::string_view path) {
  if (!expected || !does(Step::document_revision)) return {};
  const Revision now = present_revision(present);
  if (now == *expected) return {};
  return fail(Code::conflict, "the document was changed by somebody else: expected " + *expected + ", found " + now,
              std::string(path));
}

// Bytes that are already in place may come from a writer that did not sync them.
Result<void> make_durable(Root& root, std::string_view path) {
  HOLDFAST_LET(file, root.directory().open(path, OpenMode::read));
  HOLDFAST_TRY(file->sync());
  return root.sync_name(path);
}

// After a failed sync the file is in place but may not survive, and a second
// sync cannot be trusted. The mark makes the next replace rewrite it (I-7).
Failure not_durable(Root& root, std::string_view path, const Error& cause) {
  if (does(Step::document_poison_mark)) (void)Poison(root, path).mark(root, 0);
  return fail(Error{Code::durability_unknown, "replaced, but it could not be synced: " + cause.message,
                    std::string(path), cause.os_error});
}

Result<void> install(Root& root, std::string_view path, std::string_view bytes, const ReplaceOptions& options) {
  const bool power = options.durability == Durability::power;
  const auto sync = options.durability == Durability::none ? std::nullopt : std::optional(Step::document_sync);
  HOLDFAST_LET(staged, stage_file(root, bytes, next_mode(root, path, options.mode), sync));
  if (options.backup && !root.directory().exists(path)) forget_old_backup(root, path);
  auto placed = options.backup ? keep_backup(root, path) : Result<void>{};
  if (placed) placed = root.directory().rename(staged, path);
  if (!placed) {
    drop_staged(root, staged);
    return placed;
  }
  if (!power || !does(Step::document_name_sync)) return {};
  if (auto synced = root.sync_name(path); !synced) return not_durable(root, path, synced.error());
  Poison(root, path).clear(root);
  return {};
}

}  // namespace

Revision revision_of(std::string_view bytes) { return xxh3_hex(bytes); }

DocumentCheck json_document(std::int64_t newest) {
  return [newest](std::string_view bytes) {
    const std::string_view text = without_bom(bytes);
    const auto fault = check_json(text).fault;
    if (fault != JsonFault::none && fault != JsonFault::bad_utf8) return Verdict::corrupt;
    const auto version = JsonView(text).find("schema_version").as_int64();
    return version && *version > newest ? Verdict::newer_schema : Verdict::valid;
  };
}

Result<Revision> replace_document(const Context& context, Root& root, std::string_view path, std::string_view bytes,
                                  const ReplaceOptions& options) {
  HOLDFAST_TRY(context.check());
  HOLDFAST_TRY(check_relative_path(path));
  HOLDFAST_LET(held, root.lock(context));
  HOLDFAST_LET(present, read_own_file(root, path));
  HOLDFAST_TRY(expect(options.expected, present, path));
  if (present && *present == bytes && !Poison(root, path).marked(root)) {
    if (options.durability == Durability::power && does(Step::document_same_sync))
      if (auto synced = make_durable(root, path); !synced) return not_durable(root, path, synced.error());
    return revision_of(bytes);
  }
  if (const auto slash = path.rfind('/'); slash != std::string_view::npos)
    HOLDFAST_TRY(root.ensure_directory(path.substr(0, slash)));
  HOLDFAST_TRY(install(root, path, bytes, options));
  return revision_of(bytes);
}

Result<void> remove_document(const Context& context, Root& root, std::string_view path,
                             const std::optional<Revision>& expected) {
  HOLDFAST_TRY(context.check());
  HOLDFAST_TRY(check_relative_path(path));
  HOLDFAST_LET(held, root.lock(context));
  HOLDFAST_LET(present, read_own_file(root, path));
  HOLDFAST_TRY(expect(expected, present, path));
  const Poison poison(root, path);
  if (!present && (!does(Step::document_removed_anew) || !poison.marked(root)))
    return fail(Code::not_found, "there is no such document", std::string(path));
  HOLDFAST_TRY(present ? keep_backup(root, path) : recreate_name(root, path));
  HOLDFAST_TRY(root.directory().remove(path));
  if (!does(Step::document_name_sync)) return {};
  if (auto synced = root.sync_name(path); !synced) return not_durable(root, path, synced.error());
  poison.clear(root);
  return {};
}

Result<Loaded> load_document(const Context& context, Root& root, std::string_view path, const LoadOptions& options) {
  HOLDFAST_TRY(context.check());
  HOLDFAST_TRY(check_relative_path(path));
  std::optional<RootLock> held;
  if (options.move_bad_aside) {
    HOLDFAST_LET(lock, root.lock(context));
    held.emplace(std::move(lock));
  }
  const DocumentCheck check = options.check ? options.check : json_document();
  HOLDFAST_LET(bytes, read_whole(root.directory(), path));
  const Verdict verdict = check(bytes);
  Loaded loaded{std::move(bytes), {}, false, std::nullopt};
  loaded.revision = revision_of(loaded.bytes);
  if (verdict == Verdict::valid) return loaded;
  if (verdict == Verdict::newer_schema)
    return fail(Code::newer_schema, "this document was written by a newer version; it is left as it is",
                std::string(path));

  Finding finding{std::string(path), 0, loaded.bytes.size(), "corrupt", "the document cannot be read", {}};
  std::optional<std::string> backup;
  if (options.use_backup) {
    if (auto found = read_whole(root.directory(), backup_path(root, path)); found && check(*found) == Verdict::valid)
      backup = std::move(*found);
  }
  if (options.move_bad_aside) {
    HOLDFAST_LET(moved, root.quarantine(context, path, 0, loaded.bytes, "corrupt"));
    finding.moved_to = std::move(moved);
    if (backup) {
      // A single rename, so a crash never leaves the document without a name.
      ReplaceOptions replace;
      replace.backup = false;
      HOLDFAST_TRY(install(root, path, *backup, replace));
      loaded.revision = revision_of(*backup);
    } else {
      HOLDFAST_TRY(root.directory().remove(path));
      HOLDFAST_TRY(root.sync_name(path));
    }
  }
  if (!backup)
    return fail(Code::serialization_failed,
                "the document cannot be read and has no valid backup" +
                    (finding.moved_to.empty() ? std::string() : "; it was moved to " + finding.moved_to),
                std::string(path));
  finding.consequence = "the document was damaged; the previous version is used";
  loaded.bytes = std::move(*backup);
  loaded.restored_from_backup = true;
  loaded.finding = std::move(finding);
  return loaded;
}

}  // namespace holdfast::inline v1
