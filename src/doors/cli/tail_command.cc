#include "doors/cli/tail_command.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/call.h"
#include "api/dispatch.h"
#include "doors/cli/answer_notes.h"
#include "doors/cli/hints.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/terminal.h"
#include "text/clean.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

std::string params_of(const TailSession& request, bool json, bool colour) {
  JsonWriter params;
  params.begin_object().key("last").uint64(request.count);
  if (!request.id.empty()) params.key("id").string(request.id);
  params.key("follow").boolean(request.follow);
  if (!request.store.empty()) params.key("store").string(request.store);
  if (json)
    params.key("format").string("blocks");
  else
    params.key("format").string("text").key("colour").boolean(colour).key("width").uint64(
        std::max<std::size_t>(20, terminal_width()));
  return params.end_object().take();
}

// While a session is followed there is no answer yet that could have them.
void print_news(Stores& stores) {
  const std::vector<Finding> news = stores.news();
  if (news.empty()) return;
  JsonWriter json;
  json.begin_object().key("id").null();
  write_findings(json, "findings", news);
  print_error(notes_of(JsonView(json.end_object().text())));
}

// One item of session.follow.
Result<void> print_item(JsonView item) {
  const JsonView event = item.find("event");
  if (event.is_string("message")) return print_out(std::string(item.find("message").raw()) + "\n", OutputKind::json);
  if (event.is_string("text")) return print_out(item.find("text").as_string().value_or(""), OutputKind::text);
  if (event.is_string("session")) {
    const JsonView session = item.find("session");
    const auto text = [&](std::string_view key) { return session.find(key).as_string().value_or(""); };
    const std::string title = text("title").empty() ? text("first_prompt") : text("title");
    print_error(fmt::format("\nholdfast: now {}/{} {}\n", text("layout"), text("id"),
                            clean_for_terminal(title, {.one_line = true, .max_bytes = 100})));
  }
  if (event.is_string("restarted")) {
    print_error(fmt::format("holdfast: the session was cut or rewritten; it has {} now\n",
                            counted(item.find("messages").as_int64().value_or(0), "message")));
  }
  return {};
}

}  // namespace

Result<int> run_tail(const TailSession& request, bool json, ColourChoice colour) {
  const Interrupts interrupts;
  Context context;
  context.stop = interrupts.token();
  HOLDFAST_LET(settings, default_stores(process_environment()));
  settings.looks_everywhere = true;
  settings.keep = request.follow;  // also watch stores that appear later
  Stores stores(std::move(settings));
  Result<void> printed;
  const auto told = dispatch(context, stores, "session.follow",
                             params_of(request, json, screen_for(colour, json).colour), [&](std::string_view item) {
                               print_news(stores);
                               printed = print_item(JsonView(item));
                               return printed.has_value();
                             });
  // This is how following ends; no message is needed.
  if (!told && request.follow && told.error().code == Code::cancelled) return exit_code_of(Code::cancelled);
  if (!told) return fail(told.error());
  print_error(notes_of(JsonView(*told)) + hints_of(JsonView(*told)));
  HOLDFAST_TRY(printed);
  return 0;
}

}  // namespace holdfast::inline v1
