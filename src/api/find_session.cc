#include "api/find_session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>
#include <span>

#include "api/archive_access.h"
#include "api/machine_copies.h"
#include "api/session_filter.h"
#include "api/session_holders.h"
#include "base/safe_name.h"
#include "base/time.h"
#include "disk/copies.h"
#include "layout/index_files.h"
#include "layout/layout.h"
#include "layout/session_mark.h"
#include "store/engine.h"
#include "text/json_edit.h"
#include "text/json_text.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {

SessionSelector parse_selector(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos || find_layout(text.substr(0, slash)) == nullptr) return {{}, text};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

namespace {

bool is_writable(std::string_view layout) {
  const Layout* const known = find_layout(layout);
  return known != nullptr && known->writer() != nullptr;
}

bool is_unreadable(const Finding& finding) {
  return std::ranges::any_of(
      std::array{Code::permission_denied, Code::io_error, Code::corrupt, Code::unsafe_path, Code::newer_schema},
      [&](Code code) { return finding.kind == code_name(code); });
}

// Whether the session is shown from its messages alone, in the folder of this file, which cannot be read.
bool is_beside_messages(std::string_view file, const Session& session) {
  const std::string_view path = session.path, folder = path.substr(0, path.rfind('/') + 1);
  if (folder.size() < 2 || file == path || !file.starts_with(folder)) return false;
  const std::string_view name = folder.substr(0, folder.size() - 1);
  return session.id.starts_with(name.substr(name.rfind('/') + 1));
}

// Whether the file is one of this session's own: in its folder, or named after it.
bool is_file_of(const SessionRef& ref, std::string_view file) {
  const std::string_view path = ref.place.path;
  const std::string_view folder = path.substr(0, path.contains('/') ? path.rfind('/') : 0);
  if (folder.ends_with("/" + ref.id)) return file.starts_with(folder) && file.substr(folder.size()).starts_with('/');
  return file.substr(file.rfind('/') + 1).starts_with(ref.id);
}

// Whether the file is the document of a session. In a layout with a file for each message, no other file makes a
// session unreadable.
bool is_session_file(const Context& context, FileStore& files, std::string_view file) {
  std::vector<Finding> ignored;
  const auto all = files.find_all(context, ignored).value_or(std::vector<SessionRef>());
  return std::ranges::any_of(all, [&](const SessionRef& ref) { return ref.place.path == file; });
}

// Returns an error if an unreadable session was changed after this one: then the latest is unknown.
std::optional<Error> unreadable_after(const Context& context, FileStore& files, const Session& session,
                                      std::span<const Finding> all) {
  const auto changed = parse_iso8601(session.updated_at);
  if (!changed || !files.layout().writable()) return std::nullopt;
  const std::int64_t before = unix_ns(*changed);
  const IndexFiles* const index = files.layout().index_files();
  const bool messages_apart = files.layout().message_files() != nullptr;
  for (const Finding& finding : all) {
    if (!is_unreadable(finding) || (messages_apart && !is_session_file(context, files, finding.file))) continue;
    if (index != nullptr && finding.file.ends_with("/" + std::string(index->index_name()))) continue;
    if (is_beside_messages(finding.file, session)) continue;
    std::vector<std::string> dated = {finding.file};
    // The header of a session is older than its log. One that is not JSON does not make its session unreadable.
    if (finding.kind != code_name(Code::corrupt)) {
      std::vector<Finding> ignored;
      for (const SessionRef& ref : files.find_all(context, ignored).value_or(std::vector<SessionRef>()))
        if (is_file_of(ref, finding.file)) dated.push_back(ref.place.path);
    }
    const auto is_newer = [&](Directory* directory, const std::string& path) {
      const auto stat =
          directory == nullptr ? Result<FileStat>(fail(Code::not_found, "")) : directory->stat_to_read(path);
      return stat && stat->mtime_ns > before;
    };
    for (const auto& [name, directory] : files.roots().directories()) {
      if (std::ranges::any_of(dated, [&](const std::string& path) { return is_newer(directory, path); }))
        return Error{Code::corrupt,
                     "the latest session cannot be read (" + finding.consequence + "); name the session you mean",
                     finding.file};
    }
  }
  return std::nullopt;
}

// The session that the layout marks as the latest, else the most recently changed one. Fails if that one cannot be
// read: otherwise the caller would change another session.
Result<std::optional<Session>> newest(const Context& context, Store& store) {
  HOLDFAST_LET(files, engine_of(store));
  DirectoryFeed feed = files->looking(context);
  HOLDFAST_LET(marked, marked_session(files->layout(), feed));
  if (marked) {
    HOLDFAST_LET(there, match_session(files->layout(), feed, marked->id, Naming::whole));
    auto session = store.get(context, marked->id);
    if (session) return std::move(*session);
    if (there.ref) {  // there was one before get(), which may have set it aside
      Error error = std::move(session).error();
      error.message = "the latest session, " + marked->id + ", cannot be read: " + error.message;
      return fail(std::move(error));
    }
  }
  SessionFilter filter;
  filter.limit = 1;
  filter.subagents = false;
  HOLDFAST_LET(list, store.list(context, filter));
  if (!list.sessions.empty()) {
    if (auto error = unreadable_after(context, *files, list.sessions.front(), list.findings))
      return fail(*std::move(error));
    return std::move(list.sessions.front());
  }
  // No readable session is not the same as no session.
  for (const Finding& finding : list.findings)
    for (const Code code : {Code::permission_denied, Code::io_error, Code::corrupt, Code::unsafe_path})
      if (finding.kind == code_name(code)) return fail(code, finding.consequence, finding.file);
  return std::nullopt;
}

Error no_session_yet() { return {Code::not_found, "there are no sessions yet"}; }

// Reports an id that no store could have like one that does not exist (exit code 3 of
// the contract).
void same_case(Error& error) {
  if (error.code == Code::invalid_argument) error.code = Code::not_found;
}

enum class LookupFailureKind { absent, ambiguous, broken };

struct LookupFailure {
  LookupFailureKind kind;
  Error error;
  std::size_t count = 0;              // if ambiguous, how many sessions match
  std::vector<std::string> ids = {};  // the first of them
};

// If the id alone means the newest of several files, tells of the others.
void warn_of_copies(const Call& call, const FileStore& files, const SessionMatch& match) {
  if (match.by_key) return;
  std::string more;
  for (const std::string_view option : {"machine", "store"})
    if (call.has(option)) more += " --" + std::string(option) + " " + shell_word(call.text(option));
  for (const SessionRef& file : match.files) {
    if (file.copy.empty()) continue;
    call.stores.warn({.file = file.place.path,
                      .kind = "copy",
                      .consequence = "another copy of session " + file.id +
                                     ", not newer than the one used here; its name in commands is " +
                                     session_word(files.layout_name(), file.copy) + more});
  }
}

std::expected<Session, LookupFailure> look_up(const Call& call, Store& store, std::string_view id, Naming naming) {
  const Context& context = call.context;
  const auto missed = [](LookupFailureKind kind, Error error, SessionMatch match = {}) {
    same_case(error);
    return std::unexpected(LookupFailure{kind, std::move(error), match.count, std::move(match.ids)});
  };
  if (id == "@last") {
    auto last = newest(context, store);
    if (!last) return missed(LookupFailureKind::broken, std::move(last).error());
    if (!*last) return missed(LookupFailureKind::absent, no_session_yet());
    return **std::move(last);
  }
  const auto files = engine_of(store);
  if (!files) return missed(LookupFailureKind::broken, files.error());
  DirectoryFeed feed = (*files)->looking(context);
  const auto overlooked = [&](std::string_view other) { return call.stores.overlooks(store.layout_name(), other); };
  auto match = (*files)->match(context, feed, id, naming, overlooked);
  if (!match) return missed(LookupFailureKind::broken, std::move(match).error());
  if (!match->ref) {
    Error error = session_match_error(*match, id, store.name());
    return missed(match->count > 1 ? LookupFailureKind::ambiguous : LookupFailureKind::absent, std::move(error),
                  *std::move(match));
  }
  warn_of_copies(call, **files, *match);
  auto found = store.get(context, match->ref->name());
  if (!found) return missed(LookupFailureKind::broken, std::move(found).error());
  return *std::move(found);
}

// Why no session was found, or more than one.
struct Reasons {
  // A session as a command names it, and what the command needs besides.
  struct Candidate {
    std::string name;     // LAYOUT/ID
    std::string machine;  // an option; empty if the call says it
    std::string store;    // an option, for sessions that have nothing else to tell them apart
  };
  std::optional<Error> absent, broken;             // the first of each
  std::size_t meant = 0;                           // matching sessions in all stores
  std::vector<std::vector<Candidate>> candidates;  // the first of them, per store

