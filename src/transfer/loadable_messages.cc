#include "transfer/loadable_messages.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "disk/memory_file_system.h"
#include "index/directory_feed.h"
#include "layout/session_rescue.h"
#include "layout/tool_dialect_parts.h"
#include "model/events.h"
#include "store/branch.h"
#include "text/json_deep.h"
#include "text/json_text.h"
#include "transfer/rescue.h"

namespace holdfast::inline v1 {
namespace {

// Bytes that are not UTF-8 do not prevent agents from loading the rest: they become U+FFFD.
bool is_loadable(std::string_view json) {
  bool deep = false;
  const JsonFault fault = check_deep_json(json, deep).fault;
  return fault == JsonFault::none || fault == JsonFault::bad_utf8;
}

// The lines that are JSON objects, unchanged.
std::vector<RescuedRecord> whole_lines(std::string_view bytes) {
  std::vector<RescuedRecord> lines;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    if (is_loadable(line) && JsonView(line).kind() == JsonKind::object) lines.push_back({.bytes = std::string(line)});
  }
  return lines;
}

bool lacks_header(const Layout& layout, const std::vector<RescuedRecord>& lines) {
  const SessionRescue* const rescue = layout.rescue();
  if (rescue == nullptr) return false;
  const auto any = [](std::span<const RescuedRecord> among, const auto& is) {
    return std::ranges::any_of(among, [&](const RescuedRecord& line) { return is(JsonView(line.bytes)); });
  };
  const std::span first(lines.data(), std::min(lines.size(), kHeaderWithin));
  return any(lines, [&](JsonView line) { return rescue->follows_header(line); }) &&
         !any(first, [&](JsonView line) { return rescue->is_header(line); });
}

// Keeps the records whose chain has the same beginning as that of the last record, and those that
// are not part of a chain. In the log of a sub-agent all records are marked as side records.
void cut_chain(std::vector<RescuedRecord>& lines, const RecordChain& chain) {
  std::unordered_map<std::string, std::string> begins;  // id -> the first existing id of its chain
  std::vector<std::string> begin_of;
  std::string last;
  const bool all_aside = std::ranges::all_of(lines, [&](const RescuedRecord& line) {
    const JsonView json(line.bytes);
    return is_aside(json) || json_text(json, chain.id).empty();
  });
  for (const RescuedRecord& line : lines) {
    const JsonView json(line.bytes);
    const std::string id = json_text(json, chain.id), parent = json_text(json, chain.parent);
    const auto known = begins.find(parent);
    std::string begin = known != begins.end() && !parent.empty() ? known->second : id;
    if (!id.empty()) begins.emplace(id, begin);
    if (!id.empty() && (all_aside || !is_aside(json))) last = begin;
    begin_of.push_back(id.empty() ? std::string() : std::move(begin));
  }
  std::size_t at = 0;
  std::erase_if(lines, [&](const RescuedRecord&) {
    const std::string& begin = begin_of[at++];
    return !begin.empty() && begin != last;
  });
}

class Counter final : public Events {
 public:
  void facts(const SessionFacts&) override {}
  bool message(Message message) override {
    messages_.push_back(std::move(message));
    return true;
  }
  void leaf(std::string_view id) override { leaf_ = id; }

  std::size_t count() {
    const std::vector<Message> told = branch_of(std::move(messages_), leaf_);
    return static_cast<std::size_t>(
        std::ranges::count_if(told, [](const Message& one) { return one.role != Role::system; }));
  }

 private:
  std::vector<Message> messages_;
  std::string leaf_;
};

// Counts the messages that the layout's reader reports for these bytes in place of the session's file.
Result<std::size_t> count_messages(const Context& context, const Layout& layout, const SessionRef& ref,
                                   std::string_view bytes) {
  const auto files = make_memory_file_system();
  const std::size_t slash = ref.place.path.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : "/" + ref.place.path.substr(0, slash);
  HOLDFAST_LET(made, files->open_directory("/store" + folder, true));
  HOLDFAST_LET(root, files->open_directory("/store", true));
  HOLDFAST_LET(file, root->open(ref.place.path, OpenMode::create_update));
  HOLDFAST_TRY(file->write_at(0, bytes));
  const RootDirectories roots{{ref.place.root, root.get()}};
  DirectoryFeed feed(context, roots);
  feed.set_max_line(kLongestRescued);
  Counter counter;
  HOLDFAST_TRY(layout.read(feed, ref, {}, counter));
  return counter.count();
}

}  // namespace

Result<std::size_t> loadable_messages(const Context& context, const Layout& layout, const SessionRef& ref,
                                      std::string_view bytes) {
  if (!ref.place.path.ends_with(".jsonl"))
    return is_loadable(bytes) ? count_messages(context, layout, ref, bytes) : Result<std::size_t>(0);
  std::vector<RescuedRecord> lines = whole_lines(bytes);
  if (lines.empty() || lacks_header(layout, lines)) return 0;
  if (const RecordChain chain = chain_of(lines); !chain.id.empty()) cut_chain(lines, chain);
  std::string loaded;
  for (const RescuedRecord& line : lines) (loaded += line.bytes) += '\n';
  return count_messages(context, layout, ref, loaded);
}

}  // namespace holdfast::inline v1
