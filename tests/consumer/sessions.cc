// Uses the operations of an installed Holdfast as a stranger would: appends, lists, searches, exports.
// sessions DIRECTORY
#include <holdfast/api.h>

#include <iostream>
#include <string>

namespace {

namespace api = holdfast::api;

holdfast::Failure wrong(const std::string& what) { return holdfast::fail(holdfast::Code::internal, what); }

holdfast::Result<void> work(const std::string& directory) {
  const holdfast::Context context;
  HOLDFAST_LET(client, holdfast::Client::open({.stores = {"holdfast:" + directory}}));

  HOLDFAST_LET(made, api::session_create(*client, context, {.project = "/home/me/proj", .title = "Fix \"login\""}));
  HOLDFAST_LET(said, api::message_append(*client, context, {.session = made.id, .text = "why does login fail?"}));
  if (said.durability != "power" || said.end <= said.offset) return wrong("append");
  HOLDFAST_TRY(api::message_append(
      *client, context,
      {.session = made.id, .message = api::GivenMessage{.role = "assistant", .text = "the clock is wrong"}}));

  HOLDFAST_LET(listed, api::session_list(*client, context));
  if (listed.total != 1 || listed.sessions.size() != 1) return wrong("list");
  const api::Session& session = listed.sessions.front();
  if (session.id != made.id || session.title != "Fix \"login\"" || !session.counts || session.counts->user != 1)
    return wrong("list: " + session.id);

  HOLDFAST_LET(found, api::session_search(*client, context, {.words = {"clock"}}));
  if (found.hits.size() != 1 || found.hits.front().session != made.id || found.hits.front().role != "assistant")
    return wrong("search");

  HOLDFAST_LET(page, api::session_export(*client, context, {.id = made.id, .format = "md"}));
  if (page.text.find("why does login fail?") == std::string::npos) return wrong("export: " + page.text);

  const auto none = api::session_get(*client, context, {.id = "nobody"});
  if (none || none.error().code != holdfast::Code::not_found) return wrong("get");
  const auto raw = client->call(context, "session.lst");
  if (raw || raw.error().message.find("session.list") == std::string::npos) return wrong("call");
  return client->close(context);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto done = work(argv[1]);
  if (!done) std::cerr << done.error().text() << '\n';
  return done ? 0 : 1;
}
