// session.trash, session.restore, session.trashed: remove sessions and restore them; and
// store.prune, which removes what is old. Only in stores of layouts that Holdfast writes:
// files of other agents belong to them.
#include <algorithm>
#include <tuple>

#include "api/archive_access.h"
#include "api/call.h"
#include "api/find_session.h"
#include "api/retention_of.h"
#include "api/tables.h"
#include "base/time.h"
#include "layout/layout.h"
#include "model/model_json.h"
#include "rules/workflow/retention.h"
#include "store/blob_collection.h"
#include "store/session_trash.h"
#include "text/clean.h"
#include "text/json_edit.h"
#include "text/json_text.h"
#include "text/shell_word.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::int64_t kTrashDays = 30;

bool is_writable(std::string_view layout) {
  const Layout* const known = find_layout(layout);
  return known != nullptr && known->writable();
}

// Every existing default store that Holdfast can write, or the named one.
Result<std::vector<StoreOptions>> writable_stores(const Call& call) {
  auto meant = call.stores.meant(call.text("store"), {}, Use::read);
  if (!meant && meant.error().code == Code::not_found) return std::vector<StoreOptions>();
  if (!meant) return meant;
  if (call.has("store") && !is_writable(meant->front().layout))
    return fail(Code::unsupported, "Holdfast never deletes what other agents keep", store_name(meant->front()));
  std::erase_if(*meant, [](const StoreOptions& options) { return !is_writable(options.layout); });
  return meant;
}

// Of several sessions that are meant, the only one in a store that Holdfast writes; else `why`.
Result<FoundSession> find_own(const Call& call, const Error& why) {
  std::optional<FoundSession> own;
  HOLDFAST_LET(stores, writable_stores(call));
  for (const StoreOptions& options : stores) {
    HOLDFAST_LET(params, json_set(call.params.raw(), {"store"}, json_quoted(store_name(options))));
    bool ambiguous = false;
    auto found = find_session({call.context, call.operation, JsonView(params), call.stores}, call.text("id"),
                              Naming::sure_prefix, &ambiguous);
    if (!found && !ambiguous && found.error().code == Code::not_found) continue;
    if (!found || own) return fail(why);
    own = std::move(*found);
  }
  if (!own) return fail(why);
  return *std::move(own);
}

// Searches everywhere, as `show` does, so the error for a session that must not be removed can name it.
Result<FoundSession> find_to_remove(const Call& call) {
  const Call reading{call.context, *find_operation("session.get"), call.params, call.stores};
  bool ambiguous = false;
  auto anywhere = find_session(reading, call.text("id"), Naming::sure_prefix, &ambiguous);
  HOLDFAST_LET(found, ambiguous ? find_own(reading, anywhere.error()) : std::move(anywhere));
  if (!is_writable(found.session.layout))
    return fail(Code::unsupported,
                found.session.id + " belongs to " + std::string(find_layout(found.session.layout)->agent()) +
                    "; Holdfast never deletes what other agents keep",
                found.session.store);
  if (call.looking) return found;
  HOLDFAST_LET(options, parse_store_name(found.session.store));
  HOLDFAST_LET(store, call.stores.open(call.context, options, Use::write));
  found.store = std::move(store);
  return found;
}

Result<std::string> trash(Call& call) {
  HOLDFAST_LET(found, find_to_remove(call));
  HOLDFAST_TRY(call.stores.flush(call.context, found.store->name(), found.session.id));
  HOLDFAST_TRY(trash_session(call.context, *found.store, found.session.id, call.stores.claim()));
  (void)call.stores.release(call.context, *found.store, found.session.id);  // the session is in the trash in any case
  JsonWriter json = begin_answer();
  json.key("id").string(found.session.id).key("store").string(found.store->name());
  return json.key("trashed").boolean(true).end_object().take();
}

Result<std::string> would_trash(Call& call) {
  HOLDFAST_LET(found, find_to_remove(call));
  const Session& session = found.session;
  const std::string title = clean_for_terminal(session.title.empty() ? session.first_prompt : session.title,
                                               {.one_line = true, .max_bytes = 60});
  return "move session " + session.id + (title.empty() ? "" : " (" + title + ")") + " of " + session.store + ", " +
         counted(session.counts.records, "record") + ", to the trash, from where holdfast restore " +
         session_word(session.layout, session.id) + " brings it back";
}

using Work = std::function<Result<void>(const std::shared_ptr<Store>& store)>;
Result<void> for_each_writable(const Call& call, Use use, const Work& work) {
  HOLDFAST_LET(stores, writable_stores(call));
  for (const StoreOptions& options : stores) {
    HOLDFAST_LET(store, call.stores.open(call.context, options, use));
    HOLDFAST_TRY(work(store));
  }
  return {};
}

