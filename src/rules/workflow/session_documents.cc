#include "rules/workflow/session_documents.h"

#include <algorithm>

#include "layout/backup_finding.h"
#include "layout/change.h"
#include "layout/record_shape.h"
#include "layout/workflow_shape.h"
#include "model/events.h"
#include "store/record_codec.h"
#include "text/json_write.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

// Discards events: a layout that checks a session's files while reading reports errors.
class Nobody final : public Events {
 public:
  void facts(const SessionFacts&) override {}
  bool message(Message) override { return true; }
};

std::string folder_of(const SessionRef& ref) { return ref.place.path.substr(0, ref.place.path.rfind('/')); }

struct Loaded {
  std::string bytes;
  JsonObject object;
};

std::optional<Loaded> loaded(const std::string& bytes) {
  auto object = JsonObject::read(bytes);
  if (!object || utf8_fault(bytes) != std::string::npos) return std::nullopt;
  return Loaded{bytes, std::move(*object)};
}

// Returns a document of the session; for read-only access its backup, if the layout
// uses backups (decision 10). nullopt if it is missing, or a literal null where that is
// not corrupt (lopen). Fails with corrupt if neither can be read.
Result<std::optional<Loaded>> object_at(const Layout& layout, Feed& feed, const Place& place) {
  HOLDFAST_LET(bytes, feed.document(place));
  if (!bytes) return std::nullopt;
  if (auto good = loaded(*bytes)) return good;
  if (JsonView(*bytes).is_null() && layout.traits().corrupt_folder.empty()) return std::nullopt;
  HOLDFAST_LET(backup, feed.backup(place));
  auto before = backup ? loaded(*backup) : std::nullopt;
  if (!before) return fail(Code::corrupt, "not a JSON object", place.path);
  feed.complain(place, 0, kRestoredFromBackup, backup_shown_message("not a JSON object"));
  return before;
}

std::string text_field(std::string_view name, std::string_view text) {
  return JsonWriter().begin_object().key(name).string(text).end_object().take();
}

}  // namespace

Result<SessionDocuments> SessionDocuments::load(const Layout& layout, Feed& feed, const SessionRef& ref) {
  const WorkflowShape* shape = layout.workflow();
  if (shape == nullptr)
    return fail(Code::unsupported, "layout " + std::string(layout.name()) + " cannot hold: workflows");
  Nobody nobody;
  HOLDFAST_TRY(layout.read_head(feed, ref, nobody));
  SessionDocuments documents(*shape, ref);
  HOLDFAST_LET(state, object_at(layout, feed, documents.state_place()));
  if (!state) return fail(Code::not_found, "Session not found: " + ref.id, documents.state_place().path);
  documents.state_ = std::move(state->object);
  documents.state_before_ = std::move(state->bytes);
  HOLDFAST_LET(metrics, object_at(layout, feed, documents.metrics_place()));
  if (metrics) {
    documents.metrics_ = std::move(metrics->object);
    documents.metrics_before_ = std::move(metrics->bytes);
  }
  return documents;
}

Place SessionDocuments::beside(std::string_view name) const {
  return {ref_.place.root, folder_of(ref_) + "/" + std::string(name)};
}
Place SessionDocuments::state_place() const { return beside(shape_->state.path); }
Place SessionDocuments::metrics_place() const { return beside(shape_->metrics.path); }
Place SessionDocuments::history_folder() const { return beside(shape_->history); }
Place SessionDocuments::history_place(std::uint64_t number) const {
  return beside(std::string(shape_->history) + "/" + std::to_string(number) + ".json");
}

bool SessionDocuments::has_field(std::string_view name) const {
  return std::ranges::any_of(shape_->state.fields, [&](const FieldShape& field) { return field.name == name; });
}

std::string SessionDocuments::state_text(std::string_view key) const { return state(key).as_string().value_or(""); }

bool SessionDocuments::complete() const {
  if (has_field("is_complete")) return state("is_complete").as_bool().value_or(false);
  return state("status").is_string("complete");
}

WorkflowStep SessionDocuments::step() const {
  if (const auto known = workflow_step_of(state_text("step"))) return *known;
  return first_step_of_phase(state_text("phase")).value_or(WorkflowStep::draft_specification);
}

Result<void> SessionDocuments::set_state(std::string_view fields_json) {
  const auto hidden = redacted_json(fields_json, request_);
  return patch_object(shape_->state, state_, JsonView(hidden ? *hidden : fields_json));
}

Result<void> SessionDocuments::set_metrics(std::string_view fields_json) {
  if (metrics_) return patch_object(shape_->metrics, *metrics_, JsonView(fields_json));
  auto bytes = metrics_before_.empty() ? format_record(shape_->metrics, ref_.id, JsonView(fields_json))
                                       : patch_record(shape_->metrics, metrics_before_, JsonView(fields_json));
  if (!bytes) return fail(std::move(bytes).error());
  metrics_ = JsonObject::read(std::move(*bytes));
  return metrics_ ? Result<void>() : fail(Code::internal, "the new metrics are not an object");
}

Result<void> SessionDocuments::set_complete(bool complete) {
  if (complete == this->complete()) return {};
  if (has_field("is_complete")) return set_state(complete ? R"({"is_complete":true})" : R"({"is_complete":false})");
  return set_state(text_field("status", complete ? "complete" : "active"));
}

// A step that the file spells differently keeps its spelling until it really changes.
Result<void> SessionDocuments::set_step(WorkflowStep step) {
  if (workflow_step_of(state_text("step")) == step) return {};
  HOLDFAST_TRY(set_state(text_field("phase", workflow_phase_name(step))));
  return set_state(text_field("step", workflow_step_name(step)));
}

void SessionDocuments::put_into(Changes& changes) const {
  if (state_.text() != state_before_) changes.put(state_place(), state_.text());
  if (metrics_text() != metrics_before_) changes.put(metrics_place(), metrics_text());
}

std::string SessionDocuments::snapshot() const {
  JsonWriter json;
  json.begin_object().key("state").raw(state().raw()).key("metrics");
  if (metrics_text().empty())
    json.null();
  else
    json.raw(metrics().raw());
  return json.end_object().take();
}

Result<Changes> SessionDocuments::with_state(const Layout& layout, const SessionRef& ref, const Changes& made,
                                             std::string_view fields_json) {
  const SessionDocuments documents(*layout.workflow(), ref);
  Changes changes;
  for (const Change& change : made.list()) {
    if (change.place == documents.state_place() && change.kind == ChangeKind::create) {
      HOLDFAST_LET(bytes, patch_record(layout.workflow()->state, change.bytes, JsonView(fields_json)));
      changes.create(change.place, std::move(bytes));
    } else if (change.kind == ChangeKind::create) {
      changes.create(change.place, change.bytes);
    } else if (change.kind == ChangeKind::put) {
      changes.put(change.place, change.bytes);
    } else if (change.kind == ChangeKind::symlink) {
      changes.symlink(change.place, change.bytes);
    } else {
      return fail(Code::internal, "a new session that begins with more than documents and links", change.place.path);
    }
  }
  return changes;
}

}  // namespace holdfast::inline v1
