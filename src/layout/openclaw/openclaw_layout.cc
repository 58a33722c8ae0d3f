#include "layout/openclaw/openclaw_layout.h"

#include <array>
#include <set>

#include "base/damaged_database.h"
#include "layout/known_records.h"
#include "layout/openclaw/databases.h"
#include "layout/openclaw/log_files.h"
#include "layout/openclaw/transcript.h"
#include "layout/openclaw/window.h"
#include "layout/pi/entry_reporter.h"
#include "layout/pi/session_files.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1 {
namespace openclaw {
namespace {

class OpenclawLayout final : public Layout {
 public:
  std::string_view name() const override { return "openclaw"; }
  std::string_view agent() const override { return "OpenClaw"; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{kRoot, "the OpenClaw home", true}}};
    return kRoots;
  }

  const SessionRescue* rescue() const override { return &openclaw::rescue(); }
  const AgentHome* home() const override { return &openclaw::home(); }
  std::span<const ToolName> tool_names() const override { return openclaw::tool_names(); }
  bool is_record(JsonView object) const override { return has_keys(object, {"type", "id", "timestamp", "parentId"}); }
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(settings, feed.stat({kRoot, "openclaw.json"}));
    if (settings) return true;
    HOLDFAST_LET(databases, list_databases(feed));
    if (!databases.empty()) return true;
    HOLDFAST_LET(none, list_log_files(feed, [](const SessionRef&) { return false; }));
    return !none;
  }

  // A log stays in place when its session moves into the database.
  Result<void> find(Feed& feed, const TakeRef& take) const override {
    std::set<std::string> known;
    bool wanted = true;
    const auto take_new = [&](SessionRef ref) {
      if (!known.insert(ref.id).second) return true;
      wanted = take(std::move(ref));
      return wanted;
    };
    HOLDFAST_TRY(list_windows(feed, take_new));
    if (wanted) HOLDFAST_TRY(list_log_files(feed, take_new));
    return {};
  }

  Result<std::optional<SessionRef>> locate(Feed& feed, std::string_view id) const override {
    HOLDFAST_LET(window, locate_window(feed, id));
    if (window) return window;
    return locate_log_file(feed, id);
  }

  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    pi::EntryReporter teller(options, events);
    bool wanted = true;
    const auto take = [&](std::string_view event, std::uint64_t number) {
      wanted = teller.take(event, number);
      return wanted;
    };
    SessionWindow window;
    if (is_log_file(ref.place)) {
      HOLDFAST_LET(facts, read_log_facts(feed, ref));
      window.facts = facts;
      HOLDFAST_TRY(
          feed.records(ref.place, {}, [&](const FeedRecord& record) { return take(record.bytes, record.offset); }));
    } else {
      auto row = read_window(feed, ref.place, ref.id);
      if (row)
        window = std::move(*row);
      else if (is_damaged_pages_error(row.error()))
        feed.complain(ref.place, 0, "corrupt", "title, times and parent of this session cannot be read");
      else
        return fail(std::move(row).error());
      HOLDFAST_TRY(read_transcript(feed, ref.place, ref.id, take));
    }
    if (!wanted) return {};
    if (!window.facts.parent && !teller.parent_session().empty())
      window.facts.parent = Parent{pi::id_of_parent(teller.parent_session()), ParentKind::fork, {}};
    teller.finish(std::move(window.facts), window.leaf);
    return {};
  }
};

}  // namespace
}  // namespace openclaw

const Layout& openclaw_layout() {
  static const openclaw::OpenclawLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