Result<std::string> restore(Call& call) {
  std::shared_ptr<Store> from;
  std::string id;
  const std::string typed = call.text("id");
  const SessionSelector meant = parse_selector(typed);
  const std::string wanted(meant.id);
  // A store of another agent has no trash of ours, so restore from the archive.
  const auto named = call.has("store") ? parse_store_name(call.text("store")) : fail(Code::not_found, "");
  if (named && !is_writable(named->layout)) return restore_from_archive(call);
  HOLDFAST_TRY(for_each_writable(call, Use::read, [&](const std::shared_ptr<Store>& store) -> Result<void> {
    if (!meant.layout.empty() && store->layout_name() != meant.layout) return {};
    HOLDFAST_LET(all, trashed_sessions(call.context, *store));
    for (const TrashedSession& session : all) {
      if ((session.id != wanted && !abbreviates(wanted, session.id)) || session.id == id) continue;
      if (!id.empty() && session.id != wanted && id != wanted) {
        std::string what = "\"" + wanted + "\" is ambiguous in the trash: ";
        return fail(Code::not_found, what.append(id).append(" and ").append(session.id));
      }
      if (id.empty() || session.id == wanted) id = session.id, from = store;
    }
    return {};
  }));
  if (from == nullptr || call.has("to") || call.has("as_of") || call.has("project") || call.flag("memory")) {
    auto restored = restore_from_archive(call);
    // Not the session is missing, but what its new place needs.
    if (!restored && restored.error().os_error != 0 && !restored.error().path.empty() &&
        call.text("to").starts_with(restored.error().path)) {
      restored.error().code = Code::storage_unavailable;
      return restored;
    }
    // The archive may have the session, but no version from that time.
    if (restored || restored.error().code != Code::not_found || restored.error().message.contains(" is ambiguous") ||
        restored.error().message.starts_with(kNoVersion))
      return restored;
    return fail(Code::not_found, "there is no session " + typed +
                                     " in the trash (see holdfast session trashed) or in the archive (" +
                                     restored.error().message + ")");
  }
  if (call.looking) return "restore " + id + " from the trash, to " + from->name();
  HOLDFAST_LET(options, parse_store_name(from->name()));
  HOLDFAST_LET(store, call.stores.open(call.context, options, Use::write));
  HOLDFAST_LET(restored, restore_session(call.context, *store, id));
  HOLDFAST_LET(session, store->get(call.context, restored));
  JsonWriter json = begin_answer();
  json.key("id").string(session.id).key("session");
  write_session(json, session);
  return json.end_object().take();
}

Result<std::string> list_trashed(Call& call) {
  const Page page = page_of(call);
  std::vector<std::pair<std::string, TrashedSession>> all;
  HOLDFAST_TRY(for_each_writable(call, Use::read, [&](const std::shared_ptr<Store>& store) -> Result<void> {
    HOLDFAST_LET(some, trashed_sessions(call.context, *store));
    for (TrashedSession& session : some) all.emplace_back(store->name(), std::move(session));
    return {};
  }));
  std::ranges::sort(all, [](const auto& a, const auto& b) {
    return std::tie(b.second.removed_at, a.second.id) < std::tie(a.second.removed_at, b.second.id);
  });
  JsonWriter json = begin_answer();
  json.key("trashed").begin_array();
  std::size_t shown = 0;
  for (std::size_t at = page.skip; at < all.size() && shown < page.limit; ++at, ++shown) {
    const auto& [store, session] = all[at];
    json.begin_object().key("id").string(session.id).key("removed_at").string(session.removed_at);
    json.key("title").string(session.title).key("bytes").uint64(session.bytes);
    json.key("store").string(store).end_object();
  }
  json.end_array();
  write_page(json, page, shown, all.size());
  return json.end_object().take();
}

std::chrono::system_clock::time_point trash_limit(const Call& call) {
  return call.context.clock->now() - std::chrono::hours(24 * call.integer("trash_days", kTrashDays));
}

struct Old {
  std::vector<std::string> sessions;
  std::size_t trashed = 0;
  bool texts = false;  // there are texts of sessions that were removed before
};
Result<Old> look_for_old(const Call& call, Store& store) {
  HOLDFAST_LET(keep, retention_of(call, store));
  Old old;
  HOLDFAST_LET(ids, sessions_to_prune(call.context, store, keep));
  old.sessions = std::move(ids);
  HOLDFAST_LET(trashed, trashed_sessions(call.context, store));
  const auto limit = iso8601(trash_limit(call));
  old.trashed = static_cast<std::size_t>(
      std::ranges::count_if(trashed, [&](const TrashedSession& session) { return session.removed_at < limit; }));
  HOLDFAST_LET(texts, has_blobs_aside(call.context, store, trash_limit(call)));
  old.texts = texts;
  return old;
}

