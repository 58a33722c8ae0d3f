#include "model/check_read_back.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "model/time_formats.h"
#include "text/json_copy.h"

namespace holdfast::inline v1 {
namespace {

bool same_value(std::string_view a, std::string_view b) { return a == b || same_json(JsonView(a), JsonView(b)); }

bool same_time(std::string_view a, std::string_view b) {
  const auto first = parse_any_time(a), second = parse_any_time(b);
  constexpr auto to_ms = [](auto time) { return std::chrono::floor<std::chrono::milliseconds>(time); };
  return first && second ? to_ms(*first) == to_ms(*second) : a == b;
}

std::vector<Block> blocks_of(std::span<const Message> messages) {
  std::vector<Block> all;
  for (const Message& message : messages) all.insert(all.end(), message.blocks.begin(), message.blocks.end());
  return all;
}

// The name of what is missing; empty if nothing is.
std::string_view lost_of(const Block& given, const Block& told) {
  if (given.kind != told.kind) return block_kind_name(given.kind);
  // The text of a block that is kept whole is extracted by its readers.
  if (given.kind != BlockKind::other && given.text != told.text)
    return given.kind == BlockKind::tool_result ? "output" : "text";
  if (!given.id.empty() && given.id != told.id) return "id";
  if (!given.name.empty() && given.name != told.name) return "name";
  if (!given.json.empty() && !same_value(given.json, told.json))
    return given.kind == BlockKind::tool_call ? "input" : given.kind == BlockKind::other ? "raw" : "output";
  if (given.media_type != told.media_type) return "media_type";
  if (given.data != told.data) return "data";
  if (given.data.empty() && given.blob != told.blob) return "blob";
  if (given.is_error != told.is_error) return "is_error";
  if (given.signature != told.signature) return "signature";
  if (!given.extra.empty() && !same_value(given.extra, told.extra)) return "extra";
  return {};
}

// What every message that the draft is stored as must say, because each is one of its own for readers.
std::string_view lost_of_part(const Message& given, const Message& told) {
  if (given.role != told.role) return "role";
  // A draft in C++ may leave out the origin; and layouts that have only system messages take them for notices.
  const bool notice = given.role == Role::system && given.origin == Origin::injected && told.origin == Origin::notice;
  const bool has_origin = (given.role == Role::user || given.origin != Origin::typed) && !notice;
  if (has_origin && given.origin != told.origin) return "origin";
  if (given.side != told.side) return "side";
  if (given.failed != told.failed) return "failed";
  return {};
}

std::string_view lost_of(const Message& given, const Message& told) {
  const auto lost = [](const std::string& a, const std::string& b) { return !a.empty() && a != b; };
  if (lost(given.id, told.id)) return "id";
  if (lost(given.parent, told.parent)) return "parent";
  if (const std::string_view part = lost_of_part(given, told); !part.empty()) return part;
  if (!given.timestamp.empty() && !same_time(given.timestamp, told.timestamp)) return "timestamp";
  if (lost(given.model, told.model)) return "model";
  if (lost(given.stop_reason, told.stop_reason)) return "stop_reason";
  if (given.usage && given.usage != told.usage) return "usage";
  if (lost(given.cost, told.cost)) return "cost_usd";
  if (lost(given.response, told.response)) return "response";
  if (lost(given.agent, told.agent)) return "agent";
  if (!(given.context == MessageContext()) && !(given.context == told.context)) return "context";
  if (!given.extra.empty() && !same_value(given.extra, told.extra)) return "extra";
  return {};
}

Failure cannot(std::string_view layout, const std::string& thing) {
  return fail(Code::unsupported, "layout " + std::string(layout) + " cannot hold: " + thing);
}

}  // namespace

Result<void> check_read_back(const Message& draft, std::span<const Message> told, std::string_view layout) {
  if (told.empty()) return cannot(layout, "a message of this kind");
  std::string_view lost = lost_of(draft, told[0]);
  for (const Message& part : told.subspan(1)) lost = lost.empty() ? lost_of_part(draft, part) : lost;
  if (!lost.empty()) return cannot(layout, std::string(lost) + " of a message as it is given");
  const bool blank = std::ranges::all_of(told, [](const Message& message) { return message.blocks.empty(); });
  if (draft.blocks.empty() && !blank) return cannot(layout, "a message without any block");
  const std::vector<Block> given = blocks_of({&draft, 1}), there = blocks_of(told);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string kind(block_kind_name(given[i].kind));
    if (i >= there.size()) return cannot(layout, kind + " in a message");
    lost = lost_of(given[i], there[i]);
    if (lost == kind) return cannot(layout, kind + " in a message");
    if (!lost.empty()) return cannot(layout, std::string(lost) + " of a block of kind " + kind);
  }
  if (there.size() > given.size()) return cannot(layout, "these blocks in a message");
  return {};
}

}  // namespace holdfast::inline v1
