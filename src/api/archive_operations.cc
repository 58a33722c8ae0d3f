// archive.run, archive.watch, archive.status, archive.verify: lasting copies of the sessions of all agents.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "api/archive_access.h"
#include "api/archive_capture.h"
#include "api/archive_timer.h"
#include "api/call.h"
#include "api/dry_run.h"
#include "api/forget.h"
#include "api/session_filter.h"
#include "api/tables.h"
#include "archive/capture_store.h"
#include "archive/damaged_chunks.h"
#include "archive/forgotten.h"
#include "archive/lost_lines.h"
#include "archive/verify_archive.h"
#include "base/time.h"
#include "disk/free_space.h"
#include "layout/belongings.h"
#include "layout/layout.h"
#include "store/engine.h"
#include "text/shell_word.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

void write_left_out(JsonWriter& json, const std::vector<SkippedSessions>& left_out) {
  json.key("left_out").begin_array();
  for (const SkippedSessions& one : left_out) {
    json.begin_object().key("store").string(one.store).key("sessions").uint64(one.sessions);
    json.key("reason").string(one.reason).end_object();
  }
  json.end_array();
}

Result<std::string> run(Call& call) {
  HOLDFAST_LET(path, archive_path(call));
  HOLDFAST_LET(captured, capture_now(call, path));
  JsonWriter json = begin_answer();
  json.key("archive").string(path).key("busy").boolean(!captured);
  if (!captured)  // the other process captures the same
    return json.key("note").string("another process is writing to the archive now").end_object().take();
  const CaptureReport& report = captured->report;
  json.key("sessions").uint64(report.sessions).key("captured").uint64(report.captured);
  json.key("excluded").uint64(report.excluded).key("files").uint64(report.files).key("bytes").uint64(report.bytes);
  json.key("added_bytes")
      .uint64(captured->added)
      .key("healed")
      .uint64(captured->healed)
      .key("missed")
      .boolean(report.missed);
  json.key("forgotten").uint64(report.forgotten).key("gone").uint64(report.gone);
  json.key("out_of_space").boolean(report.out_of_space).key("no_room").uint64(report.no_room);
  if (report.out_of_space) {
    json.key("free_bytes").uint64(free_bytes_at(*call.stores.settings().files, path).value_or(0));
    json.key("min_free").uint64(call.stores.settings().archive_min_free);
  }
  write_left_out(json, report.left_out);
  write_findings(json, "findings", report.findings);
  return json.end_object().take();
}

std::string capture_words(const CaptureReport& report) {
  const std::string sessions = counted(report.sessions, "session");
  std::string words = "capture nothing: there is nothing new in " + sessions;
  if (report.files > 0)
    words = "capture changes in " + std::to_string(report.captured) + " of " + sessions + ": " +
            counted(report.files, "file");
  else if (report.captured > 0 && report.gone == 0)
    words = "capture new titles for " + std::to_string(report.captured) + " of " + sessions;
  if (report.missed) words += ", but not everything could be read";
  if (report.out_of_space) words += ", and stop because too little space is free (archive.min_free)";
  return words;
}

// Reports what is new, and each problem once.
class Watching {
 public:
  explicit Watching(const Call& call) : call_(call) {}

  // Returns false if the receiver wants no more.
  bool tell(const Captured& captured) {
    const CaptureReport& report = captured.report;
    JsonWriter item;
    item.begin_object().key("at").string(iso8601(call_.context.clock->now()));
    item.key("captured").uint64(report.captured).key("added_bytes").uint64(captured.added);
    std::vector<Finding> fresh;
    for (const Finding& finding : report.findings) {
      if (known_.insert(finding.file + "\n" + finding.consequence).second) fresh.push_back(finding);
    }
    item.key("out_of_space").boolean(report.out_of_space);
    write_findings(item, "findings", fresh);
    captured_ += report.captured;
    added_ += captured.added;
    const bool news = report.captured > 0 || !fresh.empty() || report.out_of_space != out_of_space_;
    out_of_space_ = report.out_of_space;
    return !news || (*call_.items)(item.end_object().text());
  }
  std::uint64_t captured() const { return captured_; }
  std::uint64_t added() const { return added_; }

 private:
  const Call& call_;
  std::set<std::string> known_;
  std::uint64_t captured_ = 0, added_ = 0;
  bool out_of_space_ = false;
};

