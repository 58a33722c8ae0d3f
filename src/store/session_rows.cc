// The rows of the store's sessions: out of the index where their files are as they
// were, read and remembered where not.
#include "store/session_rows.h"

#include <algorithm>
#include <set>

#include "base/parallel.h"
#include "index/read_entry.h"
#include "model/lineage.h"
#include "model/when.h"
#include "store/file_store.h"
#include "store/observed.h"
#include "store/owner_status.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWorthThreads = 16;  // sessions that have to be looked at

bool newer(const Session& a, const Session& b) {
  if (a.updated_at != b.updated_at) return a.updated_at > b.updated_at;
  return a.id < b.id;
}

bool passes(const Session& session, const SessionFilter& filter) {
  if (!filter.project.empty() && session.project != filter.project) return false;
  if (filter.status && session.status != *filter.status) return false;
  if (!filter.subagents && session.parent && session.parent->kind == ParentKind::subagent) return false;
  if (!filter.since.empty() && session.updated_at < iso_when(filter.since)) return false;
  if (!filter.until.empty() && session.updated_at > iso_when(filter.until)) return false;
  return true;
}

bool is_end(const Error& error) { return error.code == Code::cancelled || error.code == Code::deadline_exceeded; }

// A fork repeats what its parent said; whoever counts once wants the parent first.
bool is_copy(const Session& session) { return session.parent && session.parent->kind != ParentKind::subagent; }

bool original_first(const Session& a, const Session& b) {
  if (is_copy(a) != is_copy(b)) return !is_copy(a);
  return a.created_at != b.created_at ? a.created_at < b.created_at : a.id < b.id;
}

void add_findings(const std::vector<Complaint>& complaints, std::vector<StoreFinding>& findings) {
  for (const Complaint& one : complaints)
    findings.push_back({one.place.path, one.offset, one.length, one.kind, one.consequence, one.salvaged});
}

}  // namespace

bool FileStore::has_leases(std::string_view root) const { return holdfast::has_leases(roots_, root); }

void FileStore::show_owner(const SessionRef& ref, bool leases, Session& session) const {
  if (leases) holdfast::show_owner(roots_, ref, session);
}

SessionIndex& FileStore::index() {
  if (!index_) index_.emplace(file_system_, options_.cache, name_);
  return *index_;
}

struct FileStore::Known {
  std::optional<SessionEntry> entry = {};
  bool read = false;  // made anew
  std::optional<Error> error = {};
};

std::vector<FileStore::Known> FileStore::look_at(const Context& context, const std::vector<SessionRef>& refs,
                                                 EntryWish wish) {
  const EntrySource source{context, layout_, roots_.directories(), [&] { return looking(context, Check::objects); },
                           keeps_something()};
  SessionIndex& known = index();
  std::vector<Known> all(refs.size());
  in_parallel(refs.size(), kWorthThreads, [&](std::size_t i) {
    if (!source.kept) all[i].entry = known.fresh(refs[i], source.roots, wish);
    if (all[i].entry) return;
    all[i].read = true;
    const auto before = source.kept ? std::nullopt : known.known(refs[i]);
    auto made = read_entry(source, refs[i], before ? &*before : nullptr, file_system_.entropy());
    if (!made) {
      all[i].error = std::move(made).error();
      return;
    }
    Session& row = made->row;
    row.store = name_;
    if (row.project.empty() && layout_.root_is_project()) row.project = roots_.first()->path();
    all[i].entry = std::move(*made);
  });
  for (std::size_t i = 0; i < refs.size(); ++i) {
    if (all[i].read && all[i].entry && !source.kept) known.put(refs[i], *all[i].entry);
  }
  return all;
}

Result<Session> FileStore::summarise(const Context& context, const SessionRef& ref) {
  std::unique_lock guard(index_mutex_);
  Known known = std::move(look_at(context, {ref}, EntryWish::row).front());
  guard.unlock();
  if (!known.entry) return fail(std::move(*known.error));
  known.entry->row.inner = ref.inner;
  show_owner(ref, has_leases(ref.place.root), known.entry->row);
  return std::move(known.entry->row);
}

Result<std::vector<SessionRef>> FileStore::find_all(const Context& context, std::vector<StoreFinding>& findings) {
  DirectoryFeed feed = looking(context);
  std::vector<SessionRef> refs;
  HOLDFAST_TRY(layout_.find(feed, [&](SessionRef ref) {
    refs.push_back(std::move(ref));
    return true;
  }));
  for (StoreFinding& finding : findings_of(feed)) findings.push_back(std::move(finding));
  return refs;
}

