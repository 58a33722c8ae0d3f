// hello, api.*, events.*: operations about the api itself.
#include "api/call.h"
#include "api/tables.h"
#include "base/version.h"

namespace holdfast::inline v1 {
namespace {

void write_versions(JsonWriter& json) {
  json.key("version").string(HOLDFAST_VERSION).key("api_version").int64(kApiVersion);
}

Result<std::string> version(Call&) {
  JsonWriter json = begin_answer();
  write_versions(json);
  return json.end_object().take();
}

Result<std::string> hello(Call& call) {
  // A caller of a newer version either understands this one or finds out from the answer.
  JsonWriter json = begin_answer();
  write_versions(json);
  json.key("features").begin_array();
  if (call.stores.settings().keep) {
    for (const auto feature : {"batch", "cancel", "events", "leases", "streams"}) json.string(feature);
  }
  json.end_array().key("methods").begin_array();
  for (const Operation& operation : operations()) json.string(operation.method);
  return json.end_array().end_object().take();
}

Result<std::string> subscribe(Call& call) {
  HOLDFAST_TRY(call.stores.subscribe(call.context));
  return begin_answer().key("subscribed").boolean(true).end_object().take();
}

}  // namespace

std::span<const Operation> api_operations() {
  static const std::vector<Operation> all{
      {.method = "hello",
       .help = "identify the server; the first message of every rpc connection",
       .use = Use::nothing,
       .parameters = {{.name = "api_version",
                       .help = "newest API version that the caller understands; the answer names the version that is "
                               "used, never a newer one",
                       .type = ParamType::integer,
                       .least = 1},
                      {.name = "client", .help = "the caller's name and version"}},
       .result = "version:string api_version:integer features:string[] methods:string[]",
       .handler = hello},
      {.method = "api.version",
       .help = "show the versions of Holdfast and its API",
       .use = Use::nothing,
       .result = "version:string api_version:integer",
       .handler = version,
       .example = "api version"},
      {.method = "events.subscribe",
       .help = "send what happens in open stores as notifications: {\"method\":\"event\"}",
       .use = Use::nothing,
       .result = "subscribed:boolean",
       .errors = {Code::unsupported},
       .handler = subscribe},
  };
  return all;
}

}  // namespace holdfast::inline v1