// A lock to hold while watching: a second watcher would only repeat the work. Fails with busy if there is one.
Result<std::unique_ptr<File>> only_watcher(const Call& call, const std::string& path) {
  HOLDFAST_LET(root, Root::open(call.context, *call.stores.settings().files, path,
                                {.side = std::string(kArchiveSide), .create = true}));
  HOLDFAST_TRY(root->ensure_directory(root->side("locks")));
  const std::string name = root->side("locks", "watch");
  auto file = root->directory().open(name, OpenMode::update);
  if (!file && file.error().code == Code::not_found) file = root->directory().open(name, OpenMode::create_update);
  if (!file && file.error().code == Code::already_exists) file = root->directory().open(name, OpenMode::update);
  if (!file) return fail(std::move(file).error());
  HOLDFAST_LET(held, (*file)->try_lock(LockKind::exclusive));
  if (!held) return fail(Code::busy, "holdfast archive watch is already running", path);
  return file;
}

Result<std::string> watch(Call& call) {
  HOLDFAST_LET(path, archive_path(call));
  HOLDFAST_LET(only, only_watcher(call, path));
  HOLDFAST_LET(changes, StoreWatch::create());
  Watching watching(call);
  for (bool wanted = true; wanted;) {
    const auto captured = capture_now(call, path, &changes);
    if (!captured && captured.error().code != Code::cancelled) return fail(captured.error());
    wanted = captured && (!*captured || watching.tell(**captured));
    if (!wanted) break;
    // What another process does not capture, as it captures one store, must not wait for the next change.
    StoreWatch::Pace pace;
    if (!*captured) pace.every = pace.quiet;
    const auto waited = changes.wait(call.context, pace);
    if (!waited && waited.error().code != Code::cancelled) return fail(waited.error());
    wanted = waited.has_value();
  }
  JsonWriter json = begin_answer();
  json.key("archive").string(path).key("captured").uint64(watching.captured());
  return json.key("added_bytes").uint64(watching.added()).end_object().take();
}

// What is in the stores now, and which of it the archive cannot keep.
struct Live {
  std::map<CaptureKey, std::vector<Place>> sessions;  // and the files they were found by
  std::vector<SkippedSessions> left_out;
  std::vector<Finding> findings;
};
Result<Live> live_sessions(const Call& call, const std::set<CaptureKey>& forgotten, const CaptureState& state) {
  Live live;
  const ArchiveRules rules = archive_rules(call);
  HOLDFAST_LET(stores, stores_to_read(call));
  for (const StoreOptions& options : stores) {
    const auto look = [&]() -> Result<void> {
      HOLDFAST_LET(store, call.stores.open(call.context, options, Use::read));
      auto* const engine = engine_or_null(*store);
      if (engine == nullptr) return {};
      HOLDFAST_LET(refs, engine->find_all(call.context, live.findings));
      for (const SessionRef& ref : refs)
        live.sessions[{std::string(store->layout_name()), store_root(store->name()), ref.id}].push_back(ref.place);
      HOLDFAST_LET(left, find_skipped_sessions(call.context, *store, rules, forgotten, state, live.findings));
      std::ranges::move(left, std::back_inserter(live.left_out));
      return {};
    };
    if (auto looked = look(); !looked && !is_absent_default_store(call, looked.error()))
      live.findings.push_back(left_out(options, looked.error()));
    HOLDFAST_TRY(call.context.check());
  }
  return live;
}

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Whether the agent still has the session, but a main file of the archive's version is missing, empty or damaged there.
// A file that the agent moved or compressed has a name that begins with the old one, and is not missing.
bool is_more_here(const Call& call, const CaptureKey& key, const CapturedSession& session,
                  const std::vector<Place>& live) {
  const Layout* const layout = find_layout(key.layout);
  const Belongings* const belongings = layout == nullptr ? nullptr : belongings_of(*layout);
  if (belongings == nullptr) return false;
  const auto directory = call.stores.settings().files->open_directory(key.store, false);
  SessionPaths paths(*belongings, key.id);
  return std::ranges::any_of(session.head, [&](const auto& file) {
    const auto& [place, version] = file;
    if (version->size == 0 || !paths.add_main(place.path)) return false;
    const auto last = session.last.find(place);
    if (last != session.last.end() && last->second->worse) return true;
    if (belongings->rows != nullptr || !directory) return false;
    const bool elsewhere = std::ranges::any_of(live, [&](const Place& other) {
      const auto its = session.last.find(other);
      return other != place && name_in(other.path).starts_with(name_in(place.path)) &&
             (its == session.last.end() || !its->second->worse);
    });
    if (elsewhere) return false;
    const auto now = (*directory)->stat_to_read(place.path);
    return now ? now->size == 0 : now.error().code == Code::not_found;
  });
}

