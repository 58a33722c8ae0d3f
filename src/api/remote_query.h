// `--remote NAME`: what the server of a remote says about the sessions of a team, instead of the stores that are here.
#pragma once

#include "api/call.h"
#include "sync/projection.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

Parameter remote_parameter();

struct RemoteQuery {
  std::string name;
  Projection projection;
  ProjectionState state;
  ProjectionFilter filter;
};
// The remote that the call names and the sessions that it means there. unsupported: no server can search it; not_found:
// nobody has indexed it yet; invalid_argument: one of `refused` is given, which only stores here can answer.
Result<RemoteQuery> ask_remote(const Call& call, std::initializer_list<std::string_view> refused);

// "remote": which it is, and how current what it says.
void write_remote(JsonWriter& json, const RemoteQuery& query);

}  // namespace holdfast::inline v1
