#include "transfer/verify.h"

#include <holdfast/checksums.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "base/run_in_order.h"
#include "base/time.h"
#include "base/was_stopped.h"
#include "disk/side_car.h"
#include "index/error_file.h"
#include "layout/index_files.h"
#include "store/empty_session.h"
#include "store/engine.h"
#include "store/lenient_feed.h"
#include "store/lost_logs.h"
#include "store/record_findings.h"
#include "transfer/index_checks.h"
#include "transfer/installed_rescue.h"
#include "transfer/message_checks.h"
#include "transfer/verify_feed.h"

namespace holdfast::inline v1 {
namespace {

// Unusual, but nothing is lost.
constexpr std::array<std::string_view, 9> kNotes = {
    "secret_in_header", "bad_name",         "unsafe_name", "empty",   "odd",
    "side_car",         "header_not_first", "index_stale", "too_deep"};

// Ignores the messages of a history that is read only for its findings.
struct Deaf : Events {
  void facts(const SessionFacts&) override {}
  bool message(Message) override { return true; }
};

// The result of one session; found by any thread, reported in the order of the sessions.
struct SessionCheck {
  struct Told {
    Finding finding;
    bool damage = true;
  };
  std::optional<Error> stopped = {};
  std::vector<Told> found = {};
  std::map<Place, Fingerprint> files = {};
  std::set<Place> logs = {};
  std::uint64_t records = 0;
  Session row = {};
};

class StoreCheck {
 public:
  StoreCheck(const Context& context, FileStore& store, VerifyReport& report)
      : context_(context), store_(store), layout_(store.layout()), report_(report) {}

  Result<void> all() {
    DirectoryFeed feed(context_, store_.roots().directories());
    HOLDFAST_TRY(or_tell(find_sessions(feed)));
    Result<void> done;
    std::size_t told = 0;
    run_in_order(
        refs_.size(), threads_for(refs_.size()), [&](std::size_t n) { return check(refs_[n]); },
        [&](SessionCheck checked) {
          done = tell(refs_[told++], std::move(checked));
          return done.has_value();
        });
    HOLDFAST_TRY(done);
    tell_all({}, found_in(feed));  // what the sessions did not report themselves
    HOLDFAST_TRY(or_tell(check_lost_sessions()));
    check_parents();
    HOLDFAST_TRY(check_indexes());
    HOLDFAST_TRY(or_tell(check_lost_logs()));
    return or_tell(check_records());
  }

  Result<void> one(std::string_view id) {
    DirectoryFeed feed(context_, store_.roots().directories());
    HOLDFAST_LET(ref, store_.resolve(context_, feed, id, Naming::prefix));
    HOLDFAST_TRY(find_sessions(feed));  // its findings are about other sessions
    HOLDFAST_TRY(tell(ref, check(ref)));
    check_parents();
    return {};
  }

 private:
  using Told = SessionCheck::Told;

  // Something unreadable must not hide its neighbors or other stores.
  Result<void> or_tell(Result<void> looked) {
    if (looked) return looked;
    const Error& error = looked.error();
    const bool no_folder = error.code == Code::unsafe_path && error.os_error == ENOTDIR;
    if (error.code != Code::unsafe_path && error.code != Code::corrupt && error.code != Code::too_large &&
        error.code != Code::schema_mismatch && !is_unreadable_code(code_name(error.code)))
      return looked;
    const std::string path = error_file(store_.roots().directories(), error, error.path);
    add({}, {path, 0, 0, std::string(code_name(no_folder ? Code::corrupt : error.code)), error.message}, true);
    return {};
  }

  Result<void> find_sessions(DirectoryFeed& feed) {
    std::set<std::string> places;
    VerifyFeed noted(feed, nullptr);
    LenientFeed finding(noted);
    HOLDFAST_TRY(layout_.find(finding, [&](SessionRef ref) {
      ids_.insert(ref.id);
      if (!places.insert(ref.place.path).second) shared_.insert(ref.place.path);
      refs_.push_back(std::move(ref));
      return true;
    }));
    store_.name_copies(context_, refs_);
    for (const Place& database : noted.empty_databases())
      add({}, {database.path, 0, 0, "empty", "the database is empty: there are no sessions in it"}, false);
    return {};
  }

