// get_messages, and a session as one text, bounded for a model to read.
#include <algorithm>

#include "doors/mcp/session_tools.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kToolText = 400;  // per call or output, unless all of it is wanted
constexpr std::size_t kCharactersAToken = 4;
constexpr std::int64_t kPageOfText = 50;

std::string block_text(JsonView block, std::size_t tool_text) {
  const std::string type = block.find("type").as_string().value_or("");
  if (type == "text") return block.find("text").as_string().value_or("");
  if (type == "thinking") return "[thinking] " + shortened(block.find("text").as_string().value_or(""), tool_text);
  if (type == "tool_call")
    return "[tool call " + block.find("name").as_string().value_or("") + "] " +
           shortened(text_or_json(block.find("input")), tool_text);
  if (type == "tool_result")
    return std::string(block.find("is_error").as_bool().value_or(false) ? "[tool error] " : "[tool result] ") +
           shortened(text_or_json(block.find("output")), tool_text);
  if (type == "other") return {};  // the agent's own bookkeeping, except in message_text
  // An attachment; a document that is a text has it beside its title.
  const JsonView extra = block.find("extra"), source = extra.find("source");
  const std::string title = json_text(extra, "title"), text = json_text(source, "data");
  std::string words = "[" + type + " " + block.find("media_type").as_string().value_or("");
  words += (title.empty() ? "" : " ") + title + "]";
  return source.find("type").is_string("text") && !text.empty() ? words + "\n" + shortened(text, tool_text) : words;
}

std::string message_text(JsonView message, std::size_t tool_text) {
  std::string text;
  for (const JsonItem& block : message.find("blocks").elements()) {
    const std::string one = block_text(block.value, tool_text);
    if (!one.empty()) (text += text.empty() ? "" : "\n") += one;
  }
  if (!text.empty()) return text;
  // It has no part of a known type, but somebody said it.
  const std::string role = message.find("role").as_string().value_or("");
  if (role != "user" && role != "assistant") return text;
  for (const JsonItem& block : message.find("blocks").elements())
    if (block.value.find("type").is_string("other")) text += shortened(block.value.raw(), tool_text);
  return text;
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

}  // namespace

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + " … (" + std::to_string(text.size() - end) + " more bytes)";
}

std::string fitted(std::string_view text, std::size_t most) {
  constexpr std::size_t kRest = 32;  // for " … (N more bytes)" and the quotes
  if (text.size() + 2 <= most && json_quoted(text).size() <= most) return std::string(text);
  std::size_t room = std::min(text.size(), most > kRest ? most - kRest : 0);
  for (;;) {
    std::string cut = shortened(text, room);
    const std::size_t size = json_quoted(cut).size();
    if (size <= most || room == 0) return cut;
    room -= std::min(room, std::max<std::size_t>(room - room * most / size, 1));
  }
}

namespace {

// A page after `cursor`; it may be empty, since a session has records without text.
Result<std::string> messages_after(const ToolCall& call, std::string cursor) {
  const auto budget = static_cast<std::size_t>(call.integer("max_tokens", 4000)) * kCharactersAToken;
  const std::size_t tool_text = call.arguments.find("whole").as_bool().value_or(false) ? budget : kToolText;
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
  constexpr std::size_t kEnd = 120;   // total, next_cursor, truncated
  constexpr std::size_t kLeast = 60;  // minimum for a message that is begun
  bool cut = false, any = false;
  JsonWriter json;
  json.begin_object().key("notice").string(kQuotedHistory).key("session").string(session);
  json.key("messages").begin_array();
  for (const JsonItem& item : view.find("messages").elements()) {
    const JsonView message = item.value;
    const std::int64_t ordinal = message.find("ordinal").as_int64().value_or(0);
    const std::string whole = message_text(message, tool_text);
    if (whole.empty()) continue;
    JsonWriter one;
    one.begin_object().key("ordinal").int64(ordinal).key("role").raw(message.find("role").raw());
    for (const std::string_view key : {"timestamp", "model"})
      if (const JsonView value = message.find(key); value && !value.is_null()) one.key(key).raw(value.raw());
    // The whole answer counts. The first message is always included, as far as it fits.
    const std::size_t used = json.text().size() + one.text().size() + kEnd;
    const std::size_t room = budget > used + kLeast ? budget - used : kLeast;
    if (any && (budget <= used + kLeast || json_quoted(whole).size() > room)) {
      next = "\"" + std::string(kFrom) + std::to_string(ordinal) + "\"";
      cut = true;
      break;
    }
    const std::string text = fitted(whole, room);
    cut = cut || text.size() != whole.size();
    any = true;
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
  for (;;) {
    HOLDFAST_LET(answer, messages_after(call, cursor));
    const JsonItems messages = JsonView(answer).find("messages").elements();
    cursor = JsonView(answer).find("next_cursor").as_string().value_or("");
    if (cursor.empty() || messages.begin() != messages.end()) return answer;
  }
}

Result<std::string> session_as_text(const ToolCall& call, std::string_view session, std::size_t most) {
  std::string text = std::string(kQuotedHistory) + "\n";
  std::string cursor;
  for (;;) {
    HOLDFAST_LET(answer, page(call, session, 0, kPageOfText, cursor));
    const JsonView view(answer);
    for (const JsonItem& item : view.find("messages").elements()) {
      const std::string ordinal(item.value.find("ordinal").raw());
      const std::string said = message_text(item.value, kToolText);
      if (said.empty()) continue;
      text.append("\n## ").append(item.value.find("role").as_string().value_or(""));
      text.append(" [").append(ordinal).append("]\n\n").append(said).append("\n");
      if (text.size() < most) continue;
      return shortened(text, most) + "\n\nCall get_messages with from " + ordinal + " to read on.\n";
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
    const std::string text = std::string(kQuotedHistory) + "\n\n## " +
                             item.value.find("role").as_string().value_or("") + " [" + std::to_string(ordinal) +
                             "]\n\n" + message_text(item.value, most) + "\n";
    return shortened(text, most);
  }
  return fail(Code::not_found, "the session has no message " + std::to_string(ordinal));
}

}  // namespace holdfast::inline v1
