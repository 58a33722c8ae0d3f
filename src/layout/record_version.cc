#include "layout/record_version.h"

#include <algorithm>

#include "text/json_copy.h"
#include "text/json_edit.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

Failure mismatch(const RecordShape& shape, JsonView version) {
  return fail(Code::schema_version_mismatch,
              std::string(shape.version_field) + " is " +
                  (version ? std::string(version.raw().substr(0, 40)) : std::string("missing")) + "; version " +
                  std::to_string(shape.version) + " is required");
}

Result<std::string> migrate(const RecordShape& shape, const Migration& migration, std::string record) {
  for (const RenamedField& move : migration.renamed) {
    const JsonView value = JsonView(record).find(move.from);
    if (!value) continue;
    HOLDFAST_LET(added, json_set(record, {JsonStep(move.to)}, std::string(value.raw())));
    HOLDFAST_LET(moved, json_remove(added, {JsonStep(move.from)}));
    record = std::move(moved);
  }
  for (const AddedField& field : migration.added) {
    if (JsonView(record).find(field.name)) continue;
    HOLDFAST_LET(given, json_set(record, {JsonStep(field.name)}, pretty_json(JsonView(field.json), 1)));
    record = std::move(given);
  }
  return json_set(record, {JsonStep(shape.version_field)}, std::to_string(migration.from + 1));
}

}  // namespace

Result<std::string> upgrade_record(const RecordShape& shape, std::string_view bytes) {
  std::string record(bytes);
  if (shape.version_field.empty()) return record;
  while (true) {
    const JsonView written = JsonView(record).find(shape.version_field);
    const auto version = written.as_int64();
    if (version == shape.version) return record;
    if (!version || *version > shape.version) return mismatch(shape, written);
    const auto step = std::ranges::find(shape.migrations, *version, &Migration::from);
    if (step == shape.migrations.end()) return mismatch(shape, written);
    HOLDFAST_LET(upgraded, migrate(shape, *step, std::move(record)));
    record = std::move(upgraded);
  }
}

}  // namespace holdfast::inline v1