Result<SessionRows> FileStore::rows(const Context& context, const SessionFilter& filter, EntryWish wish) {
  SessionRows rows;
  HOLDFAST_LET(refs, find_all(context, rows.findings));
  std::map<std::string, bool, std::less<>> leases;
  for (const auto& [root, directory] : roots_.directories()) leases[root] = has_leases(root);
  const std::scoped_lock guard(index_mutex_);
  index().keep_only(refs);
  if (!filter.inner) std::erase_if(refs, [](const SessionRef& ref) { return ref.inner; });
  std::vector<Known> known = look_at(context, refs, wish);
  index().save();
  rows.sessions.reserve(refs.size());
  rows.refs.reserve(refs.size());
  if (wish != EntryWish::row) rows.entries.reserve(refs.size());
  for (std::size_t i = 0; i < refs.size(); ++i) {
    SessionRef& ref = refs[i];
    if (!known[i].entry) {
      // One that cannot be read never hides the others.
      const Error& error = *known[i].error;
      if (is_end(error)) return fail(error);
      rows.findings.push_back({ref.place.path, 0, 0, std::string(code_name(error.code)), error.message, 0});
      continue;
    }
    SessionEntry& entry = *known[i].entry;
    add_findings(entry.complaints, rows.findings);
    Session& row = rows.sessions.emplace_back(std::move(entry.row));
    row.inner = ref.inner;
    show_owner(ref, leases[ref.place.root], row);
    if (wish != EntryWish::row) rows.entries.push_back(std::move(entry));
    rows.refs.push_back(std::move(ref));
  }
  infer_parents(rows.sessions);
  for (std::size_t i = 0; i < rows.sessions.size(); ++i) {
    if (passes(rows.sessions[i], filter)) rows.order.push_back(i);
  }
  std::ranges::sort(rows.order,
                    [&](std::size_t a, std::size_t b) { return newer(rows.sessions[a], rows.sessions[b]); });
  return rows;
}

Result<SessionList> FileStore::list(const Context& context, const SessionFilter& filter) {
  return observed_read(context, observer(), {"list"}, [&]() -> Result<SessionList> {
    HOLDFAST_LET(rows, this->rows(context, filter, EntryWish::row));
    SessionList list;
    list.findings = std::move(rows.findings);
    list.total = rows.order.size();
    const std::size_t last = filter.limit == 0 ? list.total : std::min(list.total, filter.skip + filter.limit);
    for (std::size_t at = filter.skip; at < last; ++at)
      list.sessions.push_back(std::move(rows.sessions[rows.order[at]]));
    return list;
  });
}

Result<std::vector<StoreFinding>> FileStore::each_rollup(const Context& context, const SessionFilter& filter,
                                                         const TakeRollup& take) {
  HOLDFAST_LET(rows, this->rows(context, filter, EntryWish::counts));
  std::ranges::sort(rows.order,
                    [&](std::size_t a, std::size_t b) { return original_first(rows.sessions[a], rows.sessions[b]); });
  for (const std::size_t at : rows.order) {
    Unpacker in(rows.entries[at].tally);
    take(rows.sessions[at], unpack_rollup(in));
  }
  return std::move(rows.findings);
}

Result<std::size_t> FileStore::rebuild_indexes(const Context& context) {
  HOLDFAST_TRY(need_write("rebuild indexes"));
  std::vector<StoreFinding> findings;
  HOLDFAST_LET(refs, find_all(context, findings));
  std::set<std::string> groups;
  for (const SessionRef& ref : refs) groups.insert(layout_.index_group(ref));
  groups.erase("");
  for (const std::string& group : groups) keeper_.touch(group);
  keeper_.flush();
  return groups.size();
}

void FileStore::write_index(const std::string& group) {
  const Context context;
  std::vector<StoreFinding> findings;
  const auto refs = find_all(context, findings);
  if (!refs) return;
  std::vector<Session> rows;
  for (const SessionRef& ref : *refs) {
    if (layout_.index_group(ref) != group) continue;
    if (auto row = summarise(context, ref)) rows.push_back(std::move(*row));
  }
  std::ranges::sort(rows, newer);
  // Derived: when it cannot be written it stays as it was, and lists are right all the same.
  (void)change(
      context, [&](DirectoryFeed& feed) { return layout_.write_index(feed, group, rows, moment(context)); },
      Durability::process);
}

Result<Session> FileStore::get(const Context& context, std::string_view id) {
  DirectoryFeed feed = looking(context);
  return observed_read(context, observer(), {"get", id}, [&]() -> Result<Session> {
    HOLDFAST_LET(ref, resolve(context, feed, id));
    HOLDFAST_LET(session, summarise(context, ref));
    const bool silent = session.lineage != Lineage() && !session.parent;
    if (silent) HOLDFAST_TRY(find_parent(context, ref, session));
    return session;
  });
}

// A copy shows by its neighbours: the other sessions of the same project.
Result<void> FileStore::find_parent(const Context& context, const SessionRef& ref, Session& session) {
  std::vector<StoreFinding> findings;
  HOLDFAST_LET(refs, find_all(context, findings));
  std::vector<Session> rows{session};
  for (const SessionRef& other : refs) {
    if (other.project != ref.project || other.place == ref.place) continue;
    if (auto row = summarise(context, other)) rows.push_back(std::move(*row));
  }
  infer_parents(rows);
  session.parent = rows.front().parent;
  return {};
}

}  // namespace holdfast::inline v1
