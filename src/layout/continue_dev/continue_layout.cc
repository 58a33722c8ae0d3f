#include "layout/continue_dev/continue_layout.h"

#include <algorithm>
#include <array>

#include "layout/continue_dev/session_document.h"
#include "layout/continue_dev/session_documents.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1 {
namespace continue_dev {
namespace {

class ContinueLayout final : public Layout {
 public:
  std::string_view name() const override { return "continue"; }
  std::string_view agent() const override { return "Continue"; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{kRoot, "Continue's directory", true}}};
    return kRoots;
  }

  const ToolDialect* tools() const override { return &continue_dev::tools(); }
  const SessionRescue* rescue() const override { return &continue_dev::rescue(); }
  const AgentHome* home() const override { return &continue_dev::home(); }
  std::span<const ToolName> tool_names() const override { return continue_dev::tool_names(); }
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(top, feed.list({std::string(kRoot), ""}));
    return std::ranges::any_of(top, [](const FeedEntry& entry) { return entry.directory && entry.name == kSessions; });
  }
  Result<void> find(Feed& feed, const TakeRef& take) const override { return list_documents(feed, take); }
  Result<std::optional<SessionRef>> locate(Feed& feed, std::string_view id) const override {
    return locate_document(feed, id);
  }
  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    return read_session_document(feed, ref, options, events);
  }
};

}  // namespace
}  // namespace continue_dev

const Layout& continue_layout() {
  static const continue_dev::ContinueLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
