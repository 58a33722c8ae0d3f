// One message of a session in the words that every layout is translated to and
// from. Plain values; thread-safe as such.
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
  typed,     // a person wrote it; of a message that no user said: not given, and usual_origin counts
  model,     // an answer of the model
  tool,      // what a tool gave back; of an assistant: calls that its agent does not count as an answer
  injected,  // context, reminders, environment: put there by the agent
  summary,   // of a compacted history
  command,   // a slash command and what it printed
  notice,    // interrupt markers, errors of the API, progress
};

// What a message of that role is when nobody says more.
HOLDFAST_EXPORT Origin usual_origin(Role role);

// Tokens of one API response. `input` never includes what was read from or
// written to a cache, whatever the agent's own figure does; `output` is the
// agent's own output figure; `reasoning` is informative and never added to it.
struct Usage {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cache_read = 0;
  std::int64_t cache_write = 0;
  std::int64_t reasoning = 0;

  bool operator==(const Usage&) const = default;
  HOLDFAST_EXPORT Usage& operator+=(const Usage& other);
};

enum class BlockKind { text, thinking, tool_call, tool_result, image, document, audio, other };
HOLDFAST_EXPORT std::string_view block_kind_name(BlockKind kind);
HOLDFAST_EXPORT std::optional<BlockKind> block_kind_of(std::string_view name);
// Whether blocks of the kind are bytes of a media_type: image, document, audio.
HOLDFAST_EXPORT bool is_media(BlockKind kind);

struct Block {
  BlockKind kind = BlockKind::text;
  std::string text = {};  // of text, thinking, a tool_result's output; words in what a reader does not know
  std::string id = {};    // call id of tool_call and tool_result
  std::string name = {};  // of the tool, in tool_call
  // Input of tool_call; output of tool_result, where it is more than a text; the whole block, verbatim, in other.
  std::string json = {};
  std::string media_type = {};  // of image, document and audio
  std::string data = {};        // their bytes, not encoded; when reading, only if they were asked for
  std::string blob = {};        // SHA-256 of these bytes, where the store keeps them in a file of their own
  std::uint64_t bytes = 0;      // how many they are, where that is known
  bool is_error = false;        // of tool_result
  std::string signature = {};   // of thinking
  std::string spilled = {};     // where the whole output lies, when `text` is a preview: a path in the store
  std::string extra = {};       // a JSON object: members that the model has no place for; empty: none

  bool operator==(const Block&) const = default;
};

// "an image, image/png, 2048 bytes": for people, of image, document and audio.
HOLDFAST_EXPORT std::string media_words(const Block& block);

// What surrounded the message when it was written; all optional (empty).
struct MessageContext {
  std::string cwd = {};
  std::string git_branch = {};
  std::string permission_mode = {};
  std::string version = {};  // of the agent
  std::string user_type = {};

  bool operator==(const MessageContext&) const = default;
};

struct Message {
  std::string id = {};      // the agent's own; empty when it gives none
  std::string parent = {};  // id of the message that this one follows; empty: none named
  Role role = Role::user;
  Origin origin = Origin::typed;
  std::string timestamp = {};  // as written: any form (ISO, epoch s or ms as digits); empty: none
  std::string model = {};      // that answered, or was asked
  std::string stop_reason = {};
  std::optional<Usage> usage = {};
  std::string cost = {};      // of the API response in US dollars, a decimal as written; empty: not recorded
  std::string response = {};  // names the API response that this is part of; empty: the id does
  std::vector<Block> blocks = {};
  std::string extra = {};  // a JSON object: members that the model has no place for; empty: none
  MessageContext context = {};
  std::string agent = {};    // whose history it is part of, in a session of several agents; empty: not said
  bool side = false;         // of a sub-agent, stored inside its parent's file
  bool failed = false;       // an API error written down as an answer: counts as none
  bool abandoned = false;    // on a branch that was left by a rewind
  std::string raw = {};      // the record or row as stored, when the reader asked for it
  std::uint64_t offset = 0;  // of the record in its file
  // Its place among all messages of the session, from 0, every branch and
  // referenced history counted; negative, from the end, when only the end was read.
  std::int64_t ordinal = 0;

  // All text blocks, joined by newlines.
  HOLDFAST_EXPORT std::string text() const;
};

}  // namespace holdfast::inline v1