  void add(LookupFailure missed, std::string_view layout, const std::string& machine, const std::string& store) {
    meant += missed.kind == LookupFailureKind::ambiguous ? missed.count : 0;
    auto& here = candidates.emplace_back();
    for (const std::string& id : missed.ids) here.push_back({session_word(layout, id), machine, store});
    if (missed.kind == LookupFailureKind::ambiguous) return;
    std::optional<Error>& kind = missed.kind == LookupFailureKind::absent ? absent : broken;
    if (!kind) kind = std::move(missed.error);
  }
  void add(const Session& session, const std::string& machine, const std::string& store) {
    ++meant;
    candidates.emplace_back().push_back({session_word(session.layout, session.id), machine, store});
  }
  // One from each store, then a second from each, and so on: no store hides the others. Each can be pasted after the
  // command, and names one session.
  std::vector<std::string> in_turn() const {
    std::vector<std::string> all;
    std::map<std::string, int> named;
    for (const auto& here : candidates)
      for (const Candidate& one : here) ++named[one.name + one.machine];
    for (std::size_t n = 0, before = 1; before != all.size() || n == 0; ++n) {
      before = all.size();
      for (const auto& here : candidates) {
        if (n >= here.size()) continue;
        std::string text = here[n].name + here[n].machine;
        if (named[text] > 1) text += here[n].store;
        all.push_back(std::move(text));
      }
    }
    return all;
  }
  // An ambiguous or broken session in one store is reported even if other stores have none.
  Error told(std::string_view id, std::size_t stores) && {
    if (meant > 0) return ambiguous_session(id, meant, in_turn());
    if (broken) return std::move(*broken);
    if (stores > 1 && id != "@last")
      return {Code::not_found,
              "there is no session " + std::string(id) + " in any of " + std::to_string(stores) + " stores"};
    return std::move(*absent);
  }
};

// Finds the latest session before the store is opened to write, which sets unreadable sessions aside. Returns "@last"
// if there is none yet, or the store cannot be opened to read.
Result<std::string> last_before(const Call& call, const StoreOptions& options) {
  const auto store = call.stores.open(call.context, options, Use::read);
  if (!store) return std::string("@last");
  HOLDFAST_LET(session, newest(call.context, **store));
  return session ? session->id : std::string("@last");
}

bool reads_archive(const Call& call, const SessionSelector& meant) {
  return call.operation.use == Use::read && !call.has("store") && !call.has("machine") && meant.id != "@last";
}

// If another machine has the session, adds to the error which one, and how to read it.
Error with_machines(const Call& call, const SessionSelector& meant, Error error) {
  if (!reads_archive(call, meant) || error.code != Code::not_found) return error;
  std::set<std::string> names;
  for (const std::string& machine : machines_with(call, meant.layout, meant.id))
    names.merge(call.stores.machines().homes_with(call.context, call.stores, machine, meant.layout, meant.id));
  if (names.empty()) return error;
  const std::string command = "holdfast show " +
                              (meant.layout.empty() ? shell_word(meant.id) : session_word(meant.layout, meant.id)) +
                              " --machine ";
  std::string all, commands;
  for (const std::string& name : names) {
    all += (all.empty() ? "" : ", ") + name;
    commands += (names.size() == 1 ? " " : "\n  ") + command + shell_word(name);
  }
  error.message += "; " + all + (names.size() == 1 ? " has it:" : " have it:") + commands;
  error.path.clear();  // what follows a command would be pasted with it
  return error;
}

}  // namespace