  void add(std::string_view session, Finding finding, bool damage) {
    // Sessions may share a log, and then share its damage; in a database, each session has its own rows.
    const std::string_view whose = shared_.contains(finding.file) ? session : std::string_view();
    if (!told_.emplace(finding.file, finding.offset, finding.kind, finding.consequence, whose).second) return;
    auto& list = is_unreadable_code(finding.kind) ? report_.unreadable : damage ? report_.damage : report_.notes;
    list.push_back({store_.name(), std::string(session), std::move(finding)});
  }

  void tell_all(std::string_view session, std::vector<Told> found) {
    for (Told& told : found) add(session, std::move(told.finding), told.damage);
  }

  std::vector<Told> found_in(const DirectoryFeed& feed) const {
    std::vector<Told> all;
    for (Finding& finding : findings_of(feed)) {
      const bool note = std::ranges::find(kNotes, finding.kind) != kNotes.end();
      all.push_back({std::move(finding), !note});
    }
    for (const UnfinishedLine& line : feed.unfinished()) {
      if (line.cut) continue;  // reported as a finding
      Finding told{.file = line.place.path, .offset = line.offset, .length = line.length};
      told.kind = line.whole ? "no_newline" : "in_flight";
      told.consequence =
          line.whole ? "the last record lacks its newline; it is shown" : "the last record is being written";
      all.push_back({std::move(told), false});
    }
    return all;
  }

  void take_files(const std::map<Place, Fingerprint>& files) {
    for (const auto& [place, fingerprint] : files) {
      if (fingerprint == Fingerprint::missing() || !files_.insert(place).second) continue;
      ++report_.files;
      report_.bytes += fingerprint.size;
    }
  }

  // Called by several threads at once; changes nothing but its result.
  SessionCheck check(const SessionRef& ref) const {
    SessionCheck checked;
    const auto stop = [&](const Error& error) {
      checked.stopped = error;
      return std::move(checked);
    };
    if (const auto go_on = context_.check(); !go_on) return stop(go_on.error());
    DirectoryFeed feed(context_, store_.roots().directories());
    VerifyFeed noted(feed, layout_.rescue());
    MessageChecks checks(
        [&]() -> const std::string& { return noted.current().path.empty() ? ref.place.path : noted.current().path; });
    const auto read = layout_.read(noted, ref, {.media = Layout::ReadOptions::Media::check}, checks);
    if (!read) {
      if (was_stopped(read.error())) return stop(read.error());
      checked.found.push_back({{error_file(store_.roots().directories(), read.error(), ref.place.path), 0, 0,
                                std::string(code_name(read.error().code)), read.error().message}});
    }
    for (Told& told : found_in(feed)) checked.found.push_back(std::move(told));
    // A new session of our own is just as empty.
    for (const Place& log : layout_.writable() ? std::vector<Place>() : noted.empty_logs())
      checked.found.push_back({empty_session(log, false), false});
    const auto own = feed.read_files().find(ref.place);
    if (!layout_.writable() && own != feed.read_files().end() && own->second == Fingerprint::missing() &&
        noted.logs() == std::set<Place>{ref.place})
      checked.found.push_back({empty_session(ref.place, true), false});
    if (!layout_.writable() && own != feed.read_files().end() && own->second.size == 0 &&
        own->second != Fingerprint::missing() && !noted.logs().contains(ref.place))
      checked.found.push_back({empty_session(ref.place, false), false});
    check_log_shape(feed, noted, checked);
    for (MessageFinding& finding : checks.finish()) {
      // The layout may have reported the same.
      const bool known = std::ranges::any_of(feed.findings(), [&](const PlacedFinding& one) {
        return one.kind == finding.kind && one.offset == finding.place.offset;
      });
      if (known) continue;
      checked.found.push_back({{std::string(finding.place.file), finding.place.offset, 0, std::string(finding.kind),
                                std::move(finding.consequence)},
                               finding.damage});
    }
    checked.files = feed.read_files();
    checked.logs = noted.logs();
    checked.records = noted.records_read();
    checks.tally().finish(checked.row);
    return checked;
  }