Result<std::string> status(Call& call) {
  HOLDFAST_LET(path, archive_path(call));
  auto archive = Archive::open(call.context, *call.stores.settings().files, path);
  if (!archive && archive.error().code != Code::not_found) return fail(std::move(archive).error());
  auto listed = archive ? load_known_forgotten(call.context, (*archive)->directory()) : KnownForgotten();
  const Forgotten forgotten = listed ? listed->all : Forgotten();
  static const CaptureState kNothing;
  HOLDFAST_LET(live, live_sessions(call, forgotten.sessions, archive ? (*archive)->state() : kNothing));
  if (!listed)
    live.findings.push_back({std::string(kForgotten), 0, 0, std::string(code_name(listed.error().code)),
                             listed.error().message + "; nothing is captured until it can be read", 0});
  else
    std::ranges::move(forgotten_findings(*listed), std::back_inserter(live.findings));
  JsonWriter json = begin_answer();
  json.key("archive").string(path);
  json.key("exists").boolean(archive.has_value()).key("timer").boolean(timer_enabled(call.stores.settings()));
  std::uint64_t sessions = 0, files = 0, bytes = 0, only_here = 0, packed = 0;
  if (archive) {
    const CaptureState& state = (*archive)->state();
    for (const auto& [key, session] : state.sessions) {
      bytes += session.bytes();
      files += session.head.size();
      if (session.inner) continue;
      ++sessions;
      const auto there = live.sessions.find(key);
      const bool gone =
          there == live.sessions.end() && !live.sessions.contains({key.layout, place_in(call)(key), key.id});
      const bool more_here = there != live.sessions.end() && is_more_here(call, key, session, there->second);
      if (gone || more_here || session.lacks() > 0) ++only_here;
      if (more_here)
        live.findings.push_back(
            {.file = key.layout + "/" + key.id,
             .kind = "only_here",
             .consequence = "its agent still has the session, but not all of it; run holdfast restore " +
                            session_word(key.layout, key.id) + " --to DIR to restore what the archive has"});
      else if (!gone && session.lacks() > 0)
        live.findings.push_back({.file = key.layout + "/" + key.id,
                                 .kind = "only_here",
                                 .consequence = lacking_words(session.lacks(), session_word(key.layout, key.id))});
    }
    for (const auto& [pack, end] : (*archive)->packs().ends()) packed += end;
    std::ranges::copy(state.findings, std::back_inserter(live.findings));
    std::set<std::string> damaged = load_damaged((*archive)->directory());
    HOLDFAST_LET(missing, missing_chunks(state, (*archive)->packs()));
    damaged.merge(missing);
    if (const std::size_t lost = damaged.size(); lost > 0)
      live.findings.push_back(
          {path, 0, 0, "damaged",
           counted(lost, "damaged piece") + (lost == 1 ? " is" : " are") +
               " known; run holdfast archive verify to list the sessions; the next run heals what agents still have",
           0});
    if (is_half_forgotten(forgotten, state))
      live.findings.push_back({path, 0, 0, "half_forgotten",
                               "what was forgotten is still in the archive; the next holdfast archive run removes it, "
                               "if its disk has space for a copy of the rest",
                               0});
    HOLDFAST_LET(lost,
                 find_lost_lines(call.context, (*archive)->directory(), (*archive)->directory().exists(kCaptureLog)));
    if (lost) live.findings.push_back(lost_lines_finding(*lost));
    json.key("since").string(state.first_at).key("last_capture").string(state.last_at);
    json.key("captures").uint64(state.captures);
    if (const std::string last = last_run(**archive); !last.empty()) json.key("last_run").raw(last);
  }
  json.key("sessions").uint64(sessions).key("files").uint64(files).key("only_in_archive").uint64(only_here);
  json.key("bytes").uint64(bytes).key("packed_bytes").uint64(packed);
  const std::uint64_t least = call.stores.settings().archive_min_free;
  const auto free = free_bytes_at(*call.stores.settings().files, archive ? path : "/");
  if (free && archive) {
    json.key("free_bytes").uint64(*free).key("min_free").uint64(least);
    if (*free < least)
      live.findings.push_back(
          {path, 0, 0, "low_space", "free space is below archive.min_free, so nothing more is captured", 0});
  }
  json.key("exclude").strings(call.stores.settings().archive_exclude);
  write_left_out(json, live.left_out);
  write_findings(json, "findings", live.findings);
  return json.end_object().take();
}