Result<FoundSession> find_session(const Call& call, std::string_view id) {
  return find_session(call, id, call.operation.use == Use::read ? Naming::prefix : Naming::sure_prefix);
}

namespace {

// Where this machine keeps what it read of others is of no interest.
Failure none_elsewhere(const Call& call, std::string_view id) {
  const std::string machine = call.text("machine");
  return fail(Code::not_found,
              "there is no session " + std::string(id) + (machine == "all" ? " on any machine" : " of " + machine));
}

// Names the machine of a session in such a store, if the call does not say it as exactly.
std::string machine_option(const Call& call, const std::string& store, std::string_view id) {
  const std::string asked = call.text("machine");
  const auto origin = asked.empty() ? std::optional<ForeignSession>() : call.stores.machines().origin_of(store, id);
  // The call may name a machine by another name, or by its id.
  const bool exact = asked != "all" && (!origin || !origin->machine.contains('@') || origin->machine == asked);
  return origin && !exact ? " --machine " + shell_word(origin->machine) : std::string();
}

// Names the store of a session, if it is one of this machine.
std::string store_option(const Call& call, const std::string& store) {
  return call.has("machine") ? std::string() : " --store " + shell_word(store);
}

// Whether `text` is the whole name of the session: its id, or ID@KEY of one of several files.
bool is_whole_name(const Session& session, std::string_view text) {
  return session.id == text || (text.starts_with(session.id) && text.substr(session.id.size()).starts_with('@'));
}

// Whether another session is meant if `id` may stand for both.
bool is_overlooked(const Call& call, const Session& session, std::string_view id) {
  return !is_whole_name(session, id) && call.stores.overlooks(session.layout, session.id);
}

// Without the KEY of ID@KEY: all copies of a session come from another machine together.
std::string_view before_key(std::string_view id) { return id.starts_with('@') ? id : id.substr(0, id.find('@')); }

// Whether @last means the latest session of that store, and not the newest of all.
bool has_last(const Call& call, const StoreOptions& store) {
  const StoreSettings& settings = call.stores.settings();
  return settings.here && !settings.looks_everywhere && store_name(store) == store_name(settings.home);
}

// Warns if an earlier version of a session that only the archive has holds more.
void warn_of_lacking_lines(const Call& call, const FoundSession& found) {
  const auto files = engine_of(*found.store);
  auto* const copies = files ? dynamic_cast<HoldsCopies*>(&(*files)->file_system()) : nullptr;
  const std::string name = found.store->name();
  const auto noted =
      copies == nullptr ? std::nullopt : copies->noted(name.substr(name.find(':') + 1), found.session.id);
  if (!noted || noted->lacks == 0) return;
  const std::string word = session_word(found.session.layout, found.session.id);
  call.stores.warn({.file = word, .kind = "lacks", .consequence = lacking_words(noted->lacks, word)});
}

void warn_of_other_form(const Call& call, const FoundSession& kept) {
  call.stores.warn({.file = session_word(kept.session.layout, kept.session.id),
                    .kind = "kept",
                    .consequence = "its machine shares this session in another form by now; holdfast ls --machine "
                                   "shows the copy that was changed last"});
}

// The stores of another machine in which a session may be, and the names of those with copies that lists leave out.
Result<std::vector<StoreOptions>> stores_elsewhere(const Call& call, const SessionSelector& meant,
                                                   std::set<std::string>& kept) {
  HOLDFAST_LET(stores, all_stores_of_machine(call, meant.layout));
  if (meant.id == "@last") stores.all.resize(stores.listed);
  for (std::size_t n = stores.listed; n < stores.all.size(); ++n) kept.insert(store_name(stores.all[n]));
  return std::move(stores.all);
}

// Whether a session of that store is meant, whatever other stores have: so a program finds its own sessions. A person
// who looks has no such preference, e.g. between a session and its imported copy.
bool is_preferred(const Call& call, const StoreOptions& store) {
  const StoreSettings& settings = call.stores.settings();
  return !settings.looks_everywhere && store.layout == settings.home.layout;
}

// Sets `ambiguous` if it fails because more than one session is meant.
Result<FoundSession> find_one(const Call& call, std::string_view id, Naming naming, bool* ambiguous = nullptr) {
  const SessionSelector meant = parse_selector(id);
  if (meant.id.empty()) return fail(Code::invalid_argument, "the session id is empty");
  const bool elsewhere = call.has("machine");
  if (elsewhere)
    HOLDFAST_TRY(
        call.stores.machines().fetch_session(call.context, call.stores, call.text("machine"), before_key(meant.id)));
  std::set<std::string> kept;
  auto meant_stores = elsewhere ? stores_elsewhere(call, meant, kept)
                                : call.stores.meant(call.text("store"), meant.layout, call.operation.use);
  if (elsewhere && meant_stores && meant_stores->empty()) return none_elsewhere(call, id);
  if (!meant_stores && !reads_archive(call, meant)) return fail(std::move(meant_stores).error());
  std::vector<StoreOptions> stores = meant_stores.value_or(std::vector<StoreOptions>());
  const std::size_t live = stores.size();
  std::vector<FoundSession> found;  // one in each store that has it
  bool from_archive = false;        // the last of them
  bool is_listed = false;           // a list of another machine's sessions has one
  Reasons reasons;
  // The archive may have a session that no store has any more. First only sessions that contain the name, then all.
  constexpr int kLooks = 2;
  int looks = reads_archive(call, meant) ? 0 : kLooks;
  for (std::size_t n = 0; n < stores.size() || looks < kLooks; ++n) {
    while (n == stores.size() && looks < kLooks) {
      ++looks;
      if (found.empty() && reasons.meant == 0) {
        stores.resize(live);
        n = live;
        const std::string_view wanted = looks < kLooks ? before_key(meant.id) : std::string_view();
        std::ranges::move(call.stores.archived(call.context, meant.layout, wanted), std::back_inserter(stores));
        if (auto error = call.stores.archive_error()) {
          looks = kLooks;
          error->message = "no store has " + std::string(id) + ", and " + error->message;
          if (stores.empty()) return fail(std::move(*error));
          reasons.add({LookupFailureKind::broken, std::move(*error)}, {}, {}, {});
        }
      }
    }
    if (n == stores.size()) break;
    const StoreOptions& options = stores[n];
    std::string wanted(meant.id);
    if (wanted == "@last" && call.opening() == Use::write) {
      HOLDFAST_LET(last, last_before(call, options));
      wanted = std::move(last);
    }
    auto store = call.stores.open(call.context, options, call.opening());
    // Stores of copies that lists leave out come last. If a list has what is meant, only a whole id means such a copy.
    if (n + kept.size() == stores.size()) is_listed = found.size() + reasons.meant > 0;
    const bool is_beside_list = is_listed && kept.contains(store_name(options));
    auto session = store ? look_up(call, **store, wanted, is_beside_list ? Naming::whole : naming)
                         : std::unexpected(LookupFailure{LookupFailureKind::broken, store.error()});
    if (!session && is_beside_list) continue;
    if (!session) {
      // For @last, a broken session in the first store must not be replaced by one of another store.
      const bool here = n == 0 && meant.id == "@last" && store && is_writable(options.layout);
      if (here && session.error().kind == LookupFailureKind::broken) return fail(std::move(session.error().error));
      const std::string its = store_name(options);
      reasons.add(std::move(session).error(), options.layout, machine_option(call, its, {}), store_option(call, its));
      continue;
    }
    if (meant.id == "@last" && !found.empty()) {
      if (session->updated_at > found.front().session.updated_at) found.front() = {*store, std::move(*session)};
      continue;
    }
    found.push_back({*store, std::move(*session)});
    from_archive = n >= live;
    if (meant.id == "@last" && has_last(call, options)) break;
    if (meant.id != "@last" && is_preferred(call, options) && !is_overlooked(call, found.back().session, meant.id))
      break;
  }
  if (found.size() + reasons.meant > 1)
    std::erase_if(found, [&](const FoundSession& one) { return is_overlooked(call, one.session, meant.id); });
  const auto is_kept = [&](const FoundSession& one) { return kept.contains(one.store->name()); };
  const auto is_whole = [&](const FoundSession& one) { return is_whole_name(one.session, meant.id); };
  if (std::ranges::any_of(found, [&](const FoundSession& one) { return is_whole(one) && !is_kept(one); }))
    std::erase_if(found, is_kept);
  if (found.size() == 1 && reasons.meant == 0) {
    if (from_archive && reasons.broken)
      call.stores.warn({.file = reasons.broken->path,
                        .kind = std::string(code_name(reasons.broken->code)),
                        .consequence = reasons.broken->message + "; the copy in the archive is used"});
    if (from_archive) warn_of_lacking_lines(call, found.front());
    if (is_kept(found.front())) warn_of_other_form(call, found.front());
    return std::move(found.front());
  }
  // A whole id takes precedence over ids that only begin with it.
  if (std::ranges::count_if(found, is_whole) == 1) {
    FoundSession& one = *std::ranges::find_if(found, is_whole);
    if (is_kept(one)) warn_of_other_form(call, one);
    return std::move(one);
  }
  for (const FoundSession& one : found)
    reasons.add(one.session, machine_option(call, one.store->name(), one.session.id),
                store_option(call, one.store->name()));
  if (stores.empty()) return fail(with_machines(call, meant, std::move(meant_stores).error()));
  const bool several = reasons.meant > 0;
  if (ambiguous != nullptr) *ambiguous = several;
  Error error = std::move(reasons).told(meant.id, stores.size());
  if (elsewhere && !several && error.code == Code::not_found && meant.id != "@last") return none_elsewhere(call, id);
  return fail(several ? std::move(error) : with_machines(call, meant, std::move(error)));
}

// The same call without `machine`.
Result<FoundSession> find_here(const Call& call, std::string_view id, Naming naming, bool* ambiguous = nullptr) {
  HOLDFAST_LET(params, json_remove(call.params.raw(), {"machine"}));
  return find_one({call.context, call.operation, JsonView(params), call.stores, call.looking}, id, naming, ambiguous);
}

// The same call for another machine.
Result<FoundSession> find_on(const Call& call, const std::string& machine, std::string_view id, Naming naming) {
  HOLDFAST_LET(params, json_set(call.params.raw(), {"machine"}, json_quoted(machine)));
  return find_one({call.context, call.operation, JsonView(params), call.stores, call.looking}, id, naming);
}

bool is_continued_elsewhere(const Call& call, const Session& session) {
  const auto continued = copies_elsewhere(call).continued;
  const auto known = continued.find({session.layout, session.id});
  return known != continued.end() && known->second == session.updated_at;
}

// Fails with not_found if other machines have another session that is meant as well.
Result<void> check_unique(const Call& call, const SessionSelector& meant, const Session& session) {
  if (is_whole_name(session, meant.id)) return {};
  std::vector<std::string> candidates{session_word(session.layout, session.id)};
  for (const auto& [name, machines] : holders_of(call, meant.layout, meant.id)) {
    if (name == SessionName{session.layout, session.id}) continue;
    const auto homes =
        call.stores.machines().homes_with(call.context, call.stores, *machines.begin(), name.layout, name.id);
    for (const std::string& home : homes)
      candidates.push_back(session_word(name.layout, name.id) + " --machine " + shell_word(home));
  }
  if (candidates.size() == 1) return {};
  return fail(ambiguous_session(meant.id, candidates.size(), candidates));
}

// On this machine and all others. Of the branches of a session, this machine's; but a copy that continues this
// machine's has everything that it has.
Result<FoundSession> find_everywhere(const Call& call, std::string_view id, Naming naming, bool& ambiguous) {
  const SessionSelector meant = parse_selector(id);
  auto here = find_here(call, id, naming, &ambiguous);
  if (ambiguous || (!here && here.error().code != Code::not_found)) return here;
  if (here) {
    const auto unique = check_unique(call, meant, here->session);
    ambiguous = !unique;
    if (!unique) return fail(unique.error());
    if (!is_continued_elsewhere(call, here->session)) return here;
    auto longer = find_one(call, here->session.layout + "/" + here->session.id, Naming::whole);
    return longer ? std::move(longer) : std::move(here);
  }
  auto there = find_one(call, id, naming, &ambiguous);
  if (there || ambiguous || there.error().code != Code::not_found) return there;
  return fail(Code::not_found,
              "there is no session " + std::string(id) + " on this machine, nor in what sync has read of others");
}

}  // namespace