Result<void> prune_one(const Call& call, Store& looked, JsonWriter& json) {
  HOLDFAST_LET(old, look_for_old(call, looked));
  if (old.sessions.empty() && old.trashed == 0 && !old.texts)
    return {};  // do not open a store for writing without need
  HOLDFAST_LET(options, parse_store_name(looked.name()));
  HOLDFAST_LET(store, call.stores.open(call.context, options, Use::write));
  json.begin_object().key("store").string(store->name()).key("pruned").begin_array();
  for (const std::string& id : old.sessions) {
    HOLDFAST_TRY(call.stores.flush(call.context, store->name(), id));
    auto done = trash_session(call.context, *store, id, call.stores.claim());
    if (done) {
      (void)call.stores.release(call.context, *store, id);
      json.string(id);
    }
    if (!done && done.error().code != Code::not_found && done.error().code != Code::busy) return done;
  }
  HOLDFAST_LET(emptied, empty_trash(call.context, *store, trash_limit(call)));
  json.end_array().key("emptied").uint64(emptied).end_object();
  return {};
}

Result<std::string> prune(Call& call) {
  JsonWriter json = begin_answer();
  json.key("done").begin_array();
  HOLDFAST_TRY(for_each_writable(call, Use::read,
                                 [&](const std::shared_ptr<Store>& store) { return prune_one(call, *store, json); }));
  return json.end_array().end_object().take();
}

Result<std::string> would_prune(Call& call) {
  std::string sentence;
  HOLDFAST_TRY(for_each_writable(call, Use::read, [&](const std::shared_ptr<Store>& store) -> Result<void> {
    HOLDFAST_LET(old, look_for_old(call, *store));
    if (old.sessions.empty() && old.trashed == 0 && !old.texts) return {};
    sentence += (sentence.empty() ? "" : "; and ") + std::string("in ") + store->name() + " ";
    if (!old.sessions.empty()) {
      sentence += "move " + counted(old.sessions.size(), "completed session") + " to the trash (";
      for (std::size_t i = 0; i < std::min<std::size_t>(old.sessions.size(), 10); ++i)
        sentence += (i == 0 ? "" : ", ") + old.sessions[i];
      sentence += old.sessions.size() > 10 ? ", …)" : ")";
    }
    if (old.trashed > 0)
      sentence += std::string(old.sessions.empty() ? "" : " and ") + "delete " + counted(old.trashed, "session") +
                  " from the trash for good";
    if (old.texts) sentence += std::string(sentence.ends_with(' ') ? "" : " and ") + "delete their large texts";
    return {};
  }));
  return sentence.empty() ? "do nothing: there is nothing to prune" : sentence;
}

}  // namespace

Result<std::string> would_restore(Call& call) { return restore(call); }

std::span<const Operation> trash_operations() {
  static const std::vector<Operation> all{
      {.method = "session.trash",
       .help = "move a Holdfast session to the trash; restore it with holdfast restore",
       .use = Use::write,
       .parameters = {{.name = "id",
                       .help = "an id, a prefix of one, @last, or LAYOUT/ID",
                       .required = true,
                       .positional = true}},
       .result = "id:string store:string trashed:boolean",
       .errors = {Code::unsupported},
       .handler = trash,
       .preview = would_trash,
       .example = "rm k7f3",
       .command = "rm"},
      {.method = "session.restore",
       .help = "restore a session from the trash or the archive, to the place where its agent finds it",
       .use = Use::write,
       .parameters =
           {{.name = "id", .help = "an id, a prefix of one, or LAYOUT/ID", .required = true, .positional = true},
            {.name = "to",
             .help = "from the archive: restore into this directory instead of the agent's own",
             .path = true},
            {.name = "as_of",
             .help = "from the archive: restore the last version captured by this time (2026-11-15, "
                     "2026-11-15T08:00:00Z) or age (36h, 7d); see holdfast archive versions"},
            {.name = "project",
             .help = "from the archive: the new directory of a project that has moved",
             .path = true},
            {.name = "memory",
             .help = "from the archive: also restore what the agent remembered about the project",
             .type = ParamType::boolean},
            {.name = "exact_times",
             .help = "from the archive: restore the original file times; agents may delete old files",
             .type = ParamType::boolean}},
       .result =
           "id:string session?:session store?:string from?:string was_in?:string captured_at?:string written?:integer "
           "memory?:integer already_there?:integer files?:string[] import_file?:string next?:string "
           "findings?:finding[]",
       .errors = {Code::already_exists},
       .handler = restore,
       .example = "restore k7f3",
       .command = "restore"},
      {.method = "session.trashed",
       .help = "list the trash, newest first",
       .parameters = {limit_parameter(), skip_parameter()},
       .result = "trashed:object[] total:integer next:integer?",
       .handler = list_trashed,
       .example = "session trashed"},
      {.method = "store.prune",
       .help = "remove old Holdfast sessions: completed ones go to the trash, old trash is deleted",
       .use = Use::write,
       .parameters = {{.name = "keep",
                       .help = "keep N completed sessions in each store (default: the store's setting, else all)",
                       .type = ParamType::integer,
                       .least = 0},
                      {.name = "trash_days",
                       .help = "delete sessions that have been in the trash for more than N days (default 30)",
                       .type = ParamType::integer,
                       .least = 0}},
       .result = "done:object[]",
       .errors = {Code::unsupported},
       .handler = prune,
       .preview = would_prune,
       .example = "prune --keep 20 --dry-run",
       .command = "prune"},
  };
  return all;
}

}  // namespace holdfast::inline v1
