// Finds the session that an id refers to.
#pragma once

#include <holdfast/store.h>

#include <memory>
#include <string_view>

#include "api/call.h"
#include "store/file_store.h"
#include "store/session_match.h"

namespace holdfast::inline v1 {

// What a person or program typed: ID, or LAYOUT/ID. ID may be ID@KEY (session_match.h).
struct SessionSelector {
  std::string_view layout;  // empty: of any
  std::string_view id;
};

SessionSelector parse_selector(std::string_view text);

struct FoundSession {
  std::shared_ptr<Store> store;
  Session session;
};

// `id` is an id or an unambiguous prefix (session_match.h), `@last` for the newest, or LAYOUT/ID.
// If the call names no store, a read searches the home first, then every other
// default. Fails with not_found if there is none or more than one. If the store has several files with the id, takes
// the newest, and warns of the others (Stores::warn).
Result<FoundSession> find_session(const Call& call, std::string_view id);
// Sets `ambiguous` if it fails because there is more than one.
Result<FoundSession> find_session(const Call& call, std::string_view id, Naming naming, bool* ambiguous = nullptr);

struct LocatedSession {
  std::shared_ptr<FileStore> files;
  SessionRef ref;
};

// Like find_session for reading, but looks only at file names and does not read the session.
Result<LocatedSession> locate_session(const Call& call, std::string_view id);

struct OpenSession {
  std::shared_ptr<Store> store;
  std::shared_ptr<SessionWriter> writer;
};

// The same for appending, in the store that is written to. Call Stores::done when
// the writer is no longer needed.
Result<OpenSession> open_session(const Call& call, std::string_view id, const WriterOptions& options = {});

struct NamedSession {
  std::shared_ptr<Store> store;
  std::string id;  // whole
};

// Searches the store that is written to; looks only at file names.
Result<NamedSession> name_session(const Call& call, std::string_view id);

// The id that a record of the store gets for a session that a caller names: @last and abbreviations are replaced by the
// whole id. What the store does not know may be kept elsewhere and stays as it is; fails if it cannot be an id.
Result<std::string> session_reference(const Call& call, Store& store, std::string_view text);

}  // namespace holdfast::inline v1
