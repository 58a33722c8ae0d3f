#include "api/archive_prune.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "api/archive_access.h"
#include "api/forget.h"
#include "api/live_ids.h"
#include "archive/archive_writer.h"
#include "archive/rewrite_archive.h"
#include "base/time.h"
#include "layout/belongings.h"
#include "layout/layout.h"
#include "model/model_json.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

// The sessions that a store has now, as far as it can be read.
struct StoreNow {
  std::set<std::string> ids;
  bool missing = false;     // its directory is missing or empty: perhaps a disk that is not mounted
  std::string unread = {};  // if not empty, why the store may have more sessions than these
};

StoreNow look_at_store(const Call& call, const std::string& layout, const std::string& root) {
  StoreNow now;
  const auto directory = call.stores.settings().files->open_directory(root, false);
  const auto names = directory ? (*directory)->list("") : fail(directory.error());
  now.missing = names ? names->empty() : names.error().code == Code::not_found;
  if (now.missing) return now;
  if (!names) {
    now.unread = names.error().message;
    return now;
  }
  std::vector<Finding> findings;
  auto ids = live_ids(call.context, call.stores, layout, root, findings);
  if (!ids) {
    now.unread = ids.error().text();
    return now;
  }
  now.ids = std::move(*ids);
  const auto denied = std::ranges::find(findings, code_name(Code::permission_denied), &Finding::kind);
  if (denied != findings.end()) now.unread = denied->file + ": " + denied->consequence;
  return now;
}

// The folder of a store on the way to this file that is missing for another reason than that an agent deleted old
// sessions: the store's folder of all sessions is missing or empty, or a link leads to nothing. Empty if there is none.
std::string missing_folder(Directory& store, const std::string& path) {
  for (std::size_t slash = path.find('/'), first = slash; slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    std::string folder = path.substr(0, slash);
    const auto there = store.stat_to_read(folder);
    if (there && there->kind == FileKind::directory) {
      const auto names = slash == first ? store.list(folder) : fail(Code::unsupported, "");
      if (names && names->empty()) return folder;
      continue;
    }
    if (there || there.error().code != Code::not_found) return {};
    const auto link = store.stat(folder);
    return slash == first || (link && link->kind == FileKind::symlink) ? folder : std::string();
  }
  return {};
}

// The same for a session; an absolute path.
std::string missing_folder(const Call& call, const CaptureKey& key, const CapturedSession& session,
                           const std::string& root) {
  const Layout* const layout = find_layout(key.layout);
  const Belongings* const belongings = layout == nullptr ? nullptr : belongings_of(*layout);
  const auto directory = call.stores.settings().files->open_directory(root, false);
  if (belongings == nullptr || belongings->rows != nullptr || !directory) return {};
  SessionPaths paths(*belongings, key.id);
  for (const auto& [place, version] : session.head) {
    if (!paths.add_main(place.path)) continue;
    const std::string folder = missing_folder(**directory, place.path);
    if (!folder.empty()) return std::string(root).append("/").append(folder);
  }
  return {};
}

struct Old {
  std::set<CaptureKey> all;
  std::uint64_t sessions = 0;                                           // without those inside others
  std::map<std::string, std::uint64_t> missing;                         // count per missing directory
  std::map<std::string, std::pair<std::uint64_t, std::string>> unread;  // kept: count and reason, by store
};

