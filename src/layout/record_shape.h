// The documents that a layout can hold beside sessions (runs, missions, projects, ...)
// as a table: where each one is and how its fields are written. The engine reads,
// lists, creates, splices and removes them by this table alone.
//
// In the model, every record is a JSON object with the names of the table and times in
// ISO-8601 UTC. Unknown fields of a file are shown unchanged and survive every edit.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

enum class RecordFormat {
  json_pretty,   // two spaces
  json_compact,  // one line
  yaml,          // a flat block mapping
  markdown,      // front matter + body (field "body")
  toml,
  opaque,      // text, unchanged (field "body")
  json_lines,  // a log, read only (field "lines": its records)
};

enum class FieldKind { string, integer, number, boolean, time, json, object, array };  // json: any value

enum class TimeFormat {
  iso,  // "2026-02-16T10:30:00.123Z"
  epoch_s,
  epoch_ms,
  iso_offset,  // "2026-02-16T10:30:00.1234567+00:00", without trailing zeros of the fraction
};

struct FieldShape {
  std::string_view name;     // in the model
  std::string_view written;  // in the file; empty if the same
  FieldKind kind = FieldKind::string;
  bool required = false;           // a new record without it is refused
  std::string_view fallback = {};  // JSON of the default in a new record; if empty, the key is left out
};

// How records of an old version become those of the next version, as data. A shape has
// a list of these (M03).
struct RenamedField {
  std::string_view from, to;  // names in the file
};
struct AddedField {
  std::string_view name, json;  // a field that older records lack, and its value
};
struct Migration {
  std::int64_t from = 0;  // upgrades version `from` to `from` + 1
  std::vector<RenamedField> renamed = {};
  std::vector<AddedField> added = {};
};

struct RecordShape {
  std::string_view kind;  // "run"
  std::string_view root;  // one of the names in Layout::roots()
  // Path below the root with {id} and {project} (the project's key). A shape without
  // {id} is one document. The file's name is the id.
  std::string_view path;
  RecordFormat form = RecordFormat::json_pretty;
  TimeFormat times = TimeFormat::iso;
  std::vector<FieldShape> fields;  // in the order in which a new record is written
  std::string_view id_field = {};  // the field that repeats the id; empty if none
  bool secret = false;             // values are never printed
  bool final_newline = true;
  // A second path where the document may be: read and edited there, but never created there.
  std::string_view also = {};
  // One JSON document whose members are the records: {"ID": {...}, ...}.
  bool entries = false;
  // The field with the version of the file, which must be exactly `version`; else
  // schema_version_mismatch, unless migrations lead there. If empty, the version is not checked.
  std::string_view version_field = {};
  std::int64_t version = 1;
  std::vector<Migration> migrations = {};
  // A file of the project, not of the store: its mode is kept (decision 24).
  bool source = false;
  // The file belongs to people: only read; never written, created or deleted.
  bool only_read = false;
  // A file in which a field of the table has a value of another kind cannot be read, like one that is not JSON: others
  // say the same. A time is only expected to be a text or a number.
  bool strict = false;

  bool per_project() const { return path.find("{project}") != std::string_view::npos; }
  bool many() const { return entries || path.find("{id}") != std::string_view::npos; }
};

}  // namespace holdfast::inline v1
