// Which other machines have a session that is asked for here. Looks at what sync has read before, and asks no remote;
// what cannot be read there has nothing to say.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"

namespace holdfast::inline v1 {

// What one device has published at one remote.
struct KnownStream {
  std::string machine;  // as --machine takes it
  std::string path;     // of the archive with what was read of it
  std::string device;
};
std::vector<KnownStream> known_streams(const Call& call);

// The names of those whose synced sessions include one of that layout (empty: any) whose id begins so.
std::set<std::string> machines_with(const Call& call, std::string_view layout, std::string_view id);

// The session of that machine (or of all) that was changed last, whether or not it is here. Empty: there is none.
struct NewestElsewhere {
  std::string name = {};  // LAYOUT/ID
  std::string updated_at = {};
};
NewestElsewhere newest_of_machine(const Call& call, std::string_view machine, std::string_view layout);

}  // namespace holdfast::inline v1
