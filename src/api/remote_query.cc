#include "api/remote_query.h"

#include "api/remote_index.h"
#include "api/remotes.h"
#include "api/session_filter.h"
#include "sync/project_identity.h"

namespace holdfast::inline v1 {
namespace {

// The identity of a project, which is the same on all machines even if its directories differ.
std::string identity_of(const Call& call) {
  const std::string project = call.text("project");
  return project.starts_with('/') ? project_identity(*call.stores.settings().files, project) : project;
}

}  // namespace

Parameter remote_parameter() {
  return {.name = "remote", .help = "sessions of all machines that share through this remote, as stored on its server"};
}

Result<RemoteQuery> ask_remote(const Call& call, std::initializer_list<std::string_view> refused) {
  for (const std::string_view name : refused)
    if (call.has(name) && call.params.find(name).as_bool().value_or(true))
      return fail(Code::invalid_argument, std::string(name) + " is only for sessions that are here, not with remote");
  HOLDFAST_LET(remotes, requested_remotes(call, call.text("remote")));
  const RemoteSettings& settings = remotes.front();
  HOLDFAST_TRY(check_searchable(settings));
  HOLDFAST_LET(filter, filter_of(call));
  HOLDFAST_LET(layout, requested_layout(call));
  ProjectionFilter meant;
  const std::set<std::string> revoked = settings.revoked();
  meant.revoked.assign(revoked.begin(), revoked.end());
  meant.layout = layout;
  meant.machine = call.text("machine") == "all" ? "" : call.text("machine");
  meant.since = filter.since;
  meant.until = filter.until;
  if (filter.status) meant.status = status_name(*filter.status);
  meant.project = filter.project;
  meant.also_project = filter.also_project;
  meant.identity = identity_of(call);
  meant.subagents = filter.subagents;
  HOLDFAST_LET(projection, Projection::open(settings.url));
  HOLDFAST_LET(state, projection.state(call.context, meant.revoked));
  if (state.at.empty())
    return fail(Code::not_found, "nobody has indexed " + settings.name + " yet; run holdfast remote index " +
                                     settings.name + " to make it searchable");
  return RemoteQuery{settings.name, std::move(projection), std::move(state), std::move(meant)};
}

void write_remote(JsonWriter& json, const RemoteQuery& query) {
  json.key("remote").begin_object().key("name").string(query.name).key("indexed_at").string(query.state.at);
  json.key("behind").uint64(query.state.behind).key("left_out").uint64(query.state.left_out);
  json.key("cut").uint64(query.state.cut).end_object();
}

}  // namespace holdfast::inline v1
