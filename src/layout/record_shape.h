// The documents that a layout can hold beside sessions (runs, missions,
// projects, ...) as a table: where one lies and how its fields are spelled. The
// engine reads, lists, creates, splices and removes them by this table alone.
//
// In the model every record is a JSON object with the names of the table and
// times as ISO-8601 UTC; unknown fields of a file are shown as they are and
// survive every edit.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

enum class Form {
  json_pretty,   // two spaces
  json_compact,  // one line
  yaml,          // a flat block mapping
  markdown,      // front matter + body (field "body")
  toml,
  opaque,      // text as it is (field "body")
  json_lines,  // a log; only read here (field "lines": its records)
};

enum class FieldKind { string, integer, number, boolean, time, json };

enum class TimeForm {
  iso,  // "2026-02-16T10:30:00.123Z"
  epoch_s,
  epoch_ms,
  iso_offset,  // "2026-02-16T10:30:00.1234567+00:00", zeros at the end of the fraction left out
};

struct FieldShape {
  std::string_view name;     // in the model
  std::string_view written;  // in the file; empty: the same
  FieldKind kind = FieldKind::string;
  bool required = false;           // a new record without it is refused
  std::string_view fallback = {};  // JSON that a new record gets when nobody says; empty: the key is left out
};

// How records of an old version become those of the next one, as data: the
// registry of a shape is a list of these (M03).
struct FieldMove {
  std::string_view from, to;  // names in the file
};
struct FieldGift {
  std::string_view name, json;  // a field that older records lack
};
struct Migration {
  std::int64_t from = 0;  // to from + 1
  std::vector<FieldMove> renamed = {};
  std::vector<FieldGift> added = {};
};

struct RecordShape {
  std::string_view kind;  // "run"
  std::string_view root;  // a name out of Layout::roots()
  // Path below the root with {id} and {project} (the project's key); a shape
  // without {id} is one document. The file's name is the id.
  std::string_view path;
  Form form = Form::json_pretty;
  TimeForm times = TimeForm::iso;
  std::vector<FieldShape> fields;  // in the order in which a new record is written
  std::string_view id_field = {};  // the field that repeats the id, or empty
  bool secret = false;             // values are never printed
  bool final_newline = true;
  // A second path where one may lie; it is read and edited there, never made there.
  std::string_view also = {};
  // One JSON document whose members are the records: {"ID": {...}, ...}.
  bool entries = false;
  // The field in the file that says its version, which must be exactly `version`:
  // schema_version_mismatch else, unless migrations lead there. Empty: not looked at.
  std::string_view version_field = {};
  std::int64_t version = 1;
  std::vector<Migration> migrations = {};
  // A file of the project, not of the store: keeps its mode (decision 24).
  bool source = false;
  // It belongs to people: it is read and never written, made or deleted.
  bool only_read = false;

  bool per_project() const { return path.find("{project}") != std::string_view::npos; }
  bool many() const { return entries || path.find("{id}") != std::string_view::npos; }
};

}  // namespace holdfast::inline v1
