// A session with all its messages, made in one step: an import is there or it is not, whatever
// fails in the middle and whenever the power goes. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast::inline v1 {

// What the session has behind it.
struct SessionPast {
  std::string summary = {};           // empty: none
  std::optional<Status> status = {};  // complete, failed or stopped; others are of a session that goes on
  std::string created_at = {};        // when it was made and last changed; empty, or no time: now
  std::string updated_at = {};
  std::string origin = {};  // a JSON object: members of its metadata that say where it comes from
};

struct WholeSession {
  std::string id;
  std::vector<std::string> left_out;  // what the layout has no place for, a sentence each
};

// Durable (power) when it returns. already_exists when the id is taken.
Result<WholeSession> create_whole(const Context& context, Store& store, const SessionDraft& draft,
                                  const SessionPast& past, std::span<const Message> messages);

}  // namespace holdfast::inline v1
