// A Feed over files in memory, for the tests of layouts. Requests are recorded in
// `asked`, complaints of a layout in `findings`.
//
// The records of a log are its lines that are whole JSON objects; other lines are
// counted in `damaged` and skipped (nothing is salvaged: the engine does that). A last
// line without a newline is in flight and not seen. A ".zst" log is stored here
// uncompressed. Rows come from `answer_rows`, which a test that links SQLite sets to
// read_rows; without it every database is missing.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "layout/feed.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {

class MemoryFeed : public Feed {
 public:
  using AnswerRows = std::function<Result<void>(const Place& database, std::string_view select,
                                                std::span<const std::string> parameters, const TakeRow& take)>;
  struct PlacedFinding {
    Place file;
    std::uint64_t offset = 0;
    std::string kind, consequence;
  };

  MemoryFeed() = default;
  // Files of one root.
  MemoryFeed(const std::string& root, const std::map<std::string, std::string>& contents) {
    for (const auto& [path, bytes] : contents) put({root, path}, bytes);
  }

  void put(Place place, std::string bytes) { files[std::move(place)] = std::move(bytes); }

  std::map<Place, std::string> files;
  std::map<Place, std::string> links;  // symbolic links and their targets; never followed
  std::set<Place> unreadable;          // reading one of these fails with permission_denied
  AnswerRows answer_rows;
  std::vector<Place> asked;  // documents and logs, in order
  std::vector<PlacedFinding> findings;
  std::size_t damaged = 0;
  bool framing = false;  // pass on lines that look like {...} without parsing them, as the fast engine does

  Result<std::vector<FeedEntry>> list(const Place& directory) override {
    HOLDFAST_TRY(readable(directory));
    const std::string prefix = directory.path.empty() ? "" : directory.path + "/";
    std::map<std::string, bool> names;  // name -> is a directory
    for (const auto& [place, bytes] : files) {
      if (place.root != directory.root || !place.path.starts_with(prefix)) continue;
      const std::string rest = place.path.substr(prefix.size());
      const auto slash = rest.find('/');
      names[rest.substr(0, slash)] = slash != std::string::npos;
    }
    std::vector<FeedEntry> entries;
    for (const auto& [name, is_directory] : names) entries.push_back({name, is_directory});
    return entries;
  }

  Result<std::optional<FeedStat>> stat(const Place& file) override {
    HOLDFAST_TRY(readable(file));
    const auto found = files.find(file);
    if (found == files.end()) return std::nullopt;
    return FeedStat{found->second.size(), 0};
  }

  Result<std::optional<std::string>> link(const Place& name) override {
    const auto found = links.find(name);
    if (found == links.end()) return std::nullopt;
    return found->second;
  }

  Result<std::optional<std::string>> document(const Place& file, std::uint64_t limit) override {
    HOLDFAST_TRY(readable(file));
    asked.push_back(file);
    const auto found = files.find(file);
    if (found == files.end()) return std::nullopt;
    if (found->second.size() > limit) return fail(Code::too_large, "over the limit", file.path);
    return found->second;
  }

  Result<void> records(const Place& log, FeedRange range, const TakeRecord& take) override {
    HOLDFAST_TRY(readable(log));
    asked.push_back(log);
    for (const FeedRecord& record : lines(log)) {
      if (record.offset < range.from || record.offset >= range.to) continue;
      if (!take(record)) break;
    }
    return {};
  }

  Result<bool> last_records(const Place& log, std::size_t count, std::uint64_t before,
                            const TakeRecord& take) override {
    HOLDFAST_TRY(readable(log));
    asked.push_back(log);
    std::vector<FeedRecord> all = lines(log);
    std::erase_if(all, [&](const FeedRecord& record) { return record.offset + record.bytes.size() > before; });
    const std::size_t first = all.size() > count ? all.size() - count : 0;
    for (std::size_t i = first; i < all.size(); ++i) {
      if (!take(all[i])) break;
    }
    return first == 0;
  }

  Result<void> rows(const Place& database, std::string_view select, std::span<const std::string> parameters,
                    const TakeRow& take) override {
    HOLDFAST_TRY(readable(database));
    if (!answer_rows) return {};
    return answer_rows(database, select, parameters, take);
  }

  void complain(const Place& file, std::uint64_t offset, std::string_view kind, std::string_view consequence) override {
    findings.push_back({file, offset, std::string(kind), std::string(consequence)});
  }

 private:
  Result<void> readable(const Place& place) const {
    if (unreadable.contains(place)) return fail(Code::permission_denied, "not for this test", place.path);
    return {};
  }

  std::vector<FeedRecord> lines(const Place& log) {
    std::vector<FeedRecord> records;
    const auto found = files.find(log);
    if (found == files.end()) return records;
    const std::string_view text = found->second;
    std::size_t at = 0;
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', at)) {
      const std::string_view line = text.substr(at, end - at);
      if (framing ? line.starts_with('{') && line.ends_with('}') : is_json_object_line(line)) {
        records.push_back({line, at, false});
      } else if (!line.empty()) {
        ++damaged;
      }
      at = end + 1;
    }
    return records;
  }
};

}  // namespace holdfast::inline v1
