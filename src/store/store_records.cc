// Records beside the sessions, for every layout by its table of shapes.
#include "base/safe_name.h"
#include "store/file_store.h"
#include "store/record_codec.h"

namespace holdfast::inline v1 {

Result<const RecordShape*> FileStore::shape_of(const RecordKey& key) const {
  const RecordShape* shape = layout_.shape(key.kind);
  if (shape == nullptr)
    return fail(Code::unsupported, "layout " + std::string(layout_.name()) + " cannot hold: " + key.kind + " records");
  if (shape->per_project() && key.project.empty())
    return fail(Code::invalid_argument, "a " + key.kind + " belongs to a project, and none is given");
  return shape;
}

Result<Place> FileStore::record_place(DirectoryFeed& feed, const RecordShape& shape, const RecordKey& key) const {
  if (shape.many() && !is_safe_name(key.id))
    return fail(Code::unsafe_path, "not a possible id of a " + key.kind + ": " + key.id);
  std::string project;
  if (shape.per_project()) {
    HOLDFAST_LET(found, layout_.project_key(feed, key.project));
    project = std::move(found);
  }
  return Place{std::string(shape.root), record_path(shape, project, key.id)};
}

Result<RecordList> FileStore::look(const Context& context, DirectoryFeed& feed, const RecordKey& key) const {
  HOLDFAST_LET(shape, shape_of(key));
  std::vector<RecordKey> keys;
  if (shape->many() && key.id.empty()) {
    std::string project;
    if (shape->per_project()) {
      HOLDFAST_LET(found, layout_.project_key(feed, key.project));
      project = std::move(found);
    }
    HOLDFAST_LET(entries, feed.list({std::string(shape->root), record_folder(*shape, project)}));
    for (const FeedEntry& entry : entries) {
      const std::string id = record_id(*shape, entry.name);
      if (!id.empty() && is_safe_name(id)) keys.push_back({key.kind, key.project, id});
    }
  } else {
    keys.push_back(key);
  }
  RecordList list;
  for (const RecordKey& one : keys) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(place, record_place(feed, *shape, one));
    auto bytes = feed.document(place, std::uint64_t{64} << 20);
    if (!bytes) {
      list.findings.push_back({place.path, 0, 0, std::string(code_name(bytes.error().code)), bytes.error().message, 0});
      continue;
    }
    if (!*bytes) continue;
    auto record = read_record(*shape, one.id, **bytes);
    if (record) {
      list.records.push_back(std::move(*record));
    } else {
      list.findings.push_back({place.path, 0, (*bytes)->size(), "corrupt", record.error().message, 0});
    }
  }
  return list;
}

Result<std::string> FileStore::get_record(const Context& context, const RecordKey& key) {
  DirectoryFeed feed(context, roots_.directories());
  HOLDFAST_LET(list, look(context, feed, key));
  if (!list.records.empty()) return std::move(list.records.front());
  if (!list.findings.empty()) return fail(Code::corrupt, list.findings.front().consequence, list.findings.front().file);
  return fail(Code::not_found, "there is no " + key.kind + " " + key.id, name_);
}

Result<RecordList> FileStore::list_records(const Context& context, const RecordKey& key) {
  DirectoryFeed feed(context, roots_.directories());
  return look(context, feed, key);
}

Result<Changes> FileStore::changes_of(DirectoryFeed& feed, const std::vector<RecordEdit>& edits) const {
  Changes changes;
  for (const RecordEdit& edit : edits) {
    HOLDFAST_LET(shape, shape_of(edit.key));
    HOLDFAST_LET(place, record_place(feed, *shape, edit.key));
    HOLDFAST_LET(bytes, feed.document(place, std::uint64_t{64} << 20));
    const bool there = bytes.has_value();
    const std::string what = edit.key.kind + " " + edit.key.id;
    if (edit.kind == RecordEdit::Kind::create && there)
      return fail(Code::already_exists, "there is a " + what + " already", place.path);
    if ((edit.kind == RecordEdit::Kind::patch || edit.kind == RecordEdit::Kind::remove) && !there)
      return fail(Code::not_found, "there is no " + what, place.path);
    if (edit.kind == RecordEdit::Kind::remove) {
      changes.remove(place);
    } else if (there) {
      HOLDFAST_LET(patched, patch_record(*shape, *bytes, JsonView(edit.json)));
      changes.put(place, std::move(patched));
    } else {
      HOLDFAST_LET(spelled, spell_record(*shape, edit.key.id, JsonView(edit.json)));
      changes.create(place, std::move(spelled));
    }
  }
  return changes;
}

Result<void> FileStore::edit_records(const Context& context, const EditPlan& plan) {
  return change(context, [&](DirectoryFeed& feed) -> Result<Changes> {
    HOLDFAST_LET(edits, plan([&](const RecordKey& key) { return look(context, feed, key); }));
    return changes_of(feed, edits);
  });
}

}  // namespace holdfast::inline v1
