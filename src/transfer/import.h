// Sessions out of documents: what `export` writes (JSON, JSON lines), and ATIF
// trajectories 1.0 to 1.8. Ids, times, tree, usage, status and metadata are kept; a
// block or field that is not known is kept verbatim in a block of the kind `other`.
// Thread-safety: pure function; import_session as Store.
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
  SessionDraft draft = {};  // its id is the one in the document
  SessionPast past = {};
  std::vector<Message> messages = {};
};

// invalid_argument that says what the text is not; corrupt for a document that breaks off.
Result<ImportedSession> read_import(std::string_view text);

// Blocks of the kind `other` in it.
std::uint64_t kept_verbatim(const std::vector<Message>& messages);

// The fields of `object` whose names are not among `known`, as one object; empty: there are none.
std::string unknown_fields(JsonView object, std::span<const std::string_view> known);

// Makes the session with its messages, all of it or nothing, durable (power) when it returns; with what its new
// store has no place for. One whose id is there already is left alone: already_exists.
Result<WholeSession> import_session(const Context& context, Store& store, const ImportedSession& imported);

}  // namespace holdfast::inline v1
