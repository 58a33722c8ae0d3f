#include "archive/rewrite_archive.h"

#include <holdfast/log_reader.h>

#include <algorithm>
#include <map>

#include "archive/folding.h"
#include "archive/log_lines.h"
#include "archive/lost_lines.h"
#include "base/safe_name.h"
#include "base/sort_stably.h"
#include "base/time.h"
#include "base/utf8.h"
#include "layout/belongings.h"
#include "layout/layout.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {

namespace {

// A list of files that could be read when the archive was opened is not given up because it cannot be read now.
Result<void> note_needed(ArchiveWriter& writer, const CaptureLine& line, std::unordered_set<std::string>& needed) {
  auto noted = note_names(line, writer.packs(), needed);
  if (!noted && writer.state().findings.empty()) return noted;
  return {};
}

}  // namespace

Result<void> check_captures_are_whole(const CaptureState& state) {
  if (state.findings.empty()) return {};
  return fail(Code::corrupt,
              counted(state.findings.size(), "place") + " of the log cannot be read (" +
                  state.findings.front().consequence +
                  "), and what is named there is not known; holdfast archive run sets damaged lines aside; if a pack "
                  "is missing, put it back, or give up what needs it with holdfast archive compact --drop-unnamed",
              std::string(kCaptureLog));
}

Result<Rewritten> drop_sessions(const Context& context, ArchiveWriter& writer, const std::set<CaptureKey>& sessions) {
  HOLDFAST_LET(lines, log_lines(context, writer.root().directory()));
  std::vector<std::string> kept;
  std::unordered_set<std::string> needed;
  for (const LogLine& line : lines) {
    if (sessions.contains(line.read.capture.session)) continue;
    HOLDFAST_TRY(note_needed(writer, line.read, needed));
    kept.push_back(line.bytes);
  }
  return writer.replace_log(context, kept, needed);
}

Result<bool> drop_loose_bytes(const Context& context, ArchiveWriter& writer) {
  HOLDFAST_LET(lines, log_lines(context, writer.root().directory()));
  std::vector<std::string> kept;
  std::unordered_set<std::string> needed;
  for (const LogLine& line : lines) {
    HOLDFAST_TRY(note_needed(writer, line.read, needed));
    kept.push_back(line.bytes);
  }
  HOLDFAST_LET(loose, writer.has_loose_bytes(needed));
  if (loose) HOLDFAST_TRY(writer.replace_log(context, kept, needed));
  return loose;
}

