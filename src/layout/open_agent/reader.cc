#include "layout/open_agent/reader.h"

#include "layout/open_agent/header.h"
#include "layout/open_agent/index_file.h"
#include "layout/open_agent/paths.h"
#include "layout/open_agent/secrets.h"
#include "layout/open_agent/spill.h"
#include "layout/spilled.h"
#include "text/json_scan.h"
#include "text/json_write.h"
#include "text/shell_word.h"

namespace holdfast::inline v1::open_agent {

Result<Side> load_side(Feed& feed, std::string_view id) {
  Side side;
  const Place place = at(side_path(id));
  HOLDFAST_LET(bytes, feed.document(place));
  if (!bytes) return side;
  side.bytes = std::move(*bytes);
  const JsonView document(side.bytes);
  if (!check_json(side.bytes).ok() || document.find("header").kind() != JsonKind::object) {
    feed.complain(place, 0, "corrupt", "changes to the header are not shown; the first line of the log is used");
    return side;
  }
  side.there = true;
  side.header = document.find("header");
  side.folder = document.find("folder").as_string().value_or("");
  return side;
}

Result<std::string> first_header(Feed& feed, const SessionRef& ref) {
  std::string line;
  HOLDFAST_TRY(feed.records(ref.place, {0, 1}, [&](const FeedRecord& record) {
    if (record.offset == 0 && JsonView(record.bytes).find("type").is_string("session_header")) line = record.bytes;
    return false;
  }));
  return line;
}

Result<std::string> whole_header(Feed& feed, const SessionRef& ref) {
  HOLDFAST_LET(line, first_header(feed, ref));
  HOLDFAST_LET(side, load_side(feed, ref.id));
  if (line.empty()) {
    JsonWriter json;
    json.begin_object().key("type").string("session_header").key("id").string(ref.id).key("model").string("");
    json.key("provider").string("").key("createdAt").int64(0).key("updatedAt").int64(0);
    line = json.key("options").begin_object().end_object().end_object().take();
  }
  return merged_header(JsonView(line), side.header);
}

Result<void> SessionReader::begin() {
  HOLDFAST_LET(side, load_side(feed_, ref_.id));
  side_ = std::move(side);
  // The view must point into the string that was moved here.
  if (side_.there) side_.header = JsonView(side_.bytes).find("header");
  if (!ref_.hint.empty()) events_.facts(facts_of_entry(JsonView(ref_.hint)));
  return {};
}

void SessionReader::say_header(std::string_view line, std::uint64_t offset) {
  headed_ = true;
  for (const auto& path : secrets_in(JsonView(line))) {
    feed_.complain(ref_.place, offset, "secret_in_header",
                   dotted(path) + " is stored in clear text; it is not shown; run holdfast session scrub " +
                       session_word("open-agent", ref_.id) + " to remove it");
  }
  const auto merged = merged_header(JsonView(line), side_.header);
  events_.facts(facts_of(JsonView(merged ? std::string_view(*merged) : line)));
}

void SessionReader::read_back(Message& message) {
  for (Block& block : message.blocks) {
    if (block.kind != BlockKind::tool_result) continue;
    const std::string name = spilled_name(block.text);
    if (name.empty()) continue;
    // Uses only the name from the text: the file is in this session's own folder or nowhere.
    const std::string folder = folder_of(ref_);
    block.spilled = results_folder(folder, ref_.id) + "/" + name;
    if (options_.whole)
      read_spilled(feed_, at(folder), std::string_view(block.spilled).substr(folder.size() + 1), block);
  }
}

// Sets the parent: the one that the line names, else the previous message.
void SessionReader::place(ReadLine& line) {
  Message& message = line.message;
  if (!line.says_parent) {
    message.parent = before_;
    // Counted from the last message that names its parent, which both lines may follow.
    if (!silent_since_) silent_since_ = seen_.number_of(before_).value_or(0);
    return;
  }
  if (silent_since_ && !line.branches && !message.parent.empty()) {
    const auto parent = seen_.number_of(message.parent);
    if (parent && *parent >= *silent_since_) message.parent = before_;
  }
  silent_since_.reset();
}

bool SessionReader::take(const FeedRecord& record) {
  ReadLine line = read_line(record.bytes);
  const bool first = records_++ == 0;
  if (line.kind == LineKind::header) {
    if (headed_) {
      feed_.complain(ref_.place, record.offset, "second_header", "only the first header is used");
      return true;
    }
    if (!first) feed_.complain(ref_.place, record.offset, "header_not_first", "the header is used anyway");
    say_header(record.bytes, record.offset);
    return true;
  }
  if (line.kind == LineKind::leaf) {
    leaf_ = line.leaf;
    before_ = std::move(line.leaf);
    silent_since_.reset();
    return true;
  }
  Message& message = line.message;
  message.offset = record.offset;
  if (options_.raw) message.raw = record.bytes;
  place(line);
  if (!message.id.empty()) {
    if (!seen_.add(message.id).added)
      feed_.complain(ref_.place, record.offset, "duplicate_id",
                     "two messages have the id " + message.id + "; both are shown");
    before_ = message.id;
    leaf_.clear();
  }
  if (message.role == Role::tool) read_back(message);
  return events_.report(std::move(message));
}

Result<void> SessionReader::read_all() {
  HOLDFAST_TRY(begin());
  HOLDFAST_TRY(feed_.records(ref_.place, {}, [&](const FeedRecord& record) { return take(record); }));
  if (!headed_) {
    if (side_.there) {
      HOLDFAST_LET(header, merged_header({}, side_.header));
      events_.facts(facts_of(JsonView(header)));
    }
    if (records_ > 0) {
      feed_.complain(ref_.place, 0, "missing_header",
                     "the id is taken from the file's name, everything else from the messages");
    } else if (!side_.there) {
      feed_.complain(ref_.place, 0, "empty", "the log holds no records");
    }
  }
  if (!leaf_.empty()) events_.leaf(leaf_);
  return {};
}

Result<void> SessionReader::read_head() {
  HOLDFAST_TRY(begin());
  HOLDFAST_LET(line, first_header(feed_, ref_));
  HOLDFAST_LET(merged, merged_header(JsonView(line), side_.header));
  if (!merged.empty()) events_.facts(facts_of(JsonView(merged)));
  return {};
}

Result<bool> SessionReader::read_last(std::size_t count) {
  struct Kept {
    std::string bytes;
    std::uint64_t offset;
  };
  std::vector<Kept> lines;
  // One more than requested, in case one of them is a header.
  HOLDFAST_TRY(feed_.last_records(ref_.place, count + 1, UINT64_MAX, [&](const FeedRecord& record) {
    lines.push_back({std::string(record.bytes), record.offset});
    return true;
  }));
  std::string before;
  for (const Kept& kept : lines) {
    const ReadLine line = read_line(kept.bytes);
    if (line.kind == LineKind::leaf) return false;
    if (line.kind == LineKind::header) continue;
    if (line.says_parent && !before.empty() && line.message.parent != before) return false;
    before = line.message.id;
  }
  HOLDFAST_TRY(read_head());
  headed_ = false;
  for (const Kept& kept : lines) {
    if (JsonView(kept.bytes).find("type").is_string("session_header")) continue;
    if (!take({kept.bytes, kept.offset, false})) break;
  }
  return true;
}

}  // namespace holdfast::inline v1::open_agent
