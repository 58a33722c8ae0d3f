// get_messages, and a session as one text, bounded for a model to read.
#include <algorithm>

#include "doors/mcp/session_tools.h"
#include "text/json_text.h"
#include "text/json_write.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kToolText = 400;  // per call or output, unless all of it is wanted
constexpr std::size_t kCharactersAToken = 4;
constexpr std::int64_t kPageOfText = 50;

void add_block(QuotedText& text, JsonView block, std::size_t tool_text) {
  const std::string type = block.find("type").as_string().value_or("");
  std::string label, body;
  std::size_t most = tool_text;
  if (type == "other") return;  // the agent's own bookkeeping, except in message_text
  if (type == "text") {
    body = json_text(block, "text");
    most = body.size();
  } else if (type == "thinking") {
    label = "[thinking] ";
    body = json_text(block, "text");
  } else if (type == "tool_call") {
    label = "[tool call " + json_text(block, "name") + "] ";
    body = text_or_json(block.find("input"));
  } else if (type == "tool_result") {
    label = block.find("is_error").as_bool().value_or(false) ? "[tool error] " : "[tool result] ";
    body = text_or_json(block.find("output"));
  } else {  // an attachment; a document that is a text has it beside its title
    const JsonView extra = block.find("extra"), source = extra.find("source");
    const std::string title = json_text(extra, "title");
    label = "[" + type + " " + json_text(block, "media_type");
    label += (title.empty() ? "" : " ") + title + "]";
    if (source.find("type").is_string("text")) body = json_text(source, "data");
    if (!body.empty()) label += "\n";
  }
  if (!text.empty() && !(label.empty() && body.empty())) text.add("\n");
  text.add(label);
  text.add(body, most);
}

QuotedText message_text(JsonView message, std::size_t tool_text) {
  QuotedText text;
  for (const JsonItem& block : message.find("blocks").elements()) add_block(text, block.value, tool_text);
  if (!text.empty()) return text;
  // It has no part of a known type, but somebody said it.
  const std::string role = message.find("role").as_string().value_or("");
  if (role != "user" && role != "assistant") return text;
  for (const JsonItem& block : message.find("blocks").elements())
    if (block.value.find("type").is_string("other")) text.add(block.value.raw(), tool_text);
  return text;
}

// The command that prints a whole message, since no tool shows more of one than fits into an answer.
// `named`: what the caller called the session.
std::string rest_command(const ToolCall& call, std::string_view named, std::string_view id, std::int64_t ordinal) {
  JsonWriter params;
  params.begin_object().key("id").string(named);
  const auto found = ask(call, "session.get", params);
  const JsonView session = found ? JsonView(*found).find("session") : JsonView();
  const bool same = session.find("id").is_string(id);
  return "holdfast message list " + (same ? session_word(json_text(session, "layout"), id) : shell_word(id)) +
         " --at " + std::to_string(ordinal) + " --limit 1 --branch all --redact --json";
}

// A page of the active branch from the message with ordinal `at` on, or from the cursor. `branch` as in message.list.
Result<std::string> page(const ToolCall& call, std::string_view session, std::int64_t at, std::int64_t limit,
                         std::string_view cursor, std::string_view branch = {}) {
  JsonWriter params;
  params.begin_object().key("session").string(session).key("limit").int64(limit);
  if (!branch.empty()) params.key("branch").string(branch);
  if (!cursor.empty())
    params.key("cursor").string(cursor);
  else if (at > 0)
    params.key("at").int64(at);
  HOLDFAST_LET(answer, ask(call, "message.list", params));
  HOLDFAST_TRY(check_not_own(call, {}, JsonView(answer).find("session")));
  return answer;
}

// Of the first message of a page; nullopt if it has none.
std::optional<std::int64_t> first_ordinal(std::string_view answer) {
  for (const JsonItem& item : JsonView(answer).find("messages").elements())
    return item.value.find("ordinal").as_int64();
  return std::nullopt;
}

// A cursor of our own if the page was cut or is not of the active branch: the ordinal to continue with.
constexpr std::string_view kFrom = "from-";

// What every text begins with, after the first page is read.
std::string heading(const ToolCall& call) {
  const std::string warning = call.warnings.line();
  return std::string(kQuotedHistory) + "\n" + warning + (warning.empty() ? "" : "\n");
}

