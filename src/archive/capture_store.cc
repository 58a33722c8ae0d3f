#include "archive/capture_store.h"

#include <algorithm>
#include <set>

#include "archive/capture_file.h"
#include "archive/skipped_sessions.h"
#include "base/damaged_database.h"
#include "base/hash.h"
#include "base/safe_name.h"
#include "base/time.h"
#include "base/utf8.h"
#include "disk/free_space.h"
#include "disk/resolve.h"
#include "layout/belongings.h"
#include "layout/serialized_rows.h"
#include "layout/table_salvager.h"
#include "layout/title_file.h"
#include "store/engine.h"
#include "store/projects.h"
#include "store/session_rows.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxText = 300;    // of a title, in the log
constexpr std::uint64_t kMaxNamed = 10;  // sessions that do not fit
constexpr std::uint64_t kLookAtSpace = std::uint64_t{16} << 20;

std::string_view cut_text(std::string_view text) {
  if (text.size() <= kMaxText) return text;
  std::size_t end = kMaxText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

std::int64_t to_ns(std::string_view iso) {
  const auto time = parse_iso8601(iso);
  return time ? unix_ns(*time) : 0;
}

bool is_equal(const FileVersion& a, const FileVersion& b) {
  return a.size == b.size && a.mode == b.mode && a.mtime_ns == b.mtime_ns && a.ctime_ns == b.ctime_ns &&
         a.inode == b.inode && a.blocks == b.blocks && a.worse == b.worse && a.gone == b.gone && a.holed == b.holed;
}

struct OneSession {
  std::vector<SessionRef> refs;
  const SessionRow* row = nullptr;  // nullptr if it could not be read
  bool inner = true;
  bool excluded = false;  // by the rules

  std::string_view updated_at() const { return row == nullptr ? std::string_view() : row->head.row.updated_at; }
};

class StoreCapture {
 public:
  StoreCapture(const Context& context, FileStore& store, ArchiveWriter& writer, const ArchiveRules& rules,
               CaptureReport& report)
      : context_(context),
        store_(store),
        writer_(writer),
        rules_(rules),
        report_(report),
        belongings_(*belongings_of(store.layout())),
        rows_(belongings_.rows == nullptr ? nullptr : &belongings_.rows()),
        listing_(store),
        feed_(store.looking(context)) {}

  Result<void> run(const std::function<void(const CaptureReport&)>& progress) {
    HOLDFAST_TRY(find());
    std::uint64_t in_database = 0;
    for (const bool inner : {false, true}) {
      for (const auto& [id, session] : sessions_) {
        if (session.inner != inner) continue;
        HOLDFAST_TRY(context_.check());
        HOLDFAST_LET(room, has_room());
        if (!room) return {};
        const WriterMark mark = writer_.mark();
        const Counts counts{report_.captured, report_.files, report_.bytes, report_.gone};
        auto kept = one(id, session);
        if (!kept && kept.error().code == Code::disk_full)
          HOLDFAST_TRY(leave_out(id, mark, counts, kept.error()));
        else if (!kept)
          return fail(std::move(kept).error());
        else if (!*kept)
          ++in_database;
        if (progress) progress(report_);
      }
    }
    std::set<Place> unread = listing_.unlisted();
    for (const PlacedFinding& finding : feed_.findings()) {
      if (finding.kind == code_name(Code::permission_denied)) unread.insert(finding.place);
    }
    for (const Place& place : unread) {
      report_.missed = true;
      report_.findings.push_back({place.path, 0, 0, std::string(code_name(Code::permission_denied)),
                                  "cannot be listed; what is in it is left out", 0});
    }
    if (in_database > 0) report_.left_out.push_back({store_.name(), in_database, "its files are not known"});
    return {};
  }

 private:
  struct Counts {
    std::uint64_t captured, files, bytes, gone;
  };

  // Gives back what a session took that does not fit on the disk; smaller ones may. Fails if nothing more can be
  // written.
  Result<void> leave_out(const std::string& id, const WriterMark& mark, const Counts& counts, const Error& error) {
    if (!writer_.go_back(mark)) return fail(error);
    report_.captured = counts.captured;
    report_.files = counts.files;
    report_.bytes = counts.bytes;
    report_.gone = counts.gone;
    taken_.insert(places_.begin(), places_.end());  // transcripts of its sub-agents wait for it
    if (++report_.no_room <= kMaxNamed)
      report_.findings.push_back({std::string(store_.layout_name()) + "/" + id, 0, 0,
                                  std::string(code_name(error.code)),
                                  error.message + "; what is new in this session is not captured", 0});
    // The lines of the others, while there is space for them.
    return writer_.commit(context_);
  }

  Result<void> read_rows() {
    SessionFilter all;
    all.inner = true;
    HOLDFAST_LET(rows, store_.rows(context_, all));
    rows_of_store_ = std::move(rows);
    return {};
  }

  // Collects sessions by id: files of one session in two places belong together.
  Result<void> find() {
    HOLDFAST_TRY(read_rows());
    std::vector<Finding> findings;
    HOLDFAST_LET(refs, listing_.find(context_, findings));
    for (const Place& place : listing_.special()) {
      if (is_main_name(belongings_, place.path)) miss(place, not_plain_file());
    }
    for (Finding& finding : findings) {
      report_.missed = report_.missed || finding.kind == code_name(Code::permission_denied);
      report_.findings.push_back(std::move(finding));
    }
    std::set<std::string, std::less<>> ids;
    for (const SessionRef& ref : refs) ids.insert(ref.id);
    // A session that appeared in between may be excluded. What has no row then cannot be read.
    std::set<std::string_view> known_ids;
    for (const SessionRow& row : rows_of_store_.all) known_ids.insert(row.found.id);
    if (!std::ranges::includes(known_ids, ids)) HOLDFAST_TRY(read_rows());
    for (const Place& place : replaced_files(store_, belongings_, rules_, writer_.state(), ids, &listing_))
      miss(place, not_plain_file());
    for (SessionRef& ref : refs) {
      OneSession& session = sessions_[ref.id];
      session.inner = session.inner && ref.inner;
      session.refs.push_back(std::move(ref));
    }
    std::map<std::string_view, bool> excluded;  // by project
    for (const SessionRow& row : rows_of_store_.all) {
      const auto known = sessions_.find(row.found.id);
      if (known == sessions_.end()) continue;
      const auto [project, is_new] = excluded.try_emplace(row.head.row.project);
      if (is_new) project->second = is_excluded(rules_, store_.layout_name(), project->first);
      known->second.excluded = known->second.excluded || project->second;
      if (row.head.row.id == row.found.id) known->second.row = &row;  // not ID@KEY: the id means a newer file
    }
    if (!belongings_.memory.empty()) choose_keepers();
    return {};
  }

  // The agent's memory of a project is captured with one session, the last, so a change of it is one line.
  void choose_keepers() {
    for (const auto& [id, session] : sessions_) {
      if (session.inner || is_left_out(id, session)) continue;
      for (const SessionRef& ref : session.refs) {
        SessionPaths paths(belongings_, id);
        if (!paths.add_main(ref.place.path) || paths.project_folder().empty()) continue;
        auto& keeper = keepers_[paths.project_folder()];
        if (keeper.second == nullptr || sessions_.at(keeper.first).updated_at() <= session.updated_at())
          keeper = {id, &ref};
      }
    }
  }

  bool is_left_out(const std::string& id, const OneSession& session) const {
    return session.excluded || writer_.forgotten().contains(key_of(id));
  }

  CaptureKey key_of(const std::string& id) const {
    return {std::string(store_.layout_name()), store_root(store_.name()), id};
  }

  Result<bool> has_room() {
    if (writer_.bytes_written() < looked_at_ + kLookAtSpace && looked_at_ != 0) return true;
    looked_at_ = std::max<std::uint64_t>(writer_.bytes_written(), 1);
    HOLDFAST_LET(free, free_bytes_at(store_.file_system(), writer_.path()));
    report_.out_of_space = free < rules_.min_free;
    return !report_.out_of_space;
  }

  // Returns false if the session has no file of its own.
  Result<bool> one(const std::string& id, const OneSession& session) {
    std::vector<Place> places;
    std::map<Place, const SessionRef*> spelled;
    mains_.clear();
    for (const SessionRef& ref : session.refs) {
      mains_.push_back(ref.place);
      HOLDFAST_LET(files, files_of_session(context_, belongings_, listing_, ref));
      if (const auto place = rows_ == nullptr ? std::nullopt : rows_->place(ref)) {
        spelled.emplace(*place, &ref);
        files.insert(files.begin(), *place);
      }
      for (Place& place : files) {
        if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
      }
    }
    // A sub-agent's transcript is excluded, forgotten or captured with its session, and then not counted itself.
    const CaptureKey key = key_of(id);
    const auto is_in = [&](const std::set<Place>& out) {
      return session.inner && std::ranges::any_of(places, [&](const Place& place) { return out.contains(place); });
    };
    if (is_in(forgotten_) || is_in(excluded_)) return true;
    if (const bool forgotten = writer_.forgotten().contains(key); forgotten || is_left_out(id, session)) {
      ++report_.sessions;
      ++(forgotten ? report_.forgotten : report_.excluded);
      (forgotten ? forgotten_ : excluded_).insert(places.begin(), places.end());
      return true;
    }
    if (places.empty()) {
      ++report_.sessions;
      const auto named_badly =
          std::ranges::find_if(session.refs, [](const SessionRef& ref) { return name_fault(ref).has_value(); });
      if (named_badly == session.refs.end()) return false;
      miss(named_badly->place, *name_fault(*named_badly));
      return true;
    }
    for (const auto& [place, ref] : spelled) {
      auto files = rows_->files(feed_, *ref);
      if (files) std::ranges::move(*files, std::back_inserter(places));
    }
    if (session.inner && std::ranges::all_of(places, [&](const Place& place) { return taken_.contains(place); }))
      return true;
    ++report_.sessions;
    Capture capture;
    capture.session = key;
    capture.inner = session.inner;
    capture.at = iso8601(context_.clock->now());
    const auto known = writer_.state().sessions.find(capture.session);
    const CapturedSession* const before = known == writer_.state().sessions.end() ? nullptr : &known->second;
    HOLDFAST_TRY(add_named(session, before, places));
    HOLDFAST_TRY(add_memory(id, session, before, places));
    add_special(id, session, places);
    places_ = places;
    std::set<Place> there;
    unread_.clear();
    news_ = false;
    for (const Place& place : places) {
      const auto rows = spelled.find(place);
      HOLDFAST_LET(found, rows == spelled.end() ? file(place, before, capture)
                                                : row_file(place, *rows->second, before, capture));
      if (found) there.insert(place);
    }
    if (before != nullptr) HOLDFAST_TRY(note_compressed(*before, there, capture));
    if (before != nullptr) note_gone(*before, there, capture);
    taken_.insert(there.begin(), there.end());
    const bool renamed = is_renamed(before, session);
    if (capture.files.empty() && !renamed) return true;
    if (session.row != nullptr) capture.row = captured_row(session.row->session(), rules_);
    news_ = news_ || renamed;
    if (news_) ++report_.captured;
    HOLDFAST_TRY(writer_.add(context_, std::move(capture)));
    return true;
  }

  // A title in a file beside all sessions changes no file of the session.
  bool is_renamed(const CapturedSession* before, const OneSession& session) const {
    if (before == nullptr || is_holed(*before) || title_file_of(store_.layout_name()) == nullptr) return false;
    const std::string title = session.row == nullptr ? std::string() : session.row->session().title;
    return cut_text(title) != JsonView(before->row).find("title").as_string().value_or("");
  }

  // Adds files that the log names. If the log is unchanged, these are the known ones.
  Result<void> add_named(const OneSession& session, const CapturedSession* before, std::vector<Place>& places) {
    if (belongings_.named == nullptr) return {};
    const auto add = [&](const Place& place) {
      if (std::ranges::find(places, place) == places.end()) places.push_back(place);
    };
    for (const SessionRef& ref : session.refs) {
      const FileVersion* const last = known(ref.place, before).first;
      const auto root = store_.roots().directories().find(ref.place.root);
      const auto now = root == store_.roots().directories().end() || root->second == nullptr
                           ? Result<FileStat>(fail(Code::not_found, "no root"))
                           : root->second->stat_to_read(ref.place.path);
      if (last != nullptr && now && is_same_file(*last, *now, to_ns(before->at))) {
        for (const auto& [place, version] : before->last) {
          if (!version->gone) add(place);
        }
        continue;
      }
      const auto named = belongings_.named(feed_, ref);
      if (!named) continue;  // errors of the log are reported when it is captured
      for (const Place& place : *named) add(place);
    }
    return {};
  }

  // Adds the memory of its projects if this session keeps it. If it kept the memory before, the captured files stay.
  Result<void> add_memory(const std::string& id, const OneSession& session, const CapturedSession* before,
                          std::vector<Place>& places) {
    others_memory_.clear();
    if (belongings_.memory.empty()) return {};
    std::set<Place> own;
    for (const auto& [folder, keeper] : keepers_) {
      if (keeper.first != id) continue;
      HOLDFAST_LET(found, memory_beside(context_, belongings_, listing_, *keeper.second));
      own.insert(found.begin(), found.end());
    }
    SessionPaths paths(belongings_, id);
    for (const SessionRef& ref : session.refs) paths.add_main(ref.place.path);
    const bool keeps = std::ranges::any_of(keepers_, [&](const auto& one) { return one.second.first == id; });
    std::erase_if(places, [&](const Place& place) { return paths.is_memory(place.path); });
    std::ranges::copy(own, std::back_inserter(places));
    if (before == nullptr || keeps) return {};
    for (const auto& [place, version] : before->last) {
      if (paths.is_memory(place.path)) others_memory_.insert(place);
    }
    return {};
  }

  // Adds what no reader lists, such as a FIFO, so that it is reported.
  void add_special(const std::string& id, const OneSession& session, std::vector<Place>& places) const {
    if (listing_.special().empty()) return;
    SessionPaths paths(belongings_, id);
    for (const SessionRef& ref : session.refs) paths.add_main(ref.place.path);
    for (const Place& place : listing_.special()) {
      if (paths.is_one(place.path) && std::ranges::find(places, place) == places.end()) places.push_back(place);
    }
  }

  void miss(const Place& place, const Error& error) {
    report_.missed = true;
    unread_.insert(place);
    // Several sessions may have files behind one link.
    if (!told_.emplace(place, error.message).second) return;
    report_.findings.push_back(not_captured(place, error));
  }

  static std::pair<const FileVersion*, const FileVersion*> known(const Place& place, const CapturedSession* before) {
    const FileVersion *last = nullptr, *shown = nullptr;
    if (before != nullptr) {
      if (const auto found = before->last.find(place); found != before->last.end()) last = found->second.get();
      if (const auto found = before->head.find(place); found != before->head.end()) shown = found->second.get();
    }
    return {last, shown};
  }

  // Errors of the archive end the run; errors of reading do not have these codes.
  static bool ends_all(Code code) {
    return code == Code::cancelled || code == Code::deadline_exceeded || code == Code::disk_full ||
           code == Code::poisoned || code == Code::durability_unknown || code == Code::read_only;
  }

  void note(const Place& place, FileVersion version, const FileVersion* last, Capture& capture) {
    FileChange change{place, std::make_shared<FileVersion>(std::move(version))};
    if (last != nullptr) {
      const auto& now = change.version->blocks;
      const auto& was = last->blocks;
      while (change.keep < std::min(now.size(), was.size()) && now[change.keep] == was[change.keep]) ++change.keep;
    }
    // A file that was captured too soon after a change is checked once more; that is not a change.
    if (last == nullptr || !is_equal(*last, *change.version)) {
      news_ = true;
      ++report_.files;
      report_.bytes += change.version->size;
    }
    capture.files.push_back(std::move(change));
  }

  // Keeps what the layout reports about a damaged database while reading a session, unless nothing was lost.
  bool note_lost_rows(const SessionRef& ref, std::size_t told) {
    bool damaged = false;
    for (const auto& findings = feed_.findings(); told < findings.size(); ++told) {
      const PlacedFinding& one = findings[told];
      if (one.place != ref.place || one.kind != code_name(Code::corrupt)) continue;
      damaged = true;
      if (says_nothing_lost(one.consequence)) continue;
      report_.missed = true;
      report_.findings.push_back({ref.place.path, 0, 0, one.kind,
                                  "session " + ref.id + ": " + one.consequence + "; what can be read is captured", 0});
    }
    return damaged;
  }

  // Captures rows of a database, as the layout writes them. Returns true if they exist.
  Result<bool> row_file(const Place& place, const SessionRef& ref, const CapturedSession* before, Capture& capture) {
    const auto [last, shown] = known(place, before);
    FileVersion version;
    const std::size_t told = feed_.findings().size();
    const auto spell = [&, was = last]() -> Result<bool> {
      auto mark = rows_->mark(feed_, ref);
      if (!mark && !is_damaged_pages_error(mark.error())) return fail(std::move(mark).error());
      version.inode = !mark || mark->empty() ? 0 : xxh3_64(*mark, 0) >> 1U;
      if (was != nullptr && !was->gone && version.inode != 0 && was->inode == version.inode &&
          !writer_.is_damaged(*was))
        return false;
      BlockMaker blocks(context_, writer_, version);
      HOLDFAST_TRY(rows_->spell(feed_, ref, [&](std::string_view bytes) { return blocks.add(bytes); }));
      HOLDFAST_TRY(blocks.end());
      return true;
    };
    const auto spelled = spell();
    if (!spelled && ends_all(spelled.error().code)) return fail(spelled.error());
    if (!spelled) {
      Error error = spelled.error();
      error.message = "session " + ref.id + ": " + error.message;
      miss(ref.place, error);
    }
    if (!spelled || !*spelled) return true;
    const bool damaged = note_lost_rows(ref, told);
    if (damaged) version.inode = 0;         // the next run looks again, whatever the mark is
    if (version.size == 0) return damaged;  // gone by now, unless damage hides it
    // Without a mark, only the bytes show whether the rows are new.
    if (version.inode == 0 && last != nullptr && !last->gone && last->blocks == version.blocks &&
        last->holed == version.holed && !writer_.is_damaged(*last))
      return true;
    if (damaged) {
      HOLDFAST_LET(worse, only_lost_rows(writer_, version, shown));
      version.worse = worse;
    }
    version.mode = 0600;
    version.mtime_ns = version.ctime_ns = to_ns(capture.at);
    note(place, std::move(version), last, capture);
    return true;
  }

  // The agent follows links on the way to the session's main file; below that, no link is followed.
  Result<void> check_way(const Place& place) {
    for (std::size_t slash = place.path.find('/'); slash != std::string::npos;
         slash = place.path.find('/', slash + 1)) {
      const std::string folder = place.path.substr(0, slash);
      const auto leads = [&](const Place& main) { return main.path.starts_with(folder + "/"); };
      if (std::ranges::any_of(mains_, leads)) continue;
      if (listing_.is_no_folder({place.root, folder}))
        return fail(Code::unsafe_path, "behind a link; links are not followed", folder);
    }
    return {};
  }

  // Returns true if the file exists. A problem with one file does not stop the others.
  Result<bool> file(const Place& place, const CapturedSession* before, Capture& capture) {
    const auto root = store_.roots().directories().find(place.root);
    if (root == store_.roots().directories().end() || root->second == nullptr) return false;
    if (!is_utf8(place.path)) {
      miss(place, {Code::unsupported, "its name is not UTF-8", place.path, 0});
      return true;
    }
    const auto [last, shown] = known(place, before);
    if (const auto way = check_way(place); !way) {
      miss(place, way.error());
      return true;
    }
    if (last != nullptr && !last->gone) {
      if (is_settled(*last, to_ns(before->at)) && listing_.is_unchanged(place, *last) && !writer_.is_damaged(*last))
        return true;
      const auto now = root->second->stat(place.path);
      if (now && now->kind == FileKind::file && is_same_file(*last, *now, to_ns(before->at)) &&
          !writer_.is_damaged(*last))
        return true;
    }
    auto made = capture_file(context_, writer_, *root->second, place.path, last, shown);
    if (!made) {
      if (ends_all(made.error().code)) return fail(std::move(made).error());
      miss(place, made.error());
      return true;
    }
    if (!*made) return false;
    // Judged by another file (note_compressed), it is what it was.
    if (last != nullptr && shown == nullptr && last->blocks == (*made)->blocks) (*made)->worse = last->worse;
    note(place, std::move(**made), last, capture);
    return true;
  }

  // A file in a directory that cannot be read, or is a link by now, is not gone. Rows of a database have no file.
  bool is_gone(const Place& place) {
    const auto hides = [&](const Place& unread) {
      return unread.root == place.root && place.path.starts_with(unread.path + "/");
    };
    if (std::ranges::any_of(unread_, hides)) return false;
    const auto root = store_.roots().directories().find(place.root);
    if (root == store_.roots().directories().end() || root->second == nullptr) return true;
    const auto stat = root->second->stat(place.path);
    if (stat || stat.error().code != Code::permission_denied) return true;
    miss(place, stat.error());
    return false;
  }

  // If a log has become NAME.zst, only one of the two is shown and restored: the compressed one, unless it is damaged.
  Result<void> note_compressed(const CapturedSession& before, const std::set<Place>& there, Capture& capture) {
    constexpr std::string_view kEnd = ".zst";
    for (const auto& [log, version] : before.head) {
      const Place packed{log.root, log.path + std::string(kEnd)};
      if (there.contains(log) || !there.contains(packed)) continue;
      const auto fresh = std::ranges::find(capture.files, packed, &FileChange::place);
      const auto known = before.last.find(packed);
      const bool is_new = fresh != capture.files.end() && fresh->version != nullptr;
      if (!is_new && (known == before.last.end() || known->second->worse)) continue;
      FileVersion now = is_new ? *fresh->version : *known->second;
      const auto log_in_it = compare_compressed(writer_, now, *version);
      if (!log_in_it && (log_in_it.error().code == Code::corrupt || log_in_it.error().code == Code::not_found))
        continue;
      HOLDFAST_TRY(log_in_it);
      now.worse = !log_in_it->whole;
      now.lacks = log_in_it->lacks > 0 ? log_in_it->lacks : version->lacks;
      if (is_new)
        fresh->version = std::make_shared<FileVersion>(std::move(now));
      else if (now.worse)  // it was captured while the log was there
        note(packed, std::move(now), known->second.get(), capture);
      if (log_in_it->whole) capture.files.push_back({.place = log, .version = nullptr, .keep = 0, .moved = true});
    }
    return {};
  }

  // A removed file stays among the restored ones, unless the same file has another name now.
  void note_gone(const CapturedSession& before, const std::set<Place>& there, Capture& capture) {
    for (const auto& [place, version] : before.last) {
      const bool is_moved =
          std::ranges::any_of(capture.files, [&](const FileChange& file) { return file.moved && file.place == place; });
      if (there.contains(place) || version->gone || is_moved || others_memory_.contains(place) || !is_gone(place))
        continue;
      const std::string_view name = std::string_view(place.path).substr(place.path.rfind('/') + 1);
      const bool moved = std::ranges::any_of(there, [&](const Place& other) {
        return !before.last.contains(other) && std::string_view(other.path).substr(other.path.rfind('/') + 1) == name;
      });
      if (moved) {
        capture.files.push_back({.place = place, .version = nullptr, .keep = 0, .moved = true});
        continue;
      }
      // A damaged NAME.zst beside its log is not shown.
      const auto shown = before.head.find(place);
      auto gone = std::make_shared<FileVersion>(shown == before.head.end() ? *version : *shown->second);
      gone->gone = true;
      ++report_.gone;
      std::size_t keep = 0;
      while (keep < std::min(gone->blocks.size(), version->blocks.size()) &&
             gone->blocks[keep] == version->blocks[keep])
        ++keep;
      capture.files.push_back({place, std::move(gone), keep, false});
    }
  }

  const Context& context_;
  FileStore& store_;
  ArchiveWriter& writer_;
  const ArchiveRules& rules_;
  CaptureReport& report_;
  const Belongings& belongings_;
  const SerializedRows* const rows_;
  SessionRows rows_of_store_;
  StoreListing listing_;
  DirectoryFeed feed_;
  std::map<std::string, OneSession, std::less<>> sessions_;
  std::set<Place> taken_, excluded_, forgotten_;
  std::map<std::string, std::pair<std::string, const SessionRef*>> keepers_;  // of memory, by folder
  std::set<Place> others_memory_;  // kept by this session before, by another one now
  std::vector<Place> mains_;       // main files of the session that is being captured
  std::vector<Place> places_;      // all of its files
  std::set<Place> unread_;         // what could not be captured of that session
  std::set<std::pair<Place, std::string>> told_;
  std::uint64_t looked_at_ = 0;
  bool news_ = false;  // something is new in the session that is being captured
};

}  // namespace

