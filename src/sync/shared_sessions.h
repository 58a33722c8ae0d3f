// Decides which sessions of this home go to a remote, and in which form.
// Thread-safety: functions without state of their own.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "archive/archive.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// A session that goes to a remote, and in which form.
struct SharedSession {
  const CapturedSession* session = nullptr;
  std::string policy = {}, identity = {};
  std::string share = {};  // the shared identity: this one, or a parent
};
using SharedSessions = std::map<CaptureKey, SharedSession>;

// The directory that a session names.
std::string project_of(const CapturedSession& session);

// The share that applies to a project with this directory, possibly withheld; nullptr if none does. Of nested shares
// the inner one applies; of several of one directory the one that names the project, otherwise the one that reveals
// less.
const ProjectShare* share_of(const RemoteSettings& settings, const std::string& identity, const std::string& project);

// The number of shared projects.
std::size_t count_shares(const RemoteSettings& settings);

// Stops sharing a project. If it is part of a project that stays shared, it becomes withheld.
struct UnshareResult {
  bool was_shared = false;
  std::string part_of = {};  // directory of the enclosing project that stays shared
};
UnshareResult unshare_project(RemoteSettings& settings, const std::string& identity, const std::string& project);

// How a session was published.
struct SharedAs {
  std::string policy, identity, project;
};
// Whether its project would still be shared that way.
bool is_admitted(const SigningKey& device, const RemoteSettings& settings, const SharedAs& session);

// The sessions of this home whose projects are shared with that policy, on whatever machine they were captured. A
// session that was published goes by the project under which it was, as long as that is shared: deleting, moving or
// renaming a checkout, or cloning something else in its place, withdraws nothing. Every other one goes by the project
// that its directory belongs to now.
Result<SharedSessions> shared_sessions(const Context& context, const SyncHome& home, const CaptureState& state,
                                       const RemoteSettings& settings, std::string_view policy = "full");

// What changed in a session since it was published; everything if `before` is nullptr. No files if nothing is new.
Capture state_since(const CaptureKey& key, const CapturedSession& now, const CapturedSession* before);

// Whether lines of it were forgotten since it was published. Then every trace of what was published must be erased.
bool lost_lines(const CapturedSession& now, const CapturedSession& published);

}  // namespace holdfast::inline v1
