// Sessions out of documents: what `export` writes (JSON, JSON lines), and ATIF
// trajectories 1.0 to 1.8. Ids, times, tree and usage are kept.
// Thread-safety: pure function; import_session as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct ImportedSession {
  std::string format = {};  // json, jsonl, atif
  SessionDraft draft = {};  // its id is the one in the document
  std::string summary = {};
  std::vector<Message> messages = {};
};

// invalid_argument that says what the text is not; corrupt for a document that breaks off.
Result<ImportedSession> read_import(std::string_view text);

// Makes the session and appends its messages; the id that it has. One whose id is
// there already is left alone: already_exists.
Result<std::string> import_session(const Context& context, Store& store, const ImportedSession& imported);

}  // namespace holdfast::inline v1
