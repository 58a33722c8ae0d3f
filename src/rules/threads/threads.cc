#include "rules/threads/threads.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/id.h"
#include "layout/change.h"
#include "layout/moment.h"
#include "layout/record_shape.h"
#include "layout/thread_keeper.h"
#include "model/time_formats.h"
#include "store/engine.h"
#include "store/record_codec.h"
#include "store/record_lock.h"
#include "store/record_lookup.h"
#include "store/record_text.h"
#include "text/json_copy.h"
#include "text/json_edit.h"
#include "text/json_integer.h"

namespace holdfast::inline v1 {
namespace {

// lastSessionId -> last_session_id, if the shape has that.
std::string model_name(const RecordShape& shape, std::string_view key) {
  std::string snake;
  for (const char letter : key) {
    if (is_ascii_upper(letter)) snake += '_';
    snake += ascii_lower(letter);
  }
  const bool known = std::ranges::any_of(shape.fields, [&](const FieldShape& field) { return field.name == snake; });
  return known ? snake : std::string(key);
}

// Fields that only the old object has stay.
Result<std::string> merged(JsonView old, JsonView given) {
  if (old.kind() != JsonKind::object || given.kind() != JsonKind::object) return std::string(given.raw());
  std::string now = compact_json(old);
  for (const JsonItem& item : given.fields()) {
    if (item.value.is_null()) continue;
    const std::string key = item.key();
    HOLDFAST_LET(set, json_set(now, {JsonStep(key)}, compact_json(item.value)));
    now = std::move(set);
  }
  return now;
}

const FieldShape* field_named(const RecordShape& shape, std::string_view name) {
  const auto found = std::ranges::find(shape.fields, name, &FieldShape::name);
  return found == shape.fields.end() ? nullptr : &*found;
}

// Returns the fields to set, in the model's names, without those that the engine decides. `stored` is the
// existing record or empty. A null counts as absent, unless the layout writes null for absent values.
Result<std::string> fields_of(const RecordShape& shape, JsonView thread, std::string_view stored) {
  JsonWriter fields;
  fields.begin_object();
  for (const JsonItem& item : thread.fields()) {
    const std::string name = model_name(shape, item.key());
    if (name == "schema_version" && json_integer(item.value) != shape.version) {
      return fail(Code::schema_version_mismatch, "schemaVersion is " + std::string(item.value.raw().substr(0, 40)) +
                                                     "; version " + std::to_string(shape.version) + " is required");
    }
    if (name == "id" || name == "schema_version" || name == "updated_at") continue;
    const FieldShape* const field = field_named(shape, name);
    if (item.value.is_null() && (field == nullptr ? stored.empty() : field->fallback != "null")) continue;
    if (name == "created_at" && item.value.is_string("")) continue;
    if (name == "state_snapshot" && item.value.kind() != JsonKind::object && !item.value.is_null())
      return fail(Code::invalid_argument, "state_snapshot is not an object");
    const bool parts = field != nullptr && (name == "privacy" || name == "metadata");
    const JsonView old = parts && !stored.empty() ? JsonView(stored).find(name) : JsonView();
    HOLDFAST_LET(value, parts ? merged(old ? old : JsonView(field->fallback), item.value)
                              : Result<std::string>(item.value.raw()));
    fields.key(name).raw(value);
  }
  return fields.end_object().take();
}

// Returns the bytes of the saved thread; unchanged if nothing changes.
Result<std::string> saved_bytes(const RecordShape& shape, std::string_view id, const std::optional<std::string>& before,
                                JsonView thread, const Moment& moment) {
  if (!before) {
    HOLDFAST_LET(given, fields_of(shape, thread, {}));
    std::string fields = std::move(given);
    const std::string now = JsonWriter().string(iso_micros(moment.now)).take();
    HOLDFAST_LET(updated, json_set(fields, {"updated_at"}, now));
    fields = std::move(updated);
    if (!JsonView(fields).find("created_at")) {
      HOLDFAST_LET(created, json_set(fields, {"created_at"}, now));
      fields = std::move(created);
    }
    return format_record(shape, id, JsonView(fields));
  }
  HOLDFAST_LET(stored, read_record(shape, id, *before));
  HOLDFAST_LET(fields, fields_of(shape, thread, stored));
  HOLDFAST_LET(changed, patch_record(shape, *before, JsonView(fields)));
  if (changed == *before) return changed;
  const auto stamp = next_stamp(written_time(shape, *before, "updated_at"), moment.now);
  const std::string date = JsonWriter().begin_object().key("updated_at").string(iso_micros(stamp)).end_object().take();
  return patch_record(shape, changed, JsonView(date));
}

}  // namespace

Result<Listed<Thread>> list_threads(const Context& context, Store& store) {
  HOLDFAST_LET(list, list_typed<Thread>(context, store, {"thread", {}, {}}));
  std::ranges::sort(list.records, comes_first);
  return list;
}

Result<Thread> get_thread(const Context& context, Store& store, std::string_view id) {
  return get_typed<Thread>(context, store, {"thread", {}, std::string(id)});
}

namespace {

// A project has one thread (M01): refuses a second one. Existing duplicates stay as they are.
Result<void> check_project(const Context& context, FileStore& engine, std::string_view id, JsonView thread) {
  const JsonView written = thread.find("projectPath") ? thread.find("projectPath") : thread.find("project_path");
  const std::string project = written.as_string().value_or("");
  if (project.empty()) return {};
  HOLDFAST_LET(all, list_typed<Thread>(context, engine, {"thread", {}, {}}));
  const auto own = std::ranges::find(all.records, id, &Thread::id);
  if (own != all.records.end() && own->project == project) return {};
  const Thread* const other = thread_of_project(all.records, project);
  if (other == nullptr) return {};
  return fail(Code::already_exists, "project " + project + " has thread " + other->id + " already");
}

// The lock of the documents must be held.
Result<Thread> save_locked(const Context& context, FileStore& engine, std::string id, JsonView thread) {
  const Layout& layout = engine.layout();
  HOLDFAST_LET(shape, shape_of_kind(layout, "thread"));
  if (id.empty()) id = make_id("thr", engine.moment(context).entropy(), 10);
  FileStore::Subject subject;
  bool news = false;
  HOLDFAST_TRY(engine.change(
      context,
      [&](DirectoryFeed& feed) -> Result<Changes> {
        const Moment now = engine.moment(context);
        HOLDFAST_LET(place, place_of_record(layout, feed, *shape, {"thread", {}, id}));
        HOLDFAST_LET(before, feed.document(place, std::uint64_t{64} << 20));
        subject.thread = id;
        HOLDFAST_LET(safe, engine.redactor().hidden(
                               feed, *shape, {RecordEdit::Kind::put, {"thread", {}, id}, std::string(thread.raw())}));
        auto bytes = saved_bytes(*shape, id, before, JsonView(safe.json), now);
        if (!bytes) {
          bytes.error().path = place.path;
          return fail(std::move(bytes).error());
        }
        Changes changes;
        news = !before || *bytes != *before;
        if (!news) return changes;
        HOLDFAST_LET(record, read_record(*shape, id, *bytes));
        subject.session = text_in(record, "last_session_id");
        subject.updated_at = written_time(*shape, *bytes, "updated_at");
        HOLDFAST_LET(index, index_threads(layout, feed, {{id, *bytes}}, false, now));
        before ? changes.put(place, std::move(*bytes)) : changes.create(place, std::move(*bytes));
        changes.add(std::move(index));
        return changes;
      },
      Durability::power, &subject));
  if (news) engine.persisted(subject);
  return get_thread(context, engine, id);
}

}  // namespace

Result<Thread> save_thread(const Context& context, Store& store, JsonView thread) {
  if (thread.kind() != JsonKind::object) return fail(Code::invalid_argument, "a thread must be a JSON object");
  HOLDFAST_LET(engine, engine_of(store));
  HOLDFAST_TRY(shape_of_kind(engine->layout(), "thread"));
  HOLDFAST_LET(lock, engine->lock_documents(context));
  const std::string id = thread.find("id").as_string().value_or("");
  HOLDFAST_TRY(check_project(context, *engine, id, thread));
  return save_locked(context, *engine, id, thread);
}

Result<CreatedThread> create_thread(const Context& context, Store& store, Thread draft) {
  HOLDFAST_LET(engine, engine_of(store));
  HOLDFAST_TRY(shape_of_kind(engine->layout(), "thread"));
  HOLDFAST_LET(lock, engine->lock_documents(context));
  if (draft.id.empty()) {
    HOLDFAST_LET(all, list_typed<Thread>(context, store, {"thread", {}, {}}));
    if (const Thread* found = thread_of_project(all.records, draft.project)) return CreatedThread{*found, false};
  } else {
    HOLDFAST_LET(there, store.list_records(context, {"thread", {}, draft.id}));
    if (!there.records.empty() || !there.findings.empty())
      return fail(Code::already_exists, "thread " + draft.id + " already exists");
  }
  draft.created_at = draft.updated_at = iso_micros(context.clock->now());
  const std::string fields = changes_in(draft);
  HOLDFAST_TRY(check_project(context, *engine, draft.id, JsonView(fields)));
  HOLDFAST_LET(thread, save_locked(context, *engine, draft.id, JsonView(fields)));
  return CreatedThread{std::move(thread), true};
}

}  // namespace holdfast::inline v1
