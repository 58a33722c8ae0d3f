#include "rules/entries/entry_lines.h"

#include <map>

#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// Recursion is as deep as the text, which json_scan.h bounds.
void write_canonical(JsonWriter& out, JsonView value) {
  switch (value.kind()) {
    case JsonKind::object: {
      std::map<std::string, JsonView> fields;
      for (const JsonItem& field : value.fields()) fields.insert_or_assign(field.key(), field.value);
      out.begin_object();
      for (const auto& [key, inner] : fields) {
        out.key(key);
        write_canonical(out, inner);
      }
      out.end_object();
      return;
    }
    case JsonKind::array:
      out.begin_array();
      for (const JsonItem& item : value.elements()) write_canonical(out, item.value);
      out.end_array();
      return;
    case JsonKind::string: {
      // A lone surrogate has no UTF-8: compare such a string as written.
      const std::string_view raw = value.raw();
      if (raw.find("\\u") == std::string_view::npos)
        out.string(value.as_string().value_or(""));
      else
        out.raw(raw);
      return;
    }
    default: out.raw(value.raw());
  }
}

}  // namespace

std::string entry_head_line(const EntryKey& key, std::string_view id, std::string_view now) {
  JsonWriter json;
  json.begin_object().key("type").string("entries").key("schema_version").int64(1).key("id").string(id);
  json.key("project").string(key.project).key("session").string(key.session).key("stream").string(key.stream);
  return json.key("created_at").string(now).end_object().take();
}

std::string entry_write_line(const EntryLine& line) {
  std::size_t size = 256 + line.summary.size();
  for (const std::string& entry : line.entries) size += entry.size() + 1;
  JsonWriter json;
  json.expect(size).begin_object().key("type").string("write").key("at").int64(line.at);
  if (!line.operation.empty()) json.key("operation").string(line.operation).key("digest").string(line.digest);
  if (line.drop > 0) json.key("drop").uint64(line.drop);
  json.key("entries").begin_array();
  for (const std::string& entry : line.entries) json.raw(entry);
  json.end_array();
  if (!line.summary.empty()) json.key("summary").raw(line.summary);
  return json.end_object().take();
}

std::string canonical_json(JsonView value) {
  JsonWriter out;
  write_canonical(out, value);
  return out.take();
}

}  // namespace holdfast::inline v1
