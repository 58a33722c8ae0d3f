#include "layout/workflow/workflow_layout.h"

#include <array>

#include "base/safe_name.h"
#include "layout/json_pick.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "layout/writable_layout.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace workflow {
namespace {

Place initiative_place() { return {std::string(kProject), ".claude/initiative.json"}; }

Status status_of(std::string_view word) {
  if (word == "completed" || word == "archived") return Status::complete;
  const bool known = word == "created" || word == "planned" || word == "in_progress" || word == "blocked";
  return known ? Status::active : Status::unknown;
}

class WorkflowLayout final : public WritableLayout, public RecordKeeper {
 public:
  std::string_view name() const override { return "workflow"; }
  std::string_view agent() const override { return "x-workflows"; }
  std::span<const RootName> roots() const override {
    // Two side folders, because one root may be inside the other.
    static constexpr std::array<RootName, 2> kRoots = {
        {{.name = kProject, .meaning = "the project directory", .side = ".claude/.holdfast"},
         {.name = kMemory,
          .meaning = "the directory of MEMORY.md",
          .required = false,
          .make = false,
          .side = ".holdfast/memory",
          .below_first = ".claude"}}};
    return kRoots;
  }
  LayoutTraits traits() const override {
    return {.root_is_project = true, .shares_worktrees = true, .continues_unsaved = true};
  }
  const RecordKeeper* records() const override { return this; }
  std::span<const RecordShape> shapes() const override { return workflow_shapes(); }
  Result<std::string> project_key(Feed&, std::string_view) const override { return cannot("projects"); }

  const AgentHome* home() const override { return &workflow::home(); }
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(claude, feed.stat({std::string(kProject), ".claude"}));
    if (claude) return true;
    HOLDFAST_LET(milestones, feed.stat({std::string(kProject), "documentation/milestones"}));
    return milestones.has_value();
  }

  // The initiative is the only session of such a store: it has a state, but no messages.
  Result<void> find(Feed& feed, const TakeRef& take) const override {
    const Place place = initiative_place();
    HOLDFAST_LET(bytes, feed.document(place));
    if (!bytes) return {};
    const std::string name = text_of(JsonView(*bytes).find("name"));
    take({is_plain_name(name) ? name : "initiative", place, {}, {}});
    return {};
  }

  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions&, Events& events) const override {
    HOLDFAST_LET(bytes, feed.document(ref.place));
    if (!bytes) return {};
    const JsonView initiative(*bytes);
    if (!check_json(without_bom(*bytes)).ok() || initiative.kind() != JsonKind::object) {
      feed.complain(ref.place, 0, "corrupt", "not a JSON object: the milestones' files are the state");
      return {};
    }
    const auto [title, status, updated] =
        pick(initiative, std::array<std::string_view, 3>{"name", "status", "lastUpdated"});
    SessionFacts facts;
    facts.title = text_of(title);
    facts.status = status_of(text_of(status));
    facts.updated_at = text_of(updated);
    events.facts(facts);
    return {};
  }
};

}  // namespace
}  // namespace workflow

const Layout& workflow_layout() {
  static const workflow::WorkflowLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
