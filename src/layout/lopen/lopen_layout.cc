#include "layout/lopen/lopen_layout.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/time.h"
#include "layout/change.h"
#include "layout/lopen/paths.h"
#include "layout/lopen/state_json.h"
#include "layout/moment.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "layout/session_mark.h"
#include "layout/workflow_shape.h"
#include "layout/writable_layout.h"
#include "model/time_formats.h"
#include "text/json_edit.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace lopen {
namespace {

SessionRef ref_of(std::string_view id) { return {std::string(id), in_project(state_document(id)), {}, {}}; }

class LopenLayout final : public WritableLayout, public RecordKeeper, public SessionMark {
 public:
  std::string_view name() const override { return "lopen"; }
  std::string_view agent() const override { return "Lopen"; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {
        {{.name = kRoot, .meaning = "the project that Lopen works on", .side = ".lopen/.holdfast"}}};
    return kRoots;
  }
  LayoutTraits traits() const override { return {.root_is_project = true}; }
  const RecordKeeper* records() const override { return this; }
  const SessionMark* mark() const override { return this; }
  const WorkflowShape* workflow() const override { return &lopen_workflow(); }
  std::span<const RecordShape> shapes() const override { return lopen_shapes(); }
  Result<std::string> project_key(Feed&, std::string_view) const override { return cannot("projects"); }

  const AgentHome* home() const override { return &lopen::home(); }
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(entries, feed.list(in_project("")));
    const auto holds = [&](std::string_view name, bool folder) {
      return std::ranges::any_of(
          entries, [&](const FeedEntry& entry) { return entry.name == name && (entry.directory || !folder); });
    };
    if (holds(kFolder, true)) return true;
    // The .git file of a worktree counts too.
    if (holds(".git", false)) return false;
    return fail(Code::invalid_argument, "No project found. Run from a directory with a .lopen/ or .git/ folder.");
  }

  // Lists only names that are ids: `latest` and leftovers of other programs are not.
  Result<void> find(Feed& feed, const TakeRef& take) const override {
    HOLDFAST_LET(entries, feed.list(in_project(std::string(kSessions))));
    for (const FeedEntry& entry : entries) {
      if (!entry.directory || !parse_session_name(entry.name)) continue;
      HOLDFAST_LET(there, holds_state(feed, entry.name));
      if (there && !take(ref_of(entry.name))) return {};
    }
    return {};
  }

