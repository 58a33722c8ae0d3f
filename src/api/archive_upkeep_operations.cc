// session.forget, archive.prune, archive.compact: what is no longer kept.
#include <algorithm>
#include <set>

#include "api/archived.h"
#include "api/call.h"
#include "api/tables.h"
#include "archive/archive_writer.h"
#include "archive/rewrite_archive.h"
#include "base/time.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

Result<std::unique_ptr<ArchiveWriter>> open_writer(const Call& call) {
  HOLDFAST_LET(path, archive_path(call));
  FileSystem& files = *call.stores.settings().files;
  // An archive is not made for the sake of what goes from it.
  if (const auto there = files.open_directory(path, false); !there || !(*there)->exists(kArchiveFormat))
    return fail(Code::not_found, "there is no archive yet; holdfast archive run makes it", path);
  return ArchiveWriter::open(call.context, files, path);
}

std::uint64_t size_of(const Packs& packs) {
  std::uint64_t bytes = 0;
  for (const auto& [pack, end] : packs.ends()) bytes += end;
  return bytes;
}

void write_keys(JsonWriter& json, std::string_view name, const std::set<CaptureKey>& keys) {
  json.key(name).begin_array();
  for (const CaptureKey& key : keys) {
    json.begin_object().key("layout").string(key.layout).key("store").string(key.store);
    json.key("id").string(key.id).end_object();
  }
  json.end_array();
}

std::string names_of(const std::set<CaptureKey>& keys) {
  std::string names;
  std::size_t told = 0;
  for (const CaptureKey& key : keys) {
    if (told++ == 10) return names + ", …";
    names += (names.empty() ? "" : ", ") + key.layout + "/" + key.id;
  }
  return names;
}

// ---- forget

Result<std::set<CaptureKey>> meant_to_forget(const Call& call, Packs& packs, const CaptureState& state) {
  const std::string id = call.text("id"), text = call.text("match");
  if (id.empty() == text.empty()) return fail(Code::invalid_argument, "name a session, or a text with --match");
  std::set<CaptureKey> found;
  if (!id.empty()) {
    HOLDFAST_LET(session, find_captured(state, id));
    found.insert(session->first);
  } else {
    HOLDFAST_LET(some, sessions_with(call.context, packs, state, text));
    found = std::move(some);
  }
  std::set<CaptureKey> all;
  for (const CaptureKey& key : found) all.merge(with_inner(state, key));
  return all;
}

// Files that can be made again, or that nobody needs: what they hold of the sessions goes with them.
void remove_files(Directory& directory, const std::string& folder, int depth, std::uint64_t& removed) {
  const auto entries = directory.list(folder);
  if (!entries) return;
  for (const DirectoryEntry& entry : *entries) {
    const std::string path = (folder.empty() ? "" : folder + "/") + entry.name;
    if (entry.kind == FileKind::directory && depth > 0) remove_files(directory, path, depth - 1, removed);
    if (entry.kind == FileKind::file && directory.remove(path)) ++removed;
  }
}

std::uint64_t remove_derived(const Call& call, ArchiveWriter& writer, const std::set<CaptureKey>& keys) {
  constexpr int kDeep = 4;
  std::uint64_t removed = 0;
  Directory& archive = writer.root().directory();
  remove_files(archive, writer.root().side("corrupt"), kDeep, removed);
  if (const auto restored = archive.list(kRestoredFolder)) {
    for (const DirectoryEntry& entry : *restored) {
      const bool its = std::ranges::any_of(
          keys, [&](const CaptureKey& key) { return entry.name.starts_with(key.layout + "-" + key.id + "-"); });
      if (its && archive.remove(std::string(kRestoredFolder) + "/" + entry.name)) ++removed;
    }
  }
  const std::string& cache = call.stores.settings().cache;
  if (cache.empty()) return removed;
  if (const auto directory = call.stores.settings().files->open_directory(cache, false))
    remove_files(**directory, "", kDeep, removed);
  return removed;
}

// The agents' own files that still hold it.
std::vector<std::string> out_of_reach(const Call& call, const CaptureState& state, const std::set<CaptureKey>& keys) {
  std::vector<std::string> files;
  for (const CaptureKey& key : keys) {
    const auto session = state.sessions.find(key);
    const auto directory = call.stores.settings().files->open_directory(key.store, false);
    if (session == state.sessions.end() || !directory) continue;
    for (const auto& [place, version] : session->second.head) {
      if ((*directory)->stat_to_read(place.path)) files.push_back(key.store + "/" + place.path);
    }
  }
  return files;
}

Result<std::string> forget(Call& call) {
  HOLDFAST_LET(writer, open_writer(call));
  HOLDFAST_LET(keys, meant_to_forget(call, writer->packs(), writer->state()));
  const std::vector<std::string> left = out_of_reach(call, writer->state(), keys);
  Rewritten done;
  std::uint64_t removed = 0;
  if (!keys.empty()) {
    // First that they are not captured again, then that they are gone.
    HOLDFAST_TRY(writer->note_forgotten(call.context, keys));
    HOLDFAST_LET(rewritten, drop_sessions(call.context, *writer, keys));
    done = std::move(rewritten);
    removed = remove_derived(call, *writer, keys);
  }
  writer.reset();
  // A look at everything that is left.
  HOLDFAST_LET(archive, open_archive(call));
  std::set<CaptureKey> still;
  if (call.has("match")) {
    HOLDFAST_LET(found, sessions_with(call.context, archive->packs(), archive->state(), call.text("match")));
    still = std::move(found);
  }
  for (const CaptureKey& key : keys) {
    if (archive->state().sessions.contains(key)) still.insert(key);
  }
  JsonWriter json = begin_answer();
  write_keys(json, "forgotten", keys);
  json.key("packs_rewritten").uint64(done.packs).key("files_removed").uint64(removed);
  write_keys(json, "still_there", still);
  json.key("looked_at").begin_object().key("sessions").uint64(archive->state().sessions.size());
  json.key("chunks").uint64(archive->packs().count()).end_object();
  json.key("out_of_reach").begin_array();
  for (const std::string& file : left) json.string(file);
  if (!left.empty()) json.string("what the cache remembers of these files as long as they are there");
  json.string("free blocks of the disk, snapshots, backups, and copies that others made").end_array();
  write_findings(json, "findings", done.findings);
  return json.end_object().take();
}