// A page after `cursor`; it may be empty, since a session has records without text.
Result<std::string> messages_after(const ToolCall& call, std::string cursor) {
  const auto budget = static_cast<std::size_t>(call.integer("max_tokens", 4000)) * kCharactersAToken;
  const bool in_full = call.arguments.find("whole").as_bool().value_or(false);
  const std::size_t tool_text = in_full ? std::string::npos : kToolText;
  const auto cited = read_citation(call.text("session"));
  std::int64_t from = call.integer("from", cited && cited->message ? ordinal_of(*cited->message).value_or(0) : 0);
  if (cursor.starts_with(kFrom)) {
    from = JsonView(cursor.substr(kFrom.size())).as_int64().value_or(0);
    cursor.clear();
  }
  const std::string named = session_named(call.text("session"));
  HOLDFAST_LET(answer, page(call, named, from, call.integer("limit", 20), cursor));
  std::string next(JsonView(answer).find("next_cursor").raw());
  if (cursor.empty() && first_ordinal(answer) != from) {  // it is not on the active branch
    HOLDFAST_LET(all, page(call, named, from, call.integer("limit", 20), {}, "all"));
    if (first_ordinal(all) == from) {
      answer = std::move(all);
      const JsonView after = JsonView(answer).find("next");
      next = after.is_null() ? std::string() : "\"" + std::string(kFrom) + std::string(after.raw()) + "\"";
    }
  }
  const JsonView view(answer);
  const std::string session = view.find("session").as_string().value_or("");
  const std::size_t end = 120 + call.warnings.size();  // total, next_cursor, truncated
  constexpr std::size_t kLeast = 60;                   // minimum for a message that is begun
  bool cut = false, any = false;
  JsonWriter json;
  json.begin_object().key("notice").string(kQuotedHistory).key("session").string(session);
  json.key("messages").begin_array();
  for (const JsonItem& item : view.find("messages").elements()) {
    const JsonView message = item.value;
    const std::int64_t ordinal = message.find("ordinal").as_int64().value_or(0);
    const QuotedText said = message_text(message, tool_text);
    if (said.empty()) continue;
    const std::string whole = said.text();
    JsonWriter one;
    one.begin_object().key("ordinal").int64(ordinal).key("role").raw(message.find("role").raw());
    for (const std::string_view key : {"timestamp", "model"})
      if (const JsonView value = message.find(key); value && !value.is_null()) one.key(key).raw(value.raw());
    // The whole answer counts. The first message is always included, as far as it fits.
    const std::size_t used = json.text().size() + one.text().size() + end;
    const std::size_t room = budget > used + kLeast ? budget - used : kLeast;
    if (any && (budget <= used + kLeast || whole.size() > room || json_quoted(whole).size() > room)) {
      next = "\"" + std::string(kFrom) + std::to_string(ordinal) + "\"";
      cut = true;
      break;
    }
    std::string text = said.fitted(room);
    any = true;
    if (text != whole) {
      cut = true;
      const std::string rest = rest_command(call, named, session, ordinal);
      const std::size_t taken = json_quoted(rest).size() + 8;  // ,"rest":
      text = said.fitted(room > taken + kLeast ? room - taken : kLeast);
      one.key("rest").string(rest);
    }
    json.raw(one.key("text").string(text).end_object().take());
  }
  json.end_array().key("total").raw(view.find("total").raw());
  json.key("next_cursor").raw(next.empty() ? "null" : next);
  return json.key("truncated").boolean(cut).end_object().take();
}

}  // namespace

Result<std::string> get_messages(const ToolCall& call) {
  std::string cursor = call.text("cursor");
  const auto cited = read_citation(call.text("session"));
  if (cited && cited->message) {
    const auto ordinal = ordinal_of(*cited->message);
    if (!ordinal) return fail(Code::invalid_argument, std::string(kNoOrdinal));
    HOLDFAST_TRY(message_as_text(call, cited->session(), *ordinal, kToolText));
  }
  if (!cursor.empty() && call.arguments.find("from"))
    return fail(Code::invalid_argument, "get_messages takes from or cursor, not both");
  for (;;) {
    HOLDFAST_LET(answer, messages_after(call, cursor));
    const JsonItems messages = JsonView(answer).find("messages").elements();
    cursor = JsonView(answer).find("next_cursor").as_string().value_or("");
    if (cursor.empty() || messages.begin() != messages.end()) return answer;
  }
}

Result<std::string> session_as_text(const ToolCall& call, std::string_view session, std::size_t most) {
  std::string text, cursor;
  for (;;) {
    HOLDFAST_LET(answer, page(call, session, 0, kPageOfText, cursor));
    if (text.empty()) text = heading(call);
    const JsonView view(answer);
    for (const JsonItem& item : view.find("messages").elements()) {
      const std::string ordinal(item.value.find("ordinal").raw());
      const QuotedText said = message_text(item.value, kToolText);
      if (said.empty()) continue;
      text.append("\n## ").append(item.value.find("role").as_string().value_or(""));
      text.append(" [").append(ordinal).append("]\n\n");
      text.append(said.cut(most > text.size() ? most - text.size() : 0)).append("\n");
      if (text.size() < most) continue;
      return text.append("\nCall get_messages with from ").append(ordinal).append(" to read on.\n");
    }
    cursor = view.find("next_cursor").as_string().value_or("");
    if (cursor.empty()) return text;
  }
}

Result<std::string> message_as_text(const ToolCall& call, std::string_view session, std::int64_t ordinal,
                                    std::size_t most) {
  HOLDFAST_LET(answer, page(call, session, ordinal, 1, {}, "all"));  // it may be on another branch
  for (const JsonItem& item : JsonView(answer).find("messages").elements()) {
    if (item.value.find("ordinal").as_int64() != ordinal) break;
    std::string text = heading(call) + "\n## " + item.value.find("role").as_string().value_or("") + " [" +
                       std::to_string(ordinal) + "]\n\n";
    const QuotedText said = message_text(item.value, std::string::npos);
    const std::string shown = said.cut(most > text.size() ? most - text.size() : 0);
    text += shown + "\n";
    if (shown != said.text())
      text += "\nThe whole message: " +
              rest_command(call, session, JsonView(answer).find("session").as_string().value_or(""), ordinal) + "\n";
    return text;
  }
  return fail(Code::not_found, "the session has no message " + std::to_string(ordinal));
}

}  // namespace holdfast::inline v1
