#include "store/record_codec.h"

#include <algorithm>
#include <set>

#include "base/time.h"
#include "layout/record_version.h"
#include "model/time_formats.h"
#include "text/article.h"
#include "text/front_matter.h"
#include "text/json_copy.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_write.h"
#include "text/toml_edit.h"
#include "text/toml_value.h"
#include "text/utf8.h"
#include "text/yaml_edit.h"
#include "text/yaml_value.h"
#include "text/yaml_write.h"

namespace holdfast::inline v1 {
namespace {

std::string_view written_name(const FieldShape& field) { return field.written.empty() ? field.name : field.written; }

const FieldShape* field_named(const RecordShape& shape, std::string_view name) {
  for (const FieldShape& field : shape.fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

const FieldShape* field_written(const RecordShape& shape, std::string_view name) {
  for (const FieldShape& field : shape.fields) {
    if (written_name(field) == name) return &field;
  }
  return nullptr;
}

// Formats a time of the model (ISO, or epoch digits) as in the file.
Result<std::string> spell_time(const RecordShape& shape, const FieldShape& field, JsonView value) {
  if (value.is_null()) return std::string("null");
  const std::string text = value.kind() == JsonKind::number ? std::string(value.raw()) : value.as_string().value_or("");
  const auto time = parse_any_time(text);
  if (!time) return fail(Code::invalid_argument, std::string(field.name) + " is not a time");
  const auto since = time->time_since_epoch();
  if (shape.times == TimeFormat::epoch_s)
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(since).count());
  if (shape.times == TimeFormat::epoch_ms)
    return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
  if (shape.times == TimeFormat::iso_offset) return json_quoted(format_dotnet_time(*time));
  // Keep more precise fractions as written.
  if (text.find('T') != std::string::npos && text.ends_with('Z')) return json_quoted(text);
  return json_quoted(iso8601(*time));
}

// Records with a version are pretty-printed at all levels, as their program
// writes them; in others, nested values stay as given.
bool nests_pretty(const RecordShape& shape) {
  return shape.form == RecordFormat::json_pretty && !shape.entries && !shape.version_field.empty();
}

void add_value(const RecordShape& shape, JsonWriter& out, JsonView value) {
  nests_pretty(shape) ? copy_json(out, value) : static_cast<void>(out.raw(value.raw()));
}

bool fits(FieldKind kind, JsonView value) {
  switch (kind) {
    case FieldKind::string: return value.kind() == JsonKind::string;
    case FieldKind::integer: return value.as_int64().has_value();
    case FieldKind::number: return value.kind() == JsonKind::number;
    case FieldKind::boolean: return value.kind() == JsonKind::boolean;
    case FieldKind::time: return value.kind() == JsonKind::string || value.kind() == JsonKind::number;
    case FieldKind::json: return true;
    case FieldKind::object: return value.kind() == JsonKind::object;
    case FieldKind::array: return value.kind() == JsonKind::array;
  }
  return false;
}

Result<std::string> spell_value(const RecordShape& shape, const FieldShape& field, JsonView value) {
  if (!value.is_null() && !fits(field.kind, value))
    return fail(Code::invalid_argument, std::string(field.name) + " has a value of the wrong kind");
  if (field.kind == FieldKind::time) return spell_time(shape, field, value);
  return std::string(value.raw());
}

std::string read_value(const FieldShape* field, JsonView value) {
  if (field == nullptr || field->kind != FieldKind::time) return compact_json(value);
  const std::string text = value.kind() == JsonKind::number ? std::string(value.raw()) : value.as_string().value_or("");
  const std::string iso = to_iso_time(text);
  return iso.empty() ? std::string(value.raw()) : json_quoted(iso);
}

// Where the body begins: without the blank line below the front matter.
std::size_t body_start(std::string_view bytes, const FrontMatter& parts) {
  if (!parts.found) return parts.body_at;
  const std::string_view body = bytes.substr(parts.body_at);
  return parts.body_at + (body.starts_with("\n") ? 1 : body.starts_with("\r\n") ? 2 : 0);
}

// The front matter's fields, and the text below it as "body".
Result<std::string> markdown_as_json(std::string_view bytes) {
  const FrontMatter parts = split_front_matter(bytes);
  JsonWriter out;
  out.begin_object();
  if (parts.found) {
    HOLDFAST_LET(head, yaml_to_json(parts.yaml));
    const JsonView fields(head);
    if (fields.kind() != JsonKind::object && !fields.is_null())
      return fail(Code::corrupt, "the front matter is not a mapping");
    for (const JsonItem& item : fields.fields()) {
      if (!item.key_is("body")) out.key(item.key()).raw(item.value.raw());
    }
  }
  return out.key("body").string(bytes.substr(body_start(bytes, parts))).end_object().take();
}

// The lines of a log that are whole JSON objects, and how many are not.
std::string lines_as_json(std::string_view bytes) {
  JsonWriter out;
  out.begin_object().key("lines").begin_array();
  std::int64_t damaged = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view line = bytes.substr(at, end - at);
    at = end + 1;
    if (is_json_object_line(line)) {
      out.raw(line);
    } else if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
      ++damaged;
    }
  }
  out.end_array();
  if (damaged != 0) out.key("damaged_lines").int64(damaged);
  return out.end_object().take();
}

Result<std::string> as_json(const RecordShape& shape, std::string_view bytes) {
  if (shape.form == RecordFormat::yaml) return yaml_to_json(bytes);
  if (shape.form == RecordFormat::toml) return toml_to_json(bytes);
  if (shape.form == RecordFormat::markdown) return markdown_as_json(bytes);
  if (shape.form == RecordFormat::json_lines) return lines_as_json(bytes);
  const std::size_t fault = shape.form == RecordFormat::opaque ? utf8_fault(bytes) : std::string_view::npos;
  if (fault != std::string_view::npos)
    return fail(Code::corrupt, "not a text in UTF-8: bad byte at " + std::to_string(fault));
  if (shape.form == RecordFormat::opaque) {
    return JsonWriter().begin_object().key("body").string(bytes).end_object().take();
  }
  const std::string_view text = without_bom(bytes);
  const JsonCheck check = check_json(text);
  if (!check.ok() && check.fault != JsonFault::bad_utf8) {
    return fail(Code::corrupt, "not a JSON document: " + std::string(json_fault_name(check.fault)) + " at byte " +
                                   std::to_string(check.at));
  }
  if (!shape.version_field.empty() && JsonView(text).kind() == JsonKind::object) return upgrade_record(shape, text);
  return std::string(text);
}

// True for the same time, for the time as the model showed it, or for the same value up to whitespace.
bool means_the_same(const FieldShape* field, JsonView a, JsonView b) {
  if (field != nullptr && field->kind == FieldKind::time) {
    const auto written = [](JsonView value) {
      return value.kind() == JsonKind::number ? std::string(value.raw()) : value.as_string().value_or("");
    };
    const auto a_time = parse_any_time(written(a)), b_time = parse_any_time(written(b));
    if (a_time && written(b) == iso8601(*a_time)) return true;
    if (a_time || b_time) return a_time == b_time;
  }
  return same_json(a, b);
}

// Changes a table with headers key by key; keys that `value` does not name stay, null removes one.
Result<std::string> set_toml(std::string_view bytes, std::vector<JsonStep>& path, JsonView value) {
  if (value.is_null()) return toml_remove(bytes, JsonPath(path));
  auto whole = toml_set(bytes, JsonPath(path), value.raw());
  if (whole || whole.error().code != Code::unsupported || value.kind() != JsonKind::object) return whole;
  std::string now(bytes);
  for (const JsonItem& item : value.fields()) {
    const std::string key = item.key();
    path.emplace_back(key);
    auto edited = set_toml(now, path, item.value);
    path.pop_back();
    if (!edited) return edited;
    now = std::move(*edited);
  }
  return now;
}

Result<std::string> set_in(const RecordShape& shape, std::string_view bytes, std::string_view key,
                           std::string_view value) {
  if (shape.form == RecordFormat::yaml) return yaml_set(bytes, key, value);
  if (shape.form == RecordFormat::toml) {
    std::vector<JsonStep> path = {JsonStep(key)};
    return set_toml(bytes, path, JsonView(value));
  }
  if (shape.form == RecordFormat::markdown) {
    const FrontMatter parts = split_front_matter(bytes);
    if (key == "body") {
      const auto body = JsonView(value).as_string();
      if (!body) return fail(Code::invalid_argument, "body must be a string");
      return std::string(bytes.substr(0, body_start(bytes, parts))) + *body;
    }
    HOLDFAST_LET(head, yaml_set(parts.yaml, key, value));
    return replace_front_matter(bytes, head);
  }
  return json_set(bytes, {JsonStep(key)}, value);
}

Result<std::string> remove_in(const RecordShape& shape, std::string_view bytes, std::string_view key) {
  if (shape.form == RecordFormat::yaml) return yaml_remove(bytes, key);
  if (shape.form == RecordFormat::toml) return toml_remove(bytes, {JsonStep(key)});
  if (shape.form == RecordFormat::markdown) {
    if (key == "body") return set_in(shape, bytes, key, "\"\"");
    const FrontMatter parts = split_front_matter(bytes);
    HOLDFAST_LET(head, yaml_remove(parts.yaml, key));
    return replace_front_matter(bytes, head);
  }
  return json_remove(bytes, {JsonStep(key)});
}

enum class EditKind { none, set, remove };

// The edit that a field of a patch requests, with the name and the format of the file.
struct FieldEdit {
  EditKind kind = EditKind::none;
  std::string name;
  std::string value;
};

// `old` returns what the record has under a name.
template <typename Old>
Result<FieldEdit> edit_of(const RecordShape& shape, const JsonItem& item, const Old& old) {
  const std::string key = item.key();
  if (key == "id") return FieldEdit();
  const FieldShape* field = field_named(shape, key);
  FieldEdit edit{EditKind::set, field == nullptr ? key : std::string(written_name(*field)), {}};
  if (field != nullptr) {
    HOLDFAST_LET(spelled, spell_value(shape, *field, item.value));
    edit.value = std::move(spelled);
  } else {
    edit.value = item.value.raw();
  }
  const JsonView before = old(edit.name);
  // A time that did not change keeps its written form.
  if (before && means_the_same(field, before, JsonView(edit.value))) return FieldEdit();
  const bool to_null = field != nullptr && field->fallback == "null";
  if (item.value.is_null() && !to_null) edit.kind = EditKind::remove;
  return edit;
}

// A text document has only a body; null counts as absent.
Result<std::optional<std::string>> body_in(const RecordShape& shape, JsonView fields) {
  std::optional<std::string> body;
  for (const JsonItem& item : fields.fields()) {
    if (item.value.is_null() || item.key_is("id")) continue;
    if (!item.key_is("body"))
      return fail(Code::invalid_argument,
                  "a " + std::string(shape.kind) + " is text: it has the field body, not " + item.key().substr(0, 60));
    body = item.value.as_string();
    if (!body) return fail(Code::invalid_argument, "body must be a string");
  }
  return body;
}

bool is_json(RecordFormat form) { return form == RecordFormat::json_pretty || form == RecordFormat::json_compact; }

}  // namespace

