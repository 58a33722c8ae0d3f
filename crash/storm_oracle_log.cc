#include <holdfast/append_log.h>
#include <holdfast/checksums.h>
#include <holdfast/log_reader.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "storm_oracle.h"

namespace holdfast::lab {
namespace {

const Context kContext;

}  // namespace

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  std::string bytes(static_cast<std::size_t>(file.tellg()), '\0');
  file.seekg(0);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

void LogOracle::take(const Job& job, const Message& message) {
  if (job.role == "foreign") foreign_.insert(message.stream);
  const std::uint64_t name = key({message.stream, message.number});
  if (message.kind == Kind::intent) entries_.try_emplace(name);
  if (message.kind == Kind::ack) {
    Entry& entry = entries_[name];
    entry.acked = true;
    entry.offset = message.offset;
    ++acknowledged_;
  }
  // The reader's pipe may be read before the writer's, so the intent can follow.
  if (message.kind == Kind::seen) entries_[name].seen = message.offset;
}

std::string LogOracle::tell(std::uint64_t key) const {
  return "writer " + std::to_string(key >> 24U) + (foreign_.contains(key >> 24U) ? " (foreign)" : "") + " record " +
         std::to_string(key & 0xffffff) + " of " + path_;
}

// A fragment is the beginning of a record that was intended and never acknowledged.
bool LogOracle::is_fragment(std::string_view text) const {
  return std::ranges::any_of(entries_, [&](const auto& each) {
    const RecordName name{each.first >> 24U, each.first & 0xffffff};
    return !each.second.acked && make_record(seed_, name, Profile::storm).starts_with(text);
  });
}

// Splits a line into whole records and fragments; false if some bytes are neither.
bool LogOracle::explain(std::string_view line, std::vector<Piece>& pieces) {
  while (!line.empty()) {
    const auto name = name_of(line);
    std::size_t length = 0;
    if (name) {
      const auto entry = entries_.find(key(*name));
      if (entry == entries_.end()) return false;
      const std::string record = make_record(seed_, *name, Profile::storm);
      if (line.starts_with(record)) {
        pieces.push_back({name, true});
        line.remove_prefix(record.size());
        continue;
      }
      const std::size_t limit = std::min(line.size(), record.size());
      length = static_cast<std::size_t>(
          std::mismatch(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(limit), record.begin()).first -
          line.begin());
      // The first bytes of the next piece may also match this one.
      while (length > 0 && length < line.size() && !line.substr(length).starts_with("{\"")) --length;
      if (length == 0 || entry->second.acked) return false;
    } else {
      // Cut inside its name: short, and up to the beginning of the next piece.
      const auto next = line.find("{\"w\":", 1);
      length = std::min(next, line.size());
      if (length > 60 || !is_fragment(line.substr(0, length))) return false;
    }
    pieces.push_back({name, false});
    line.remove_prefix(length);
  }
  return true;
}

void LogOracle::judge_line(Outcome& outcome, const std::string& where, std::uint64_t offset, std::string_view line) {
  std::vector<Piece> pieces;
  if (!explain(line, pieces)) {
    after_fragment_ = false;
    outcome.fail(&Outcome::altered, where + ": " + path_ + " at " + std::to_string(offset) +
                                        " holds a line that nobody wrote: " + std::string(line.substr(0, 80)));
    return;
  }
  const auto is_ours = [&](const Piece& piece) { return piece.name && !foreign_.contains(piece.name->writer); };
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!pieces[i].whole) continue;
    ++entries_[key(*pieces[i].name)].split;
    if (!is_ours(pieces[i])) continue;
    if (i == 0) figures_.prefixed += after_fragment_ ? 1 : 0;
    // None of our records follows a fragment of ours: both writers held the lock. A
    // foreign writer may die between our check of the last byte and our write.
    else if (is_ours(pieces[i - 1]) || !pieces[i - 1].name)
      outcome.fail(&Outcome::wrong, where + ": glued onto a fragment: " + tell(key(*pieces[i].name)));
    else
      ++figures_.glued_late;
  }
  after_fragment_ = !pieces.empty() && !pieces.back().whole;
  if (pieces.size() == 1 && pieces[0].whole) return;
  damaged_lines.push_back(offset);
  if (!shared_)
    outcome.fail(&Outcome::altered, where + ": a damaged line in a log of ours, " + path_ + " at " +
                                        std::to_string(offset) + ": " + std::string(line.substr(0, 80)));
}