  Result<std::optional<SessionRef>> locate(Feed& feed, std::string_view id) const override {
    if (!parse_session_name(id)) return std::nullopt;
    HOLDFAST_LET(there, holds_state(feed, id));
    if (!there) return std::nullopt;
    return ref_of(id);
  }

  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions&, Events& events) const override {
    HOLDFAST_TRY(read_head(feed, ref, events));
    return {};
  }

  // A session has no messages (L23), so its head is all there is.
  Result<bool> read_head(Feed& feed, const SessionRef& ref, Events& events) const override {
    HOLDFAST_LET(bytes, feed.document(ref.place));
    if (!bytes) return fail(Code::not_found, "Session not found: " + ref.id, ref.place.path);
    const auto state = check_state(*bytes);
    if (!state) return fail(Code::corrupt, state.error().message, ref.place.path);
    const Place metrics_place = in_project(session_folder(ref.id) + "/metrics.json");
    HOLDFAST_LET(metrics, feed.document(metrics_place));
    if (metrics && !is_null_document(*metrics)) {
      if (auto whole = check_metrics(*metrics); !whole)
        return fail(Code::corrupt, whole.error().message, metrics_place.path);
    }
    events.facts(facts_of_state(*state));
    return true;
  }
  Result<bool> read_last(Feed& feed, const SessionRef& ref, std::size_t, Events& events) const override {
    return read_head(feed, ref, events);
  }

  Result<NewSession> create(Feed& feed, const SessionDraft& draft, const Moment& moment) const override {
    HOLDFAST_LET(name, name_for(feed, draft, moment));
    NewSession made;
    made.ref = ref_of(name.id());
    HOLDFAST_LET(state, new_state(name, draft, moment.now));
    made.changes.create(made.ref.place, std::move(state));
    HOLDFAST_LET(mark, make_current(feed, made.ref));
    made.changes.add(std::move(mark));
    return made;
  }

  std::vector<std::string> unsupported_fields(const SessionDraft& draft) const override {
    std::vector<std::string> names;
    if (!draft.title.empty()) names.emplace_back("title");
    if (!draft.provider.empty()) names.emplace_back("provider");
    if (!draft.agent.empty()) names.emplace_back("agent");
    if (!draft.git_branch.empty()) names.emplace_back("git_branch");
    if (draft.parent) names.emplace_back("parent");
    return names;
  }

  Result<std::unique_ptr<LineWriter>> line_writer(Feed&, const SessionRef&) const override {
    return cannot("messages: a session has only its state");
  }

  Result<Changes> update(Feed& feed, const SessionRef& ref, const SessionPatch& patch,
                         const Moment& moment) const override;

  // Removes the files that make it a session, together with the mark, in one commit; then the rest
  // of the directory. What a crash between the two leaves is not a session.
  Result<Changes> remove(Feed& feed, const SessionRef& ref) const override {
    Changes changes;
    const std::string folder = session_folder(ref.id);
    for (const std::string_view below : {"", "/history"}) {
      HOLDFAST_LET(linked, feed.link(in_project(folder + std::string(below))));
      if (linked) continue;
      HOLDFAST_LET(entries, feed.list(in_project(folder + std::string(below))));
      for (const FeedEntry& entry : entries) {
        const Place place = in_project(folder + std::string(below) + "/" + entry.name);
        HOLDFAST_LET(link, feed.link(place));
        if (!entry.directory && !link) changes.remove(place);
      }
    }
    HOLDFAST_LET(mark, mark_without(feed, ref.id));
    changes.add(std::move(mark));
    changes.remove_tree(in_project(folder));
    return changes;
  }

  Result<std::optional<SessionRef>> current(Feed& feed) const override {
    HOLDFAST_LET(id, marked(feed));
    if (!id) return std::nullopt;
    return locate(feed, *id);
  }

  Result<Changes> make_current(Feed& feed, const SessionRef& ref) const override {
    HOLDFAST_LET(target, feed.link(in_project(std::string(kLatest))));
    Changes changes;
    if (target == ref.id) return changes;
    HOLDFAST_LET(free, may_mark(feed));
    if (free) changes.symlink(in_project(std::string(kLatest)), ref.id);
    return changes;
  }

  Result<Changes> mend_current(Feed& feed) const override {
    HOLDFAST_LET(id, marked(feed));
    if (id) {
      HOLDFAST_LET(there, locate(feed, *id));
      if (!there) return mark_without(feed, *id);
      HOLDFAST_LET(leads, leads_to(feed, *id));
      return leads ? Result<Changes>(Changes()) : make_current(feed, *there);
    }
    HOLDFAST_LET(target, feed.link(in_project(std::string(kLatest))));
    if (!target) return Changes();
    return mark_newest(feed, {});  // `latest` points to something that is not a session
  }

 private:
  // Whether `latest` leads to this very session. If the project was moved or copied, an absolute target leads
  // nowhere, or into the other project.
  static Result<bool> leads_to(Feed& feed, std::string_view id) {
    HOLDFAST_LET(target, feed.link(in_project(std::string(kLatest))));
    if (!target || !target->starts_with('/')) return true;
    const auto through = feed.stat(in_project(std::string(kLatest) + "/state.json"));
    const auto here = feed.stat(in_project(state_document(id)));
    return through && *through && here && *here && (*through)->size == (*here)->size &&
           (*through)->mtime_ns == (*here)->mtime_ns;
  }

  // A directory without state.json, or with the literal null in it, is not a session (L12).
  static Result<bool> holds_state(Feed& feed, std::string_view id) {
    const Place place = in_project(state_document(id));
    HOLDFAST_LET(stat, feed.stat(place));
    if (!stat) return false;
    if (stat->size >= 64) return true;
    HOLDFAST_LET(bytes, feed.document(place));
    return bytes && !is_null_document(*bytes);
  }

  // The id that `latest` names, whether it exists or not. Lopen writes absolute targets.
  static Result<std::optional<std::string>> marked(Feed& feed) {
    HOLDFAST_LET(target, feed.link(in_project(std::string(kLatest))));
    if (!target) return std::nullopt;
    while (target->ends_with('/')) target->pop_back();
    std::string id = target->substr(target->rfind('/') + 1);
    if (!parse_session_name(id)) return std::nullopt;
    return id;
  }

  // Returns false if something other than a link has the name: it is left alone.
  static Result<bool> may_mark(Feed& feed) {
    const Place place = in_project(std::string(kLatest));
    HOLDFAST_LET(target, feed.link(place));
    if (target) return true;
    HOLDFAST_LET(stat, feed.stat(place));
    if (stat)
      feed.complain(place, 0, "odd",
                    "not a symbolic link: it is left as it is, and no session is marked as the latest");
    return !stat;
  }

  // Moves the mark away from the session `gone`, which is being removed; no change if it named another one.
  static Result<Changes> mark_without(Feed& feed, std::string_view gone) {
    HOLDFAST_LET(id, marked(feed));
    if (id != gone) return Changes();
    return mark_newest(feed, gone);
  }

  static Result<Changes> mark_newest(Feed& feed, std::string_view but) {
    std::optional<SessionName> newest;
    HOLDFAST_LET(entries, feed.list(in_project(std::string(kSessions))));
    for (const FeedEntry& entry : entries) {
      const auto name = parse_session_name(entry.name);
      if (!entry.directory || !name || entry.name == but) continue;
      HOLDFAST_LET(there, holds_state(feed, entry.name));
      if (there && (!newest || *newest < *name)) newest = name;
    }
    Changes changes;
    if (newest)
      changes.symlink(in_project(std::string(kLatest)), newest->id());
    else
      changes.remove(in_project(std::string(kLatest)));
    return changes;
  }

  static Result<SessionName> name_for(Feed& feed, const SessionDraft& draft, const Moment& moment) {
    SessionName name;
    if (!draft.id.empty()) {
      const auto given = parse_session_name(draft.id);
      if (!given || given->id() != draft.id)
        return fail(Code::invalid_argument, "Invalid session ID format: '" + draft.id + "'.");
      name = *given;
    } else {
      const std::string module = JsonView(draft.metadata).find("module").as_string().value_or("");
      if (module.empty())
        return fail(Code::invalid_argument, "a session of layout lopen needs a module: metadata.module");
      name.module = in_lower_case(module);
      name.date = compact_utc(moment.now).substr(0, 8);
    }
    HOLDFAST_TRY(check_module_name(name.module));
    // Every name counts, even of a directory that no longer holds a session.
    std::uint64_t floor = name.counter;
    HOLDFAST_LET(entries, feed.list(in_project(std::string(kSessions))));
    for (const FeedEntry& entry : entries) {
      const auto there = parse_session_name(entry.name);
      if (there && there->series() == name.series() && draft.id.empty()) floor = std::max(floor, there->counter + 1);
    }
    HOLDFAST_LET(number, moment.number("session-" + name.series(), floor));
    if (!draft.id.empty() && number != name.counter)
      return fail(Code::already_exists, "the id " + draft.id + " has been used before");
    name.counter = number;
    return name;
  }
};

