#include "api/document.h"

#include "api/dispatch.h"
#include "api/dry_run.h"
#include "api/seed_answers.h"
#include "api/shape.h"
#include "base/version.h"

namespace holdfast::inline v1 {
namespace {

void write_shape(JsonWriter& json, const Parameter& parameter) {
  const std::string name = "#/$defs/" + std::string(parameter.shape);
  if (parameter.type != ParamType::array) {
    json.key("$ref").string(name);
    return;
  }
  json.key("items").begin_object();
  const Shape* const shape = find_shape(parameter.shape);
  if (shape == nullptr) {
    json.key("type").string(parameter.shape);
  } else if (shape->or_text) {
    json.key("anyOf").begin_array().begin_object().key("type").string("string").end_object();
    json.begin_object().key("$ref").string(name).end_object().end_array();
  } else {
    json.key("$ref").string(name);
  }
  json.end_object();
}

void write_parameter(JsonWriter& json, const Parameter& parameter) {
  json.begin_object();
  if (parameter.type != ParamType::any) json.key("type").string(param_type_name(parameter.type));
  if (!parameter.words.empty()) json.key("enum").strings(parameter.words);
  if (!parameter.shape.empty()) write_shape(json, parameter);
  if (parameter.least) json.key("minimum").int64(*parameter.least);
  json.key("description").string(parameter.help).end_object();
}

void write_method(JsonWriter& json, const Operation& operation) {
  json.begin_object().key("method").string(operation.method).key("aliases").begin_array();
  for (const SeedName& alias : operation.aliases) json.string(alias.name);
  json.end_array().key("alias_parameters").begin_object();
  for (const SeedName& alias : operation.aliases) {
    if (alias.parameters.empty()) continue;
    json.key(alias.name).begin_object();
    for (const SeedName::Word& word : alias.parameters) json.key(word.seed).string(word.ours);
    json.end_object();
  }
  json.end_object().key("summary").string(operation.help);
  json.key("kind").string(kind_name(operation.kind()));
  json.key("writes").boolean(operation.writes()).key("destructive").boolean(operation.destructive());
  json.key("params");
  write_params_schema(json, operation);
  json.key("result");
  write_result_schema(json, operation);
  json.key("alias_result").begin_object();
  for (const SeedName& alias : operation.aliases) {
    if (alias.answer != as_maestro) continue;
    json.key(alias.name);
    write_schema(json, "schema_version:integer " + result_as_maestro(operation));
  }
  json.end_object();
  if (supports_dry_run(operation))
    json.key("dry_run").begin_object().key("$ref").string("#/$defs/dry_run").end_object();
  if (const std::string_view item = operation.item.empty() ? operation.streamed : operation.item; !item.empty()) {
    json.key("item");
    write_schema(json, item);
  }
  json.key("errors").begin_array();
  for (const Code code : errors_of(operation)) json.string(code_name(code));
  json.end_array().end_object();
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

// How members that an input shape does not name are treated.
std::string_view others_of(ShapeUse use) {
  if (use == ShapeUse::closed) return " and no others";
  return use == ShapeUse::open ? " and any others" : "";
}

std::string kind_of(const Parameter& parameter) {
  if (!parameter.shape.empty()) return std::string(parameter.shape) + (parameter.type == ParamType::array ? "[]" : "");
  if (parameter.words.empty()) return std::string(param_type_name(parameter.type));
  std::string kind;
  for (const std::string_view word : parameter.words) kind.append(kind.empty() ? "" : " ").append(word);
  return kind;
}

// `load_thread` (`thread_id` for `id`)
std::string alias_text(const SeedName& alias) {
  std::string words;
  for (const SeedName::Word& word : alias.parameters)
    words += (words.empty() ? " (`" : ", `") + std::string(word.seed) + "` for `" + std::string(word.ours) + "`";
  return "`" + std::string(alias.name) + "`" + words + (words.empty() ? "" : ")");
}

std::string section(const Operation& operation) {
  std::string out = "\n## " + std::string(operation.method) + "\n\n" + escaped(operation.help) + ".";
  if (operation.kind() == OperationKind::list) out += " A list.";
  if (operation.kind() == OperationKind::stream) out += " A stream.";
  if (operation.destructive()) out += " Destructive.";
  for (const SeedName& alias : operation.aliases) out += " Alias: " + alias_text(alias) + ".";
  out += "\n\n| parameter | type | |\n|---|---|---|\n";
  for (const Parameter& parameter : parameters_of(operation)) {
    out += "| `" + std::string(parameter.name) + "`" + (parameter.required ? " (required)" : "") + " | " +
           kind_of(parameter) + " | " + escaped(parameter.help) + " |\n";
  }
  if (parameters_of(operation).empty()) out += "| none | | |\n";
  if (!operation.item.empty()) out += "\nSends items `" + std::string(operation.item) + "`.\n";
  if (!operation.streamed.empty()) out += "\nWith `stream` it sends items `" + std::string(operation.streamed) + "`.\n";
  out += "\nAnswers `" + result_of(operation) + "`.\n";
  for (const SeedName& alias : operation.aliases)
    if (alias.answer == as_maestro)
      out += "\nCalled as `" + std::string(alias.name) + "` it answers `" + result_as_maestro(operation) + "`.\n";
  if (!operation.errors.empty()) {
    out += "\nBesides the common errors:";
    for (const Code code : operation.errors) out += " `" + std::string(code_name(code)) + "`";
    out += ".\n";
  }
  return out;
}

}  // namespace

void write_params_schema(JsonWriter& json, const Operation& operation) {
  const auto parameters = parameters_of(operation);
  json.begin_object().key("type").string("object").key("properties").begin_object();
  for (const Parameter& parameter : parameters) {
    json.key(parameter.name);
    write_parameter(json, parameter);
  }
  json.end_object().key("required").begin_array();
  for (const Parameter& parameter : parameters) {
    if (parameter.required) json.string(parameter.name);
  }
  json.end_array().key("additionalProperties").boolean(false).end_object();
}

void write_result_schema(JsonWriter& json, const Operation& operation) {
  write_schema(json, "schema_version:integer " + result_of(operation));
}

std::string api_json() {
  JsonWriter json(JsonLayout::pretty);
  json.begin_object().key("$schema").string("https://json-schema.org/draft/2020-12/schema");
  json.key("schema_version").int64(1).key("version").string(HOLDFAST_VERSION).key("api_version").int64(kApiVersion);
  json.key("max_request_bytes").uint64(kMaxRequest).key("methods").begin_array();
  for (const Operation& operation : operations()) write_method(json, operation);
  json.end_array().key("errors").begin_array();
  for (int i = 0; i < kCodeCount; ++i) {
    const Code code = static_cast<Code>(i);
    json.begin_object().key("code").string(code_name(code)).key("meaning").string(code_meaning(code)).end_object();
  }
  json.end_array().key("$defs").begin_object().key("dry_run");
  write_schema(json, kDryRunResult);
  for (const Shape& shape : shapes()) {
    json.key(shape.name);
    write_schema(json, shape.fields, shape.use);
  }
  return json.end_object().end_object().take() + "\n";
}

std::string api_text() {
  std::string out;
  for (const Operation& operation : operations()) {
    std::string line(operation.method);
    line.resize(std::max<std::size_t>(line.size() + 1, 20), ' ');
    out += line + std::string(operation.help) + "\n";
  }
  return out;
}

std::string api_markdown() {
  std::string out =
      "# The operations\n\n"
      "Made by `holdfast api --markdown` from the table in src/api; a test compares the two. `holdfast call METHOD "
      "JSON`\n"
      "runs one, `holdfast rpc` serves them as JSON-RPC 2.0, `holdfast api --json` prints their JSON Schemas.\n\n"
      "Every answer is an object with `\"schema_version\": 1` and the fields listed below: `name:type`,\n"
      "`name?:` may be missing, `type?` may be null, `type[]` an array, `a|b` one of these words,\n"
      "`count` an integer of at least 0.\n"
      "Fields are only ever added. A null parameter counts as absent.\n"
      "With `dry_run` true a method that writes, or makes a file outside of every store, answers `" +
      std::string(kDryRunResult) +
      "` instead:\n"
      "what it would do, in a sentence for people (`dry_run` of a method in `holdfast api --json`). The call is made "
      "with\n"
      "every change kept in memory, so its errors are those of the call, except what depends on other processes and "
      "on\n"
      "the disk at that moment (`busy`, `disk_full`). Methods that sync, talk to a server or use the archive (except "
      "`archive.run`), calls about\n"
      "sessions of other machines, and calls that change more than 192 MiB only look first. `missed` is true if the "
      "call would\n"
      "leave something out, as in its own answer, and `findings` says what.\n\n"
      "There are three kinds of operation. A *call* answers once. A *list* answers with a page: at most `limit` of "
      "`total`,\n"
      "after the first `skip` or after `cursor`; pass `next_cursor` as `cursor` for the next page, until it is null "
      "(`next` is\n"
      "the same as a number, for `skip`). Cursors are opaque. Those of `message.list` and `session.list` stay valid "
      "while messages\n"
      "are added. A *stream* sends items as they come: over rpc as notifications `{\"method\":\"item\","
      "\"params\":{\"id\":ID,\"item\":{…}}}`\n"
      "before its answer, where ID is the id of the request (`$/cancel` with it ends the stream); on the command line, "
      "one "
      "object per line.\n\n"
      "Over rpc every request with an id is answered with that id: `$/cancel` too, with `{\"cancelled\":BOOL}`, and a "
      "line that is\n"
      "longer than `max_request_bytes` (of `holdfast api --json`) and a few, or nested more than 1024 levels deep, "
      "with an "
      "error that\n"
      "names the limit. At most 32 streams run at a time; the next one is answered with `busy`.\n\n"
      "| shape | fields |\n|---|---|\n";
  for (const Shape& shape : shapes())
    out += "| " + std::string(shape.name) + " | `" + escaped(shape.fields) + "`" + std::string(others_of(shape.use)) +
           " |\n";
  out += "\n| error | |\n|---|---|\n";
  for (int i = 0; i < kCodeCount; ++i) {
    const Code code = static_cast<Code>(i);
    out += "| `" + std::string(code_name(code)) + "` | " + escaped(code_meaning(code)) + " |\n";
  }
  for (const Operation& operation : operations()) out += section(operation);
  return out;
}

}  // namespace holdfast::inline v1
