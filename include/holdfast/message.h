// One message of a session, in the common model that every layout is translated
// to and from. Plain values.
#pragma once

#include <holdfast/export.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

enum class Role { user, assistant, tool, system };
HOLDFAST_EXPORT std::string_view role_name(Role role);
HOLDFAST_EXPORT std::optional<Role> role_of(std::string_view name);

// Where the text of a message came from. Only `typed` counts as a prompt.
enum class Origin {
  typed,     // a person wrote it; for roles other than user it means "not set", and usual_origin applies
  model,     // an answer of the model
  tool,      // the result of a tool; for an assistant, calls that its agent does not count as an answer
  injected,  // context, reminders, environment: added by the agent
  summary,   // of a compacted history
  command,   // a slash command and what it printed
  notice,    // interrupt markers, errors of the API, progress
};

// The origin of a message of that role if none is recorded.
HOLDFAST_EXPORT Origin usual_origin(Role role);

// Tokens of one API response. `input` never includes tokens read from or written
// to a cache, even if the agent's own figure does; `output` is the agent's own
// output figure; `reasoning` is informative and never added to `output`.
struct Usage {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cache_read = 0;
  std::int64_t cache_write = 0;
  std::int64_t reasoning = 0;
  // The parts of these that have another price.
  std::int64_t cache_write_1h = 0;   // of cache_write: kept in the cache for an hour
  std::int64_t reasoning_apart = 0;  // of reasoning: not included in the agent's figure of output

  bool operator==(const Usage&) const = default;
  HOLDFAST_EXPORT Usage& operator+=(const Usage& other);
};

enum class BlockKind { text, thinking, tool_call, tool_result, image, document, audio, other };
HOLDFAST_EXPORT std::string_view block_kind_name(BlockKind kind);
HOLDFAST_EXPORT std::optional<BlockKind> block_kind_of(std::string_view name);
// Whether blocks of that kind hold bytes of a media_type: image, document, audio.
HOLDFAST_EXPORT bool is_media(BlockKind kind);

struct Block {
  BlockKind kind = BlockKind::text;
  std::string text = {};  // of text, thinking and tool_result; in other, text found in the unknown block
  std::string id = {};    // call id of tool_call and tool_result
  std::string name = {};  // of the tool, in tool_call
  // Input of tool_call; output of tool_result, if it is more than text; the whole block, verbatim, in other.
  std::string json = {};
  std::string media_type = {};  // of image, document and audio
  std::string data = {};        // the bytes of the media, not encoded; when reading, only if requested
  std::string blob = {};        // SHA-256 of these bytes, if the store keeps them in a separate file
  std::uint64_t bytes = 0;      // size of the media, if known
  bool is_error = false;        // of tool_result
  std::string signature = {};   // of thinking
  std::string spilled = {};     // path in the store of the whole output, if `text` is only a preview
  std::string extra = {};       // a JSON object of members that this struct has no field for; empty if none

  bool operator==(const Block&) const = default;
};

// Describes an image, document or audio block for people: "an image, image/png, 2048 bytes".
HOLDFAST_EXPORT std::string media_words(const Block& block);

// The environment in which the message was written; each field may be empty.
struct MessageContext {
  std::string cwd = {};
  std::string git_branch = {};
  std::string permission_mode = {};
  std::string version = {};  // of the agent
  std::string user_type = {};

  bool operator==(const MessageContext&) const = default;
};

struct Message {
  std::string id = {};      // the agent's own; empty if it assigns none
  std::string parent = {};  // id of the message that this one follows; empty if none is recorded
  Role role = Role::user;
  Origin origin = Origin::typed;
  std::string timestamp = {};  // as written, in any form (ISO, epoch s or ms as digits); empty if none
  std::string model = {};      // the model that answered or was asked
  std::string stop_reason = {};
  std::optional<Usage> usage = {};
  std::string cost = {};      // of the API response in US dollars, a decimal as written; empty if not recorded
  std::string response = {};  // id of the API response that this message is part of; if empty, `id` is
  std::vector<Block> blocks = {};
  std::string extra = {};  // a JSON object of members that this struct has no field for; empty if none
  MessageContext context = {};
  std::string agent = {};    // the agent whose history it is part of, in a session of several; empty if unknown
  bool side = false;         // written by a sub-agent, stored inside its parent's file
  bool failed = false;       // an API error recorded as an answer; does not count as one
  bool abandoned = false;    // on a branch that a rewind abandoned
  std::string raw = {};      // the record or row as stored, if requested
  std::uint64_t offset = 0;  // of the record in its file
  // Position among all messages of the session, from 0, counting every branch and
  // referenced history; negative, counted from the end, if only the end was read.
  std::int64_t ordinal = 0;

  // Returns all text blocks, joined by newlines.
  HOLDFAST_EXPORT std::string text() const;
};

}  // namespace holdfast::inline v1