  // Detects missing records, which no record shows. If there is damage right before, that was already reported.
  void check_log_shape(const DirectoryFeed& feed, const VerifyFeed& noted, SessionCheck& checked) const {
    const auto damaged = [&](const Place& log, std::uint64_t before) {
      return std::ranges::any_of(feed.findings(), [&](const PlacedFinding& one) {
        return one.place == log && one.offset < before && one.offset + one.length + 1 >= before;
      });
    };
    for (const Place& log : noted.headless()) {
      checked.found.push_back(
          {{log.path, 0, 0, "no_header",
            std::string(layout_.agent()) + " does not load it without its first record, which rescue adds"}});
    }
    std::set<Place> mixed;
    for (const VerifyFeed::Jump& jump : noted.jumps()) {
      if (damaged(jump.log, jump.offset)) continue;
      if (jump.missing == 0) {
        if (mixed.insert(jump.log).second)
          checked.found.push_back({{jump.log.path, jump.offset, 0, "out_of_order",
                                    "records are not in the order of their numbers; none is missing"},
                                   false});
        continue;
      }
      const std::string kept = repair_without(jump, noted);
      checked.found.push_back({{jump.log.path, jump.offset, 0, "missing_records",
                                std::to_string(jump.missing) +
                                    (jump.missing == 1 ? " record is missing here" : " records are missing here") +
                                    (kept.empty() ? "" : "; lost before the repair that kept " + kept)},
                               kept.empty()});
    }
  }

  // The damaged file that a repair kept beside the log, if it lacks these records too: they are known to be lost, and
  // nothing is left to repair. It must have later records: what was lost since the repair comes after all of them.
  std::string repair_without(const VerifyFeed::Jump& jump, const VerifyFeed& noted) const {
    const auto root = store_.roots().directories().find(jump.log.root);
    const SessionRescue* const rescue = layout_.rescue();
    if (root == store_.roots().directories().end() || root->second == nullptr || rescue == nullptr) return {};
    const auto kept = kept_damaged(*root->second, jump.log.path);
    if (!kept) return {};
    DirectoryFeed feed(context_, store_.roots().directories());
    bool there = false, later = false;
    const auto read = feed.records({jump.log.root, *kept}, {}, [&](const FeedRecord& record) {
      const auto number = rescue->number_of(JsonView(record.bytes));
      // The log may have others of these numbers elsewhere.
      there =
          there || (number && *number >= jump.first && *number <= jump.last && !noted.has_number(jump.log, *number));
      later = later || (number && *number > jump.last);
      return !there;
    });
    return read && !there && later ? *kept : std::string();
  }

  Result<void> tell(const SessionRef& ref, SessionCheck checked) {
    ++report_.sessions;
    if (checked.stopped) return fail(*checked.stopped);
    tell_all(ref.name(), std::move(checked.found));
    for (const auto& [place, fingerprint] : checked.files) {
      if (place.path.contains(ref.id)) changed_[ref.id] = std::max(changed_[ref.id], fingerprint.mtime_ns);
    }
    take_files(checked.files);
    report_.records += checked.records;
    HOLDFAST_TRY(check_checksums(checked.logs, ref));
    return keep_row(ref, std::move(checked.row));
  }

  // Finds what parsing cannot see, in files that Holdfast wrote itself.
  Result<void> check_checksums(const std::set<Place>& logs, const SessionRef& ref) {
    if (!layout_.writable()) return {};
    std::set<Place> written = logs;
    written.insert(ref.place);
    for (const Place& log : written) {
      const auto root = store_.roots().root(log.root);
      const auto sums = root ? (*root)->directory().stat(side_car_path(**root, log.path)) : fail(root.error());
      if (!sums || sums->size == 0) continue;
      const auto there = (*root)->directory().stat(log.path);
      if (!there && there.error().code == Code::not_found) {
        add(ref.name(), {log.path, 0, 0, "missing_log", "messages were written here, and the file is gone"}, true);
        continue;
      }
      auto report = verify_checksums(context_, **root, log.path);
      if (!report && was_stopped(report.error())) return fail(report.error());
      if (!report) continue;
      for (const Finding& finding : report->findings) add(ref.name(), finding, finding.kind == "checksum");
    }
    return {};
  }

