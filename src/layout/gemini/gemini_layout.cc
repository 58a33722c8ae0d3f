#include "layout/gemini/gemini_layout.h"

#include <algorithm>
#include <array>

#include "layout/gemini/chat_files.h"
#include "layout/gemini/conversation.h"
#include "layout/gemini/conversation_events.h"
#include "layout/known_records.h"
#include "layout/new_sessions.h"
#include "layout/report_bom.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1::gemini {
namespace {

// SessionRef::hint has the session's further files, one per line. Those without a record come after an empty line.
std::vector<std::string> lines_of(std::string_view hint) {
  std::vector<std::string> files;
  for (std::size_t at = 0; at < hint.size();) {
    const std::size_t end = std::min(hint.find('\n', at), hint.size());
    if (end > at) files.emplace_back(hint.substr(at, end - at));
    at = end + 1;
  }
  return files;
}

std::string hint_of(const ChatSession& session) {
  std::string hint;
  for (std::size_t i = 1; i < session.files.size(); ++i) {
    if (!hint.empty()) hint += '\n';
    if (i == session.with_records) hint += '\n';
    hint += session.files[i];
  }
  return hint;
}

void take_document(Feed& feed, const Place& place, std::string_view text, Conversation& conversation) {
  switch (conversation.take_document(text)) {
    case DocumentEnd::whole: return;
    case DocumentEnd::without_list: return feed.complain(place, 0, "no_messages", "it has no list of messages");
    case DocumentEnd::torn: break;
  }
  if (text.contains("\"messages\""))
    feed.complain(place, text.size(), "torn", "messages after this place are not shown");
  else
    feed.complain(place, 0, "no_messages", "it is no longer JSON, and no list of messages is left in it");
}

Result<void> read_file(Feed& feed, const std::string& path, Conversation& conversation) {
  const Place place{kRoot, path};
  conversation.begin_file();
  if (path.ends_with(".json")) {
    auto text = feed.document(place);
    if (!text && text.error().code != Code::too_large) return fail(std::move(text).error());
    if (!text) feed.complain(place, 0, "too_large", "not shown");
    if (text && *text) report_bom(feed, place, **text);
    if (text && *text && !(*text)->empty()) take_document(feed, place, **text, conversation);
  } else {
    HOLDFAST_TRY(feed.records(place, {}, [&](const FeedRecord& record) {
      conversation.take(record);
      return true;
    }));
  }
  conversation.end_file();
  return {};
}

class GeminiLayout final : public Layout {
 public:
  std::string_view name() const override { return "gemini"; }
  std::string_view agent() const override { return "Gemini CLI"; }

  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{kRoot, "the Gemini home", true}}};
    return kRoots;
  }

  const ToolDialect* tools() const override { return &gemini::tools(); }
  const SessionRescue* rescue() const override { return &gemini::rescue(); }
  const AgentHome* home() const override { return &gemini::home(); }
  std::span<const ToolName> tool_names() const override { return gemini::tool_names(); }
  const NewSessions* new_sessions() const override { return &gemini::new_sessions(); }
  bool is_record(JsonView object) const override {
    return has_keys(object, {"id", "timestamp", "type", "content"}) || has_keys(object, {"$set"}) ||
           has_keys(object, {"$rewindTo"}) || has_keys(object, {"sessionId", "projectHash", "startTime"});
  }
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(top, feed.list({kRoot, ""}));
    if (std::ranges::find(top, "projects.json", &FeedEntry::name) != top.end()) return true;
    HOLDFAST_LET(projects, feed.list({kRoot, "tmp"}));
    for (const FeedEntry& project : projects) {
      HOLDFAST_LET(inside, feed.list({kRoot, "tmp/" + project.name}));
      if (std::ranges::find(inside, "chats", &FeedEntry::name) != inside.end()) return true;
    }
    return false;
  }

  Result<void> find(Feed& feed, const TakeRef& take) const override {
    HOLDFAST_LET(sessions, list_chats(feed));
    for (const ChatSession& session : sessions) {
      SessionRef ref{session.id, {kRoot, session.files[0]}, session.project, {}};
      ref.inner = !parent_of_path(session.files[0]).empty();
      ref.hint = hint_of(session);
      if (!take(std::move(ref))) break;
    }
    return {};
  }

  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    Conversation conversation(options.raw);
    HOLDFAST_TRY(read_file(feed, ref.place.path, conversation));
    for (const std::string& file : lines_of(ref.hint)) HOLDFAST_TRY(read_file(feed, file, conversation));
    HOLDFAST_LET(facts, facts_of(feed, ref, conversation));
    events.facts(facts);
    const Telling telling{.subagent = !parent_of_path(ref.place.path).empty(),
                          .outputs = "tmp/" + ref.project + "/tool-outputs",
                          .whole = options.whole};
    HOLDFAST_TRY(tell(feed, conversation, telling, events));
    return {};
  }

 private:
  static Result<SessionFacts> facts_of(Feed& feed, const SessionRef& ref, Conversation& conversation) {
    const ChatHeader& header = conversation.header();
    SessionFacts facts;
    HOLDFAST_LET(project, project_path(feed, ref.project));
    facts.project = project.empty() ? header.directory : project;
    facts.created_at = header.start;
    facts.updated_at = header.updated;
    facts.title = facts.summary = header.summary;
    if (const std::string parent = parent_of_path(ref.place.path); !parent.empty()) {
      facts.parent = Parent{parent, ParentKind::subagent, {}};
    }
    HOLDFAST_LET(agents, subagent_files(feed, ref.project, ref.id));
    std::set<std::string> started;
    for (const ChatMessage& message : conversation.messages()) {
      for (const ChatCall& call : message.calls) {
        if (!call.agent.empty()) started.insert(call.agent);
      }
    }
    facts.subagents = std::max(std::ssize(agents), std::ssize(started));
    facts.pending = pending_of(conversation.messages());
    return facts;
  }
};

}  // namespace

std::vector<std::string> further_files(const SessionRef& ref) {
  const std::string_view hint = ref.hint;
  return lines_of(hint.starts_with('\n') ? std::string_view() : hint.substr(0, hint.find("\n\n")));
}

}  // namespace holdfast::inline v1::gemini

namespace holdfast::inline v1 {

const Layout& gemini_layout() {
  static const gemini::GeminiLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