Result<std::string> read_record(const RecordShape& shape, std::string_view id, std::string_view bytes) {
  HOLDFAST_LET(json, as_json(shape, bytes));
  const JsonView view(json);
  if (view.kind() != JsonKind::object) return fail(Code::corrupt, "not an object");
  JsonWriter out;
  out.begin_object();
  if (!id.empty()) out.key("id").string(id);
  for (const JsonItem& item : view.fields()) {
    const std::string key = item.key();
    const FieldShape* field = field_written(shape, key);
    const std::string_view name = field == nullptr ? std::string_view(key) : field->name;
    if (name == "id") continue;
    if (shape.strict && field != nullptr && !item.value.is_null() && !fits(field->kind, item.value))
      return fail(Code::corrupt, key + " has a value of the wrong kind");
    out.key(name).raw(read_value(field, item.value));
  }
  return out.end_object().take();
}

Result<std::string> format_record(const RecordShape& shape, std::string_view id, JsonView fields) {
  if (fields.kind() != JsonKind::object) return fail(Code::invalid_argument, "a record must be a JSON object");
  if (shape.form == RecordFormat::opaque) {
    HOLDFAST_LET(body, body_in(shape, fields));
    return body.value_or("");
  }
  if (shape.form == RecordFormat::json_lines)
    return fail(Code::unsupported, "the lines of " + with_article(shape.kind) + " are read-only");
  JsonWriter out(shape.form == RecordFormat::json_pretty ? JsonLayout::pretty : JsonLayout::compact);
  out.begin_object();
  for (const FieldShape& field : shape.fields) {
    std::string value(field.fallback);
    if (field.name == shape.id_field) {
      value = json_quoted(id);
    } else if (const JsonView given = fields.find(field.name); given) {
      HOLDFAST_LET(spelled, spell_value(shape, field, given));
      value = std::move(spelled);
    } else if (field.required) {
      return fail(Code::invalid_argument, with_article(shape.kind) + " needs the field " + std::string(field.name));
    }
    if (!value.empty()) add_value(shape, out.key(written_name(field)), JsonView(value));
  }
  std::set<std::string> done;
  for (const JsonItem& item : fields.fields()) {
    const std::string key = item.key();
    if (key == "id" || field_named(shape, key) != nullptr || !done.insert(key).second) continue;
    if (key == "body" && shape.form == RecordFormat::markdown) continue;
    add_value(shape, out.key(key), item.value);
  }
  std::string text = out.end_object().take();
  if (shape.form == RecordFormat::yaml) return json_to_yaml(JsonView(text));
  if (shape.form == RecordFormat::toml) return json_to_toml(JsonView(text));
  if (shape.form == RecordFormat::markdown) {
    const JsonView given = fields.find("body");
    if (given && !given.is_null() && !given.as_string()) return fail(Code::invalid_argument, "body must be a string");
    std::string body = given.as_string().value_or("");
    if (text == "{}") return body;
    HOLDFAST_LET(head, json_to_yaml(JsonView(text)));
    return "---\n" + head + "---\n\n" + body;
  }
  if (shape.final_newline && !shape.entries) text += '\n';
  return text;
}

