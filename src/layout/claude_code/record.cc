#include "layout/claude_code/record.h"

#include <algorithm>
#include <array>

#include "layout/claude_content.h"
#include "layout/json_pick.h"
#include "layout/unknown_content.h"

namespace holdfast::inline v1::claude_code {
namespace {

constexpr std::string_view kSynthetic = "<synthetic>";
constexpr std::string_view kInterrupted = "[Request interrupted by user";

// How a slash command or shell line of the person appears in the history.
constexpr std::string_view kCommands[] = {
    "<command-name>", "<command-message>", "<command-args>", "<local-command-stdout>", "<local-command-stderr>",
    "<bash-input>",   "<bash-stdout>",     "<bash-stderr>",  "<local-command-caveat>", "Caveat: The messages below",
};

// The prefix of text that the program itself inserts as the user.
constexpr std::string_view kTaskNotification = "<task-notification>";

bool flag(JsonCursor& at) { return at.skip().as_bool().value_or(false); }

// What a line contains besides the message.
struct Marks {
  std::string_view type, subtype;
  JsonView content;     // of a system record
  JsonView attachment;  // if it is a queued prompt
  std::string logical_parent, leaf, summary, title;
  bool said = false;  // has a message
  bool meta = false, is_summary = false, sidechain = false, api_error = false;
};

// Finds a text member of an object in one walk.
std::string text_inside(JsonCursor& at, std::string_view wanted) {
  std::string text;
  std::string_view key;
  if (!at.enter_object()) {
    at.skip();
    return text;
  }
  while (at.next_key(key)) {
    if (key == wanted)
      text = at.text();
    else
      at.skip();
  }
  return text;
}

std::optional<Usage> read_usage(JsonCursor& at, ParseCache& seen) {
  if (!at.skip_if(seen.usage_bytes)) {
    JsonCursor begin = at;
    seen.usage = read_claude_usage(at);
    const std::string_view written = begin.skip().raw();
    seen.usage_bytes = written.starts_with('{') ? written : std::string_view();
  }
  return seen.usage;
}

void read_inner(JsonCursor& at, RecordOptions options, ParseCache& seen, Message& message, bool& found) {
  found = true;
  JsonCursor begin = at;
  if (!at.enter_object()) return read_claude_content(at, message.blocks);
  std::string_view key;
  bool answer = false, said = false;
  while (at.next_key(key)) {
    said = said || key == "content";
    if (key == "role")
      answer = at.word() == "assistant";
    else if (key == "content")
      read_claude_content(at, message.blocks,
                          {.texts = options.whole || !answer, .payloads = options.whole, .previews = options.previews});
    else if (key == "id")
      message.response = at.text();
    else if (key == "model")
      message.model = at.text();
    else if (key == "usage")
      message.usage = read_usage(at, seen);
    else if (key == "stop_reason")
      message.stop_reason = at.text();
    else
      at.skip();
  }
  if (!said && options.whole) message.blocks.push_back(unknown_block(begin.skip()));
}

bool has(const Message& message, BlockKind kind) {
  return std::ranges::any_of(message.blocks, [kind](const Block& block) { return block.kind == kind; });
}

std::string_view first_text(const Message& message) {
  for (const Block& block : message.blocks) {
    if (block.kind == BlockKind::text) return block.text;
  }
  return {};
}

Origin origin_of_user(const Marks& marks, const Message& message) {
  const std::string_view text = first_text(message);
  if (marks.is_summary) return Origin::summary;
  if (has(message, BlockKind::tool_result)) return Origin::tool;
  const Origin origin = origin_of_text(text);
  return origin == Origin::typed && marks.meta ? Origin::injected : origin;
}

void finish_user(const Marks& marks, Message& message) {
  message.origin = origin_of_user(marks, message);
  message.role = message.origin == Origin::tool ? Role::tool : Role::user;
  message.response.clear();
  message.usage.reset();
  message.model.clear();
}

// Handles what the program itself inserted in place of an answer.
void finish_assistant(const Marks& marks, Message& message) {
  message.role = Role::assistant;
  message.origin = Origin::model;
  if (message.model != kSynthetic && !marks.api_error) return;
  message.origin = Origin::notice;
  message.failed = marks.api_error;
  message.model.clear();
  message.usage.reset();
}

// {"type":"queued_command","commandMode":"prompt","prompt":…,"origin":{"kind":"human"},"source_uuid":…}. The client, or
// another agent, may queue prompts too.
void finish_queued(Marks& marks, RecordOptions options, Message& message) {
  const auto [prompt, origin, meta, source] = pick<4>(marks.attachment, {"prompt", "origin", "isMeta", "source_uuid"});
  JsonCursor at(prompt.raw());
  read_claude_content(at, message.blocks, {.payloads = options.whole, .previews = options.previews});
  const JsonView who = origin.find("kind");
  marks.meta = marks.meta || meta.as_bool() == true || (who && !who.is_string("human"));
  finish_user(marks, message);
  message.response = text_of(source);  // the id of the prompt itself: a user record with that id is the same prompt
}

void finish_other(const Marks& marks, std::string_view line, bool whole, Message& message) {
  message.role = Role::system;
  message.blocks.clear();
  message.response.clear();
  message.usage.reset();
  message.model.clear();
  bool odd = marks.type != "attachment" && marks.type != "progress";
  // Somebody may have said what an unknown record holds as a message.
  message.origin = odd && marks.said ? Origin::notice : Origin::injected;
  if (marks.type == "system") {
    odd = marks.content && marks.content.kind() != JsonKind::string;
    message.origin = marks.subtype == "local_command" ? Origin::command : Origin::notice;
    if (message.parent.empty()) message.parent = marks.logical_parent;  // history continues across a compaction
    if (marks.content.kind() == JsonKind::string && marks.subtype != "compact_boundary") {
      message.blocks.push_back({.kind = BlockKind::text, .text = text_of(marks.content)});
      return;
    }
  }
  if (!whole) return;
  message.blocks.push_back({.kind = BlockKind::other, .json = std::string(line)});
  if (odd) message.blocks.back().text = words_in(JsonView(line));
}

// The last keys of most records, which hold nothing else.
bool is_end_key(std::string_view key) {
  return key == "entrypoint" || key == "cwd" || key == "sessionId" || key == "version" || key == "gitBranch";
}

void read_context(std::string_view key, JsonCursor& at, bool whole, MessageContext& context) {
  std::string* field = nullptr;
  if (key == "cwd") field = &context.cwd;
  if (key == "gitBranch") field = &context.git_branch;
  if (whole && key == "version") field = &context.version;
  if (whole && key == "userType") field = &context.user_type;
  if (whole && key == "permissionMode") field = &context.permission_mode;
  if (field != nullptr)
    *field = at.text();
  else
    at.step_over();
}

// The end of a record, from the value of userType, if it only says where the session runs.
class RecordEnd {
 public:
  RecordEnd(RecordOptions options, ParseCache& seen) : options_(options), seen_(seen) {}

