#include "rules/runs/logs.h"

#include "base/time.h"
#include "store/engine.h"
#include "store/record_codec.h"
#include "store/record_look.h"

namespace holdfast::inline v1 {
namespace {

// "2026-11-15"
bool is_day(std::string_view text) {
  return text.size() == 10 && parse_iso8601(std::string(text) + "T00:00:00Z").has_value();
}

struct LogFolder {
  std::shared_ptr<Root> root;
  std::string path;
};

Result<LogFolder> folder_of(FileStore& files) {
  HOLDFAST_LET(shape, shape_of_kind(files.layout(), "log"));
  HOLDFAST_LET(root, files.roots().root(shape->root));
  return LogFolder{root, record_folder(*shape, {})};
}

}  // namespace

std::string log_name(std::string_view layout, std::chrono::system_clock::time_point day) {
  const std::string date = iso8601(day).substr(0, 10);
  return (layout == "linggen" ? "linggen-agent-" : "holdfast-") + date + ".log";
}

bool is_log_name(std::string_view name) {
  if (name.starts_with("linggen-agent.")) return is_day(name.substr(14));
  for (const std::string_view prefix : {"linggen-agent-", "holdfast-"}) {
    if (name.starts_with(prefix) && name.ends_with(".log"))
      return is_day(name.substr(prefix.size(), name.size() - prefix.size() - 4));
  }
  return false;
}

Result<void> write_log(const Context& context, Store& store, std::string_view line) {
  HOLDFAST_LET(files, engine_of(store));
  if (!files->roots().writable()) return fail(Code::invalid_argument, "the store was opened for reading", store.name());
  HOLDFAST_LET(folder, folder_of(*files));
  Directory& directory = folder.root->directory();
  const std::string path = folder.path + "/" + log_name(store.layout_name(), context.clock->now());
  auto file = directory.open(path, OpenMode::append);
  if (!file && file.error().code == Code::not_found) {
    HOLDFAST_TRY(folder.root->ensure_directory(folder.path));
    file = directory.open(path, OpenMode::create_append);
    if (!file && file.error().code == Code::already_exists) file = directory.open(path, OpenMode::append);
  }
  if (!file) return fail(std::move(file).error());
  std::string text(line);
  if (files->redactor().request().any()) redact_in_place(text);
  if (!text.ends_with('\n')) text += '\n';
  HOLDFAST_LET(written, (*file)->append(text));
  if (written != text.size()) return fail(Code::disk_full, "the line is not whole", path);
  return {};
}

Result<std::vector<std::string>> prune_logs(const Context& context, Store& store, std::chrono::seconds keep) {
  HOLDFAST_LET(files, engine_of(store));
  if (!files->roots().writable()) return fail(Code::invalid_argument, "the store was opened for reading", store.name());
  HOLDFAST_LET(folder, folder_of(*files));
  Directory& directory = folder.root->directory();
  std::vector<std::string> gone;
  const auto entries = directory.list(folder.path);
  if (!entries && entries.error().code == Code::not_found) return gone;
  if (!entries) return fail(entries.error());
  const auto oldest =
      std::chrono::duration_cast<std::chrono::nanoseconds>((context.clock->now() - keep).time_since_epoch()).count();
  for (const DirectoryEntry& entry : *entries) {
    if (entry.kind != FileKind::file || !is_log_name(entry.name)) continue;
    const std::string path = folder.path + "/" + entry.name;
    const auto stat = directory.stat(path);
    if (!stat || stat->mtime_ns >= oldest) continue;
    auto removed = directory.remove(path);
    if (!removed && removed.error().code != Code::not_found) return fail(std::move(removed).error());
    gone.push_back(entry.name);
  }
  return gone;
}

}  // namespace holdfast::inline v1
