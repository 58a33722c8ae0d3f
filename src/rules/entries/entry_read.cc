#include "rules/entries/entry_read.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>

#include "rules/entries/entries.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {
namespace {

std::vector<Finding> findings_of(const std::string& path, const std::vector<Damage>& damage) {
  std::vector<Finding> all;
  for (const Damage& one : damage)
    all.push_back({.file = path,
                   .offset = one.offset,
                   .length = one.length,
                   .kind = std::string(damage_kind_name(one.kind)),
                   .consequence = "the entries of this write are not shown",
                   .salvaged = one.salvaged});
  return all;
}

struct Ends {
  EntryContents contents;  // from the first and the last record
  bool enough = false;     // the contents are complete
};

// The first record has the name, the last one the time and usually the summary: the rest is not read.
Result<Ends> read_ends(const Context& context, Directory& directory, const std::string& path, bool with_summary) {
  HOLDFAST_LET(reader, LogReader::open(context, directory, path));
  Ends ends;
  Record record;
  HOLDFAST_LET(any, reader.next(record));
  if (!any) return ends;
  ends.contents.take(record.bytes);
  HOLDFAST_LET(tail, read_last(context, directory, path, 1));
  if (tail.records.empty()) return ends;
  const EntryLineView last(tail.records.back().bytes);
  if (last.kind == EntryLineView::Kind::write) ends.contents.take(tail.records.back().bytes);
  if (last.kind == EntryLineView::Kind::again) {
    ends.contents.written = true;
    ends.contents.at = last.at;
  }
  const bool known = last.kind == EntryLineView::Kind::head || last.kind == EntryLineView::Kind::write ||
                     last.kind == EntryLineView::Kind::again;
  ends.enough = known && !ends.contents.session.empty() &&
                (!with_summary || !ends.contents.written || !ends.contents.summary.empty());
  return ends;
}

Result<std::vector<DirectoryEntry>> list_or_nothing(Directory& directory, const std::string& path) {
  auto entries = directory.list(path);
  if (!entries && entries.error().code == Code::not_found) return std::vector<DirectoryEntry>();
  return entries;
}

// Returns nullopt if the log was deleted meanwhile or never written to.
Result<std::optional<EntryContents>> summarise(const Context& context, Directory& directory, const std::string& path,
                                               bool with_summary, std::vector<Finding>& findings) {
  auto ends = read_ends(context, directory, path, with_summary);
  if (!ends && ends.error().code == Code::not_found) return std::nullopt;
  if (!ends) return fail(std::move(ends).error());
  if (!ends->enough) {
    auto read = read_entry_log(context, directory, path);
    if (!read && read.error().code == Code::not_found) return std::nullopt;
    if (!read) return fail(std::move(read).error());
    std::ranges::move(read->findings, std::back_inserter(findings));
    ends->contents = std::move(read->contents);
  }
  if (!ends->contents.written) return std::nullopt;
  if (ends->contents.session.empty()) {
    findings.push_back({.file = path,
                        .kind = "corrupt",
                        .consequence = "its first line is damaged; the session it belongs to is unknown"});
    return std::nullopt;
  }
  return std::move(ends->contents);
}

// Reads the entries from number `first` on; `lines` has the offset of the line of each. Returns fewer if the reader
// begins after some of them.
Result<std::vector<std::string>> read_entries(LogReader& reader, std::span<const std::uint64_t> lines,
                                              std::size_t first) {
  std::vector<std::string> entries;
  Record record;
  while (first < lines.size()) {
    HOLDFAST_LET(more, reader.next(record));
    if (!more) break;
    if (record.offset != lines[first]) continue;
    // Entries are dropped from the end of the stream: those of a line that are left are its first ones.
    const auto own = std::ranges::equal_range(lines, record.offset);
    const auto end = static_cast<std::size_t>(own.end() - lines.begin());
    auto at = static_cast<std::size_t>(own.begin() - lines.begin());
    for (const JsonItem& entry : EntryLineView(record.bytes).entries.elements()) {
      if (at == end) break;
      if (at++ >= first) entries.emplace_back(entry.value.raw());
    }
    first = end;
  }
  return entries;
}

}  // namespace

Result<EntryLogRead> read_entry_log(const Context& context, Directory& directory, const std::string& path) {
  HOLDFAST_LET(reader, LogReader::open(context, directory, path));
  EntryLogRead read;
  Record record;
  while (true) {
    HOLDFAST_LET(more, reader.next(record));
    if (!more) break;
    if (read.contents.take(record.bytes)) read.changed = record.offset + record.bytes.size() + 1;
  }
  read.findings = findings_of(path, reader.damage());
  return read;
}

Result<std::vector<std::string>> read_last_entries(const Context& context, Directory& directory,
                                                   const std::string& path, const EntryFold& fold, std::size_t count) {
  count = std::min(count, fold.lines.size());
  if (count == 0) return std::vector<std::string>();
  const std::size_t first = fold.lines.size() - count;
  // Reading begins at the start of a line, where a salvaged record may not be.
  for (const std::uint64_t from : {fold.lines[first], std::uint64_t{0}}) {
    HOLDFAST_LET(reader, LogReader::open(context, directory, path, {.from = from}));
    HOLDFAST_LET(entries, read_entries(reader, fold.lines, first));
    if (entries.size() == count) return entries;
  }
  return fail(Code::io_error, "the last entries cannot be read", path);
}

Result<EntrySessions> list_entry_sessions(const Context& context, Store& store, const std::string& project,
                                          bool with_summaries) {
  HOLDFAST_LET(files, entries_of(store));
  HOLDFAST_TRY(check_entry_key({project, "any", {}}));
  Directory& directory = files->roots().first()->directory();
  const std::string folder = entry_project_folder(project);
  HOLDFAST_LET(entries, list_or_nothing(directory, folder));
  EntrySessions found;
  for (const DirectoryEntry& entry : entries) {
    if (entry.kind != FileKind::directory) continue;
    const std::string path = folder + "/" + entry.name + "/" + std::string(kMainEntries);
    HOLDFAST_LET(one, summarise(context, directory, path, with_summaries, found.findings));
    if (one) found.sessions.push_back({std::move(one->session), one->at, std::move(one->summary)});
  }
  std::ranges::sort(found.sessions, [](const EntrySession& a, const EntrySession& b) {
    return a.mtime != b.mtime ? a.mtime > b.mtime : a.session < b.session;
  });
  return found;
}

Result<std::vector<std::string>> list_entry_streams(const Context& context, Store& store, const EntryKey& key) {
  HOLDFAST_LET(files, entries_of(store));
  HOLDFAST_TRY(check_entry_key(key));
  Directory& directory = files->roots().first()->directory();
  const std::string folder = entry_session_folder(key);
  HOLDFAST_LET(entries, list_or_nothing(directory, folder));
  std::vector<std::string> streams;
  std::vector<Finding> findings;
  for (const DirectoryEntry& entry : entries) {
    if (!is_entry_log(entry.name) || entry.name == kMainEntries) continue;
    HOLDFAST_LET(one, summarise(context, directory, folder + "/" + entry.name, false, findings));
    if (one) streams.push_back(std::move(one->stream));
  }
  std::ranges::sort(streams);
  return streams;
}

}  // namespace holdfast::inline v1
