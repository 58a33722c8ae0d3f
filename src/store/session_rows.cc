// The rows of the store's sessions: from the index if their files are unchanged,
// otherwise read and added to the index.
#include "store/session_rows.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <tuple>
#include <unordered_map>

#include "base/parallel.h"
#include "base/was_stopped.h"
#include "disk/copies.h"
#include "index/error_file.h"
#include "index/found_refs_cache.h"
#include "index/read_entry.h"
#include "layout/belongings.h"
#include "layout/change.h"
#include "layout/index_files.h"
#include "layout/thread_keeper.h"
#include "model/lineage.h"
#include "model/time_formats.h"
#include "store/file_store.h"
#include "store/lenient_feed.h"
#include "store/live_owners.h"
#include "store/noted_facts.h"
#include "store/observed.h"
#include "store/owner_status.h"
#include "store/select_rows.h"
#include "store/session_match.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWorthThreads = 16;  // sessions to examine

Result<std::vector<SessionRef>> refs_in(const Layout& layout, Feed& feed) {
  std::vector<SessionRef> refs;
  LenientFeed finding(feed);
  HOLDFAST_TRY(layout.find(finding, [&](SessionRef ref) {
    refs.push_back(std::move(ref));
    return true;
  }));
  return refs;
}

// Adds each finding once: sessions may share a file.
class Findings {
 public:
  explicit Findings(std::vector<Finding>& into) : into_(into) {}
  void add(Finding finding) {
    if (told_.emplace(finding.file, finding.offset, finding.kind, finding.consequence).second)
      into_.push_back(std::move(finding));
  }
  // `session` is given if the file contains several; it is named if the finding is about that session.
  void add(const std::vector<PlacedFinding>& placed, std::string_view session) {
    for (const PlacedFinding& one : placed) {
      const bool own = !session.empty() && one.consequence.contains("this session");  // or it concerns all
      add({one.place.path, one.offset, one.length, one.kind,
           (own ? "session " + std::string(session) + ": " : "") + one.consequence, one.salvaged});
    }
  }

 private:
  std::vector<Finding>& into_;
  std::set<std::tuple<std::string, std::uint64_t, std::string, std::string>> told_;
};

void relate(std::vector<SessionRow>& sessions) {
  std::vector<LineageFacts> kin;
  kin.reserve(sessions.size());
  for (const SessionRow& session : sessions) {
    const RowHead& row = session.head.row;
    kin.push_back({row.id, row.updated_at, row.first_message, row.first_response, row.began_at, row.has_parent});
  }
  const auto copies = find_copies(kin);
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    SessionRow& session = sessions[i];
    const RowHead& row = session.head.row;
    session.has_parent = row.has_parent || copies[i];
    session.parent_kind = copies[i] ? copies[i]->kind : row.parent_kind;
    session.parent_id = copies[i] ? kin[copies[i]->origin].id : row.parent_id;
  }
}

// Calls the files that an id alone does not mean ID@KEY (session_match.h). A sub-agent belongs to the session beside
// it.
void name_copied_rows(SessionRows& rows) {
  std::vector<std::string_view> ids;
  ids.reserve(rows.all.size());
  for (const SessionRow& row : rows.all) ids.push_back(row.found.id);
  const auto repeated = find_repeated(ids);
  if (repeated.empty()) return;
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> names;  // project, id
  for (const std::vector<std::size_t>& same : repeated) {
    std::vector<SessionFile> files;
    for (const std::size_t n : same)
      files.push_back({rows.all[n].found.ref(), std::string(rows.all[n].head.row.updated_at),
                       unpack_row(rows.all[n].head.packed).bytes});
    name_copies(files);
    for (std::size_t i = 0; i < same.size(); ++i) {
      SessionRow& row = rows.all[same[i]];
      row.head.row.id = *rows.holders.emplace_back(std::make_shared<const std::string>(files[i].ref.name()));
      names.emplace(std::pair(row.found.project, row.found.id), row.head.row.id);
    }
  }
  for (SessionRow& row : rows.all) {
    if (!row.is_subagent()) continue;
    const auto beside = names.find({row.found.project, row.parent_id});
    if (beside != names.end()) row.parent_id = beside->second;
  }
}

