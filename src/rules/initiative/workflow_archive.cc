#include "rules/initiative/workflow_archive.h"

#include <algorithm>
#include <vector>

#include "base/safe_name.h"
#include "base/time.h"
#include "layout/record_shape.h"
#include "rules/initiative/initiative_status.h"
#include "rules/initiative/memory_lines.h"
#include "rules/initiative/status_yaml.h"
#include "store/record_codec.h"
#include "store/record_text.h"
#include "text/one_line.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLines = 79;

std::size_t count_lines(std::string_view text) {
  const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  return ends + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

struct FolderContents {
  std::vector<std::string> files, directories;  // inner directories first
};

// Collects everything in the folder; refuses a link or a device by name.
Result<void> walk(Directory& directory, const std::string& path, FolderContents& found) {
  auto entries = directory.list(path);
  if (!entries) {
    if (entries.error().code == Code::not_found) return {};
    return fail(std::move(entries).error());
  }
  for (const DirectoryEntry& entry : *entries) {
    const std::string below = path + "/" + entry.name;
    if (entry.kind == FileKind::directory) {
      HOLDFAST_TRY(walk(directory, below, found));
    } else if (entry.kind == FileKind::file) {
      found.files.push_back(below);
    } else {
      return fail(Code::unsafe_path, "this is not a plain file, so the folder is not removed", below);
    }
  }
  found.directories.push_back(path);
  return {};
}

// Returns the initiative's folder below _active; nullopt if the layout has none.
Result<std::optional<Place>> folder_of(LayerDraft& draft, const std::string& name) {
  const RecordShape* shape = draft.files().layout().shape("workflow_status");
  if (shape == nullptr || !is_plain_name(name)) return std::nullopt;
  return Place{std::string(shape->root), record_folder(*shape, {}) + "/" + name};
}

// Returns the name, with a number if an initiative of that name was archived before.
Result<std::string> free_summary(LayerDraft& draft, const std::string& name) {
  std::string id = name;
  for (int number = 2;; ++number) {
    HOLDFAST_LET(taken, draft.bytes("archived_initiative", id));
    if (!taken) return id;
    id = name + "-" + std::to_string(number);
  }
}

}  // namespace

std::string format_archive_summary(const Initiative& initiative, const MilestoneFolder* folder,
                                   std::string_view outcome, std::string_view now) {
  std::vector<std::string> lines = {"# " + initiative.name, "", "Status: archived", "Archived: " + std::string(now)};
  if (!outcome.empty()) lines.push_back("Outcome: " + on_one_line(outcome));
  if (folder != nullptr && !folder->summary.empty()) {
    lines.emplace_back();
    lines.push_back(on_one_line(folder->summary));
  }
  lines.insert(lines.end(), {"", "## Milestones", ""});
  for (const JsonItem& item : initiative.progress.view().fields()) {
    std::string line = "- " + on_one_line(item.key()) + ": " + item.value.as_string().value_or("unknown");
    for (const MilestoneFile& file : folder == nullptr ? std::vector<MilestoneFile>() : folder->milestones) {
      if (milestone_number(file.key) == milestone_number(item.key()) && file.boxes > 0)
        line += " (" + std::to_string(file.done) + " of " + std::to_string(file.boxes) + " boxes)";
    }
    lines.push_back(std::move(line));
  }
  std::vector<std::string> notes;
  for (const JsonItem& item : initiative.checkpoints.view().elements()) {
    const std::string text = item.value.find("notes").as_string().value_or("");
    if (text.empty()) continue;
    notes.push_back("- " + item.value.find("milestone").as_string().value_or("") + ": " + on_one_line(text));
  }
  if (!notes.empty()) lines.insert(lines.end(), {"", "## Notes", ""});
  lines.insert(lines.end(), notes.begin(), notes.end());
  if (lines.size() > kLines) {
    const std::size_t left_out = lines.size() - kLines + 1;
    lines.resize(kLines - 1);
    lines.push_back("- and " + std::to_string(left_out) + " lines more");
  }
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

Result<ArchivedInitiative> archive_initiative(const Context& context, Store& store, const ArchiveRequest& request,
                                              const InitiativeEvent& event) {
  if (count_lines(request.summary) > kLines)
    return fail(Code::too_large, "a summary must have at most " + std::to_string(kLines) + " lines");
  ArchivedInitiative archived;
  FolderContents gone;
  std::string root_name;
  HOLDFAST_LET(outcome, write_layers(context, store, event.project, [&](LayerDraft& draft) -> Result<void> {
                 gone = {};
                 HOLDFAST_LET(initiative, current_initiative(draft, event.revision));
                 HOLDFAST_TRY(check_status_step(initiative.status.text(), "archived"));
                 archived.name = initiative.name;
                 if (!is_plain_name(archived.name))
                   return fail(Code::unsafe_path, "not a valid name for an initiative: " + archived.name);
                 HOLDFAST_LET(id, free_summary(draft, archived.name));
                 HOLDFAST_LET(place, draft.place("archived_initiative", id));
                 archived.path = place.path;
                 HOLDFAST_LET(folder, folder_of(draft, archived.name));
                 std::optional<MilestoneFolder> milestones;
                 if (folder) {
                   root_name = folder->root;
                   HOLDFAST_LET(root, draft.files().roots().root(folder->root));
                   HOLDFAST_TRY(walk(root->directory(), folder->path, gone));
                   HOLDFAST_LET(read, read_milestones(draft.feed(), *folder));
                   milestones = std::move(read);
                   // Read each file, so a change before the commit is a conflict.
                   for (const std::string& file : gone.files) {
                     HOLDFAST_TRY(draft.feed().document({root_name, file}, std::uint64_t{256} << 20));
                     draft.remove_file({root_name, file});
                   }
                 }
                 // A status file outside the folder stays, with the new status.
                 if (folder) {
                   HOLDFAST_LET(status, draft.place("workflow_status", archived.name));
                   HOLDFAST_LET(yaml, draft.bytes("workflow_status", archived.name));
                   if (yaml && !status.path.starts_with(folder->path + "/")) {
                     HOLDFAST_LET(edited,
                                  update_status(*yaml, {.status = "archived", .now = iso8601(context.clock->now())}));
                     HOLDFAST_TRY(draft.put("workflow_status", archived.name, std::move(edited)));
                   }
                 }
                 archived.summary = request.summary;
                 if (archived.summary.empty())
                   archived.summary = format_archive_summary(initiative, milestones ? &*milestones : nullptr,
                                                             request.outcome, iso8601(context.clock->now()));
                 if (!archived.summary.ends_with('\n')) archived.summary += '\n';
                 HOLDFAST_TRY(draft.put("archived_initiative", id, archived.summary));
                 HOLDFAST_TRY(draft.remove("initiative"));
                 const std::string result = request.outcome.empty() ? "done" : request.outcome;
                 archived.line = completion_line(request.workflow, archived.name, result);
                 return draft.remember([&](std::string_view memory) {
                   std::string now = with_workflow_line(memory, {request.workflow, archived.name}, archived.line);
                   return event.learning.empty() ? now : with_line(now, kInitiativePatterns, event.learning);
                 });
               }));
  archived.outcome = std::move(outcome);
  // Only empty directories are left; one that got a new file meanwhile stays.
  HOLDFAST_LET(files, engine_of(store));
  if (archived.outcome.persisted && !gone.directories.empty()) {
    HOLDFAST_LET(root, files->roots().root(root_name));
    for (const std::string& path : gone.directories) {
      if (!root->directory().remove_directory(path)) break;
    }
  }
  return archived;
}

}  // namespace holdfast::inline v1