Result<FoundSession> find_session(const Call& call, std::string_view id, Naming naming, bool* ambiguous) {
  if (!call.has("machine")) return find_one(call, id, naming, ambiguous);
  const std::string machine = call.text("machine");
  const SessionSelector meant = parse_selector(id);
  if (meant.id == "@last") {
    const NewestForeignSession newest = newest_of_machine(call, machine, meant.layout);
    auto here = machine == "all" ? find_here(call, id, naming) : Result<FoundSession>(fail(no_session_yet()));
    if (here && (newest.name.empty() || here->session.updated_at >= newest.updated_at)) return here;
    // Fails with the proper error if the machine is unknown.
    if (newest.name.empty()) return find_one(call, id, naming);
    return machine == "all" ? find_on(call, newest.machine, newest.name, naming) : find_one(call, newest.name, naming);
  }
  // "all" includes this machine.
  bool several = false;
  auto found = machine == "all" ? find_everywhere(call, id, naming, several) : find_one(call, id, naming, &several);
  if (ambiguous != nullptr) *ambiguous = several;
  return found;
}

namespace {

// `one` is nullopt if the store has no such session, or several.
struct Located {
  std::optional<LocatedSession> one;
  bool several = false;
};

Located look_at_names(const Call& call, const std::shared_ptr<Store>& store, std::string_view id) {
  auto files = std::dynamic_pointer_cast<FileStore>(store);
  if (files == nullptr) return {};
  DirectoryFeed feed = files->looking(call.context);
  auto match = files->match(call.context, feed, id, Naming::prefix);
  if (!match || match->count == 0) return {};
  if (!match->ref) return {.several = true};
  warn_of_copies(call, *files, *match);
  return {LocatedSession{std::move(files), *std::move(match->ref)}};
}

// Whether its file is there and the user may not read it.
bool is_locked(const LocatedSession& session) {
  const auto root = session.files->roots().directories().find(session.ref.place.root);
  if (root == session.files->roots().directories().end() || root->second == nullptr) return false;
  const auto file = root->second->open(session.ref.place.path, OpenMode::read);
  return !file && file.error().code == Code::permission_denied;
}

// Returns nullopt in all cases that need find_session, which also looks into the archive.
std::optional<LocatedSession> located(const Call& call, const SessionSelector& meant) {
  if (call.has("machine")) return std::nullopt;
  const auto stores = call.stores.meant(call.text("store"), meant.layout, call.operation.use);
  if (!stores || meant.id.empty() || meant.id == "@last") return std::nullopt;
  std::optional<LocatedSession> found;
  for (const StoreOptions& options : *stores) {
    const auto store = call.stores.open(call.context, options, call.opening());
    if (!store) continue;
    Located here = look_at_names(call, *store, meant.id);
    if (here.several || (here.one && found)) return std::nullopt;  // ambiguous
    if (here.one && call.stores.overlooks(options.layout, here.one->ref.id)) return std::nullopt;
    if (!here.one) continue;
    found = std::move(here.one);
    if (is_preferred(call, options)) break;
  }
  if (found && is_locked(*found)) return std::nullopt;
  return found;
}

}  // namespace