Result<std::string> patch_record(const RecordShape& shape, std::string_view bytes, JsonView fields) {
  if (fields.kind() != JsonKind::object) return fail(Code::invalid_argument, "a patch must be a JSON object");
  if (shape.form == RecordFormat::opaque) {
    HOLDFAST_LET(body, body_in(shape, fields));
    return body.value_or(std::string(bytes));
  }
  if (shape.form == RecordFormat::json_lines)
    return fail(Code::unsupported, "the lines of " + with_article(shape.kind) + " are read-only");
  std::string now(bytes);
  if (!shape.version_field.empty()) {
    HOLDFAST_LET(upgraded, as_json(shape, bytes));
    now = std::move(upgraded);
  }
  if (auto record = is_json(shape.form) ? JsonObject::read(now) : std::nullopt) {
    HOLDFAST_TRY(patch_object(shape, *record, fields));
    return record->text();
  }
  HOLDFAST_LET(before, as_json(shape, bytes));
  for (const JsonItem& item : fields.fields()) {
    HOLDFAST_LET(edit, edit_of(shape, item, [&](std::string_view name) { return JsonView(before).find(name); }));
    if (edit.kind == EditKind::none) continue;
    auto edited =
        edit.kind == EditKind::remove ? remove_in(shape, now, edit.name) : set_in(shape, now, edit.name, edit.value);
    if (!edited) return fail(std::move(edited).error());
    now = std::move(*edited);
  }
  return now;
}

