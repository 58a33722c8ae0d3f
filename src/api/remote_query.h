// `--remote NAME`: asks the server of a remote about the sessions of a team, instead of the local stores.
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
// Opens the remote that the call names, with the call's filter. Fails with unsupported if no server can search it, with
// not_found if nobody has indexed it yet, with invalid_argument if one of `refused` is given, which only local stores
// can answer.
Result<RemoteQuery> ask_remote(const Call& call, std::initializer_list<std::string_view> refused);

// Writes "remote": its name, and how current its index is.
void write_remote(JsonWriter& json, const RemoteQuery& query);

}  // namespace holdfast::inline v1