Result<LocatedSession> locate_session(const Call& call, std::string_view id) {
  if (auto found = located(call, parse_selector(id))) return std::move(*found);
  HOLDFAST_LET(found, find_session(call, id));
  Located one = look_at_names(call, found.store, found.session.id);
  if (!one.one) return fail(Code::not_found, "there is no session " + found.session.id, found.store->name());
  return std::move(*one.one);
}

namespace {

Result<NamedSession> as_given(const Call& call, std::string_view id) {
  const SessionSelector meant = parse_selector(id);
  if (meant.id.empty()) return fail(Code::invalid_argument, "the session id is empty");
  HOLDFAST_LET(stores, call.stores.meant(call.text("store"), meant.layout, call.operation.use));
  std::string wanted(meant.id);
  if (wanted == "@last") {
    HOLDFAST_LET(last, last_before(call, stores.front()));
    wanted = std::move(last);
  }
  HOLDFAST_LET(store, call.stores.open(call.context, stores.front(), call.opening()));
  if (wanted != "@last") return NamedSession{std::move(store), std::move(wanted)};
  HOLDFAST_LET(session, newest(call.context, *store));
  if (!session) return fail(no_session_yet());
  return NamedSession{std::move(store), std::move(session->id)};
}

// Completes the id; fails if it matches no session or several.
Result<NamedSession> whole_in(const Call& call, NamedSession named) {
  HOLDFAST_LET(files, engine_of(*named.store));
  DirectoryFeed feed = files->looking(call.context);
  HOLDFAST_LET(match, files->match(call.context, feed, named.id, Naming::sure_prefix));
  if (!match.ref) return fail(session_match_error(match, named.id, named.store->name()));
  named.id = match.ref->name();
  return named;
}

// The same; if the call names no store and the store to write to lacks the session, searches all other writable stores.
Result<NamedSession> as_whole(const Call& call, const NamedSession& named) {
  auto whole = whole_in(call, named);
  if (whole || call.has("store") || whole.error().code != Code::not_found) return whole;
  std::optional<NamedSession> found;
  for (const StoreOptions& options : call.stores.defaults()) {
    if (store_name(options) == named.store->name() || !is_writable(options.layout)) continue;
    auto store = call.stores.open(call.context, options, call.opening());
    if (!store) continue;
    auto other = whole_in(call, {*store, named.id});
    if (!other) continue;
    if (found)
      return fail(Code::not_found, "\"" + named.id + "\" is ambiguous: " + found->store->name() + " and " +
                                       other->store->name() + " have it; name one with --store");
    found = std::move(*other);
  }
  if (found) return std::move(*found);
  return whole;
}

}  // namespace

