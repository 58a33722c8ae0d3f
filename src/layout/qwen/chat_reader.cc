#include "layout/qwen/chat_reader.h"

#include <algorithm>
#include <utility>

#include "base/safe_name.h"
#include "layout/json_pick.h"
#include "layout/qwen/belongings.h"
#include "layout/qwen/chat_files.h"
#include "layout/spilled.h"

namespace holdfast::inline v1::qwen {
namespace {

constexpr std::uint64_t kSmall = std::uint64_t{1} << 20;

// Extracts tmp/FOLDER/NAME.output from "… saved to: /…/tmp/FOLDER/NAME.output" at the start of a result, else empty.
// Uses only the two names: the output is in this store's tmp/ or nowhere (decision 31).
std::string spilled_path(std::string_view text) {
  constexpr std::string_view kMark = "saved to: ", kEnd = ".output";
  const std::size_t mark = text.substr(0, 1000).find(kMark);
  if (mark == std::string_view::npos) return {};
  std::string_view path = text.substr(mark + kMark.size());
  path = path.substr(0, path.find('\n'));
  if (!path.ends_with(kEnd)) return {};
  const std::size_t last = path.find_last_of("/\\");
  if (last == std::string_view::npos || last == 0) return {};
  const std::size_t before = path.find_last_of("/\\", last - 1);
  if (before == std::string_view::npos) return {};
  const std::string_view folder = path.substr(before + 1, last - before - 1), name = path.substr(last + 1);
  if (!is_safe_name(folder) || !is_safe_name(name)) return {};
  return "tmp/" + std::string(folder) + "/" + std::string(name);
}

}  // namespace

Result<std::vector<Place>> named_outputs(Feed& feed, const SessionRef& ref) {
  constexpr std::string_view kMark = "saved to: ";
  std::vector<Place> outputs;
  HOLDFAST_TRY(feed.records(ref.place, {}, [&](const FeedRecord& record) {
    for (std::size_t at = record.bytes.find(kMark); at != std::string_view::npos;
         at = record.bytes.find(kMark, at + kMark.size())) {
      // Up to the newline, which is escaped in a record. So is a backslash in a path, which spilled_path also accepts.
      const std::string_view rest = record.bytes.substr(at);
      const std::string path = spilled_path(rest.substr(0, rest.find("\\n")));
      if (!path.empty()) outputs.push_back({ref.place.root, path});
    }
    return true;
  }));
  return outputs;
}

void ChatReader::read_back(Message& message) {
  for (Block& block : message.blocks) {
    if (block.kind != BlockKind::tool_result) continue;
    const std::string path = spilled_path(block.text);
    if (path.empty()) continue;
    block.spilled = path;
    read_spilled(feed_, {kRoot, ""}, path, block);
  }
}

// A sub-agent's response is written in several records, one of which has the usage; two
// records with usage are two responses.
void ChatReader::name_response(Message& message) {
  if (message.role == Role::system) return;
  if (message.role != Role::assistant) {
    response_.clear();
    return;
  }
  const bool same = !response_.empty() && !(priced_ && message.usage);
  if (same) {
    message.response = response_;
  } else {
    response_ = message.id;
    priced_ = false;
  }
  priced_ = priced_ || message.usage.has_value();
}

bool ChatReader::take(const FeedRecord& from) {
  ChatRecord record = read_chat_record(from.bytes, options_.whole);
  Message& message = record.message;
  any_ = true;
  message.offset = from.offset;
  if (options_.raw) message.raw = from.bytes;
  if (is_subagent() && message.role == Role::user && message.origin != Origin::summary)
    message.origin = std::exchange(task_told_, true) ? Origin::injected : Origin::typed;
  if (!record.title.empty()) facts_.title = std::move(record.title);
  if (!record.parent.empty()) facts_.parent = Parent{record.parent, ParentKind::subagent, {}};
  if (!record.forked_from.empty() && record.forked_from != ref_.id && !facts_.parent)
    facts_.parent = Parent{record.forked_from, ParentKind::fork, {}};
  if (record.started_agent && (message.id.empty() || starts_.insert(message.id).second)) ++started_;
  if (record.rewound) turn_.leave();
  name_response(message);
  turn_.take(message);
  if (options_.whole) read_back(message);
  return events_.report(std::move(message));
}

// Reads agent-ID.meta.json beside a transcript: the agent's task, and who started it.
Result<void> ChatReader::read_agent_document() {
  std::string path = ref_.place.path;
  path.replace(path.size() - 6, 6, ".meta.json");
  auto document = feed_.document({kRoot, path}, kSmall);
  if (!document && document.error().code != Code::too_large) return fail(std::move(document).error());
  std::string parent = ref_.hint;
  if (document && *document) {
    const auto [description, agent] = pick<2>(JsonView(**document), {"description", "parentAgentId"});
    if (facts_.title.empty()) facts_.title = text_of(description);
    if (agent.kind() == JsonKind::string && !text_of(agent).empty()) parent = text_of(agent);
  }
  facts_.parent = Parent{parent, ParentKind::subagent, {}};
  return {};
}

Result<void> ChatReader::read_side_files() {
  HOLDFAST_LET(agents, subagents_of(feed_, ref_));
  facts_.subagents = std::max<std::int64_t>(std::ssize(agents), started_);
  if (any_) return {};
  // Killed between creating the file and writing the first record: only the time of the file is known.
  HOLDFAST_LET(stat, feed_.stat(ref_.place));
  if (stat && stat->mtime_ns > 0) facts_.created_at = std::to_string(stat->mtime_ns / 1000000);
  facts_.updated_at = facts_.created_at;
  facts_.status = Status::interrupted;
  return {};
}

Result<void> ChatReader::read() {
  bool wanted = true;
  HOLDFAST_TRY(feed_.records(ref_.place, {}, [&](const FeedRecord& record) {
    wanted = take(record);
    return wanted;
  }));
  if (!wanted) return {};
  if (is_subagent()) {
    HOLDFAST_TRY(read_agent_document());
  } else {
    HOLDFAST_TRY(read_side_files());
  }
  facts_.pending = turn_.pending();
  events_.facts(facts_);
  return {};
}

}  // namespace holdfast::inline v1::qwen
