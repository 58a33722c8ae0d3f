#include "api/dry_run.h"

#include <algorithm>
#include <utility>

#include "api/archive_access.h"
#include "api/remotes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::pair<std::string_view, Handler> kRehearsals[] = {
    {"session.create", would_create},
    {"session.update", would_update},
    {"session.end", would_end},
    {"session.import", would_import},
    {"session.export", would_print},
    {"session.share", would_share},
    {"session.rescue", would_rescue},
    {"session.restore", would_restore},
    {"message.append", would_append},
    {"entry.append", would_write_entries},
    {"entry.replace", would_write_entries},
    {"store.create", would_make_store},
    {"queue.init", would_init_queue},
    {"archive.enable", would_turn_timer_on},
    {"archive.disable", would_turn_timer_off},
};

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
  for (const auto& [method, tell] : kRehearsals)
    if (operation.method == method) return tell;
  return remote_dry_run(operation.method);
}

Handler check_before_creating(const Operation& operation) {
  const bool made = operation.method == "session.create" || operation.method == "session.import" ||
                    operation.method == "entry.append";
  return made ? dry_run_handler(operation) : nullptr;
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

Result<std::shared_ptr<Store>> make_dry_run_store(const Call& call, const std::string& id) {
  HOLDFAST_LET(meant, call.stores.meant(call.text("store"), {}, Use::create));
  const auto store = call.stores.open(call.context, meant.front(), Use::read);
  if (!store && store.error().code != Code::not_found) return fail(store.error());
  if (store && !id.empty() && (*store)->get(call.context, id))
    return fail(Code::already_exists, "session " + id + " already exists", (*store)->name());
  return Store::in_memory(call.context, meant.front().layout);
}

}  // namespace holdfast::inline v1
