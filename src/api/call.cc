#include "api/call.h"

namespace holdfast::inline v1 {

bool Call::has(std::string_view name) const {
  const JsonView value = params.find(name);
  return value && !value.is_null();
}

std::string Call::text(std::string_view name) const { return params.find(name).as_string().value_or(""); }

std::optional<std::string> Call::maybe_text(std::string_view name) const { return params.find(name).as_string(); }

std::int64_t Call::integer(std::string_view name, std::int64_t otherwise) const {
  return params.find(name).as_int64().value_or(otherwise);
}

bool Call::flag(std::string_view name, bool otherwise) const { return params.find(name).as_bool().value_or(otherwise); }

std::string Call::json(std::string_view name) const {
  return has(name) ? std::string(params.find(name).raw()) : std::string();
}

Result<std::shared_ptr<Store>> Call::store() const {
  if (stores.settings().several && !has("store"))
    return fail(Code::invalid_argument, std::string(operation.method) + " works on one store, and several are named");
  HOLDFAST_LET(meant, stores.meant(text("store"), {}, operation.use));
  return stores.open(context, meant.front(), opening());
}

JsonWriter begin_answer() {
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1);
  return json;
}

Parameter limit_parameter() {
  return {.name = "limit", .help = "at most so many; default 100", .type = ParamType::integer, .least = 1};
}

Parameter skip_parameter() {
  return {.name = "skip", .help = "leave out the first so many", .type = ParamType::integer, .least = 0};
}

Page page_of(const Call& call) {
  Page page;
  page.limit = static_cast<std::size_t>(call.integer("limit", 100));
  page.skip = static_cast<std::size_t>(call.integer("skip", 0));
  return page;
}

void write_page(JsonWriter& json, const Page& page, std::size_t shown, std::size_t total) {
  json.key("total").uint64(total).key("next");
  page.skip + shown < total&& shown > 0 ? json.uint64(page.skip + shown) : json.null();
}

void write_findings(JsonWriter& json, std::string_view key, const std::vector<StoreFinding>& findings) {
  json.key(key).begin_array();
  for (const StoreFinding& finding : findings) {
    json.begin_object().key("file").string(finding.file).key("offset").uint64(finding.offset);
    json.key("length").uint64(finding.length).key("kind").string(finding.kind);
    json.key("salvaged").uint64(finding.salvaged);
    if (!finding.consequence.empty()) json.key("consequence").string(finding.consequence);
    json.end_object();
  }
  json.end_array();
}

}  // namespace holdfast::inline v1
