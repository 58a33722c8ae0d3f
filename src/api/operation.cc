#include "api/operation.h"

#include <algorithm>
#include <set>

#include "api/shape.h"
#include "api/suggest.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr Code kAlways[] = {Code::invalid_argument,  Code::too_large,     Code::cancelled,
                            Code::deadline_exceeded, Code::out_of_memory, Code::internal};
constexpr Code kOfStores[] = {Code::not_found,           Code::corrupt,
                              Code::newer_schema,        Code::schema_mismatch,
                              Code::unsupported,         Code::unsafe_path,
                              Code::permission_denied,   Code::io_error,
                              Code::storage_unavailable, Code::schema_version_mismatch};
constexpr Code kOfWriting[] = {Code::busy,
                               Code::conflict,
                               Code::network_file_system,
                               Code::disk_full,
                               Code::read_only,
                               Code::durability_unknown,
                               Code::poisoned,
                               Code::unfinished,
                               Code::serialization_failed,
                               Code::atomic_write_failed};

}  // namespace

std::string_view param_type_name(ParamType type) {
  switch (type) {
    case ParamType::string: return "string";
    case ParamType::integer: return "integer";
    case ParamType::number: return "number";
    case ParamType::boolean: return "boolean";
    case ParamType::object: return "object";
    case ParamType::array: return "array";
    case ParamType::any: return "any";
  }
  return "any";
}

std::string_view Operation::verb() const {
  const auto dot = method.find('.');
  return dot == std::string_view::npos ? std::string_view() : method.substr(dot + 1);
}

std::string_view kind_name(OperationKind kind) {
  switch (kind) {
    case OperationKind::call: return "call";
    case OperationKind::list: return "list";
    case OperationKind::stream: return "stream";
  }
  return "call";
}

OperationKind Operation::kind() const {
  if (!item.empty()) return OperationKind::stream;
  const bool paged = std::ranges::any_of(parameters, [](const Parameter& one) { return one.name == "skip"; });
  return paged ? OperationKind::list : OperationKind::call;
}

bool produces_items(const Operation& operation, JsonView params) {
  return operation.kind() == OperationKind::stream ||
         (!operation.streamed.empty() && params.find("stream").as_bool().value_or(false));
}

std::string result_of(const Operation& operation) {
  std::string fields(operation.result);
  if (operation.kind() == OperationKind::list) fields += " next_cursor:string?";
  if (operation.use == Use::nothing) return fields;
  const std::vector<ShapeField> own = fields_of(operation.result);
  for (const auto& [name, type] : {std::pair("warnings", "string[]"), std::pair("findings", "finding[]")}) {
    const bool named = std::ranges::any_of(own, [&](const ShapeField& field) { return field.name == name; });
    if (!named) fields.append(" ").append(name).append("?:").append(type);
  }
  return fields;
}

const SeedName* seed_name(const Operation& operation, std::string_view method) {
  const auto found = std::ranges::find(operation.aliases, method, &SeedName::name);
  return found == operation.aliases.end() ? nullptr : &*found;
}

const Operation* find_operation(std::string_view method) {
  for (const Operation& operation : operations()) {
    if (operation.method == method || seed_name(operation, method) != nullptr) return &operation;
  }
  return nullptr;
}

std::string translate_params(const SeedName& alias, std::string_view params) {
  if (params.empty()) params = "{}";
  if (!check_json(params).ok() || JsonView(params).kind() != JsonKind::object) return std::string(params);
  JsonWriter json;
  json.begin_object();
  for (const JsonItem& item : JsonView(params).fields()) {
    const std::string key = item.key();
    const auto word = std::ranges::find(alias.parameters, key, &SeedName::Word::seed);
    json.key(word == alias.parameters.end() ? std::string_view(key) : word->ours).raw(item.value.raw());
  }
  const std::string always = "{" + std::string(alias.always) + "}";
  for (const JsonItem& item : JsonView(always).fields())
    if (!JsonView(params).find(item.key())) json.key(item.key()).raw(item.value.raw());
  return json.end_object().take();
}

Error unknown_method(std::string_view method) {
  std::vector<std::string_view> choices;
  for (const Operation& operation : operations()) {
    choices.push_back(operation.method);
    for (const SeedName& alias : operation.aliases) choices.push_back(alias.name);
  }
  std::string message = "there is no method " + std::string(method.substr(0, 100));
  if (const auto meant = nearest(method, choices)) message += "; did you mean " + std::string(*meant) + "?";
  return {Code::invalid_argument, std::move(message), {}, 0};
}

std::vector<Parameter> parameters_of(const Operation& operation) {
  std::vector<Parameter> all = operation.parameters;
  if (!operation.streamed.empty())
    all.push_back({.name = "stream",
                   .help = "stream items as they are found instead of returning them in the answer",
                   .type = ParamType::boolean});
  if (operation.kind() == OperationKind::list)
    all.push_back({.name = "cursor", .help = "next_cursor from the previous page"});
  if (operation.use != Use::nothing)
    all.push_back({.name = "store", .help = "use this store, LAYOUT:ROOT (default: the stores on this machine)"});
  if (operation.writes())
    all.push_back(
        {.name = "dry_run", .help = "print what would be done and change nothing", .type = ParamType::boolean});
  return all;
}

std::vector<Code> errors_of(const Operation& operation) {
  std::set<Code> all(operation.errors.begin(), operation.errors.end());
  all.insert(std::begin(kAlways), std::end(kAlways));
  if (operation.use != Use::nothing) all.insert(std::begin(kOfStores), std::end(kOfStores));
  if (operation.writes()) all.insert(std::begin(kOfWriting), std::end(kOfWriting));
  return {all.begin(), all.end()};
}

}  // namespace holdfast::inline v1
