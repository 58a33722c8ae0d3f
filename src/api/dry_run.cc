#include "api/dry_run.h"

#include <algorithm>
#include <utility>

#include "api/archive_access.h"
#include "api/note_operations.h"
#include "api/remotes.h"
#include "disk/memory_file_system.h"
#include "sync/postgres_address.h"

namespace holdfast::inline v1 {
namespace {

// The changes that a rehearsal keeps: more than the largest request can cause, except by copying a session.
constexpr std::uint64_t kBudget = std::uint64_t{192} << 20;

// archive.compact
Result<std::string> would_use_archive(Call& call) {
  HOLDFAST_TRY(open_archive(call));
  return describe_dry_run(call.operation, call.params, {});
}

// remote.check, and remote.migrate, which also takes an address. Of a directory, the rehearsal has found out more.
Result<std::string> would_use_remote(Call& call) {
  const std::string name = call.text("name");
  if (!is_postgres_address(name)) HOLDFAST_TRY(requested_remotes(call, name));
  return describe_dry_run(call.operation, call.params, {});
}

constexpr std::pair<std::string_view, Handler> kDescriptions[] = {
    {"session.update", would_update},        {"session.end", would_end},
    {"session.import", would_import},        {"session.export", would_print},
    {"session.share", would_share},          {"session.rescue", would_rescue},
    {"session.restore", would_restore},      {"message.append", would_append},
    {"entry.append", would_write_entries},   {"entry.replace", would_write_entries},
    {"store.create", would_make_store},      {"queue.init", would_init_queue},
    {"archive.enable", would_turn_timer_on}, {"archive.disable", would_turn_timer_off},
    {"archive.compact", would_use_archive},  {"session.fork", would_fork},
    {"remote.check", would_use_remote},      {"remote.migrate", would_use_remote},
    {"archive.run", would_capture},
};

// Nouns and methods that send whole sessions, talk to the system, or read whole archives.
constexpr std::string_view kNotRehearsed[] = {"archive", "sync", "session.forget", "session.restore"};

// Whether the call is about a remote that is not a directory: the changes there are not in files.
bool is_about_server(const Call& call) {
  if (call.operation.noun() != "remote") return false;
  for (const std::string_view key : {"name", "with", "url"}) {
    const std::string named = call.text(key);
    if (named.empty()) continue;
    if (is_postgres_address(named)) return true;
    const auto known = requested_remotes(call, named);
    if (known && is_postgres_address(known->front().url)) return true;
  }
  return false;
}

StoreSettings settings_over(const Stores& stores, FileSystem& files) {
  StoreSettings settings = stores.settings();
  settings.files = &files;
  settings.defaults = stores.defaults();
  settings.keep = false;
  settings.metrics = false;  // derived data, logs and metrics are not part of the call
  settings.cache.clear();
  settings.log_file.clear();
  settings.spans_file.clear();
  settings.owner.reset();  // would start a process that holds the lease
  if (settings.summarise)
    settings.summarise = [](const Context&, const std::string&) { return std::string("summary"); };
  return settings;
}

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
  if (const Handler tell = note_dry_run(operation.method)) return tell;
  for (const auto& [method, tell] : kDescriptions)
    if (operation.method == method) return tell;
  return remote_dry_run(operation.method);
}

Rehearsal::Rehearsal(const Stores& stores)
    : files_(make_overlay(*stores.settings().files, kBudget)), stores_(settings_over(stores, *files_)) {}

Rehearsal::~Rehearsal() = default;

bool Rehearsal::gave_up() const { return files_->is_full(); }

bool can_rehearse(const Operation& operation) {
  const auto listed = [](std::string_view word) {
    return std::ranges::find(kNotRehearsed, word) != std::end(kNotRehearsed);
  };
  return supports_dry_run(operation) && operation.kind() == OperationKind::call && !listed(operation.noun()) &&
         !listed(operation.method);
}

Result<void> rehearse(const Call& call) {
  if (!can_rehearse(call.operation) || call.has("machine") || is_about_server(call)) return {};
  Rehearsal rehearsal(call.stores);
  Call rehearsed{call.context, call.operation, call.params, rehearsal.stores()};
  const auto done = call.operation.handler(rehearsed);
  if (!done && !rehearsal.gave_up()) return fail(done.error());
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