// Never includes sessions of a store that cannot be read completely.
Result<Old> old_sessions(const Call& call, const CaptureState& state) {
  const std::int64_t days = call.integer("keep_days", call.stores.settings().archive_keep_days);
  Old old;
  if (days <= 0) return old;
  const std::string before = iso8601(call.context.clock->now() - std::chrono::hours(24 * days));
  std::map<std::pair<std::string, std::string>, StoreNow> stores;
  const auto store_now = [&](const std::string& layout, const std::string& root) -> const StoreNow& {
    const auto known = stores.find({layout, root});
    if (known != stores.end()) return known->second;
    return stores.emplace(std::pair(layout, root), look_at_store(call, layout, root)).first->second;
  };
  for (const auto& [key, session] : state.sessions) {
    const std::string updated = JsonView(session.row).find("updated_at").as_string().value_or("");
    if (session.inner || (updated.empty() ? session.at : updated) >= before) continue;
    HOLDFAST_TRY(call.context.check());
    const StoreNow& then = store_now(key.layout, key.store);
    const std::string root = current_root(call.stores.settings(), key.layout, key.store);
    const StoreNow& now = store_now(key.layout, root);
    if (then.ids.contains(key.id) || now.ids.contains(key.id)) continue;  // the next run would capture it again
    if (const std::string& why = then.unread.empty() ? now.unread : then.unread; !why.empty()) {
      auto& kept = old.unread[key.layout + ":" + key.store];
      ++kept.first;
      kept.second = why;
      continue;
    }
    old.all.merge(with_inner(state, key));
    ++old.sessions;
    if (then.missing && now.missing)
      ++old.missing[key.store];
    else if (const std::string folder = missing_folder(call, key, session, root); !folder.empty())
      ++old.missing[folder];
  }
  return old;
}

std::string missing_words(std::uint64_t sessions) {
  return "is not there, or is empty, and " + counted(sessions, "session") +
         " would still be there if it is on a disk that is not mounted";
}

std::string kept_words(std::uint64_t sessions) {
  return "cannot be read, so what its agent has deleted is unknown; " + counted(sessions, "old session") + " of it " +
         (sessions == 1 ? "is" : "are") + " kept";
}

}  // namespace

std::uint64_t packed_bytes(const Packs& packs) {
  std::uint64_t bytes = 0;
  for (const auto& [pack, end] : packs.ends()) bytes += end;
  return bytes;
}

Result<std::string> prune_archive(Call& call) {
  Rewritten done;
  HOLDFAST_LET(writer, open_archive_to_shrink(call, done.findings));
  HOLDFAST_LET(old, old_sessions(call, writer->state()));
  const std::uint64_t before = packed_bytes(writer->packs());
  std::uint64_t after = before;
  if (!old.all.empty()) {
    HOLDFAST_LET(rewritten, drop_sessions(call.context, *writer, old.all));
    std::ranges::move(rewritten.findings, std::back_inserter(done.findings));
    after = packed_bytes(writer->packs());
  }
  for (const auto& [store, kept] : old.unread)
    done.findings.push_back(
        {store, 0, 0, std::string(code_name(Code::permission_denied)), kept_words(kept.first) + ": " + kept.second, 0});
  for (const auto& [root, sessions] : old.missing)
    done.findings.push_back({root, 0, 0, "missing", missing_words(sessions), 0});
  JsonWriter json = begin_answer();
  write_keys(json, "removed", old.all);
  json.key("bytes_before").uint64(before).key("bytes_after").uint64(after);
  json.key("missed").boolean(!old.unread.empty());
  write_findings(json, "findings", done.findings);
  return json.end_object().take();
}

Result<std::string> would_prune_archive(Call& call) {
  HOLDFAST_LET(archive, open_archive(call));
  HOLDFAST_LET(old, old_sessions(call, archive->state()));
  std::string what = "do nothing: there is nothing to prune";
  if (!old.all.empty())
    what = "remove the last known " + std::string(old.sessions == 1 ? "copy" : "copies") + " of " +
           counted(old.sessions, "session") + ": " + names_of(old.all);
  for (const auto& [root, sessions] : old.missing)
    what.append("; ").append(root).append(" ").append(missing_words(sessions));
  call.missed = !old.unread.empty();
  for (const auto& [store, kept] : old.unread)
    what.append("; ").append(store).append(" ").append(kept_words(kept.first));
  return what;
}

}  // namespace holdfast::inline v1
