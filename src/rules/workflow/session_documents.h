// The two documents of a session with a workflow, as defined by the layout's table
// (layout/workflow_shape.h): loads, checks and changes them, and adds them to one set
// of changes. Thread-safety: one thread per object.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <string_view>

#include "layout/change.h"
#include "layout/layout.h"
#include "layout/workflow_shape.h"
#include "rules/workflow/workflow_steps.h"
#include "text/json_object.h"
#include "text/json_value.h"
#include "text/redact_json.h"

namespace holdfast::inline v1 {

class SessionDocuments {
 public:
  // Fails with unsupported if the layout has no workflows; a corrupt error names the file.
  static Result<SessionDocuments> load(const Layout& layout, Feed& feed, const SessionRef& ref);

  const SessionRef& ref() const { return ref_; }
  // Views are valid until the next change.
  JsonView state() const { return JsonView(state_.text()); }
  JsonView state(std::string_view key) const { return state_.find(key); }
  // Empty if there is no metrics.json yet.
  JsonView metrics() const { return JsonView(metrics_text()); }
  JsonView metrics(std::string_view key) const { return metrics_ ? metrics_->find(key) : metrics().find(key); }
  std::string state_text(std::string_view key) const;
  bool complete() const;
  // Returns the stored step, in any spelling; the first step if it is unknown.
  WorkflowStep step() const;
  std::string module() const { return state_text("module"); }

  // Redacts values that are set from now on, as requested (decision 21).
  void hide(RedactOptions request) { request_ = request; }
  // Sets fields with the model's names; null removes one. All other bytes stay.
  Result<void> set_state(std::string_view fields_json);
  Result<void> set_metrics(std::string_view fields_json);
  Result<void> set_complete(bool complete);
  Result<void> set_step(WorkflowStep step);

  bool changed() const { return state_.text() != state_before_ || metrics_text() != metrics_before_; }
  // Adds both documents to `changes`, if changed.
  void put_into(Changes& changes) const;

  Place state_place() const;
  Place metrics_place() const;
  Place history_place(std::uint64_t number) const;
  Place history_folder() const;
  // Returns {"state":...,"metrics":...} with the current documents, on one line.
  std::string snapshot() const;

  // Adds fields to a new session, in addition to those that its layout's create() wrote.
  static Result<Changes> with_state(const Layout& layout, const SessionRef& ref, const Changes& made,
                                    std::string_view fields_json);

 private:
  SessionDocuments(const WorkflowShape& shape, SessionRef ref) : shape_(&shape), ref_(std::move(ref)) {}
  const std::string& metrics_text() const { return metrics_ ? metrics_->text() : metrics_before_; }
  Place beside(std::string_view name) const;
  bool has_field(std::string_view name) const;

  const WorkflowShape* shape_;
  SessionRef ref_;
  JsonObject state_;
  std::string state_before_;
  std::optional<JsonObject> metrics_;  // nullopt if there is none yet
  std::string metrics_before_;
  RedactOptions request_;
};

}  // namespace holdfast::inline v1