  // Sessions that nothing lists.
  Result<void> check_lost_sessions() {
    if (layout_.rescue() == nullptr) return {};
    DirectoryFeed feed(context_, store_.roots().directories());
    HOLDFAST_TRY(layout_.rescue()->report_lost_sessions(feed));
    tell_all({}, found_in(feed));
    return {};
  }

  // Logs with nothing else of their session left.
  Result<void> check_lost_logs() {
    HOLDFAST_LET(lost, lost_logs(store_));
    for (const Place& log : lost) {
      if (std::ranges::any_of(report_.damage, [&](const VerifyFinding& told) { return told.found.file == log.path; }))
        continue;
      const std::string_view folder = std::string_view(log.path).substr(0, log.path.rfind('/'));
      add(folder.substr(folder.rfind('/') + 1),
          {log.path, 0, 0, "missing_log", "messages were written here, and the file is gone"}, true);
    }
    return {};
  }

  Result<void> keep_row(const SessionRef& ref, Session row) {
    row.id = ref.id;
    row.path = ref.place.path;
    row.store = store_.name();
    if (row.parent) parents_.emplace_back(ref, *row.parent);
    if (row.parent && row.parent->kind == ParentKind::fork) HOLDFAST_TRY(check_history(ref));
    if (std::string group = index_group(layout_, ref); !group.empty()) groups_[group].push_back(std::move(row));
    return {};
  }

  // The history that a fork only refers to.
  Result<void> check_history(const SessionRef& ref) {
    DirectoryFeed feed(context_, store_.roots().directories());
    Deaf nobody;
    const auto read = layout_.read(feed, ref, {.history = true, .whole = false}, nobody);
    if (!read && was_stopped(read.error())) return fail(read.error());
    for (Finding& finding : findings_of(feed)) {
      if (finding.kind != "missing_parent" && finding.kind != "circular_history") continue;
      lost_history_.insert(ref.name());
      add(ref.name(), std::move(finding), true);
    }
    return {};
  }

  void check_parents() {
    for (const auto& [ref, parent] : parents_) {
      if (ids_.contains(parent.id) || lost_history_.contains(ref.name())) continue;
      add(ref.name(),
          {ref.place.path, 0, 0, "missing_parent",
           "the session " + parent.id + " that it came from is missing; its own messages are intact"},
          false);
    }
  }

  // Adds nothing about files that the sessions have already reported.
  Result<void> check_records() {
    HOLDFAST_LET(records, record_findings(context_, store_));
    for (RecordFinding& one : records.found) {
      const bool known = std::ranges::any_of(report_.damage, [&](const VerifyFinding& told) {
        return told.store == store_.name() && told.found.file == one.found.file;
      });
      if (!known) add({}, std::move(one.found), one.damage);
    }
    take_files(records.files);
    report_.records += records.records;
    return {};
  }

  // Whether the file, or one of these sessions, was written a moment ago: somebody may be working.
  bool is_written(std::span<const IndexFinding> found) const {
    constexpr std::int64_t kMoment = 10'000'000'000;  // ns
    const std::int64_t now = unix_ns(std::chrono::system_clock::now());
    const auto is_new = [&](const Place& place) {
      const auto root = store_.roots().root(place.root);
      const auto stat = root ? (*root)->directory().stat(place.path) : fail(root.error());
      return stat && stat->mtime_ns > now - kMoment;
    };
    return std::ranges::any_of(found, [&](const IndexFinding& one) {
      if (one.kind != "index_lies") return false;
      const auto ref = std::ranges::find(refs_, one.session, &SessionRef::id);
      return is_new(one.file) || (ref != refs_.end() && is_new(ref->place));
    });
  }

