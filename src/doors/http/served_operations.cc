#include "doors/http/served_operations.h"

#include <algorithm>
#include <array>
#include <span>

#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// Operations that only read. Left out: credentials, configuration, storage of remotes, and records of any
// kind (secrets); events (rpc has them); whatever writes a file or a session although none of our stores
// changes (rescue, hand-off, share, the archive's timer, the queue's folder).
constexpr auto kReads = std::to_array<std::string_view>(
    {"hello",           "api.version",    "session.get",     "session.list",  "session.show",   "session.follow",
     "session.search",  "session.stats",  "session.export",  "message.list",  "message.media",  "session.resumable",
     "session.trashed", "store.info",     "store.list",      "store.metrics", "store.verify",   "store.findings",
     "store.doctor",    "run.get",        "run.list",        "run.children",  "mission.get",    "mission.list",
     "project.list",    "project.get",    "agent.list",      "agent.get",     "skill.list",     "permission.list",
     "plan.get",        "plan.list",      "memory.get",      "memory.list",   "workflow.get",   "task.list",
     "metrics.get",     "workflow.state", "delegation.list", "history.list",  "queue.status",   "thread.list",
     "thread.get",      "archive.status", "hooks.text",      "machine.list",  "initiative.get", "initiative.context",
     "interview.get",   "research.get",   "research.list",   "spec.get",      "spec.list",      "spec.drift",
     "tool.list",       "log.list",       "log.show",        "entry.load",    "entry.list",     "entry.streams",
     "entry.summaries", "queue.list",     "archive.verify"});

// With --write: a person's notes about a session, in Holdfast's own files.
constexpr std::array<std::string_view, 3> kWrites = {"session.star", "session.tag", "session.rename"};

// Here a directory is compared with those of sessions, and not opened.
constexpr std::array<std::string_view, 3> kFilters = {"session.list", "session.search", "session.stats"};

bool among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

Result<const Operation*> served_operation(std::string_view method, bool write) {
  const Operation* const operation = find_operation(method);
  if (operation == nullptr) return fail(unknown_method(method));
  if (operation->method != method)  // an alias would have other parameter names
    return fail(Code::invalid_argument, std::string(method) + " is called " + std::string(operation->method) + " here");
  if (among(kWrites, operation->method)) {
    if (write) return operation;
    return fail(Code::permission_denied,
                "this server is read-only; start holdfast serve with --write to allow this change");
  }
  if (operation->writes())
    return fail(Code::permission_denied,
                std::string(operation->method) + " changes a store, which a server never does");
  if (!among(kReads, operation->method))
    return fail(Code::permission_denied, std::string(operation->method) + " is not served to browsers");
  return operation;
}

std::string served_methods(bool write) {
  JsonWriter json;
  json.begin_array();
  for (const Operation& operation : operations())
    if (served_operation(operation.method, write)) json.string(operation.method);
  return json.end_array().take();
}

Result<void> check_reach(const Operation& operation, const Stores& stores, JsonView params) {
  for (const JsonItem& field : params.fields()) {
    const auto text = field.value.as_string();
    if (field.key_is("store") && text) {
      const std::vector<StoreOptions> known = stores.defaults();
      const bool there = std::ranges::any_of(known, [&](const StoreOptions& one) { return store_name(one) == *text; });
      if (!there) return fail(Code::permission_denied, "the server shows only the stores of store.list, not " + *text);
      continue;
    }
    const auto parameter =
        std::ranges::find_if(operation.parameters, [&](const Parameter& one) { return field.key_is(one.name); });
    if (parameter == operation.parameters.end() || field.value.is_null()) continue;
    if (parameter->file || parameter->or_file || (parameter->path && !among(kFilters, operation.method)))
      return fail(Code::permission_denied, "the server does not open paths given in a request");
  }
  return {};
}

}  // namespace holdfast::inline v1
