#include "api/dry_run.h"

#include <algorithm>
#include <utility>

#include "api/archive_access.h"
#include "api/remotes.h"
#include "disk/memory_file_system.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::pair<std::string_view, Handler> kDescriptions[] = {
    {"session.update", would_update},        {"session.end", would_end},
    {"session.import", would_import},        {"session.export", would_print},
    {"session.share", would_share},          {"session.rescue", would_rescue},
    {"session.restore", would_restore},      {"message.append", would_append},
    {"entry.append", would_write_entries},   {"entry.replace", would_write_entries},
    {"store.create", would_make_store},      {"queue.init", would_init_queue},
    {"archive.enable", would_turn_timer_on}, {"archive.disable", would_turn_timer_off},
};

constexpr std::string_view kNotOnlyFiles[] = {"archive", "remote", "sync"};                             // nouns
constexpr std::string_view kCopiesSessions[] = {"session.fork", "session.regroup", "session.restore"};  // of any size

// Cuts a summary at these marks; the rest describes how it is done, or the answer.
std::string first_clause(std::string_view help) {
  std::size_t end = help.size();
  for (const std::string_view mark : {": ", "; ", ", in Holdfast's own files"}) end = std::min(end, help.find(mark));
  return std::string(help.substr(0, end));
}

// Turns "end a session" into "end session s-1 of …"; returns false if the text does not contain the noun.
bool name_in(std::string& text, std::string_view noun, std::string_view named) {
  for (const std::string_view before : {"a ", "an ", "the "}) {
    const std::string words = std::string(before).append(noun);
    const std::size_t at = text.find(words);
    const std::size_t end = at + words.size();
    if (at == std::string::npos || (at > 0 && text[at - 1] != ' ')) continue;
    if (end < text.size() && text[end] != ' ' && text[end] != ',') continue;
    constexpr std::string_view kAny = " of any agent";
    const bool any = std::string_view(text).substr(end).starts_with(kAny);
    text.replace(at, words.size() + (any ? kAny.size() : 0), named);
    return true;
  }
  return false;
}

}  // namespace

Handler dry_run_handler(const Operation& operation) {
  if (operation.preview != nullptr) return operation.preview;
  for (const auto& [method, tell] : kDescriptions)
    if (operation.method == method) return tell;
  return remote_dry_run(operation.method);
}

bool can_rehearse(const Operation& operation) {
  return operation.writes() && operation.preview == nullptr && operation.kind() == OperationKind::call &&
         std::ranges::find(kNotOnlyFiles, operation.noun()) == std::end(kNotOnlyFiles) &&
         std::ranges::find(kCopiesSessions, operation.method) == std::end(kCopiesSessions);
}

Result<void> rehearse(const Call& call) {
  if (!can_rehearse(call.operation)) return {};
  StoreSettings settings = call.stores.settings();
  const auto files = make_overlay(*settings.files);
  settings.files = files.get();
  settings.keep = false;
  settings.cache.clear();  // derived data, logs and metrics are not part of the call
  settings.log_file.clear();
  settings.spans_file.clear();
  settings.owner.reset();  // would start a process that holds the lease
  if (settings.summarise)
    settings.summarise = [](const Context&, const std::string&) { return std::string("summary"); };
  Stores stores(std::move(settings));
  Call rehearsal{call.context, call.operation, call.params, stores};
  HOLDFAST_TRY(call.operation.handler(rehearsal));
  return {};
}

bool supports_dry_run(const Operation& operation) {
  const bool takes =
      std::ranges::any_of(operation.parameters, [](const Parameter& one) { return one.name == "dry_run"; });
  return operation.writes() || (takes && dry_run_handler(operation) != nullptr);
}

Parameter dry_run_parameter() {
  return {.name = "dry_run", .help = "print what would be done and change nothing", .type = ParamType::boolean};
}

std::string describe_dry_run(const Operation& operation, JsonView params, const std::string& session) {
  std::string text = first_clause(operation.help);
  const std::string noun(operation.noun());
  std::string named;
  for (const std::string_view key : {"id", "name"})
    if (const auto value = params.find(key).as_string(); named.empty() && value && !value->empty())
      named = noun + " " + *value;
  if (noun == "session") named = session;
  if (!named.empty() && !name_in(text, noun, named)) text += ": " + named;
  if (noun != "session" && !session.empty() && !name_in(text, "session", session)) text += ", in " + session;
  return text;
}

}  // namespace holdfast::inline v1
