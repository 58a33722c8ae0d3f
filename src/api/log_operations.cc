// log.*: the daily text logs of a store.
#include <algorithm>

#include "api/call.h"
#include "api/tables.h"
#include "rules/runs/logs.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> append(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(name, write_log(call.context, *store, call.text("text")));
  HOLDFAST_LET(gone, prune_logs(call.context, *store));
  JsonWriter json = begin_answer();
  json.key("name").string(name);
  json.key("pruned").strings(gone);
  return json.end_object().take();
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(logs, list_logs(call.context, *store));
  const Page page = page_of(call);
  const std::size_t from = std::min(page.skip, logs.size());
  const std::size_t count = std::min(page.limit, logs.size() - from);
  JsonWriter json = begin_answer();
  json.key("logs").begin_array();
  for (std::size_t i = from; i < from + count; ++i) {
    json.begin_object().key("name").string(logs[i].name).key("bytes").uint64(logs[i].bytes);
    json.key("updated_at").string(logs[i].updated_at).end_object();
  }
  json.end_array();
  write_page(json, page, count, logs.size());
  return json.end_object().take();
}

Result<std::string> show(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(log, read_log(call.context, *store, call.text("day")));
  JsonWriter json = begin_answer();
  json.key("name").string(log.name).key("format").string("text").key("text").string(log.text);
  return json.end_object().take();
}

Result<std::string> prune(Call& call) {
  HOLDFAST_LET(store, call.store());
  const std::chrono::days keep(call.integer("days", kLogRetention.count()));
  HOLDFAST_LET(gone, prune_logs(call.context, *store, keep));
  JsonWriter json = begin_answer();
  json.key("pruned").strings(gone);
  return json.end_object().take();
}

Result<std::string> would_prune(Call& call) {
  HOLDFAST_LET(store, call.store());
  const std::chrono::days keep(call.integer("days", kLogRetention.count()));
  HOLDFAST_LET(old, logs_older_than(call.context, *store, keep));
  if (old.empty()) return std::string("do nothing: no log is that old");
  return "delete " + counted(old.size(), "log") + " of " + store->name() + " for good";
}

}  // namespace

std::span<const Operation> log_operations() {
  static const std::vector<Operation> all{
      {.method = "log.append",
       .help = "add a line to today's log; logs older than 7 days are deleted",
       .use = Use::create,
       .parameters = {{.name = "text", .help = "the line", .required = true, .positional = true}},
       .result = "name:string pruned:string[]",
       .handler = append,
       .example = "log append \"agent started\""},
      {.method = "log.list",
       .help = "list the daily logs of a store, newest first",
       .parameters = {limit_parameter(), skip_parameter()},
       .result = "logs:daily_log[] total:integer next:integer?",
       .handler = list,
       .example = "log list"},
      {.method = "log.show",
       .help = "show the log of a day",
       .parameters = {{.name = "day", .help = "YYYY-MM-DD, in UTC (default: today)", .positional = true}},
       .result = "name:string format:string text:string",
       .handler = show,
       .example = "log show 2026-11-15"},
      {.method = "log.prune",
       .help = "delete old daily logs",
       .use = Use::write,
       .parameters = {{.name = "days",
                       .help = "keep logs written to in the last N days (default 7)",
                       .type = ParamType::integer,
                       .least = 0}},
       .result = "pruned:string[]",
       .handler = prune,
       .preview = would_prune,
       .example = "log prune --days 3 --yes"},
  };
  return all;
}

}  // namespace holdfast::inline v1