Result<NamedSession> name_session(const Call& call, std::string_view id) {
  HOLDFAST_LET(named, as_given(call, id));
  auto whole = as_whole(call, named);
  if (!whole) same_case(whole.error());
  return whole;
}

Result<std::string> session_reference(const Call& call, Store& store, std::string_view text) {
  const SessionSelector meant = parse_selector(text);
  if (!meant.layout.empty() && meant.layout != store.layout_name())
    return fail(Code::invalid_argument, std::string(text) + " is not a session of " + store.name());
  if (meant.id == "@last") {
    HOLDFAST_LET(last, newest(call.context, store));
    return last ? Result<std::string>(last->id) : fail(no_session_yet());
  }
  HOLDFAST_LET(files, engine_of(store));
  DirectoryFeed feed = files->looking(call.context);
  HOLDFAST_LET(match, files->match(call.context, feed, meant.id, Naming::sure_prefix));
  if (match.ref) return match.ref->id;
  if (match.count > 1) return fail(session_match_error(match, meant.id, store.name()));
  if (!is_plain_name(meant.id)) return fail(Code::unsafe_path, "not the id of a session: " + std::string(text));
  return std::string(meant.id);
}

Result<OpenSession> open_session(const Call& call, std::string_view id, const WriterOptions& options) {
  HOLDFAST_LET(named, as_given(call, id));
  auto writer = call.stores.writer(call.context, named.store, named.id, options);
  if (!writer && (writer.error().code == Code::not_found || writer.error().code == Code::invalid_argument)) {
    // Perhaps the id is abbreviated.
    if (auto whole = as_whole(call, named); whole && (whole->id != named.id || whole->store != named.store)) {
      named = std::move(*whole);
      writer = call.stores.writer(call.context, named.store, named.id, options);
    } else if (!whole) {
      writer = fail(std::move(whole).error());
    }
  }
  if (!writer) {
    same_case(writer.error());
    return fail(std::move(writer).error());
  }
  return OpenSession{std::move(named.store), std::move(*writer)};
}

}  // namespace holdfast::inline v1
