#include "layout/continue_dev/session_document.h"

#include <set>

#include "layout/continue_dev/element.h"
#include "layout/continue_dev/history.h"
#include "layout/json_pick.h"
#include "layout/report_bom.h"
#include "layout/unknown_content.h"
#include "text/percent.h"

namespace holdfast::inline v1::continue_dev {
namespace {

constexpr std::uint64_t kLargest = std::uint64_t{512} << 20;

std::string first_of(JsonView a, JsonView b) {
  std::string text = text_of(a);
  return text.empty() ? text_of(b) : text;
}

// The index was written with the session, so it still has the facts if the document is damaged.
SessionFacts facts_of(std::string_view document, const SessionRef& ref) {
  const auto [title, workspace, model] = pick<3>(JsonView(document), {"title", "workspaceDirectory", "chatModelTitle"});
  const auto [index_title, index_workspace, created] =
      pick<3>(JsonView(ref.hint), {"title", "workspaceDirectory", "dateCreated"});
  SessionFacts facts;
  facts.title = first_of(title, index_title);
  facts.project = path_of_uri(first_of(workspace, index_workspace));  // editors write URIs
  facts.model = text_of(model);
  facts.created_at = created.kind() == JsonKind::string ? text_of(created) : std::string(created.raw());
  return facts;
}

bool tell(const HistoryElement& element, const std::set<std::string>& elsewhere, const Layout::ReadOptions& options,
          Events& events) {
  for (Message& message : read_element(element.json, elsewhere, options.whole)) {
    message.offset = element.offset;
    if (options.raw) message.raw = element.json.raw();
    if (!events.report(std::move(message))) return false;
  }
  return true;
}

void complain_of(Feed& feed, const Place& document, const History& history) {
  if (history.damage.empty() && !history.listed)
    feed.complain(document, 0, "no_messages", "it has no list of messages, without which Continue does not load it");
  for (const DamagedPlace& place : history.damage) {
    if (place.kind == "too_deep")
      feed.complain(document, place.offset, place.kind, "it is nested deeper than 1,024 levels; messages are shown");
    else if (history.elements.empty())
      feed.complain(document, place.offset, "no_messages", "it is no longer JSON, and no whole message is left in it");
    else
      feed.complain(document, place.offset, place.kind,
                    "whole elements of the history are shown, incomplete ones are left out");
  }
}

// Another version may have renamed the list.
void tell_without_list(std::string_view text, const Layout::ReadOptions& options, Events& events) {
  Message message{.role = Role::system, .origin = Origin::notice};
  append_renamed(JsonView(text),
                 {"sessionId", "title", "workspaceDirectory", "chatModelTitle", "mode", "usage", "dateCreated"},
                 message.blocks);
  if (message.blocks.empty()) return;
  if (options.raw) message.raw = text;
  events.report(std::move(message));
}

}  // namespace

Result<void> read_session_document(Feed& feed, const SessionRef& ref, const Layout::ReadOptions& options,
                                   Events& events) {
  HOLDFAST_LET(stat, feed.stat(ref.place));
  auto document = feed.document(ref.place, kLargest);
  if (!document && document.error().code != Code::too_large) return fail(std::move(document).error());
  if (!document) feed.complain(ref.place, 0, "too_large", "its messages are not shown");
  const std::string text = document && *document ? std::move(**document) : std::string();

  SessionFacts facts = facts_of(text, ref);
  // Messages have no times; the time of the file is that of the last one.
  if (stat && stat->mtime_ns > 0) facts.updated_at = std::to_string(stat->mtime_ns / 1'000'000);
  facts.subagents = 0;
  events.facts(facts);
  if (!document) return {};

  if (text.empty()) return {};  // every empty file is reported as such elsewhere
  report_bom(feed, ref.place, text);
  const History history = read_history(text);
  complain_of(feed, ref.place, history);
  if (!history.listed && history.damage.empty()) {
    tell_without_list(text, options, events);
    return {};
  }
  std::set<std::string> elsewhere;
  for (const HistoryElement& element : history.elements) {
    if (std::string call = answered_call(element.json); !call.empty()) elsewhere.insert(std::move(call));
  }
  for (const HistoryElement& element : history.elements) {
    if (!tell(element, elsewhere, options, events)) break;
  }
  return {};
}

}  // namespace holdfast::inline v1::continue_dev
