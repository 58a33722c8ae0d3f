#include "store/unfinished_move.h"

#include <holdfast/document.h>

#include "base/safe_name.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

std::string note_path(const Root& first) { return first.side("removed", "unfinished.json"); }

}  // namespace

Result<void> note_move(const Context& context, Root& first, const UnfinishedMove& move) {
  if (!does(Step::trash_move_noted)) return {};
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1).key("root").string(move.root);
  json.key("folder").string(move.folder).end_object();
  ReplaceOptions options;
  options.backup = false;
  HOLDFAST_TRY(first.ensure_directory(first.side("removed")));
  HOLDFAST_TRY(replace_document(context, first, note_path(first), json.take() + "\n", options));
  return {};
}

Result<void> end_move(const Context& context, Root& first) {
  auto gone = remove_document(context, first, note_path(first), std::nullopt);
  return !gone && gone.error().code == Code::not_found ? Result<void>() : gone;
}

bool is_move_noted(Root& first) { return first.directory().exists(note_path(first)); }

Result<std::optional<UnfinishedMove>> noted_move(Root& first) {
  const auto bytes = read_whole(first.directory(), note_path(first));
  if (!bytes && bytes.error().code != Code::not_found) return fail(bytes.error());
  if (!bytes || !check_json(*bytes).ok()) return std::nullopt;
  const JsonView json(*bytes);
  UnfinishedMove move{json.find("root").as_string().value_or(""), json.find("folder").as_string().value_or("")};
  if (!check_relative_path(move.folder)) return std::nullopt;
  return move;
}

}  // namespace holdfast::inline v1
