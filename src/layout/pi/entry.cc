#include "layout/pi/entry.h"

#include <algorithm>

#include "layout/json_pick.h"
#include "layout/pi/entry_message.h"
#include "layout/unknown_content.h"

namespace holdfast::inline v1::pi {
namespace {

// A summary of the history up to here, made by a response of its own. Its usage is
// reported but, like that of other agents' summaries, not counted.
void read_summary(JsonView json, bool branch, PiEntry& entry) {
  const auto [summary, usage] = pick<2>(json, {"summary", "usage"});
  Message& message = entry.message;
  message.role = branch ? Role::system : Role::user;
  message.origin = Origin::summary;
  if (!summary)
    append_renamed(json, {"type", "timestamp", "parentId", "usage", "details", "firstKeptEntryId", "fromId"},
                   message.blocks);
  if (message.blocks.empty()) read_summary_text(summary, message.blocks);
  if (usage.kind() == JsonKind::object) message.usage = read_usage(usage);
  entry.moved = branch;
}

bool is_known_link(JsonView type) {
  constexpr std::string_view kLinks[] = {"model_change", "thinking_level_change", "custom",
                                         "label",        "session_info",          "leaf"};
  return std::ranges::any_of(kLinks, [&](std::string_view link) { return type.is_string(link); });
}

void read_link(JsonView json, JsonView type, bool whole, Message& message) {
  message.role = Role::system;
  message.origin = Origin::injected;
  if (!whole) return;
  message.blocks.push_back({.kind = BlockKind::other, .json = std::string(json.raw())});
  if (!is_known_link(type)) message.blocks.back().text = words_in(json);
}

}  // namespace

PiEntry read_entry(std::string_view line, bool whole) {
  const JsonView json(line);
  const auto [type, id, parent, timestamp, said, content, name, target] =
      pick<8>(json, {"type", "id", "parentId", "timestamp", "message", "content", "name", "targetId"});
  PiEntry entry;
  Message& message = entry.message;
  message.timestamp = written_time(timestamp);
  if (type.is_string("session")) {
    entry.kind = PiEntryKind::header;
    entry.text = text_of(id);
    const auto [cwd, parent_session] = pick<2>(json, {"cwd", "parentSession"});
    entry.cwd = text_of(cwd);
    entry.parent_session = text_of(parent_session);
    return entry;
  }
  message.id = text_of(id);
  message.parent = named_parent(parent);
  if (type.is_string("message") && said.kind() == JsonKind::object) {
    read_entry_message(said, whole, message);
  } else if (type.is_string("compaction") || type.is_string("branch_summary")) {
    read_summary(json, type.is_string("branch_summary"), entry);
  } else if (type.is_string("custom_message")) {
    message.origin = Origin::injected;
    read_blocks(content, message.blocks);
    if (!content) append_renamed(json, {"type", "timestamp", "parentId", "customType", "details"}, message.blocks);
  } else {
    read_link(json, type, whole, message);
    // The content has another name.
    if (type.is_string("message")) message.origin = Origin::notice;
    if (type.is_string("session_info")) {
      entry.kind = PiEntryKind::name;
      entry.text = text_of(name);
    } else if (type.is_string("leaf")) {
      entry.kind = PiEntryKind::leaf;
      entry.text = text_of(target);
      entry.moved = true;
    }
  }
  return entry;
}

}  // namespace holdfast::inline v1::pi