  // Called at each key. Returns true if the rest of the record was seen before; then `context` is filled from it.
  bool known(std::string_view key, const JsonCursor& at, MessageContext& context) {
    if (key == "userType" && !options_.session) {
      const bool first = context.cwd.empty() && context.git_branch.empty() && context.version.empty();
      bytes_ = first ? at.rest() : std::string_view();
      if (!first || bytes_ != seen_.end_bytes) return false;
      context.cwd = seen_.end.cwd;
      context.git_branch = seen_.end.git_branch;
      if (options_.whole) context.version = seen_.end.version;
      if (options_.whole) context.user_type = seen_.end.user_type;
      bytes_ = {};
      return true;
    }
    if (!bytes_.empty() && !is_end_key(key)) bytes_ = {};
    return false;
  }
  // Whether the whole context must be read, to recognize other records with the same end.
  bool learns() const { return !bytes_.empty(); }
  void finish(MessageContext& context) {
    if (learns()) {
      seen_.end_bytes = bytes_;
      seen_.end = context;
    }
    if (options_.whole) return;
    context.version.clear();
    context.user_type.clear();
  }

 private:
  RecordOptions options_;
  ParseCache& seen_;
  std::string_view bytes_;
};

// The members of a record other than its message.
constexpr auto kRecordMembers =
    std::to_array<std::string_view>({"type",           "uuid",          "parentUuid",      "timestamp",
                                     "sessionId",      "isSidechain",   "agentId",         "isMeta",
                                     "subtype",        "forkedFrom",    "costUSD",         "cwd",
                                     "version",        "gitBranch",     "userType",        "entrypoint",
                                     "slug",           "promptId",      "promptSource",    "turnOrigin",
                                     "permissionMode", "requestId",     "requestRef",      "requestedModel",
                                     "effort",         "perTurnEffort", "madeBy",          "permissionDecision",
                                     "error",          "apiErrorType",  "thinkingDisplay", "attributionAgent",
                                     "origin"});

// Records without a uuid that describe the session or the client. They hold no part of the conversation, or repeat it.
constexpr auto kFlatTypes = std::to_array<std::string_view>({"agent-color",
                                                             "agent-name",
                                                             "agent-setting",
                                                             "ai-title",
                                                             "api-request",
                                                             "api-request-blob",
                                                             "api-request-shape",
                                                             "atis-latch",
                                                             "attachment",
                                                             "attribution-snapshot",
                                                             "bridge-session",
                                                             "content-replacement",
                                                             "cost-state",
                                                             "custom-title",
                                                             "file-history-delta",
                                                             "file-history-snapshot",
                                                             "last-prompt",
                                                             "marble-origami-commit",
                                                             "marble-origami-snapshot",
                                                             "mode",
                                                             "permission-mode",
                                                             "pr-link",
                                                             "progress",
                                                             "queue-operation",
                                                             "speculation-accept",
                                                             "summary",
                                                             "tag",
                                                             "task-summary",
                                                             "tools-used",
                                                             "worktree-state"});

// Reads only the beginning of most attachments, which name their type first.
bool is_queued_command(JsonCursor at) {
  std::string_view key;
  if (!at.enter_object()) return false;
  while (at.next_key(key)) {
    if (key == "type") return at.word() == "queued_command";
    at.step_over();
  }
  return false;
}

RecordKind flat_kind(const Marks& marks, Record& record) {
  if (marks.type == "last-prompt" && !marks.leaf.empty()) {
    record.text = marks.leaf;
    return RecordKind::leaf;
  }
  if (marks.type == "summary" && !marks.summary.empty()) {
    record.text = marks.summary;
    record.about = marks.leaf;
    return RecordKind::summary;
  }
  if (!marks.title.empty()) {
    record.text = marks.title;
    return RecordKind::title;
  }
  return RecordKind::other;
}

}  // namespace

bool is_unknown_record(std::string_view type, std::string_view line) {
  if (std::ranges::find(kFlatTypes, type) != kFlatTypes.end()) return false;
  if (!is_said(type)) return !words_in(JsonView(line)).empty();
  std::vector<Block> kept;
  append_renamed(JsonView(line), kRecordMembers, kept);
  return !kept.empty();
}

bool is_queued_prompt(JsonView attachment) {
  const auto [type, mode, prompt] = pick<3>(attachment, {"type", "commandMode", "prompt"});
  const bool said = prompt && !prompt.is_null() && prompt.raw() != "\"\"";
  return said && type.is_string("queued_command") && mode.is_string("prompt");
}

Origin origin_of_text(std::string_view text) {
  if (text.starts_with(kInterrupted)) return Origin::notice;
  if (std::ranges::any_of(kCommands, [&](std::string_view mark) { return text.starts_with(mark); }))
    return Origin::command;
  return text.starts_with(kTaskNotification) ? Origin::injected : Origin::typed;
}

Record read_record(std::string_view line, RecordOptions options, ParseCache& seen, const JsonMarks* marks_of_line) {
  Record record;
  Message& message = record.message;
  Marks marks;
  RecordEnd end(options, seen);
  JsonCursor at(line, marks_of_line);
  std::string_view key;
  at.enter_object();
  while (at.next_key(key)) {
    if (end.known(key, at, message.context) || is_request_payload(marks.type, key)) break;
    if (key == "type")
      marks.type = at.word();
    else if (key == "message")
      read_inner(at, options, seen, message, marks.said);
    else if (key == "uuid")
      message.id = at.text();
    else if (key == "parentUuid")
      message.parent = at.kind() == JsonKind::string ? at.text() : named_parent(at.skip());
    else if (key == "logicalParentUuid")
      marks.logical_parent = at.text();
    else if (key == "timestamp")
      message.timestamp = text_or_raw(at);
    else if (key == "sessionId" && options.session)
      record.session = at.text();
    else if (key == "isSidechain")
      marks.sidechain = flag(at);
    else if (key == "agentId")
      message.agent = at.text();
    else if (key == "isMeta")
      marks.meta = flag(at);
    else if (key == "isCompactSummary")
      marks.is_summary = flag(at);
    else if (key == "isApiErrorMessage")
      marks.api_error = flag(at);
    else if (key == "subtype")
      marks.subtype = at.word();
    else if (key == "content")
      marks.content = at.skip();
    else if (key == "attachment" && is_queued_command(at))
      marks.attachment = at.skip();
    else if (key == "leafUuid")
      marks.leaf = at.text();
    else if (key == "summary")
      marks.summary = at.text();
    else if (key == "customTitle" || key == "aiTitle")
      marks.title = at.text();
    else if (key == "forkedFrom")
      record.forked_from = text_inside(at, "sessionId");
    else if (key == "toolUseResult")
      record.started = text_inside(at, "agentId");
    else if (key == "costUSD" && at.kind() == JsonKind::number)
      message.cost = at.skip().raw();
    else
      read_context(key, at, options.whole || end.learns(), message.context);
  }
  end.finish(message.context);
  record.tree = !message.id.empty();
  const bool queued = marks.type == "attachment" && is_queued_prompt(marks.attachment);
  // A message is shown even if nothing can follow it.
  if (!record.tree && !queued && !(marks.said && is_said(marks.type))) {
    record.kind = flat_kind(marks, record);
    if (record.kind != RecordKind::other || !is_unknown_record(marks.type, line)) {
      record.timestamp = std::move(message.timestamp);
      return record;
    }
  }
  record.kind = RecordKind::message;
  message.side = marks.sidechain;
  if (!marks.said && options.whole && is_said(marks.type))
    append_renamed(JsonView(line), kRecordMembers, message.blocks);
  if (queued)
    finish_queued(marks, options, message);
  else if (marks.type == "user")
    finish_user(marks, message);
  else if (marks.type == "assistant")
    finish_assistant(marks, message);
  else
    finish_other(marks, line, options.whole, message);
  return record;
}

}  // namespace holdfast::inline v1::claude_code
