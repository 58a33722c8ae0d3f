// Which session somebody means by an id.
#pragma once

#include <holdfast/store.h>

#include <memory>
#include <string_view>

#include "api/call.h"
#include "store/file_store.h"
#include "store/session_match.h"

namespace holdfast::inline v1 {

struct FoundSession {
  std::shared_ptr<Store> store;
  Session session;
};

// `id` is an id or an unambiguous prefix (session_match.h), `@last` for the newest, or LAYOUT/ID.
// Without a named store, reading looks in the home first, then in every other
// default. not_found when there is none, or more than one.
Result<FoundSession> find_session(const Call& call, std::string_view id);
Result<FoundSession> find_session(const Call& call, std::string_view id, Naming naming);

struct LocatedSession {
  std::shared_ptr<FileStore> files;
  SessionRef ref;
};

// As find_session for reading, but at the cost of looking at names: nothing of the session is read.
Result<LocatedSession> locate_session(const Call& call, std::string_view id);

struct OpenSession {
  std::shared_ptr<Store> store;
  std::shared_ptr<SessionWriter> writer;
};

// The same for appending, in the store that is written to, at the cost of the
// lookup alone. Stores::done when the call needs it no longer.
Result<OpenSession> open_session(const Call& call, std::string_view id, const WriterOptions& options = {});

struct NamedSession {
  std::shared_ptr<Store> store;
  std::string id;  // whole
};

// In the store that is written to; looks at names only.
Result<NamedSession> name_session(const Call& call, std::string_view id);

}  // namespace holdfast::inline v1
