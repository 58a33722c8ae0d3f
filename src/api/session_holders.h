// Which other machines have a requested session. Uses only what sync has already read and asks no remote; ignores what
// cannot be read.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "api/session_name.h"
#include "archive/capture.h"

namespace holdfast::inline v1 {

// What one device has published to one remote.
struct KnownStream {
  std::string machine;  // as --machine takes it
  std::string path;     // of the archive with what was read from it
  std::string device;
  std::set<CaptureKey> replaced;             // as replaced_sessions()
  std::map<std::string, std::string> forms;  // as in its StreamCursor
};
// Those of one machine, by its name or the beginning of its id, or of all.
std::vector<KnownStream> known_streams(const Call& call, std::string_view machine = "all");

// The synced sessions of that layout (any if empty) whose ids begin with `id`, each with the machines that have it. Not
// those that are part of another session.
std::map<SessionName, std::set<std::string>> holders_of(const Call& call, std::string_view layout, std::string_view id);

// The machines with such a session, also as part of another one.
std::set<std::string> machines_with(const Call& call, std::string_view layout, std::string_view id);

// The most recently changed session of a machine (or of all), whether or not it is here. Empty if there is none.
struct NewestForeignSession {
  std::string name = {};  // LAYOUT/ID
  std::string machine = {};
  std::string updated_at = {};
};
NewestForeignSession newest_of_machine(const Call& call, std::string_view machine, std::string_view layout);

}  // namespace holdfast::inline v1
