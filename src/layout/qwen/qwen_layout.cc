#include "layout/qwen/qwen_layout.h"

#include <algorithm>
#include <array>

#include "layout/known_records.h"
#include "layout/new_sessions.h"
#include "layout/qwen/chat_files.h"
#include "layout/qwen/chat_reader.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1 {
namespace qwen {
namespace {

class QwenLayout final : public Layout {
 public:
  std::string_view name() const override { return "qwen"; }
  std::string_view agent() const override { return "Qwen Code"; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{kRoot, "the Qwen home", true}}};
    return kRoots;
  }

  const ToolDialect* tools() const override { return &qwen::tools(); }
  const AgentHome* home() const override { return &qwen::home(); }
  std::span<const ToolName> tool_names() const override { return qwen::tool_names(); }
  const NewSessions* new_sessions() const override { return &qwen::new_sessions(); }
  bool is_record(JsonView object) const override {
    return has_keys(object, {"uuid", "sessionId", "type", "timestamp"});
  }
  // A home without sessions has only its settings.
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(top, feed.list({kRoot, ""}));
    return std::ranges::any_of(top, [](const FeedEntry& entry) {
      return entry.directory ? entry.name == "projects" : entry.name == "settings.json";
    });
  }
  Result<void> find(Feed& feed, const TakeRef& take) const override { return list_chats(feed, take); }
  Result<void> locate_all(Feed& feed, std::string_view id, const TakeRef& take) const override {
    return locate_chats(feed, id, take);
  }
  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    return ChatReader(feed, ref, options, events).read();
  }
};

}  // namespace
}  // namespace qwen

const Layout& qwen_layout() {
  static const qwen::QwenLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