Result<std::string> would_forget(Call& call) {
  HOLDFAST_LET(archive, open_archive(call));
  HOLDFAST_LET(keys, meant_to_forget(call, archive->packs(), archive->state()));
  if (keys.empty()) return std::string("do nothing: no session in the archive holds that text");
  return "remove " + std::to_string(keys.size()) +
         " sessions from the archive for good and never capture them again: " + names_of(keys);
}

// ---- prune

struct Old {
  std::set<CaptureKey> all;
  std::uint64_t only_here = 0;
};

Result<Old> old_sessions(const Call& call, const CaptureState& state) {
  const std::int64_t days = call.integer("keep_days", call.stores.settings().archive_keep_days);
  Old old;
  if (days <= 0) return old;
  const std::string before = iso8601(call.context.clock->now() - std::chrono::hours(24 * days));
  for (const auto& [key, session] : state.sessions) {
    const std::string updated = JsonView(session.row).find("updated_at").as_string().value_or("");
    if (session.inner || (updated.empty() ? session.at : updated) >= before) continue;
    const auto directory = call.stores.settings().files->open_directory(key.store, false);
    const bool there = directory && std::ranges::any_of(session.head, [&, its = &**directory](const auto& file) {
                         return its->stat_to_read(file.first.path).has_value();
                       });
    if (there) continue;  // the next run would capture it again
    old.all.merge(with_inner(state, key));
    ++old.only_here;
  }
  return old;
}

Result<std::string> prune(Call& call) {
  HOLDFAST_LET(writer, open_writer(call));
  HOLDFAST_LET(old, old_sessions(call, writer->state()));
  Rewritten done;
  const std::uint64_t before = size_of(writer->packs());
  std::uint64_t after = before;
  if (!old.all.empty()) {
    HOLDFAST_LET(rewritten, drop_sessions(call.context, *writer, old.all));
    done = std::move(rewritten);
    after = size_of(writer->packs());
  }
  JsonWriter json = begin_answer();
  write_keys(json, "removed", old.all);
  json.key("bytes_before").uint64(before).key("bytes_after").uint64(after);
  write_findings(json, "findings", done.findings);
  return json.end_object().take();
}

Result<std::string> would_prune(Call& call) {
  HOLDFAST_LET(archive, open_archive(call));
  HOLDFAST_LET(old, old_sessions(call, archive->state()));
  if (old.all.empty()) return std::string("do nothing: there is nothing to prune");
  return "remove the last known copies of " + std::to_string(old.only_here) + " sessions: " + names_of(old.all);
}

// ---- compact

Result<std::string> compact(Call& call) {
  HOLDFAST_LET(writer, open_writer(call));
  const std::uint64_t before = size_of(writer->packs());
  HOLDFAST_LET(done, compact_archive(call.context, *writer));
  JsonWriter json = begin_answer();
  json.key("bytes_before").uint64(before).key("bytes_after").uint64(size_of(writer->packs()));
  json.key("packs_rewritten").uint64(done.packs);
  write_findings(json, "findings", done.findings);
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> archive_upkeep_operations() {
  static const std::vector<Operation> all{
      {.method = "session.forget",
       .help = "remove sessions from the archive for good and never capture them again",
       .use = Use::write,
       .parameters = {{.name = "id", .help = "an id, a prefix of one, or LAYOUT/ID", .positional = true},
                      {.name = "match", .help = "instead: every session of which a file holds this text"}},
       .result = "forgotten:object[] packs_rewritten:integer files_removed:integer still_there:object[] "
                 "looked_at:object out_of_reach:string[] findings:finding[]",
       .errors = {Code::newer_schema},
       .handler = forget,
       .preview = would_forget,
       .example = "forget k7f3 --yes",
       .command = "forget"},
      {.method = "archive.prune",
       .help = "remove sessions from the archive that are older than archive.keep_days and that their agents have "
               "deleted",
       .use = Use::write,
       .parameters = {{.name = "keep_days",
                       .help = "instead of archive.keep_days; 0: nothing goes",
                       .type = ParamType::integer,
                       .least = 0}},
       .result = "removed:object[] bytes_before:integer bytes_after:integer findings:finding[]",
       .errors = {Code::newer_schema},
       .handler = prune,
       .preview = would_prune,
       .example = "archive prune --keep-days 365 --dry-run"},
      {.method = "archive.compact",
       .help = "put the small pieces of growing files together and let go of what nothing names",
       .use = Use::write,
       .result = "bytes_before:integer bytes_after:integer packs_rewritten:integer findings:finding[]",
       .errors = {Code::newer_schema},
       .handler = compact,
       .example = "archive compact"},
  };
  return all;
}

}  // namespace holdfast::inline v1