void LogOracle::split_lines(Outcome& outcome, const std::string& where) {
  const std::string bytes = read_all(root_ + "/" + path_);
  figures_.bytes = bytes.size();
  after_fragment_ = false;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = bytes.find('\n', at);
    if (end == std::string::npos) {
      if (!shared_) outcome.fail(&Outcome::wrong, where + ": " + path_ + " does not end in a newline after an open");
      break;
    }
    if (end > at) judge_line(outcome, where, at, std::string_view(bytes).substr(at, end - at));
    at = end + 1;
  }
}

void LogOracle::read_with_library(Outcome& outcome, const std::string& where) {
  RootOptions read_only;
  read_only.write = false;
  const auto root = Root::open(kContext, real_file_system(), root_, read_only);
  if (!root) return outcome.fail(&Outcome::unopenable, where + ": " + root.error().text());
  ReadOptions how;
  how.accept_salvaged = [](std::string_view piece) { return name_of(piece).has_value(); };
  auto reader = LogReader::open(kContext, (*root)->directory(), path_, how);
  if (!reader) return outcome.fail(&Outcome::unopenable, where + ": " + reader.error().text());
  Record record;
  while (true) {
    const auto more = reader->next(record);
    if (!more) return outcome.fail(&Outcome::unopenable, where + ": " + more.error().text());
    if (!*more) break;
    ++figures_.records;
    figures_.salvaged += record.salvaged ? 1 : 0;
    const auto name = name_of(record.bytes);
    const auto entry = name ? entries_.find(key(*name)) : entries_.end();
    if (entry == entries_.end() || !is_intact(record.bytes, seed_, Profile::storm)) {
      outcome.fail(&Outcome::altered, where + ": " + path_ + " at " + std::to_string(record.offset) +
                                          " is not what was written: " + std::string(record.bytes.substr(0, 80)));
      continue;
    }
    if (++entry->second.found == 2) outcome.fail(&Outcome::wrong, where + ": twice: " + tell(entry->first));
    for (const auto said : {entry->second.offset, entry->second.seen})
      if (said != UINT64_MAX && said != record.offset)
        outcome.fail(&Outcome::wrong, where + ": " + tell(entry->first) + " was at " + std::to_string(said) +
                                          " and is at " + std::to_string(record.offset));
  }
  for (const auto& damage : reader->damage()) damage_.insert(damage.offset);
  figures_.damaged = reader->damage().size();
  const auto sums = verify_checksums(kContext, **root, path_);
  if (!sums) return outcome.fail(&Outcome::wrong, where + ": checksums of " + path_ + ": " + sums.error().text());
  for (const auto& finding : sums->findings)
    if (finding.kind == "checksum")
      outcome.fail(&Outcome::wrong, where + ": the side-car contradicts " + path_ + " at " +
                                        std::to_string(finding.offset) + ": " + finding.consequence);
}

void LogOracle::verify(Outcome& outcome, const std::string& where) {
  outcome.acknowledged += acknowledged_;
  RootOptions options;
  options.create = true;
  auto root = Root::open(kContext, real_file_system(), root_, options);
  if (!root) return outcome.fail(&Outcome::unopenable, where + ": " + root.error().text());
  LogOptions how;
  how.mode = shared_ ? LogMode::shared : LogMode::ours;
  if (auto log = AppendLog::open(kContext, *root, path_, how); !log)
    return outcome.fail(&Outcome::unopenable, where + ": " + log.error().text());
  figures_ = {};
  damage_.clear();
  damaged_lines.clear();
  read_with_library(outcome, where);
  split_lines(outcome, where);
  for (const auto& [name, entry] : entries_) {
    if (entry.acked && entry.found == 0)
      outcome.fail(&Outcome::lost, where + ": acknowledged and gone: " + tell(name));
    else if (entry.seen != UINT64_MAX && entry.found == 0)
      outcome.fail(&Outcome::altered, where + ": once readable and gone: " + tell(name));
    if (entry.found != entry.split)
      outcome.fail(&Outcome::wrong, where + ": LogReader found " + tell(name) + " " + std::to_string(entry.found) +
                                        " times, a line splitter " + std::to_string(entry.split));
  }
  // Both readers must report the same damage. A torn last line is not damage yet.
  if (!std::ranges::equal(damage_, std::set(damaged_lines.begin(), damaged_lines.end())))
    outcome.fail(&Outcome::wrong, where + ": LogReader reports " + std::to_string(damage_.size()) +
                                      " damaged places in " + path_ + ", a line splitter " +
                                      std::to_string(damaged_lines.size()));
  // With the newline prefix this is a race of microseconds.
  if (figures_.glued_late > 3 && figures_.glued_late * 3 > figures_.prefixed)
    outcome.fail(&Outcome::wrong, where + ": " + std::to_string(figures_.glued_late) + " of our lines in " + path_ +
                                      " are glued onto foreign fragments");
}

}  // namespace holdfast::lab