// Records lost chunks, and whether lines are lost, for the next run, archive.status and doctor. Does nothing if the
// archive is not writable.
void note_lost(const Call& call, Archive& archive, const std::set<std::string>& chunks, bool lines) {
  const bool news = lines != is_log_known_short(archive.directory());
  if (chunks.empty() && !archive.directory().exists(kDamaged) && !news) return;
  auto root = Root::open(call.context, *call.stores.settings().files, archive.directory().path(),
                         {.side = std::string(kArchiveSide)});
  if (!root) return;
  (void)save_damaged(call.context, **root, chunks);
  if (!news) return;
  LogEnd end = load_log_end(archive.directory()).value_or(LogEnd());
  end.lost_at = lines ? iso8601(call.context.clock->now()) : std::string();
  (void)save_log_end(call.context, **root, end);
}

Result<std::string> verify(Call& call) {
  HOLDFAST_LET(archive, open_archive(call, {}, true));
  const auto& tell = call.stores.settings().progress;
  const auto progress = [&](std::uint64_t done, std::uint64_t all) {
    if (tell && done % 64 == 0) tell("verifying: " + std::to_string(done) + " of " + std::to_string(all) + " chunks");
  };
  HOLDFAST_LET(check, verify_archive(call.context, *archive, progress));
  HOLDFAST_LET(lost, find_lost_lines(call.context, archive->directory(), archive->directory().exists(kCaptureLog)));
  if (lost) check.damage.push_back(lost_lines_finding(*lost));
  HOLDFAST_LET(pieces, pieces_after_forgetting(call.context, archive->directory()));
  if (pieces && !lost) check.damage.push_back(*pieces);
  HOLDFAST_LET(known, load_known_forgotten(call.context, archive->directory()));
  std::ranges::move(forgotten_findings(known), std::back_inserter(check.damage));
  note_lost(call, *archive, check.chunks_lost, lost.has_value());
  JsonWriter json = begin_answer();
  json.key("sessions").uint64(check.sessions).key("files").uint64(check.files).key("bytes").uint64(check.bytes);
  json.key("chunks").uint64(check.chunks).key("unreferenced").uint64(check.unnamed);
  json.key("broken_sessions").uint64(check.broken_sessions).key("total").uint64(check.damage.size());
  write_findings(json, "damage", check.damage);
  return json.end_object().take();
}

// What restore --as-of can restore: each capture that found other bytes than the one before it.
Result<std::string> versions(Call& call) {
  HOLDFAST_LET(archive, open_archive(call));
  HOLDFAST_LET(found, archive->find(call.text("id"), place_in(call)));
  const auto& [key, session] = *found;
  JsonWriter json = begin_answer();
  json.key("id").string(key.id).key("layout").string(key.layout).key("store").string(key.store);
  struct Version {
    std::string at;
    std::uint64_t bytes = 0, files = 0, lacks = 0;
    bool worse = false;
    std::string holds = {};
  };
  const auto holds = [](const Versions& files) {
    std::string all;
    for (const auto& [place, file] : files) all.append(place.path).append(":").append(file->hash()).append("\n");
    return all;
  };
  std::vector<Version> all;
  std::string before;
  const auto take = [&](const Capture& capture, const CapturedSession& then) {
    if (capture.session != key) return;
    Version version{.at = capture.at};
    Versions now = then.last;
    std::erase_if(now, [](const auto& file) { return file.second->gone; });
    for (const auto& [place, file] : now) {
      version.bytes += file->size;
      version.worse = version.worse || file->worse;
      if (!file->worse) version.lacks += file->lacks;
      ++version.files;
    }
    // The shown version keeps files that are gone by now.
    version.worse = version.worse || now.size() < then.last.size();
    version.holds = holds(now);
    if (!now.empty() && std::exchange(before, version.holds) != version.holds) all.push_back(std::move(version));
  };
  HOLDFAST_TRY(open_archive(call, {.seen = take}));
  // The last complete version, captured when the shown one was, or before that with the same bytes.
  std::size_t shown = all.size();
  for (std::size_t n = 0; n < all.size(); ++n)
    if (!all[n].worse && all[n].at <= session.shown_at) shown = n;
  const std::string head = holds(session.head);
  for (std::size_t n = 0; n < all.size(); ++n)
    if (all[n].holds == head) shown = n;
  json.key("versions").begin_array();
  for (std::size_t n = 0; n < all.size(); ++n) {
    json.begin_object().key("captured_at").string(all[n].at).key("bytes").uint64(all[n].bytes);
    json.key("files").uint64(all[n].files).key("lacks").uint64(all[n].lacks);
    json.key("worse").boolean(all[n].worse).key("shown").boolean(n == shown);
    json.end_object();
  }
  return json.end_array().key("total").uint64(all.size()).end_object().take();
}

}  // namespace