// A session whose file is found twice, once behind a linked folder, is one session.
void drop_same_files(std::vector<SessionRef>& refs, const RootDirectories& roots) {
  std::unordered_map<std::string_view, std::size_t> first;
  first.reserve(refs.size());
  std::vector<std::size_t> again;
  const auto stat = [&](const Place& place) -> Result<FileStat> {
    const auto root = roots.find(place.root);
    if (root == roots.end() || root->second == nullptr) return fail(Code::not_found, "no root");
    return root->second->stat_to_read(place.path);
  };
  for (std::size_t i = 0; i < refs.size(); ++i) {
    const auto [known, fresh] = first.emplace(refs[i].id, i);
    if (fresh) continue;
    const auto one = stat(refs[known->second].place), other = stat(refs[i].place);
    if (one && other && one->same_file(*other) && refs[known->second].place != refs[i].place) again.push_back(i);
  }
  for (const std::size_t i : again | std::views::reverse) refs.erase(refs.begin() + static_cast<std::ptrdiff_t>(i));
}

}  // namespace

Session SessionRow::session() const {
  Session row = unpack_row(head.packed);
  row.id = head.row.id;
  row.status = status;
  row.inner = found.inner;
  if (has_parent && !row.parent) row.parent = Parent{{}, parent_kind, {}};
  if (has_parent) row.parent->id = parent_id;
  return row;
}

SessionEntry SessionRow::entry() const { return unpack_entry(head.packed).value_or(SessionEntry()); }

// Changes that are only in memory must not get into the index: use a temporary index that is dropped with the rows.
std::shared_ptr<SessionIndex> FileStore::index_to_use() {
  if (has_unwritten_changes()) return std::make_shared<SessionIndex>(file_system_, "", name_);
  if (!index_) index_ = std::make_shared<SessionIndex>(file_system_, options_.cache, name_);
  return index_;
}

namespace {

// For a copy that cannot be read: it is the only one, so its session is listed all the same.
SessionEntry unreadable_entry(const Layout& layout, const SessionRef& ref, const Error& error) {
  SessionEntry entry;
  entry.files.emplace(ref.place, Fingerprint::missing());  // never fresh
  entry.findings.push_back({ref.place, 0, 0, std::string(code_name(error.code)), error.message, 0});
  entry.row.id = ref.id;
  entry.row.layout = layout.name();
  entry.row.path = ref.place.path;
  entry.row.damage = 1;
  return entry;
}

// No session is older than its beginning; one without any time is as old as its file.
void settle_times(SessionEntry& entry, const Place& log) {
  Session& row = entry.row;
  const auto file = entry.files.find(log);
  if (row.updated_at.empty() && row.created_at.empty() && file != entry.files.end() && file->second.mtime_ns > 0)
    row.updated_at = to_iso_time(std::to_string(file->second.mtime_ns / 1'000'000));
  row.updated_at = std::max(row.updated_at, row.created_at);
}

}  // namespace

Result<SessionHead> FileStore::read_anew(const Context& context, const SessionRow& session, SessionIndex& index,
                                         FullReadListener* along) {
  const EntrySource source{.context = context,
                           .layout = layout_,
                           .roots = roots_.directories(),
                           .feed = [&] { return looking(context, Check::objects); },
                           .kept = has_unwritten_changes(),
                           .along = along,
                           .checking = [&] { return looking(context); }};
  const SessionKey& key = session.found.key;
  const auto before = source.kept ? std::nullopt : index.known(key);
  const SessionRef ref = session.found.ref();
  auto* const copies = dynamic_cast<HoldsCopies*>(&file_system_);
  const auto root = roots_.directories().find(session.found.root);
  const auto noted = copies == nullptr || root == roots_.directories().end() || root->second == nullptr
                         ? std::nullopt
                         : copies->noted(root->second->path(), ref.id);
  auto entry = read_entry(source, ref, before ? &*before : nullptr, file_system_.entropy());
  if (!entry && noted && !was_stopped(entry.error())) entry = unreadable_entry(layout_, ref, entry.error());
  HOLDFAST_LET(made, std::move(entry));
  made.row.store = name_;
  if (noted) {
    const Belongings* const belongings = belongings_of(layout_);
    const bool in_rows = belongings != nullptr && belongings->rows != nullptr;
    const bool lost = made.looked_ns == 0;
    add_noted_facts(noted->row, (in_rows || lost) && noted->shown, made.row);
    if (lost) add_noted_texts(noted->row, made.row);
  }
  settle_times(made, session.found.ref().place);
  if (made.row.project.empty() && layout_.traits().root_is_project) made.row.project = roots_.first()->path();
  return index.put(key, made);
}