  // An index follows its sessions within 250 ms (decision 13), and the sessions were read before it, so it may
  // be behind or ahead while somebody works. Drops findings that do not last.
  Result<void> leave_out_passing(std::vector<IndexFinding>& found) const {
    constexpr int kLooksAgain = 8;
    const auto lies = [](const IndexFinding& one) { return one.kind == "index_lies"; };
    for (int look = 0; look < kLooksAgain && std::ranges::any_of(found, lies); ++look) {
      if (look == 0 && !is_written(found)) return {};
      context_.clock->sleep(std::chrono::milliseconds(250));
      HOLDFAST_TRY(context_.check());
      DirectoryFeed feed(context_, store_.roots().directories());
      std::set<std::string, std::less<>> ids;
      LenientFeed finding(feed);
      HOLDFAST_TRY(layout_.find(finding, [&](SessionRef ref) {
        ids.insert(std::move(ref.id));
        return true;
      }));
      std::vector<IndexFinding> left;
      for (IndexFinding& one : found) {
        const auto still = lies(one) ? is_still_wrong(*layout_.index_files(), feed, one, ids) : Result<bool>(true);
        if (!still && was_stopped(still.error())) return fail(still.error());
        if (!still || *still) left.push_back(std::move(one));
      }
      found = std::move(left);
    }
    return {};
  }

  // Whether the session that the index does not list was changed after the index was written: a writer that was killed
  // leaves it like that.
  bool lags(const IndexFinding& finding, const std::map<Place, Fingerprint>& files) const {
    if (finding.kind != "index_lies" || finding.named) return false;
    const auto index = files.find(finding.file);
    const auto session = changed_.find(finding.session);
    return index != files.end() && session != changed_.end() && session->second > index->second.mtime_ns;
  }

  Result<void> check_indexes() {
    Root& root = *store_.roots().first();
    const bool due = root.directory().exists(root.side("index-due"));
    for (const auto& [group, rows] : groups_) {
      DirectoryFeed feed(context_, store_.roots().directories());
      auto checked = check_index(*layout_.index_files(), feed, group, rows, store_.moment(context_));
      if (!checked) {
        HOLDFAST_TRY(or_tell(fail(std::move(checked).error())));
        continue;
      }
      auto found = std::move(*checked);
      if (!due) HOLDFAST_TRY(leave_out_passing(found));
      for (IndexFinding& finding : found) {
        // An index that is due, or that its writer could not bring up to date any more, will be rebuilt by the next
        // write, and nobody trusts it until then.
        const bool behind = lags(finding, feed.read_files());
        const bool lies = finding.kind == "index_lies" && !due && !behind;
        if (behind) finding.consequence += " yet: the session is newer, and the next write there rebuilds the index";
        add({},
            {finding.file.path, 0, 0, std::string(behind ? "index_stale" : finding.kind),
             std::move(finding.consequence)},
            lies);
      }
      take_files(feed.read_files());
    }
    return {};
  }

  const Context& context_;
  FileStore& store_;
  const Layout& layout_;
  VerifyReport& report_;
  std::vector<SessionRef> refs_;
  std::set<std::string, std::less<>> ids_;
  std::set<Place> files_;
  std::set<std::string, std::less<>> shared_;  // files that hold several sessions
  std::set<std::tuple<std::string, std::uint64_t, std::string, std::string, std::string>> told_;
  std::vector<std::pair<SessionRef, Parent>> parents_;
  std::set<std::string> lost_history_;
  std::map<std::string, std::vector<Session>> groups_;
  std::map<std::string, std::int64_t> changed_;  // session -> when its own files were last written, in ns
};

}  // namespace

bool is_unreadable_code(std::string_view code) {
  return code == code_name(Code::permission_denied) || code == code_name(Code::io_error) ||
         code == code_name(Code::storage_unavailable);
}

Result<void> verify_store(const Context& context, Store& store, std::string_view id, VerifyReport& report) {
  HOLDFAST_LET(engine, engine_of(store));
  StoreCheck check(context, *engine, report);
  return id.empty() ? check.all() : check.one(id);
}

Result<VerifyReport> verify_stores(const Context& context, std::span<const std::shared_ptr<Store>> stores) {
  VerifyReport report;
  for (const std::shared_ptr<Store>& store : stores) HOLDFAST_TRY(verify_store(context, *store, {}, report));
  return report;
}

}  // namespace holdfast::inline v1
