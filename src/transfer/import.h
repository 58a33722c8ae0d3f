// Reads sessions from documents: what `export` writes (JSON, JSON lines), and ATIF
// trajectories 1.0 to 1.8. Ids, times, tree, usage, status and metadata are kept; an
// unknown block or field is kept verbatim in a block of kind `other`.
// Thread-safety: pure functions; import_session like Store.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/whole_session.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

struct ImportedSession {
  std::string format = {};  // json, jsonl, atif
  SessionDraft draft = {};  // has the id from the document
  SessionPast past = {};
  std::vector<Message> messages = {};
  std::uint64_t abandoned = 0;  // messages that a rewind took back and that become part of the conversation
};

// Fails with invalid_argument if the text is not such a document, and with corrupt if it is cut off.
Result<ImportedSession> read_import(std::string_view text);

// The number of blocks of kind `other`.
std::uint64_t kept_verbatim(const std::vector<Message>& messages);

// The fields of `object` that are not in `known`, as one object; empty if there are none.
std::string unknown_fields(JsonView object, std::span<const std::string_view> known);

// Creates the session with its messages, all or nothing, durable (power) on return. The result also says what
// the store cannot hold. Fails with already_exists if the id exists; that session is left alone.
Result<WholeSession> import_session(const Context& context, Store& store, const ImportedSession& imported);

}  // namespace holdfast::inline v1