Result<Changes> LopenLayout::update(Feed& feed, const SessionRef& ref, const SessionPatch& patch,
                                    const Moment& moment) const {
  if (patch.title) return cannot("a title");
  if (patch.summary) return cannot("the summary of a session");
  if (patch.leaf) return cannot("branches");
  if (patch.metadata) return cannot("changes to metadata; use workflow.advance, task.set or metrics.record");
  HOLDFAST_LET(bytes, feed.document(ref.place));
  if (!bytes) return fail(Code::not_found, "Session not found: " + ref.id, ref.place.path);
  if (auto whole = check_state(*bytes); !whole) return fail(Code::corrupt, whole.error().message, ref.place.path);
  std::string now = *bytes;
  const auto set = [&](std::string_view key, const std::string& json) -> Result<void> {
    HOLDFAST_LET(edited, json_set(now, {JsonStep(key)}, json));
    now = std::move(edited);
    return {};
  };
  if (patch.status) {
    if (*patch.status != Status::active && *patch.status != Status::complete)
      return cannot("the status " + std::string(status_name(*patch.status)) + "; a session is active or complete");
    const bool done = *patch.status == Status::complete;
    if (JsonView(now).find("is_complete").as_bool().value_or(false) != done)
      HOLDFAST_TRY(set("is_complete", done ? "true" : "false"));
  }
  if (patch.model) {
    const auto models = JsonView(now).find("models_used").elements();
    bool known = false;
    std::size_t count = 0;
    for (const JsonItem& item : models) known = known || item.value.is_string(*patch.model), ++count;
    const std::string model = JsonWriter().string(*patch.model).take();
    if (!known && count == 0) HOLDFAST_TRY(set("models_used", "[" + model + "]"));
    if (!known && count != 0) {
      HOLDFAST_LET(edited, json_set(now, {JsonStep("models_used"), JsonStep(count)}, model));
      now = std::move(edited);
    }
  }
  Changes changes;
  if (now == *bytes) return changes;
  HOLDFAST_TRY(set("updated_at", JsonWriter().string(format_dotnet_time(moment.now)).take()));
  changes.put(ref.place, std::move(now));
  return changes;
}

}  // namespace
}  // namespace lopen

const Layout& lopen_layout() {
  static const lopen::LopenLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
