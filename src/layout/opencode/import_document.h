// A session in the JSON form that `opencode import` accepts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::inline v1::opencode {

struct SavedMessage {
  std::string json;
  std::map<std::string, std::string> parts;  // by id, which is also their order
};

struct SavedSession {
  std::string info;
  std::map<std::pair<std::int64_t, std::string>, SavedMessage> messages;  // in opencode's order
  std::map<std::string, std::pair<std::int64_t, std::string>, std::less<>> by_id;
  std::string directory, version;
  std::int64_t first = 0, last = 0;

  // Adds the `data` of a message; returns false if it is not a JSON object.
  bool add_message(const std::string& session, const std::string& id, std::int64_t at, std::string_view data);
  // The same for a part; also returns false if its message has not been added.
  bool add_part(const std::string& session, const std::string& id, const std::string& message, std::string_view data);
};

struct SessionInfo {
  std::string_view id, slug, project, directory, title, version, parent;
  std::int64_t created = 0, updated = 0;
};
std::string session_info(const SessionInfo& session);
// For a lost session row: the info that can be derived from the messages.
std::string rebuilt_info(const SavedSession& saved, std::string_view id);

std::string import_document(const SavedSession& saved);

}  // namespace holdfast::inline v1::opencode
