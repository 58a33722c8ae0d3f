// Which sessions of this machine go to a remote, and what is said of each.
// Thread-safety: pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "archive/archive.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// A session that goes to a remote, and as what.
struct SharedSession {
  const CapturedSession* session = nullptr;
  std::string policy = {}, identity = {};
  std::string share = {};  // the identity that was shared: this one, or one above it
};
using SharedSessions = std::map<CaptureKey, SharedSession>;

// Nothing is sent of what lies there, although it lies in a project that is shared.
inline constexpr std::string_view kWithheld = "withheld";

// How a project is shared, or that it is withheld; nullptr: nobody has said anything. Of shares in each other the inner
// one counts, and of others the one that says less.
const ProjectShare* share_of(const RemoteSettings& settings, const std::string& identity, const std::string& project);

// The number of projects that are shared.
std::size_t count_shares(const RemoteSettings& settings);

// Ends what is shared of a project, also of one that is only part of another: then it is withheld.
struct Unshared {
  bool was_shared = false;
  std::string part_of = {};  // the directory of the project that it is part of and that stays shared
};
Unshared unshare_project(RemoteSettings& settings, const std::string& identity, const std::string& project);

// As what a session was published.
struct SharedAs {
  std::string policy, identity, project;
};
// Whether it would be now, as far as its project goes.
bool is_admitted(const SigningKey& device, const RemoteSettings& settings, const SharedAs& session);

// Those of this machine whose projects are shared with that policy.
SharedSessions shared_sessions(FileSystem& files, const CaptureState& state, const RemoteSettings& settings,
                               std::string_view policy = "full");

// The state of a session since what was published of it; `before`: nullptr for all of it. Nothing new: no file.
Capture state_since(const CaptureKey& key, const CapturedSession& now, const CapturedSession* before);

// Whether lines of it were forgotten since it was published: then every trace of what was published has to go.
bool lost_lines(const CapturedSession& now, const CapturedSession& published);

}  // namespace holdfast::inline v1
