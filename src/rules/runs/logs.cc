#include "rules/runs/logs.h"

#include <algorithm>
#include <functional>

#include "base/time.h"
#include "disk/staged.h"
#include "store/engine.h"
#include "store/record_codec.h"
#include "store/record_lookup.h"

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

Result<std::string> write_log(const Context& context, Store& store, std::string_view line) {
  HOLDFAST_LET(files, engine_of(store));
  if (!files->roots().writable()) return fail(Code::invalid_argument, "the store was opened read-only", store.name());
  HOLDFAST_LET(folder, folder_of(*files));
  Directory& directory = folder.root->directory();
  std::string name = log_name(store.layout_name(), context.clock->now());
  const std::string path = folder.path + "/" + name;
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
  return name;
}

namespace {

struct LogEntry {
  std::string name;
  FileStat stat;
};

Result<std::vector<LogEntry>> daily_logs(const LogFolder& folder) {
  Directory& directory = folder.root->directory();
  std::vector<LogEntry> logs;
  const auto entries = directory.list(folder.path);
  if (!entries && entries.error().code == Code::not_found) return logs;
  if (!entries) return fail(entries.error());
  for (const DirectoryEntry& entry : *entries) {
    if (entry.kind != FileKind::file || !is_log_name(entry.name)) continue;
    if (const auto stat = directory.stat(folder.path + "/" + entry.name)) logs.push_back({entry.name, *stat});
  }
  return logs;
}

}  // namespace

Result<std::vector<DailyLog>> list_logs(const Context& /*context*/, Store& store) {
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(folder, folder_of(*files));
  HOLDFAST_LET(entries, daily_logs(folder));
  // By time, not by name: two programs may have named them differently.
  std::ranges::sort(entries, std::greater(), [](const LogEntry& entry) { return entry.stat.mtime_ns; });
  std::vector<DailyLog> logs;
  for (const LogEntry& entry : entries) {
    const std::chrono::system_clock::time_point changed(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::nanoseconds(entry.stat.mtime_ns)));
    logs.push_back({entry.name, entry.stat.size, iso8601(changed)});
  }
  return logs;
}

Result<LogText> read_log(const Context& context, Store& store, std::string_view day) {
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(folder, folder_of(*files));
  const std::string date = day.empty() ? iso8601(context.clock->now()).substr(0, 10) : std::string(day);
  if (!is_day(date)) return fail(Code::invalid_argument, "a day must be YYYY-MM-DD, not \"" + date + "\"");
  std::string own = log_name(store.layout_name(), *parse_iso8601(date + "T00:00:00Z"));
  for (const std::string& name : {own, "linggen-agent." + date}) {
    auto text = read_whole(folder.root->directory(), folder.path + "/" + name);
    if (text) return LogText{name, std::move(*text)};
    if (text.error().code != Code::not_found) return fail(std::move(text).error());
  }
  return fail(Code::not_found, "there is no log of " + date, store.name());
}

Result<std::vector<std::string>> logs_older_than(const Context& context, Store& store, std::chrono::seconds keep) {
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(folder, folder_of(*files));
  HOLDFAST_LET(entries, daily_logs(folder));
  const std::int64_t oldest = unix_ns(context.clock->now() - keep);
  std::vector<std::string> old;
  for (const LogEntry& entry : entries)
    if (entry.stat.mtime_ns < oldest) old.push_back(entry.name);
  return old;
}

Result<std::vector<std::string>> prune_logs(const Context& context, Store& store, std::chrono::seconds keep) {
  HOLDFAST_LET(files, engine_of(store));
  if (!files->roots().writable()) return fail(Code::invalid_argument, "the store was opened read-only", store.name());
  HOLDFAST_LET(folder, folder_of(*files));
  HOLDFAST_LET(old, logs_older_than(context, store, keep));
  for (const std::string& name : old) {
    auto removed = folder.root->directory().remove(folder.path + "/" + name);
    if (!removed && removed.error().code != Code::not_found) return fail(std::move(removed).error());
  }
  return old;
}

}  // namespace holdfast::inline v1