std::string store_root(std::string_view store_name) { return std::string(store_name.substr(store_name.find(':') + 1)); }

bool is_excluded(const ArchiveRules& rules, std::string_view layout, std::string_view project) {
  return std::ranges::any_of(rules.exclude, [&](std::string_view one) {
    return one.starts_with('/') ? is_in_project(project, one, resolve_path) : one == layout;
  });
}

std::string captured_row(const Session& session, const ArchiveRules& rules) {
  JsonWriter json;
  json.begin_object().key("title").string(cut_text(session.title));
  json.key("first_prompt").string(cut_text(session.first_prompt)).key("project").string(cut_text(session.project));
  json.key("created_at").string(session.created_at).key("updated_at").string(session.updated_at);
  // Facts that only neighboring sessions or an index know. Where copies are recognized by comparing sessions, readers
  // do that again.
  const bool told = session.lineage == Lineage();
  if (told && session.parent) {
    json.key("parent").begin_object().key("id").string(session.parent->id);
    json.key("kind").string(parent_kind_name(session.parent->kind));
    if (!session.parent->message.empty()) json.key("message").string(session.parent->message);
    json.end_object();
  }
  if (told && session.subagents > 0) json.key("subagents").int64(session.subagents);
  if (const auto source = rules.sources.find({session.layout, session.id}); source != rules.sources.end())
    json.key("handed_off_from").raw(source->second);
  return json.end_object().take();
}

Result<void> capture_store(const Context& context, Store& store, ArchiveWriter& writer, const ArchiveRules& rules,
                           CaptureReport& report, const std::function<void(const CaptureReport&)>& progress) {
  auto* const engine = engine_or_null(store);
  if (engine == nullptr || is_excluded(rules, store.layout_name(), {})) return {};
  if (belongings_of(engine->layout()) == nullptr) {
    std::vector<Finding> ignored;
    HOLDFAST_LET(refs, engine->find_all(context, ignored));
    if (!refs.empty()) report.left_out.push_back(without_files(*engine, refs.size()));
    return {};
  }
  return StoreCapture(context, *engine, writer, rules, report).run(progress);
}

}  // namespace holdfast::inline v1
