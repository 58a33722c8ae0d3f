#include "layout/claude_code/claude_code_layout.h"

#include <algorithm>
#include <array>

#include "layout/claude_code/session_reader.h"
#include "layout/claude_code/transcripts.h"
#include "layout/known_records.h"
#include "layout/new_sessions.h"
#include "layout/partial_reader.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1 {
namespace claude_code {
namespace {

class ClaudeCodeLayout final : public Layout, public PartialReader {
 public:
  std::string_view name() const override { return "claude-code"; }
  std::string_view agent() const override { return "Claude Code"; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{kRoot, "Claude Code's directory", true}}};
    return kRoots;
  }

  LayoutTraits traits() const override { return {.raw_text = RawText::records, .seekable_log = true}; }
  const PartialReader* partial_reader() const override { return this; }

  const ToolDialect* tools() const override { return &claude_code::tools(); }
  const AgentHome* home() const override { return &claude_code::home(); }
  std::span<const ToolName> tool_names() const override { return claude_code::tool_names(); }
  const NewSessions* new_sessions() const override { return &claude_code::new_sessions(); }
  bool is_record(JsonView object) const override {
    return has_keys(object, {"type", "sessionId"}) || has_keys(object, {"type", "summary", "leafUuid"}) ||
           has_keys(object, {"type", "messageId", "snapshot"});
  }
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(top, feed.list({std::string(kRoot), ""}));
    return std::ranges::any_of(top, [](const FeedEntry& entry) { return entry.directory && entry.name == kProjects; });
  }
  Result<void> find(Feed& feed, const TakeRef& take) const override { return list_transcripts(feed, take); }
  Result<void> locate_all(Feed& feed, std::string_view id, const TakeRef& take) const override {
    return locate_transcripts(feed, id, take);
  }
  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    return SessionReader(feed, ref, options, events).read();
  }
  Result<void> read_part(Feed& feed, const SessionRef& ref, Events& events) const override {
    return SessionReader(feed, ref, {.whole = false}, events).read_part();
  }
  Result<bool> read_head(Feed& feed, const SessionRef& ref, Events& events) const override {
    HOLDFAST_TRY(SessionReader(feed, ref, {}, events).read_head());
    return true;
  }
};

}  // namespace
}  // namespace claude_code

const Layout& claude_code_layout() {
  static const claude_code::ClaudeCodeLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
