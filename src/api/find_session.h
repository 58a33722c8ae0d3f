// Which session somebody means by an id.
#pragma once

#include <holdfast/store.h>

#include <memory>
#include <string_view>

#include "api/call.h"
#include "store/session_match.h"

namespace holdfast::inline v1 {

struct FoundSession {
  std::shared_ptr<Store> store;
  Session session;
};

// In the help of parameters.
inline constexpr std::string_view kSessionToRead = "an id, a prefix of one, @last, or LAYOUT/ID";
inline constexpr std::string_view kSessionToChange = "a whole id, @last, or LAYOUT/ID";

// `id` is an id, `@last` for the newest, or LAYOUT/ID; for an operation that only
// reads an unambiguous prefix too.
// Without a named store, reading looks in the home first, then in every other
// default. not_found when there is none, or more than one.
Result<FoundSession> find_session(const Call& call, std::string_view id);
Result<FoundSession> find_session(const Call& call, std::string_view id, Naming naming);

struct OpenSession {
  std::shared_ptr<Store> store;
  std::shared_ptr<SessionWriter> writer;
};

// The same for appending, in the store that is written to, at the cost of the
// lookup alone. Stores::done when the call needs it no longer.
Result<OpenSession> open_session(const Call& call, std::string_view id, const WriterOptions& options = {});

struct NamedSession {
  std::shared_ptr<Store> store;
  std::string id;  // whatever was given, if not @last
};

// The store that is written to, and the id with @last made out; looks for nothing else.
Result<NamedSession> name_session(const Call& call, std::string_view id);

}  // namespace holdfast::inline v1
