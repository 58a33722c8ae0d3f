// Creates a session with all its messages in one step: an import is there or it is not,
// whatever fails and whenever the power goes. Thread-safety: that of Store.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast::inline v1 {

// The history of the session.
struct SessionPast {
  std::string summary = {};           // empty if none
  std::optional<Status> status = {};  // complete, failed or stopped; other values belong to a session that goes on
  std::string created_at = {};        // when it was created and last changed; now if empty
  std::string updated_at = {};
  std::string origin = {};  // a JSON object: members for its metadata that say where it comes from
};

struct WholeSession {
  std::string id;
  std::vector<std::string> left_out;  // what the layout cannot store, one sentence each
};

// Durable (power) on return. Fails with already_exists if the id is taken, and with invalid_argument, naming the
// message by its number from 0, for what could not be read back (check_input.h), a time that is none included.
Result<WholeSession> create_whole(const Context& context, Store& store, const SessionDraft& draft,
                                  const SessionPast& past, std::span<const Message> messages);

}  // namespace holdfast::inline v1
