#include "store/unfinished_move.h"

#include <holdfast/document.h>

#include <algorithm>
#include <array>

#include "base/safe_name.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

using Goal = UnfinishedMove::Goal;
constexpr std::array<std::pair<Goal, std::string_view>, 3> kGoals{
    {{Goal::trash, "trash"}, {Goal::place, "place"}, {Goal::gone, "gone"}}};

std::string note_path(const Root& first, const UnfinishedMove& move) {
  return notes_of_moves(first) + "/" + move.folder.substr(move.folder.rfind('/') + 1) + ".json";
}

}  // namespace

std::string notes_of_moves(const Root& first) { return first.side("removed", "unfinished"); }

Result<void> note_move(const Context& context, Root& first, const UnfinishedMove& move) {
  if (!does(Step::trash_move_noted)) return {};
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1).key("root").string(move.root);
  json.key("folder").string(move.folder).key("goal");
  json.string(std::ranges::find(kGoals, move.goal, &decltype(kGoals)::value_type::first)->second).end_object();
  ReplaceOptions options;
  options.backup = false;
  HOLDFAST_TRY(first.ensure_directory(notes_of_moves(first)));
  HOLDFAST_TRY(replace_document(context, first, note_path(first, move), json.take() + "\n", options));
  return {};
}

Result<void> end_move(Root& first, const UnfinishedMove& move) {
  const std::string path = note_path(first, move);
  auto gone = first.directory().remove(path);
  if (!gone) return gone.error().code == Code::not_found ? Result<void>() : gone;
  return first.sync_name(path);
}

bool is_move_noted(Root& first) {
  const auto entries = first.directory().list(notes_of_moves(first));
  return entries && !entries->empty();
}

Result<std::vector<UnfinishedMove>> noted_moves(Root& first) {
  std::vector<UnfinishedMove> all;
  const auto entries = first.directory().list(notes_of_moves(first));
  if (!entries && entries.error().code == Code::not_found) return all;
  if (!entries) return fail(entries.error());
  for (const DirectoryEntry& entry : *entries) {
    const std::string path = notes_of_moves(first) + "/" + entry.name;
    const auto bytes = read_whole(first.directory(), path);
    if (!bytes || !check_json(*bytes).ok()) continue;
    const JsonView json(*bytes);
    UnfinishedMove move{json.find("root").as_string().value_or(""), json.find("folder").as_string().value_or("")};
    for (const auto& [goal, word] : kGoals)
      if (json.find("goal").is_string(word)) move.goal = goal;
    if (check_relative_path(move.folder) && note_path(first, move) == path) all.push_back(std::move(move));
  }
  return all;
}

}  // namespace holdfast::inline v1
