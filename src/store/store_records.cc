// How the engine handles records beside the sessions, for every layout by its
// table of shapes. record_look reads them, record_codec formats them.
#include "layout/backup_finding.h"
#include "layout/change.h"
#include "layout/record_shape.h"
#include "store/file_store.h"
#include "store/observed.h"
#include "store/record_codec.h"
#include "store/record_lock.h"
#include "store/record_lookup.h"
#include "store/secret_backup.h"
#include "text/article.h"
#include "text/json_edit.h"

namespace holdfast::inline v1 {
namespace {

// A document that edits apply to: several edits of one file are one change.
struct Draft {
  Place place;
  bool there = false;   // existed before all edits
  bool source = false;  // a source file of the project
  std::optional<std::string> bytes;
};

Draft& draft_of(std::vector<Draft>& drafts, const RecordShape& shape, const Place& place,
                const std::optional<std::string>& bytes) {
  for (Draft& draft : drafts) {
    if (draft.place == place) return draft;
  }
  return drafts.emplace_back(Draft{place, bytes.has_value(), shape.source, bytes});
}

// A record that exists once per project is named by the project.
std::string called(const RecordKey& key) { return key.kind + " " + (key.id.empty() ? key.project : key.id); }

Result<void> check_presence(const RecordEdit& edit, bool there, const Place& place) {
  const std::string what = called(edit.key);
  if (edit.kind == RecordEdit::Kind::create && there)
    return fail(Code::already_exists, what + " already exists", place.path);
  if ((edit.kind == RecordEdit::Kind::patch || edit.kind == RecordEdit::Kind::remove) && !there)
    return fail(Code::not_found, "there is no " + what, place.path);
  return {};
}

// A masked value must not be written back as the secret.
Result<void> check_unmasked(const RecordShape& shape, const RecordEdit& edit) {
  if (!shape.secret) return {};
  for (const JsonItem& item : JsonView(edit.json).fields()) {
    if (item.value.is_string("***"))
      return fail(Code::invalid_argument, "*** is a placeholder for a secret, not a secret", edit.key.id);
  }
  return {};
}

Result<void> edit_file(const RecordShape& shape, const RecordEdit& edit, Draft& draft) {
  HOLDFAST_TRY(check_presence(edit, draft.bytes.has_value(), draft.place));
  if (edit.kind == RecordEdit::Kind::remove) {
    draft.bytes.reset();
    return {};
  }
  auto bytes = draft.bytes ? patch_record(shape, *draft.bytes, JsonView(edit.json))
                           : format_record(shape, edit.key.id, JsonView(edit.json));
  if (!bytes) {
    if (bytes.error().path.empty()) bytes.error().path = draft.place.path;
    return fail(std::move(bytes).error());
  }
  draft.bytes = std::move(*bytes);
  return {};
}

// The same for a member of a document.
Result<void> edit_member(const RecordShape& shape, const RecordEdit& edit, Draft& draft) {
  std::string document = draft.bytes.value_or("{}\n");
  const JsonView member = JsonView(document).find(edit.key.id);
  HOLDFAST_TRY(check_presence(edit, static_cast<bool>(member), draft.place));
  if (edit.kind == RecordEdit::Kind::remove) {
    HOLDFAST_LET(without, json_remove(document, {JsonStep(edit.key.id)}));
    draft.bytes = std::move(without);
    return {};
  }
  auto value = member ? patch_record(shape, member.raw(), JsonView(edit.json))
                      : format_record(shape, edit.key.id, JsonView(edit.json));
  if (!value) return fail(std::move(value).error());
  if (member && *value == member.raw()) return {};
  HOLDFAST_LET(edited, json_set(document, {JsonStep(edit.key.id)}, *value));
  draft.bytes = std::move(edited);
  return {};
}

}  // namespace

Result<const RecordShape*> FileStore::shape_of(const RecordKey& key) const { return shape_of_kind(layout_, key.kind); }

Result<Place> FileStore::record_place(DirectoryFeed& feed, const RecordShape& shape, const RecordKey& key) const {
  return place_of_record(layout_, feed, shape, key);
}

Result<RecordList> FileStore::look(const Context& context, DirectoryFeed& feed, const RecordKey& key) const {
  return find_records(context, layout_, feed, key);
}

Result<std::string> FileStore::get_record(const Context& context, const RecordKey& key) {
  HOLDFAST_LET(shape, shape_of(key));
  if (shape->per_project() && key.project.empty())
    return fail(Code::invalid_argument, with_article(key.kind) + " needs a project");
  if (shape->many() && key.id.empty()) return fail(Code::invalid_argument, with_article(key.kind) + " needs an id");
  return observed_read(context, observer(), {key.kind}, [&]() -> Result<std::string> {
    HOLDFAST_LET(list, list_records_now(context, key));
    for (const Finding& finding : list.findings) {
      if (finding.kind == kRestoredFromBackup) note_finding(finding);
    }
    if (!list.records.empty()) {
      note_unread(context, observer(), {key.kind}, list.findings);
      return std::move(list.records.front());
    }
    if (!list.findings.empty()) {
      const Finding& finding = list.findings.front();
      Code code =
          finding.kind == code_name(Code::schema_version_mismatch) ? Code::schema_version_mismatch : Code::corrupt;
      if (code == Code::corrupt && !layout_.traits().corrupt_folder.empty()) code = Code::serialization_failed;
      return fail(code, finding.consequence, finding.file);
    }
    return fail(Code::not_found, "there is no " + called(key), name_);
  });
}

Result<RecordList> FileStore::list_records(const Context& context, const RecordKey& key) {
  auto list = observed_read(context, observer(), {key.kind}, [&] { return list_records_now(context, key); });
  if (list) note_unread(context, observer(), {key.kind}, list->findings);
  return list;
}

Result<RecordList> FileStore::list_records_now(const Context& context, const RecordKey& key) {
  HOLDFAST_LET(shape, shape_of(key));
  DirectoryFeed feed = looking(context);
  HOLDFAST_LET(list, look(context, feed, key));
  if (shape->secret) {
    for (std::string& record : list.records) record = masked_record(record);
  }
  return list;
}

Result<Changes> FileStore::changes_of(DirectoryFeed& feed, const std::vector<RecordEdit>& edits) const {
  std::vector<Draft> drafts;
  for (const RecordEdit& wished : edits) {
    HOLDFAST_LET(shape, shape_of(wished.key));
    if (shape->only_read)
      return fail(Code::unsupported, "layout " + std::string(layout_.name()) + " cannot write: " + wished.key.kind +
                                         " records. People maintain them; Holdfast only reads them");
    HOLDFAST_LET(edit, redactor_.hidden(feed, *shape, wished));
    HOLDFAST_TRY(check_unmasked(*shape, edit));
    HOLDFAST_LET(place, record_place(feed, *shape, edit.key));
    HOLDFAST_LET(bytes, feed.document(place, std::uint64_t{64} << 20));
    Draft& draft = draft_of(drafts, *shape, place, bytes);
    HOLDFAST_TRY(shape->entries ? edit_member(*shape, edit, draft) : edit_file(*shape, edit, draft));
  }
  Changes changes;
  for (Draft& draft : drafts) {
    if (draft.bytes && draft.source) {
      changes.put_source(std::move(draft.place), std::move(*draft.bytes));
    } else if (draft.bytes && draft.there) {
      changes.put(std::move(draft.place), std::move(*draft.bytes));
    } else if (draft.bytes) {
      changes.create(std::move(draft.place), std::move(*draft.bytes));
    } else if (draft.there) {
      changes.remove(std::move(draft.place));
    }
  }
  return changes;
}

Result<void> FileStore::edit_records(const Context& context, const EditPlan& plan) {
  HOLDFAST_TRY(need_write("change anything"));
  auto lock = lock_records(context, *roots_.first());
  const bool go_on = options_.keep_unwritten && layout_.traits().continues_unsaved;
  if (!lock && !(go_on && is_unwritable(lock.error().code))) return fail(std::move(lock).error());
  std::vector<Place> secrets;
  HOLDFAST_TRY(change_or_keep(context, [&](DirectoryFeed& feed) -> Result<Changes> {
    const auto looking = [&](const RecordKey& key) { return look(context, feed, key); };
    HOLDFAST_LET(edits, plan(looking));
    for (const Hooks& hooks : hooks_) {
      if (hooks.editing == nullptr) continue;
      if (auto allowed = hooks.editing(looking, edits); !allowed) return fail(std::move(allowed).error());
    }
    secrets.clear();
    for (const RecordEdit& edit : edits) {
      HOLDFAST_LET(shape, shape_of(edit.key));
      if (!shape->secret) continue;
      HOLDFAST_LET(place, record_place(feed, *shape, edit.key));
      secrets.push_back(std::move(place));
    }
    return changes_of(feed, edits);
  }));
  for (const Place& place : secrets) {
    HOLDFAST_LET(root, roots_.root(place.root));
    HOLDFAST_TRY(refresh_secret_backup(context, *root, place.path));
  }
  return {};
}

}  // namespace holdfast::inline v1
