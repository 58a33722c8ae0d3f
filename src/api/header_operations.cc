// session.regroup, session.scrub: clean up what older programs left in headers and in the flat folder.
#include <algorithm>

#include "api/call.h"
#include "api/find_session.h"
#include "api/tables.h"
#include "layout/layout.h"
#include "store/engine.h"
#include "store/session_header.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

struct Left {
  std::string id, reason;
};

void write_left(JsonWriter& json, const std::vector<Left>& left) {
  json.key("left").begin_array();
  for (const Left& one : left)
    json.begin_object().key("id").string(one.id).key("reason").string(one.reason).end_object();
  json.end_array();
}

Result<std::vector<SessionRef>> all_sessions(const Call& call, Store& store) {
  HOLDFAST_LET(files, engine_of(store));
  DirectoryFeed feed = files->looking(call.context);
  std::vector<SessionRef> all;
  HOLDFAST_TRY(files->layout().find(feed, [&](SessionRef ref) {
    all.push_back(std::move(ref));
    return true;
  }));
  return all;
}

Result<void> regroup_one(const Call& call, const std::shared_ptr<Store>& store, const std::string& id,
                         const std::string& project, JsonWriter& json, std::vector<Left>& left) {
  HOLDFAST_TRY(call.stores.check_free(*store, id));
  HOLDFAST_LET(before, store->get(call.context, id));
  HOLDFAST_TRY(call.stores.flush(call.context, store->name(), id));
  HOLDFAST_TRY(move_to_project(call.context, *store, id, project, call.stores.claim()));
  const auto session = store->get(call.context, id);
  if (!session || session->path != before.path) call.stores.reopen(call.context, store, id);
  HOLDFAST_TRY(session);
  if (session->path == before.path) {
    left.push_back({id, "it is in the folder of its project already"});
    return {};
  }
  json.begin_object().key("id").string(id).key("project").string(session->project);
  json.key("path").string(session->path).end_object();
  return {};
}

Result<std::string> regroup(Call& call) {
  JsonWriter json = begin_answer();
  std::vector<Left> left;
  if (call.has("id")) {
    HOLDFAST_LET(named, name_session(call, call.text("id")));
    json.key("moved").begin_array();
    HOLDFAST_TRY(regroup_one(call, named.store, named.id, call.project(), json, left));
    json.end_array();
  } else {
    if (call.has("project"))
      return fail(Code::invalid_argument, "session.regroup: project needs the id of one session");
    HOLDFAST_LET(store, call.store());
    HOLDFAST_LET(all, all_sessions(call, *store));
    json.key("moved").begin_array();
    for (const SessionRef& ref : all) {
      HOLDFAST_TRY(call.context.check());
      if (!ref.project.empty()) continue;
      if (auto moved = regroup_one(call, store, ref.id, {}, json, left); !moved)
        left.push_back({ref.id, moved.error().message});
    }
    json.end_array();
  }
  write_left(json, left);
  return json.end_object().take();
}

// Sessions with plaintext secrets: the one with the given id, or all of the store.
struct Found {
  std::shared_ptr<Store> store;
  std::vector<std::pair<std::string, std::size_t>> sessions;  // id, number of secrets
};

Result<std::size_t> secrets_in(const Call& call, Store& store, const std::string& id) {
  HOLDFAST_LET(transcript, store.read(call.context, id, {}));
  return static_cast<std::size_t>(std::ranges::count(transcript.findings, "secret_in_header", &Finding::kind));
}

Result<Found> with_secrets(const Call& call) {
  Found found;
  std::vector<std::string> ids;
  if (call.has("id")) {
    HOLDFAST_LET(one, find_session(call, call.text("id")));
    found.store = one.store;
    ids.push_back(one.session.id);
  } else {
    HOLDFAST_LET(store, call.store());
    found.store = store;
    HOLDFAST_LET(all, all_sessions(call, *store));
    for (const SessionRef& ref : all) ids.push_back(ref.id);
  }
  for (const std::string& id : ids) {
    HOLDFAST_TRY(call.context.check());
    const auto count = secrets_in(call, *found.store, id);
    if (!count && call.has("id")) return fail(count.error());
    if (count && *count > 0) found.sessions.emplace_back(id, *count);
  }
  return found;
}

Result<std::string> scrub(Call& call) {
  HOLDFAST_LET(found, with_secrets(call));
  JsonWriter json = begin_answer();
  std::vector<Left> left;
  json.key("scrubbed").begin_array();
  for (const auto& [id, count] : found.sessions) {
    auto done = call.stores.check_free(*found.store, id);
    if (done) done = call.stores.flush(call.context, found.store->name(), id);
    if (done) done = write_header(call.context, *found.store, id, HeaderRequest::without_secrets);
    if (!done && call.has("id")) return fail(std::move(done).error());
    if (done)
      json.begin_object().key("id").string(id).key("secrets").uint64(count).end_object();
    else
      left.push_back({id, done.error().message});
  }
  json.end_array();
  write_left(json, left);
  return json.end_object().take();
}

Result<std::string> would_scrub(Call& call) {
  HOLDFAST_LET(found, with_secrets(call));
  if (found.sessions.empty()) return std::string("do nothing: no header contains a secret in clear text");
  std::size_t count = 0;
  for (const auto& [id, secrets] : found.sessions) count += secrets;
  return "remove " + counted(count, "secret") + " from the headers of " + counted(found.sessions.size(), "session") +
         " of " + found.store->name() + " for good, with the versions before";
}

}  // namespace

std::span<const Operation> header_operations() {
  static const std::vector<Operation> all{
      {.method = "session.regroup",
       .help = "move a session from the flat folder into the folder of its project",
       .use = Use::write,
       .parameters = {{.name = "id",
                       .help = "an id, a prefix of one, @last, or LAYOUT/ID (default: all that name their project)",
                       .positional = true},
                      {.name = "project",
                       .help = "the project (default: the one that the session names)",
                       .path = true}},
       .result = "moved:moved_session[] left:left_session[]",
       .handler = regroup,
       .example = "session regroup --store open-agent:~/.open-agent"},
      {.method = "session.scrub",
       .help = "remove secrets that an older program left in the header of a session",
       .use = Use::write,
       .parameters = {{.name = "id",
                       .help = "an id, a prefix of one, @last, or LAYOUT/ID (default: every session of the store)",
                       .positional = true}},
       .result = "scrubbed:scrubbed_session[] left:left_session[]",
       .handler = scrub,
       .preview = would_scrub,
       .example = "session scrub k7f3 --yes"},
  };
  return all;
}

}  // namespace holdfast::inline v1