std::vector<std::optional<Error>> FileStore::look_at(const Context& context, std::span<SessionRow> sessions,
                                                     SessionIndex& index, const SeenFiles& seen,
                                                     FullReadListener* along) {
  std::vector<std::optional<Error>> errors(sessions.size());
  in_parallel(sessions.size(), kWorthThreads, [&](std::size_t i) {
    SessionRow& session = sessions[i];
    if (const auto head = index.fresh(session.found.key, roots_.directories(), seen)) {
      session.head = *head;
      return;
    }
    auto made = read_anew(context, session, index, along);
    if (made) {
      session.head = *made;
    } else {
      errors[i] = std::move(made).error();
    }
  });
  index.settle();
  return errors;
}

std::optional<Session> FileStore::remembered_row(const SessionRef& ref) {
  const ScopedLock guard(index_mutex_);
  const auto index = index_to_use();
  const FoundRefs found({&ref, 1});
  SessionRow session{.found = found.all().front()};
  const auto head = index->fresh(session.found.key, roots_.directories(), {});
  if (!head) return std::nullopt;
  session.head = *head;
  session.status = head->row.status;
  Session row = session.session();
  row.id = ref.name();
  return row;
}

Result<Session> FileStore::summarise(const Context& context, const SessionRef& ref, FullReadListener* along) {
  const ScopedLock guard(index_mutex_);
  const auto index = index_to_use();
  const FoundRefs found({&ref, 1});
  SessionRow session{.found = found.all().front()};
  if (auto error = std::move(look_at(context, {&session, 1}, *index, {}, along).front()))
    return fail(std::move(*error));
  session.status = session.head.row.status;
  if (adds_status(roots_, ref.place.root)) session.status = owner_status(roots_, ref, session.status);
  Session row = session.session();
  row.id = ref.name();
  return row;
}

void FileStore::name_copies(const Context& context, std::span<SessionRef> refs) {
  if (layout_.writable()) return;
  std::vector<std::string_view> ids;
  ids.reserve(refs.size());
  for (const SessionRef& ref : refs) ids.push_back(ref.id);
  for (const std::vector<std::size_t>& same : find_repeated(ids)) {
    std::vector<SessionFile> files;
    for (const std::size_t n : same) {
      const auto row = summarise(context, refs[n]);  // one that cannot be read is the oldest
      files.push_back({refs[n], row ? row->updated_at : std::string(), row ? row->bytes : 0});
    }
    holdfast::name_copies(files);
    for (std::size_t i = 0; i < same.size(); ++i) refs[same[i]].copy = std::move(files[i].ref.copy);
  }
}

Result<SessionMatch> FileStore::match(const Context& context, Feed& feed, std::string_view id, Naming naming,
                                      const std::function<bool(std::string_view id)>& overlooked) {
  HOLDFAST_LET(match, match_session(layout_, feed, id, naming, overlooked));
  if (match.files.size() < 2) return match;
  drop_same_files(match.files, roots_.directories());
  name_copies(context, match.files);
  const auto meant = std::ranges::find_if(match.files, [&](const SessionRef& file) {
    return match.by_key ? file.place == match.ref->place : file.copy.empty();
  });
  if (meant != match.files.end()) match.ref = *meant;
  return match;
}

Result<std::vector<SessionRef>> FileStore::find_all(const Context& context, std::vector<Finding>& findings,
                                                    std::set<Place>* special) {
  DirectoryFeed feed = looking(context);
  HOLDFAST_LET(refs, refs_in(layout_, feed));
  if (special != nullptr) *special = feed.special_names();
  drop_same_files(refs, roots_.directories());
  std::ranges::move(findings_of(feed), std::back_inserter(findings));
  return refs;
}

Result<FoundRefs> FileStore::found(const Context& context, std::vector<Finding>& findings, SeenFiles& seen) {
  FoundRefsCache file(file_system_, has_unwritten_changes() ? "" : options_.cache, name_);
  if (auto known = file.load(roots_.directories(), seen)) return std::move(*known);
  const auto looked = context.clock->now().time_since_epoch();
  DirectoryFeed feed = looking(context);
  feed.note_in(seen);
  HOLDFAST_LET(refs, refs_in(layout_, feed));
  drop_same_files(refs, roots_.directories());
  FoundRefs found(refs);
  const auto of_feed = findings_of(feed);
  if (feed.noted_all() && of_feed.empty())
    file.save(found, seen, feed.read_files(), std::chrono::duration_cast<std::chrono::nanoseconds>(looked).count());
  std::ranges::copy(of_feed, std::back_inserter(findings));
  return found;
}

