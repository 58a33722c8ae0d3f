#include "layout/pi/pi_layout.h"

#include <algorithm>
#include <array>

#include "layout/known_records.h"
#include "layout/new_sessions.h"
#include "layout/pi/entry_reporter.h"
#include "layout/pi/session_files.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1 {
namespace pi {
namespace {

class PiLayout final : public Layout {
 public:
  std::string_view name() const override { return "pi"; }
  std::string_view agent() const override { return "pi"; }
  LayoutTraits traits() const override { return {.seekable_log = true}; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{kRoot, "pi's agent directory", true}}};
    return kRoots;
  }

  const ToolDialect* tools() const override { return &pi::tools(); }
  const SessionRescue* rescue() const override { return &pi::rescue(); }
  const AgentHome* home() const override { return &pi::home(); }
  std::span<const ToolName> tool_names() const override { return pi::tool_names(); }
  const NewSessions* new_sessions() const override { return &pi::new_sessions(); }
  bool is_record(JsonView object) const override {
    return has_keys(object, {"type", "id", "timestamp", "parentId"}) ||
           has_keys(object, {"type", "id", "timestamp", "cwd"});
  }
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(top, feed.list({kRoot, ""}));
    return std::ranges::any_of(top, [](const FeedEntry& entry) { return entry.directory && entry.name == "sessions"; });
  }
  Result<void> find(Feed& feed, const TakeRef& take) const override { return list_sessions(feed, take); }
  Result<void> locate_all(Feed& feed, std::string_view id, const TakeRef& take) const override {
    return locate_sessions(feed, id, take);
  }

  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    EntryReporter teller(options, events);
    bool wanted = true;
    HOLDFAST_TRY(feed.records(ref.place, {}, [&](const FeedRecord& record) {
      wanted = teller.take(record.bytes, record.offset);
      return wanted;
    }));
    if (!wanted) return {};
    SessionFacts facts;
    if (!teller.parent_session().empty())
      facts.parent = Parent{id_of_parent(teller.parent_session()), ParentKind::fork, {}};
    teller.finish(std::move(facts));
    return {};
  }
};

}  // namespace
}  // namespace pi

const Layout& pi_layout() {
  static const pi::PiLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
