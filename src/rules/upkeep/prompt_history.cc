#include "rules/upkeep/prompt_history.h"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "base/time.h"
#include "model/time_formats.h"
#include "store/engine.h"
#include "store/record_findings.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

Result<Place> history_of(FileStore& files) {
  const Layout& layout = files.layout();
  if (const std::string_view path = layout.traits().prompt_history; !path.empty())
    return Place{std::string(layout.roots().front().name), std::string(path)};
  return fail(Code::unsupported, "layout " + std::string(files.layout_name()) + " cannot hold: a history of prompts");
}

// Claude Code's line: the time is in milliseconds.
std::string line_of(const Prompt& prompt, std::chrono::system_clock::time_point time) {
  JsonWriter json;
  json.begin_object().key("display").string(prompt.display).key("pastedContents").raw(prompt.pasted);
  json.key("timestamp").int64(unix_ms(time)).key("project").string(prompt.project);
  if (!prompt.session_id.empty()) json.key("sessionId").string(prompt.session_id);
  return json.end_object().take();
}

Prompt prompt_of(std::string_view line) {
  Prompt prompt;
  for (const JsonItem& item : JsonView(line).fields()) {
    const auto text = [&] { return item.value.as_string().value_or(""); };
    if (item.key_is("display")) prompt.display = text();
    if (item.key_is("pastedContents")) prompt.pasted = item.value.raw();
    if (item.key_is("project")) prompt.project = text();
    if (item.key_is("sessionId")) prompt.session_id = text();
    if (item.key_is("timestamp"))
      prompt.timestamp = to_iso_time(item.value.kind() == JsonKind::number ? std::string(item.value.raw()) : text());
  }
  return prompt;
}

}  // namespace

Result<void> append_prompt(const Context& context, Store& store, const Prompt& typed, Durability durability) {
  HOLDFAST_LET(files, engine_of(store));
  Prompt prompt = typed;
  if (const RedactOptions request = files->redactor().request(); request.inputs) {
    redact_in_place(prompt.display);
    redact_in_place(prompt.timestamp);  // an error message would repeat it
    if (auto hidden = redacted_json(prompt.pasted, request, TextSide::input)) prompt.pasted = std::move(*hidden);
  }
  HOLDFAST_LET(place, history_of(*files));
  if (!check_json(prompt.pasted).ok() || JsonView(prompt.pasted).kind() != JsonKind::object)
    return fail(Code::invalid_argument, "pasted contents must be a JSON object");
  auto time = context.clock->now();
  if (!prompt.timestamp.empty()) {
    const auto given = parse_any_time(prompt.timestamp);
    if (!given) return fail(Code::invalid_argument, "timestamp is not a time: " + prompt.timestamp);
    time = *given;
  }
  if (!files->roots().writable())
    return fail(Code::invalid_argument, "the store was opened read-only; cannot append", store.name());
  HOLDFAST_LET(root, files->roots().root(place.root));
  LogOptions options;
  options.mode = files->layout().traits().owns_logs ? LogMode::ours : LogMode::shared;
  HOLDFAST_LET(log, AppendLog::open(context, root, place.path, options));
  HOLDFAST_TRY(log->append(context, line_of(prompt, time), durability));
  return log->close(context);
}

Result<PromptList> list_prompts(const Context& context, Store& store, const PromptFilter& filter) {
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(place, history_of(*files));
  DirectoryFeed feed(context, files->roots().directories());
  struct Line {
    Prompt prompt;
    std::size_t number;
  };
  std::vector<Line> lines;
  HOLDFAST_TRY(feed.records(place, {}, [&](const FeedRecord& record) {
    Prompt prompt = prompt_of(record.bytes);
    if (!filter.project.empty() && prompt.project != filter.project) return true;
    if (!filter.session_id.empty() && prompt.session_id != filter.session_id) return true;
    lines.push_back({std::move(prompt), lines.size()});
    return true;
  }));
  // There are several writers and clocks: file order breaks ties.
  std::ranges::sort(lines, [](const Line& a, const Line& b) {
    return std::tie(a.prompt.timestamp, a.number) > std::tie(b.prompt.timestamp, b.number);
  });
  if (filter.limit != 0 && lines.size() > filter.limit) lines.resize(filter.limit);
  PromptList list;
  for (Line& line : lines) list.prompts.push_back(std::move(line.prompt));
  list.findings = findings_of(feed);
  return list;
}

}  // namespace holdfast::inline v1