Result<SessionRows> FileStore::rows(const Context& context, const SessionFilter& filter, FullReadListener* along) {
  SessionRows rows;
  SeenFiles seen(roots_.directories());
  HOLDFAST_LET(found, this->found(context, rows.findings, seen));
  std::map<std::string, bool, std::less<>> leases;
  for (const auto& [root, directory] : roots_.directories()) leases[root] = adds_status(roots_, root);
  DirectoryFeed feed = looking(context);
  const LiveOwners owners(layout_, roots_, feed);
  rows.all.reserve(found.all().size());
  for (const FoundRef& session : found.all()) {
    if (!session.inner || filter.inner) rows.all.push_back({.found = session});
  }
  const ScopedLock guard(index_mutex_);
  rows.index = index_to_use();
  const auto errors = look_at(context, rows.all, *rows.index, seen, along);
  // By now the index has all sessions that were examined, except those that could not be read.
  if (rows.index->size() != rows.all.size()) rows.index->keep_only(found.all());
  rows.index->save();
  rows.holders = rows.index->holders();
  rows.holders.push_back(found.holder());
  Findings findings(rows.findings);
  // True if other sessions are in the same file, as in a database.
  std::unordered_map<std::string_view, std::size_t> in_file;
  const auto shared_file = [&](std::size_t which) {
    if (in_file.empty())
      for (const SessionRow& one : rows.all) ++in_file[one.found.path];
    return in_file[rows.all[which].found.path] > 1;
  };
  for (std::size_t i = 0; i < rows.all.size(); ++i) {
    SessionRow& session = rows.all[i];
    if (errors[i]) {
      // A session that cannot be read never hides the others.
      if (was_stopped(*errors[i])) return fail(*errors[i]);
      findings.add({error_file(roots_.directories(), *errors[i], session.found.path), 0, 0,
                    std::string(code_name(errors[i]->code)), errors[i]->message, 0});
      continue;
    }
    if (session.head.findings > 0)
      findings.add(session.entry().findings, shared_file(i) ? session.found.id : std::string_view());
    session.status = session.head.row.status;
    if (const auto root = leases.find(session.found.root); root != leases.end() && root->second)
      session.status = owner_status(roots_, session.found.ref(), session.status);
    if (owners.owns(session.found, [&] { return session.found.ref(); })) session.status = Status::running;
  }
  if (std::ranges::any_of(errors, [](const auto& error) { return error.has_value(); }))
    std::erase_if(rows.all, [](const SessionRow& session) { return session.head.packed.empty(); });
  relate(rows.all);
  if (!layout_.writable()) name_copied_rows(rows);
  rows.order = select_rows(rows.all, filter);
  return rows;
}

Result<SessionList> FileStore::list(const Context& context, const SessionFilter& filter) {
  return observed_read(context, observer(), {"list"}, [&]() -> Result<SessionList> {
    HOLDFAST_LET(rows, this->rows(context, filter));
    note_unread(context, observer(), {"list"}, rows.findings);
    SessionList list;
    list.findings = std::move(rows.findings);
    list.total = rows.order.size();
    const std::size_t end = filter.limit == 0 ? list.total : std::min(list.total, filter.skip + filter.limit);
    const std::size_t begin = std::min(filter.skip, end);
    list.sessions.resize(end - begin);
    in_parallel(end - begin, kWorthThreads * 64,
                [&](std::size_t i) { list.sessions[i] = rows.all[rows.order[begin + i]].session(); });
    return list;
  });
}

Result<Rollup> FileStore::rollup_of(const Context& context, const SessionRows& rows, const SessionRow& session,
                                    std::string& buffer) {
  const ScopedLock guard(index_mutex_);
  auto counts = rows.index->counts(session.found.key, session.head, buffer);
  if (!counts) {
    HOLDFAST_LET(head, read_anew(context, session, *rows.index, nullptr));
    rows.index->settle();
    counts = rows.index->counts(session.found.key, head, buffer);
  }
  if (!counts) return Rollup();
  Unpacker in(counts->tally);
  return unpack_rollup(in);
}

void FileStore::save_index(const SessionRows& rows) {
  const ScopedLock guard(index_mutex_);
  rows.index->save();
}