namespace {

Result<Rewritten> fold_sessions(const Context& context, ArchiveWriter& writer) {
  HOLDFAST_TRY(check_captures_are_whole(writer.state()));
  HOLDFAST_LET(lines, log_lines(context, writer.root().directory()));
  std::map<CaptureKey, std::vector<const LogLine*>> sessions;
  for (const LogLine& line : lines) sessions[line.read.capture.session].push_back(&line);
  std::vector<std::pair<std::uint64_t, std::string>> made;
  for (const auto& [key, its] : sessions) {
    HOLDFAST_TRY(context.check());
    Folding folding(context, writer);
    bool whole = true;
    for (const LogLine* line : its) {
      const auto taken = folding.take(line->read);
      if (!taken && taken.error().code != Code::corrupt && taken.error().code != Code::not_found &&
          taken.error().code != Code::unsafe_path)
        return fail(taken.error());
      whole = whole && taken.has_value();
    }
    std::string one;
    if (whole) {
      HOLDFAST_LET(folded, folding.folded());
      if (folded) {
        HOLDFAST_LET(line, writer.line_of(context, *folded));
        one = std::move(line);
      }
    }
    if (!one.empty()) {
      made.emplace_back(its.back()->read.capture.number, std::move(one));
    } else {
      for (const LogLine* line : its) made.emplace_back(line->read.capture.number, line->bytes);
    }
  }
  sort_stably(made, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> kept;
  std::unordered_set<std::string> needed;
  for (auto& [number, line] : made) {
    HOLDFAST_LET(read, read_capture(line));
    HOLDFAST_TRY(note_names(read, writer.packs(), needed));
    kept.push_back(std::move(line));
  }
  return writer.replace_log(context, kept, needed);
}

}  // namespace

Result<Rewritten> compact_archive(const Context& context, ArchiveWriter& writer) {
  const PackEnd since = writer.pack_end();
  auto done = fold_sessions(context, writer);
  if (!done) writer.give_back(since, done.error());
  return done;
}

Result<void> drop_damaged_copies(const Context& context, ArchiveWriter& writer) {
  if (!writer.state().findings.empty()) return {};
  HOLDFAST_TRY(writer.commit(context));
  HOLDFAST_TRY(drop_sessions(context, writer, {}));
  return {};
}

namespace {

// Of a damaged line; empty if even that cannot be read.
std::string session_in(std::string_view bytes) {
  const auto text_of = [&](std::string_view key) {
    const std::size_t at = bytes.find(key);
    if (at == std::string_view::npos) return std::string();
    const std::string_view rest = bytes.substr(at + key.size());
    const std::string_view text = rest.substr(0, rest.find('"'));
    return is_usable_id(text) ? std::string(text) : std::string();
  };
  const std::string layout = text_of(R"("layout":")"), id = text_of(R"("session":")");
  return id.empty() ? id : (layout.empty() ? "" : layout + "/") + id;
}

std::string of_sessions(const std::set<std::string>& names) {
  constexpr std::size_t kNamed = 10;
  std::string all;
  std::size_t told = 0;
  for (const std::string& name : names) {
    if (told++ == kNamed) return all + ", …";
    all += (all.empty() ? " of " : ", ") + name;
  }
  return all;
}

}  // namespace

Result<bool> set_log_damage_aside(const Context& context, ArchiveWriter& writer, std::vector<Finding>& findings,
                                  UnreadableLists lists) {
  const std::vector<Finding>& damage = writer.state().findings;
  if (damage.empty()) return false;
  Directory& directory = writer.root().directory();
  HOLDFAST_LET(log, directory.open(kCaptureLog, OpenMode::read));
  std::set<std::uint64_t> going;
  std::set<std::string> sessions;
  std::string aside;
  for (const Finding& one : damage) {
    std::string bytes(static_cast<std::size_t>(one.length), '\0');
    HOLDFAST_LET(count, log->read_at(one.offset, bytes));
    bytes.resize(count);
    const auto line = read_capture(bytes);
    const bool chunks_lost = line && std::ranges::any_of(line->chunks, [&](const std::string& chunk) {
                               return !writer.packs().read(chunk).has_value();
                             });
    if (chunks_lost && lists == UnreadableLists::stay) return false;
    // Whole records inside damaged bytes stay.
    if (one.kind == "capture") going.insert(one.offset);
    if (std::string name = session_in(bytes); one.salvaged == 0 && !name.empty()) sessions.insert(std::move(name));
    aside += bytes;
    if (!aside.ends_with('\n')) aside += '\n';
  }
  std::vector<std::string> kept;
  HOLDFAST_LET(reader, LogReader::open(context, directory, kCaptureLog));
  Record record;
  while (true) {
    HOLDFAST_LET(more, reader.next(record));
    if (!more) break;
    if (going.contains(record.offset)) continue;
    // As it is read; its other bytes would be damage again.
    append_clean_utf8(kept.emplace_back(), record.bytes);
  }
  HOLDFAST_LET(copy,
               writer.root().quarantine(context, std::string(kCaptureLog), damage.front().offset, aside, "damaged"));
  std::unordered_set<std::string> needed;
  for (const auto& [name, place] : writer.packs().all()) needed.insert(name);
  LogEnd end = load_log_end(directory).value_or(LogEnd());
  if (end.lost_at.empty()) end.lost_at = iso8601(context.clock->now());
  HOLDFAST_TRY(save_log_end(context, writer.root(), end));
  HOLDFAST_LET(rewritten, writer.replace_log(context, kept, needed));
  findings.push_back({std::string(kCaptureLog), damage.front().offset, aside.size(), "set_aside",
                      counted(damage.size(), "damaged place") + " of the log " + (damage.size() == 1 ? "was" : "were") +
                          " removed, with captures" + of_sessions(sessions) +
                          "; what agents still have of them is captured again, and a copy is in " + copy,
                      0});
  std::ranges::move(rewritten.findings, std::back_inserter(findings));
  return true;
}

Result<bool> repeat_forgotten_in_log(const Context& context, ArchiveWriter& writer) {
  if (!writer.log_never_had_list() || !writer.state().findings.empty()) return false;
  HOLDFAST_LET(lines, log_lines(context, writer.root().directory()));
  std::vector<std::string> kept;
  for (LogLine& line : lines) kept.push_back(std::move(line.bytes));
  std::unordered_set<std::string> needed;
  for (const auto& [name, place] : writer.packs().all()) needed.insert(name);
  HOLDFAST_TRY(writer.replace_log(context, kept, needed));
  return true;
}

SessionPaths captured_paths(const CaptureKey& key, const CapturedSession& session) {
  static constexpr Belongings kNothing{};
  const Layout* const layout = find_layout(key.layout);
  const Belongings* const belongings = layout == nullptr ? nullptr : belongings_of(*layout);
  SessionPaths paths(belongings == nullptr ? kNothing : *belongings, key.id);
  for (const auto& [place, version] : session.head) paths.add_main(place.path);
  return paths;
}

std::set<CaptureKey> with_inner(const CaptureState& state, const CaptureKey& session) {
  std::set<CaptureKey> all{session};
  const Layout* const layout = find_layout(session.layout);
  const Belongings* const belongings = layout == nullptr ? nullptr : belongings_of(*layout);
  const auto known = state.sessions.find(session);
  if (belongings == nullptr || known == state.sessions.end()) return all;
  SessionPaths paths(*belongings, session.id);
  for (const auto& [place, version] : known->second.head) paths.add_main(place.path);
  for (const auto& [key, other] : state.sessions) {
    if (!other.inner || key.layout != session.layout || key.store != session.store) continue;
    const auto its = [&](const auto& file) {
      return paths.is_one(file.first.path) && !paths.is_shared(file.first.path);
    };
    if (std::ranges::any_of(other.head, its)) all.insert(key);
  }
  return all;
}

}  // namespace holdfast::inline v1
