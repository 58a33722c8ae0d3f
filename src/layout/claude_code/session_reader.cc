#include "layout/claude_code/session_reader.h"

#include <algorithm>
#include <iterator>

#include "base/was_stopped.h"
#include "layout/claude_code/transcripts.h"
#include "layout/json_pick.h"
#include "layout/new_session_parts.h"
#include "layout/open_agent/spill.h"
#include "layout/spilled.h"
#include "model/packing.h"

namespace holdfast::inline v1::claude_code {
namespace {

constexpr std::size_t kNobody = SIZE_MAX;

// Whether a leaf is the one that /rewind to before the first prompt leaves.
bool is_nobody(std::string_view uuid) { return uuid.find_first_not_of("0-") == std::string_view::npos; }

}  // namespace

// Uses only the name from the text: the output is in this session's own folder or
// nowhere (decision 31).
void SessionReader::read_back(Message& message) {
  for (Block& block : message.blocks) {
    if (block.kind != BlockKind::tool_result) continue;
    const std::string name = open_agent::spilled_name(block.text);
    if (name.empty()) continue;
    const std::string own = folder_beside(ref_);
    const std::size_t last = own.rfind('/') + 1;  // 0 without a folder
    block.spilled.assign(own).append("/tool-results/").append(name);
    const Place beside{ref_.place.root, own.substr(0, last == 0 ? 0 : last - 1)};
    read_spilled(feed_, beside, std::string_view(block.spilled).substr(last), block);
  }
}

void SessionReader::link(const Message& message) {
  const auto number = [this](const std::string& id) {
    const auto place = ids_.add(id);
    if (place.added) {
      last_child_.push_back(kNobody);
      names_.push_back(id);
    }
    return place.number;
  };
  const std::size_t self = number(message.id);
  if (!message.parent.empty()) last_child_[number(message.parent)] = self;
}

// The leaf that the program recorded last, extended by whatever was said after it.
std::string SessionReader::active_leaf() const {
  const auto start = ids_.number_of(leaf_);
  if (leaf_.empty() || !start) return {};
  std::size_t at = *start;
  for (std::size_t steps = 0; last_child_[at] != kNobody && steps < last_child_.size(); ++steps) at = last_child_[at];
  return names_[at];
}

// Claude Code finds a session in the folder that is named after its project. The first records of a session that was
// moved there have another cwd.
void SessionReader::note_directory(const std::string& cwd) {
  if (!facts_.project.empty() || cwd.empty() || cwd == not_project_) return;
  (dashed_path_max_200(cwd) == ref_.project ? facts_.project : not_project_) = cwd;
}

bool SessionReader::take_message(Record& record, const FeedRecord& from) {
  Message& message = record.message;
  message.offset = from.offset;
  if (options_.raw) message.raw = from.bytes;
  const bool own = is_subagent(ref_) || !message.side;
  if (is_subagent(ref_)) message.side = false;
  if (!own && record.tree && message.parent.empty()) ++side_roots_;
  if (!record.started.empty() && own) subagents_.insert(record.started);
  if (!record.forked_from.empty() && !facts_.parent && record.forked_from != ref_.id)
    facts_.parent = Parent{record.forked_from, ParentKind::fork, {}};
  note_directory(message.context.cwd);
  const bool named = own && record.tree;
  if (named) last_ = message.id;
  if (named && message.id == summary_about_) summary_ = summary_of_other_;
  if (options_.whole) {
    if (named) link(message);
    if (message.role == Role::tool) read_back(message);
  }
  return events_.report(std::move(message));
}

// Versions that write summaries mostly put them at the start of another session. A summary is about this session
// if it names no message, the last one before it, or one that follows. So there is no need to keep all ids.
void SessionReader::take_summary(Record& record) {
  const bool own = record.about.empty() || record.about == last_;
  (own ? summary_ : summary_of_other_) = std::move(record.text);
  summary_about_ = own ? std::string() : std::move(record.about);
}

bool SessionReader::take(const FeedRecord& from) {
  const RecordOptions request{
      .whole = options_.whole && !from.skim, .previews = options_.whole, .session = session_.empty()};
  Record record = read_record(from.bytes, request, seen_, from.marks);
  if (session_.empty()) session_ = record.session;
  switch (record.kind) {
    case RecordKind::message: return take_message(record, from);
    case RecordKind::leaf: leaf_ = is_nobody(record.text) ? std::string() : record.text; break;
    case RecordKind::title: title_ = std::move(record.text); break;
    case RecordKind::summary: take_summary(record); break;
    case RecordKind::other: break;
  }
  if (began_.empty()) began_ = std::move(record.timestamp);
  return true;
}

Result<void> SessionReader::read_part() {
  bool wanted = true, leaf_named = false;
  TailSizeCache rest;
  HOLDFAST_TRY(feed_.records(ref_.place, {}, [&](const FeedRecord& from) {
    Record record = read_tree_record(from.bytes, rest, from.marks);
    if (record.kind == RecordKind::message) {
      record.message.offset = from.offset;
      if (is_subagent(ref_)) record.message.side = false;
      wanted = events_.report(std::move(record.message));
      return wanted;
    }
    if (record.kind == RecordKind::title) {
      title_ = std::move(record.text);
    } else if (record.kind == RecordKind::leaf) {
      leaf_ = is_nobody(record.text) ? std::string() : std::move(record.text);
      leaf_named = true;
    }
    return true;
  }));
  if (!wanted) return {};
  facts_.title = title_;
  events_.facts(facts_);
  if (leaf_named) events_.leaf(leaf_);
  return {};
}

Result<void> SessionReader::read_head() {
  if (!is_subagent(ref_)) HOLDFAST_TRY(read_side_files());
  facts_.title = title_;
  events_.facts(facts_);
  return {};
}

// The folder of the session: its title, and sub-agents whose result never arrived.
Result<void> SessionReader::read_side_files() {
  const std::string folder = folder_beside(ref_);
  HOLDFAST_LET(entries, feed_.list({ref_.place.root, folder}));
  for (const FeedEntry& entry : entries) {
    if (entry.name == "custom-title.json" && title_.empty()) {
      HOLDFAST_LET(document, feed_.document({ref_.place.root, folder + "/" + entry.name}));
      if (document) title_ = text_of(JsonView(*document).find("customTitle"));
    }
    if (entry.name != "subagents" || !entry.directory) continue;
    HOLDFAST_LET(agents, feed_.list({ref_.place.root, folder + "/subagents"}));
    for (const FeedEntry& agent : agents) {
      const std::string_view name = agent.name;
      if (name.starts_with("agent-") && name.ends_with(".jsonl")) subagents_.emplace(name.substr(6, name.size() - 12));
    }
  }
  return {};
}

// Who started this sub-agent. All sub-agents of a session are in one folder, also those that a sub-agent started: the
// document beside the transcript names it then.
Result<std::string> SessionReader::starter() {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 20;
  const Place file{ref_.place.root, folder_beside(ref_) + ".meta.json"};
  const std::string_view folder = parent_in_hint(ref_);
  std::string session = folder.empty() ? session_ : std::string(folder);
  const auto document = feed_.document(file, kLargest);
  if (!document && was_stopped(document.error())) return fail(document.error());
  if (!document)
    feed_.complain(file, 0, code_name(document.error().code),
                   "if another sub-agent started this one, that is not shown: " + document.error().message);
  if (!document || !*document) return session;
  const std::string agent = text_of(JsonView(**document).find("parentAgentId"));
  return agent.empty() || agent == ref_.id ? session : agent;
}

// What the records so far contain besides the messages.
std::string SessionReader::state() const {
  Packer out;
  for (const std::string* text : {&session_, &title_, &summary_, &summary_of_other_, &summary_about_, &last_, &began_})
    out.text(*text);
  out.number(side_roots_);
  out.text(facts_.parent ? facts_.parent->id : std::string());
  out.number(subagents_.size());
  for (const std::string& agent : subagents_) out.text(agent);
  out.text(facts_.project);
  return out.take();
}

void SessionReader::go_on(std::string_view state) {
  Unpacker in(state);
  for (std::string* text : {&session_, &title_, &summary_, &summary_of_other_, &summary_about_, &last_, &began_})
    *text = in.text();
  side_roots_ = static_cast<std::size_t>(in.number());
  if (std::string parent = in.text(); !parent.empty()) facts_.parent = Parent{std::move(parent), ParentKind::fork, {}};
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) subagents_.insert(in.text());
  facts_.project = in.text();
}

Result<void> SessionReader::read() {
  bool wanted = true;
  if (!options_.state.empty()) go_on(options_.state);
  HOLDFAST_TRY(feed_.records(ref_.place, {options_.from}, [&](const FeedRecord& record) {
    wanted = take(record);
    return wanted;
  }));
  if (!wanted) return {};
  events_.rest(state());
  if (is_subagent(ref_)) {
    HOLDFAST_LET(parent, starter());
    if (!parent.empty()) facts_.parent = Parent{std::move(parent), ParentKind::subagent, {}};
    facts_.subagents = std::ssize(subagents_);
  } else {
    HOLDFAST_TRY(read_side_files());
    facts_.subagents = static_cast<std::int64_t>(subagents_.empty() ? side_roots_ : subagents_.size());
    facts_.copies_keep_ids = true;
    facts_.began_at = began_;
  }
  facts_.title = title_;
  facts_.summary = summary_;
  events_.facts(facts_);
  if (const std::string leaf = active_leaf(); !leaf.empty()) events_.leaf(leaf);
  return {};
}

}  // namespace holdfast::inline v1::claude_code