Result<std::size_t> FileStore::rebuild_indexes(const Context& context) {
  HOLDFAST_TRY(need_write("rebuild indexes"));
  std::vector<Finding> findings;
  HOLDFAST_LET(refs, find_all(context, findings));
  std::set<std::string> groups;
  for (const SessionRef& ref : refs) groups.insert(index_group(layout_, ref));
  groups.erase("");
  for (const std::string& group : groups) keeper_.touch(group);
  keeper_.flush();
  if (layout_.shape("thread") == nullptr) return groups.size();
  HOLDFAST_LET(lock, lock_documents(context));
  std::size_t of_threads = 0;
  HOLDFAST_TRY(change(context, [&](DirectoryFeed& feed) -> Result<Changes> {
    HOLDFAST_LET(changes, index_threads(layout_, feed, {}, true, moment(context)));
    of_threads = changes.empty() ? 0 : 1;
    return changes;
  }));
  return groups.size() + of_threads;
}

// An index that could not be written stays due: a mark makes the next write rebuild all indexes.
void FileStore::write_index(const std::string& group) {
  const Context context;
  Root& root = *roots_.first();
  const std::string mark = root.side("index-due");
  std::vector<Finding> findings;
  const auto refs = find_all(context, findings);
  if (!refs) return;
  std::map<std::string, std::vector<Session>> groups{{group, {}}};
  const bool all = root.directory().exists(mark);
  if (all) (void)root.directory().remove(mark);
  for (const SessionRef& ref : *refs) {
    std::string its_group = index_group(layout_, ref);
    if (its_group != group && (!all || its_group.empty())) continue;
    if (auto row = summarise(context, ref)) groups[std::move(its_group)].push_back(std::move(*row));
  }
  for (auto& [name, rows] : groups) {
    std::ranges::sort(rows, [](const Session& a, const Session& b) {
      return a.updated_at != b.updated_at ? a.updated_at > b.updated_at : a.id < b.id;
    });
    // Derived: if it cannot be written it stays as it was, and lists are still correct.
    const auto written = change(
        context,
        [&](DirectoryFeed& feed) { return layout_.index_files()->write_index(feed, name, rows, moment(context)); },
        Durability::process);
    if (written) continue;
    note_finding(
        {.file = name, .kind = "index", .consequence = "its index could not be written: " + written.error().text()});
    (void)root.directory().open(mark, OpenMode::create_append);
  }
}

Result<Session> FileStore::get(const Context& context, std::string_view id) {
  DirectoryFeed feed = looking(context);
  return observed_read(context, observer(), {"get", id}, [&]() -> Result<Session> {
    HOLDFAST_LET(ref, resolve(context, feed, id, Naming::prefix));
    return row_of(context, ref);
  });
}

Result<Session> FileStore::row_of(const Context& context, const SessionRef& ref, FullReadListener* along) {
  HOLDFAST_LET(session, summarise(context, ref, along));
  if (has_living_owner(context, ref)) session.status = Status::running;
  const bool silent = session.lineage != Lineage() && !session.parent;
  if (silent) HOLDFAST_TRY(find_parent(context, ref, session));
  if (session.parent && !ref.copy.empty()) {
    DirectoryFeed feed = looking(context);
    const auto beside = match(context, feed, session.parent->id + "@" + ref.project, Naming::whole);
    if (beside && beside->ref) session.parent->id = beside->ref->name();
  }
  return session;
}

bool FileStore::has_living_owner(const Context& context, const SessionRef& ref) const {
  DirectoryFeed signs = looking(context);
  return LiveOwners(layout_, roots_, signs).owns(ref, [&] { return ref; });
}

// A copy is recognized by comparing it with its neighbors: the other sessions of the same project.
Result<void> FileStore::find_parent(const Context& context, const SessionRef& ref, Session& session) {
  std::vector<Finding> findings;
  SeenFiles seen(roots_.directories());
  HOLDFAST_LET(found, this->found(context, findings, seen));
  std::vector<Session> rows{session};
  for (const FoundRef& other : found.all()) {
    if (other.project != ref.project || (other.root == ref.place.root && other.path == ref.place.path)) continue;
    if (auto row = summarise(context, other.ref())) rows.push_back(std::move(*row));
  }
  // Save, as a list does. Otherwise the next get() of one session would read all its neighbors again.
  {
    const ScopedLock guard(index_mutex_);
    index_to_use()->save();
  }
  infer_parents(rows);
  session.parent = rows.front().parent;
  return {};
}

}  // namespace holdfast::inline v1