namespace {

// The first field of the record after this one in the table's order; empty if none, or if the table does not have it.
std::string_view later_field(const RecordShape& shape, const JsonObject& record, std::string_view name) {
  bool behind = false;
  for (const FieldShape& field : shape.fields) {
    if (behind && record.find(written_name(field))) return written_name(field);
    behind = behind || written_name(field) == name;
  }
  return {};
}

}  // namespace

Result<void> patch_object(const RecordShape& shape, JsonObject& record, JsonView fields) {
  if (fields.kind() != JsonKind::object) return fail(Code::invalid_argument, "a patch must be a JSON object");
  for (const JsonItem& item : fields.fields()) {
    HOLDFAST_LET(edit, edit_of(shape, item, [&](std::string_view name) { return record.find(name); }));
    const bool pretty = nests_pretty(shape) && record.text().find('\n') != std::string::npos;
    if (edit.kind == EditKind::remove) HOLDFAST_TRY(record.remove(edit.name));
    if (edit.kind == EditKind::set)
      HOLDFAST_TRY(record.set_before(edit.name, pretty ? pretty_json(JsonView(edit.value), 1) : edit.value,
                                     later_field(shape, record, edit.name)));
  }
  return {};
}

std::string written_time(const RecordShape& shape, std::string_view bytes, std::string_view name) {
  const FieldShape* field = field_named(shape, name);
  if (field == nullptr) return {};
  return JsonView(bytes).find(written_name(*field)).as_string().value_or("");
}

std::string record_path(const RecordShape& shape, std::string_view project_key, std::string_view id) {
  std::string path;
  for (std::size_t at = 0; at < shape.path.size();) {
    const std::string_view rest = shape.path.substr(at);
    if (rest.starts_with("{project}")) {
      path += project_key;
      at += 9;
    } else if (rest.starts_with("{id}")) {
      path += id;
      at += 4;
    } else {
      path += rest[0];
      ++at;
    }
  }
  return path;
}

// For "projects/{project}/runs/{id}.json": the folder and the suffix. The id
// may also be a directory: "skills/{id}/SKILL.md".
std::string record_folder(const RecordShape& shape, std::string_view project_key) {
  const std::string_view above = shape.path.substr(0, shape.path.find("{id}"));
  RecordShape folder{.kind = shape.kind,
                     .root = shape.root,
                     .path = above.substr(0, above.rfind('/') == std::string_view::npos ? 0 : above.rfind('/'))};
  return record_path(folder, project_key, {});
}

std::string record_id(const RecordShape& shape, std::string_view file_name) {
  const std::size_t slash = shape.path.substr(0, shape.path.find("{id}")).rfind('/');
  std::string_view pattern = slash == std::string_view::npos ? shape.path : shape.path.substr(slash + 1);
  pattern = pattern.substr(0, pattern.find('/'));
  const std::size_t at = pattern.find("{id}");
  if (at == std::string_view::npos) return {};
  const std::string_view before = pattern.substr(0, at);
  const std::string_view after = pattern.substr(at + 4);
  if (!file_name.starts_with(before) || !file_name.ends_with(after)) return {};
  if (file_name.size() <= before.size() + after.size()) return {};
  return std::string(file_name.substr(before.size(), file_name.size() - before.size() - after.size()));
}

}  // namespace holdfast::inline v1
