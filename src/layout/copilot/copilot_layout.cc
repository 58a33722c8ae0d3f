#include "layout/copilot/copilot_layout.h"

#include <algorithm>
#include <array>

#include "layout/copilot/event_reader.h"
#include "layout/copilot/session_folders.h"
#include "layout/known_records.h"
#include "layout/new_sessions.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1 {
namespace copilot {
namespace {

class CopilotLayout final : public Layout {
 public:
  std::string_view name() const override { return "copilot"; }
  std::string_view agent() const override { return "GitHub Copilot CLI"; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{kRoot, "Copilot's directory", true}}};
    return kRoots;
  }

  const ToolDialect* tools() const override { return &copilot::tools(); }
  const SessionRescue* rescue() const override { return &copilot::rescue(); }
  const AgentHome* home() const override { return &copilot::home(); }
  std::span<const ToolName> tool_names() const override { return copilot::tool_names(); }
  const NewSessions* new_sessions() const override { return &copilot::new_sessions(); }
  bool is_record(JsonView object) const override { return has_keys(object, {"id", "timestamp", "type", "data"}); }
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(top, feed.list({std::string(kRoot), ""}));
    return std::ranges::any_of(top, [](const FeedEntry& entry) { return entry.directory && entry.name == kState; });
  }
  Result<void> find(Feed& feed, const TakeRef& take) const override { return list_sessions(feed, take); }
  Result<std::optional<SessionRef>> locate(Feed& feed, std::string_view id) const override {
    return locate_session(feed, id);
  }
  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    return EventReader(feed, ref, options, events).read();
  }
};

}  // namespace
}  // namespace copilot

const Layout& copilot_layout() {
  static const copilot::CopilotLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
