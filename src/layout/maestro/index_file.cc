#include "layout/maestro/index_file.h"

#include <algorithm>

#include "layout/change.h"
#include "layout/json_pick.h"
#include "layout/maestro/documents.h"
#include "layout/maestro/ids.h"
#include "layout/maestro/maestro_layout.h"
#include "layout/moment.h"
#include "model/time_formats.h"
#include "text/json_copy.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1::maestro {
namespace {

using Entries = std::map<std::string, std::string>;  // thread -> its entry, in compact JSON

const Place& index_place() {
  static const Place place = at("index.json");
  return place;
}

// The entries of a usable index.
std::optional<Entries> entries_of(std::string_view bytes) {
  const std::string_view text = without_bom(bytes);
  if (!check_json(text).ok()) return std::nullopt;
  const auto [version, threads] = pick<2>(JsonView(text), {"schemaVersion", "threads"});
  if (version.as_int64() != 1 || threads.kind() != JsonKind::array) return std::nullopt;
  Entries entries;
  for (const JsonItem& item : threads.elements()) {
    const std::string id = text_of(item.value.find("id"));
    if (id.empty() || !entries.emplace(id, compact_json(item.value)).second) return std::nullopt;
  }
  return entries;
}

// The index entry of a thread; other members of an old entry are kept.
Result<std::string> entry_of(std::string_view thread, std::string_view id, const std::string* old) {
  const auto [title, updated, project, harness, metadata] =
      pick<5>(JsonView(thread), {"title", "updatedAt", "projectPath", "harness", "metadata"});
  const bool pinned = metadata.find("pinned").as_bool().value_or(false);
  const std::array<std::pair<std::string_view, std::string>, 6> fields{{{"id", json_quoted(id)},
                                                                        {"title", json_quoted(text_of(title))},
                                                                        {"updatedAt", json_quoted(text_of(updated))},
                                                                        {"projectPath", json_quoted(text_of(project))},
                                                                        {"harness", json_quoted(text_of(harness))},
                                                                        {"pinned", pinned ? "true" : "false"}}};
  std::string entry = old == nullptr ? "{}" : *old;
  for (const auto& [key, value] : fields) {
    HOLDFAST_LET(edited, json_set(entry, {JsonStep(key)}, value));
    entry = std::move(edited);
  }
  return entry;
}

Result<std::vector<std::string>> thread_ids(Feed& feed) {
  constexpr std::string_view kEnding = ".json";
  HOLDFAST_LET(files, feed.list(at("threads")));
  std::vector<std::string> ids;
  for (const FeedEntry& file : files) {
    if (file.directory || !file.name.ends_with(kEnding)) continue;
    std::string id = file.name.substr(0, file.name.size() - kEnding.size());
    if (check_id("a thread", id)) ids.push_back(std::move(id));
  }
  return ids;
}

// Whether somebody saved or removed a thread without updating its entry.
Result<bool> is_stale(Feed& feed, const Entries& entries, const std::vector<std::string>& ids,
                      const ThreadKeeper::SavedThreads& saved) {
  HOLDFAST_LET(index, feed.stat(index_place()));
  std::size_t listed = 0;
  for (const std::string& id : ids) {
    listed += entries.contains(id) ? 1 : 0;
    if (saved.contains(id)) continue;
    HOLDFAST_LET(thread, feed.stat(thread_place(id)));
    if (!entries.contains(id) || (thread && index && thread->mtime_ns > index->mtime_ns)) return true;
  }
  std::size_t unsaved = entries.size();
  for (const auto& [id, bytes] : saved) {
    const bool there = std::ranges::find(ids, id) != ids.end();
    unsaved -= entries.contains(id) && !there ? 1 : 0;
  }
  return unsaved != listed;
}

// Unreadable threads and those of another version are not listed.
Result<Entries> read_all(Feed& feed, const std::vector<std::string>& ids, const Entries& old) {
  Entries entries;
  for (const std::string& id : ids) {
    const auto thread = read_object(feed, "thread", thread_place(id));
    if (!thread || !*thread) continue;
    const auto before = old.find(id);
    HOLDFAST_LET(entry, entry_of(**thread, id, before == old.end() ? nullptr : &before->second));
    entries.emplace(id, std::move(entry));
  }
  return entries;
}

std::string spell_threads(const Entries& entries) {
  struct Row {
    bool pinned;
    std::optional<std::chrono::system_clock::time_point> updated;
    const std::string *id, *entry;
  };
  std::vector<Row> rows;
  for (const auto& [id, entry] : entries) {
    const auto [pinned, updated] = pick<2>(JsonView(entry), {"pinned", "updatedAt"});
    rows.push_back({pinned.as_bool().value_or(false), parse_any_time(text_of(updated)), &id, &entry});
  }
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    if (a.pinned != b.pinned) return a.pinned;
    if (a.updated != b.updated) return a.updated > b.updated;
    return *a.id < *b.id;
  });
  JsonWriter json;
  json.begin_array();
  for (const Row& row : rows) json.raw(*row.entry);
  return json.end_array().take();
}

}  // namespace

Result<Changes> index_changes(Feed& feed, const ThreadKeeper::SavedThreads& saved, bool anew, const Moment& moment) {
  HOLDFAST_LET(bytes, feed.document(index_place()));
  auto entries = bytes ? entries_of(*bytes) : std::nullopt;
  const bool usable = entries.has_value();
  HOLDFAST_LET(ids, thread_ids(feed));
  bool rebuild = anew || !usable;
  if (!rebuild) {
    HOLDFAST_LET(stale, is_stale(feed, *entries, ids, saved));
    rebuild = stale;
  }
  if (rebuild) {
    HOLDFAST_LET(all, read_all(feed, ids, entries.value_or(Entries())));
    entries = std::move(all);
  }
  for (const auto& [id, thread] : saved) {
    const auto old = entries->find(id);
    if (!thread) {
      entries->erase(id);
    } else {
      HOLDFAST_LET(entry, entry_of(*thread, id, old == entries->end() ? nullptr : &old->second));
      entries->insert_or_assign(id, std::move(entry));
    }
  }
  const std::string threads = spell_threads(*entries);
  const std::string now = json_quoted(iso_micros(moment.now));
  std::string index;
  if (usable) {
    index = *bytes;
    if (compact_json(JsonView(index).find("threads")) != threads) {
      HOLDFAST_LET(set, json_set(index, {"threads"}, pretty_json(JsonView(threads), 1)));
      index = std::move(set);
    }
    if (rebuild) {
      HOLDFAST_LET(dated, json_set(index, {"rebuiltAt"}, now));
      index = std::move(dated);
    }
  } else {
    index = pretty_json(JsonView(R"({"schemaVersion":1,"threads":)" + threads + R"(,"rebuiltAt":)" + now + "}"));
  }
  Changes changes;
  // Nothing can be recovered from a damaged index, but its bytes are still kept.
  if (bytes && !check_json(without_bom(*bytes)).ok()) changes.put(at("corrupt/index.json"), *bytes);
  changes.put(index_place(), std::move(index));
  return changes;
}

}  // namespace holdfast::inline v1::maestro