// Captures into memory: only reading a file shows whether it can be captured.
Result<std::string> would_capture(Call& call) {
  HOLDFAST_LET(path, archive_path(call));
  Rehearsal rehearsal(call.stores);
  const Call rehearsed{call.context, call.operation, call.params, rehearsal.stores()};
  auto captured = capture_now(rehearsed, path);
  if (!captured && !rehearsal.gave_up()) return fail(std::move(captured).error());
  if (!captured || !*captured || rehearsal.gave_up()) return describe_dry_run(call.operation, call.params, {});
  CaptureReport& report = (*captured)->report;
  call.missed = report.missed || report.out_of_space;
  const auto first = report.findings.begin() + static_cast<std::ptrdiff_t>((*captured)->repaired);
  call.findings.assign(std::make_move_iterator(first), std::make_move_iterator(report.findings.end()));
  return capture_words(report);
}

std::span<const Operation> archive_operations() {
  static const std::vector<Operation> all{
      {.method = "archive.run",
       .help = "copy new and changed sessions of every agent into the archive",
       .use = Use::write,
       .result =
           "archive:string busy:boolean note?:string sessions?:integer captured?:integer excluded?:integer "
           "files?:integer bytes?:integer added_bytes?:integer healed?:integer missed?:boolean out_of_space?:boolean "
           "no_room?:integer forgotten?:integer gone?:integer free_bytes?:integer min_free?:integer left_out?:object[] "
           "findings?:finding[]",
       .errors = {Code::newer_schema},
       .handler = run,
       .example = "archive run"},
      {.method = "archive.watch",
       .help = "capture sessions as their files change, until stopped",
       .use = Use::write,
       .result = "archive:string captured:integer added_bytes:integer",
       .errors = {Code::newer_schema, Code::busy},
       .handler = watch,
       .example = "archive watch",
       .item = "at:string captured:integer added_bytes:integer out_of_space:boolean findings:finding[]"},
      {.method = "archive.status",
       .help = "show what the archive contains, and what it cannot capture yet",
       .result = "archive:string exists:boolean timer:boolean since?:string last_capture?:string captures?:integer "
                 "last_run?:object "
                 "sessions:integer files:integer only_in_archive:integer bytes:integer packed_bytes:integer "
                 "free_bytes?:integer "
                 "min_free?:integer exclude:string[] left_out:object[] findings:finding[]",
       .errors = {Code::newer_schema},
       .handler = status,
       .example = "archive status"},
      {.method = "archive.versions",
       .help = "list the archived versions of a session, oldest first; restore one with holdfast restore --as-of",
       .parameters =
           {{.name = "id", .help = "an id, a prefix of one, or LAYOUT/ID", .required = true, .positional = true}},
       .result = "id:string layout:string store:string versions:object[] total:integer",
       .errors = {Code::newer_schema},
       .handler = versions,
       .example = "archive versions k7f3"},
      {.method = "archive.verify",
       .help = "read everything in the archive and check every hash",
       .result = "sessions:integer files:integer bytes:integer chunks:integer unreferenced:integer "
                 "broken_sessions:integer total:integer damage:finding[]",
       .errors = {Code::newer_schema},
       .handler = verify,
       .example = "archive verify"},
  };
  return all;
}

}  // namespace holdfast::inline v1
