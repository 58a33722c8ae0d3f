#include "api/archive_access.h"

#include <algorithm>
#include <map>
#include <utility>

#include "api/meant_session.h"
#include "api/owning_session.h"
#include "api/session_filter.h"
#include "archive/archive_writer.h"
#include "archive/restore_captured.h"
#include "layout/belongings.h"
#include "layout/layout.h"
#include "model/model_json.h"
#include "text/json_scan.h"
#include "text/shell_word.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {

Result<std::string> archive_path(const Call& call) {
  const std::string& path = call.stores.settings().archive;
  if (path.empty())
    return fail(Code::storage_unavailable, "there is no place for an archive: neither HOME nor XDG_DATA_HOME is set");
  return path;
}

Result<std::unique_ptr<Archive>> open_archive(const Call& call, const CaptureRange& range, bool anew) {
  HOLDFAST_LET(path, archive_path(call));
  CaptureRange remembering = range;
  remembering.cache = call.stores.settings().cache;
  auto archive = Archive::open(call.context, *call.stores.settings().files, path, anew ? range : remembering);
  if (!archive && archive.error().code == Code::not_found)
    return fail(Code::not_found, "there is no archive yet; run holdfast archive run to create it", path);
  return archive;
}

PlaceOf place_in(const Call& call) {
  return [&settings = call.stores.settings()](const CaptureKey& key) {
    return current_root(settings, key.layout, key.store);
  };
}

std::string lacking_words(std::uint64_t lines, const std::string& word) {
  return "an earlier version in the archive has " + counted(lines, "line") +
         " that the newest one lacks; holdfast archive versions " + word + " lists them, and holdfast restore " + word +
         " --as-of TIME --to DIR restores one";
}

std::string last_run(Archive& archive) {
  const auto file = archive.directory().open(kLastRun, OpenMode::read);
  constexpr std::size_t kLongest = std::size_t{1} << 20;  // it names what the run missed
  std::string text(kLongest, '\0');
  text.resize(file ? (*file)->read_at(0, text).value_or(0) : 0);
  while (text.ends_with('\n')) text.pop_back();
  return check_json(text).ok() ? text : std::string();
}

namespace {

// Fails if a database already has the session: rows cannot be compared byte by byte.
Result<void> check_absent(const Call& call, const CaptureKey& key, const Layout& layout, const std::string& root) {
  const Belongings* const belongings = belongings_of(layout);
  if (belongings == nullptr || belongings->rows == nullptr) return {};
  StoreOptions options{.layout = key.layout};
  options.roots[""] = root;
  const auto store = call.stores.open(call.context, options, Use::read);
  if (!store) return {};
  if (const auto there = (*store)->get(call.context, key.id); there && there->id == key.id)
    return fail(Code::already_exists, "session " + key.id + " already exists and is left as it is", (*store)->name());
  return {};
}

// The session exactly as its files were at the last capture, even if an earlier capture had more.
CapturedSession as_last_seen(CapturedSession session) {
  std::erase_if(session.last, [](const auto& file) { return file.second->gone; });
  session.head = std::exchange(session.last, {});
  session.shown_at = session.at;
  return session;
}

// For a session that was not captured by `until`: fails and says which versions the archive has.
Result<void> explain_too_early(const Call& call, const std::string& id, const std::string& until) {
  HOLDFAST_LET(archive, open_archive(call));
  HOLDFAST_LET(found, archive->find(id, place_in(call)));
  std::string first;
  const CaptureKey& key = found->first;
  HOLDFAST_TRY(open_archive(call, {.seen = [&](const Capture& capture, const CapturedSession&) {
                              if (first.empty() && capture.session == key) first = capture.at;
                            }}));
  return fail(Code::not_found, std::string(kNoVersion) + key.id + " from before " + until +
                                   "; the earliest one is from " + first + " (holdfast archive versions " +
                                   session_word(key.layout, key.id) + " lists them)");
}

// Knows which blocks of an archive can be read.
class ReadableBlocks {
 public:
  explicit ReadableBlocks(Packs& packs) : packs_(packs) {}

  // Why the block cannot be read; empty if it can.
  const std::string& fault(const FileBlock& block) {
    const auto [known, fresh] = faults_.try_emplace(block.name);
    if (!fresh) return known->second;
    const auto bytes = packs_.read(block.name);
    if (bytes) return known->second;
    known->second = bytes.error().message;
    if (const std::string& path = bytes.error().path; !path.empty()) known->second += " (" + path + ")";
    return known->second;
  }
  bool are_all(const Versions& files) {
    return std::ranges::all_of(files, [&](const auto& file) {
      return std::ranges::all_of(file.second->blocks, [&](const FileBlock& block) { return fault(block).empty(); });
    });
  }

 private:
  Packs& packs_;
  std::map<std::string, std::string> faults_;
};

// Names what is missing of each file, as far as the archive says.
std::string missing_parts(const Versions& files, ReadableBlocks& blocks) {
  std::string text;
  for (const auto& [place, version] : files) {
    std::uint64_t at = 0, first = 0, bytes = 0;
    std::string why;
    for (const FileBlock& block : version->blocks) {
      if (const std::string& fault = blocks.fault(block); !fault.empty()) {
        if (bytes == 0) first = at;
        if (bytes == 0) why = fault;
        bytes += block.size;
      }
      at += block.size;
    }
    if (bytes > 0)
      text += "; " + place.path + " lacks " + std::to_string(bytes) + " of its " + std::to_string(version->size) +
              " bytes, from byte " + std::to_string(first) + " on: " + why;
  }
  return text;
}

// The time of the newest capture of the session before `version` that has every byte; empty if there is none.
Result<std::string> newest_whole(const Call& call, const CaptureKey& key, const CapturedSession& version,
                                 ReadableBlocks& blocks) {
  std::string newest;
  const auto take = [&](const Capture& capture, const CapturedSession& then) {
    if (capture.session != key || capture.at > version.at) return;
    const CapturedSession seen = as_last_seen(then);
    const auto is_worse = [](const auto& file) { return file.second->worse; };
    if (!seen.head.empty() && std::ranges::none_of(seen.head, is_worse) && blocks.are_all(seen.head))
      newest = capture.at;
  };
  HOLDFAST_TRY(open_archive(call, {.seen = take}));
  return newest;
}

// The error of a restore that lacks bytes: which session, what is missing, and what can be done.
Error explain_damage(const Call& call, Archive& archive, const CaptureKey& key, const CapturedSession& version,
                     Error error) {
  if (error.code != Code::corrupt && error.code != Code::not_found && error.code != Code::io_error) return error;
  ReadableBlocks blocks(archive.packs());
  const std::string missing = missing_parts(version.head, blocks);
  if (missing.empty()) return error;
  const std::string word = session_word(key.layout, key.id);
  std::string text = "session " + key.id + " cannot be restored in full" + missing;
  if (const auto whole = newest_whole(call, key, version, blocks); whole && !whole->empty())
    text += "; the version of " + *whole + " is whole (holdfast restore " + word + " --as-of " + *whole +
            "), and holdfast archive versions " + word + " lists all";
  else
    text += "; no earlier version is whole (holdfast archive versions " + word + " lists them)";
  text += "; holdfast rescue " + word + " -o FILE writes what can be read";
  return {Code::corrupt, std::move(text), archive.directory().path()};
}

}  // namespace

Result<std::string> restore_from_archive(const Call& call) {
  HOLDFAST_LET(until, moment_of(call, "as_of"));
  std::unique_ptr<Archive> archive;
  Result<const CapturedPair*> captured_then = nullptr;
  const auto look = [&](const std::string& containing) -> Result<void> {
    HOLDFAST_LET(opened, open_archive(call, {.until = until, .containing = containing}));
    archive = std::move(opened);
    HOLDFAST_LET(meant, meant_session(call, archive->state(), call.text("id")));
    captured_then = archive->find(meant.empty() ? call.text("id") : meant, place_in(call));
    // What begins with the whole id of a session that only its agent has is another one.
    if (captured_then && !meant.empty() && (*captured_then)->first.layout + "/" + (*captured_then)->first.id != meant)
      captured_then = fail(Code::not_found, "the archive has no session " + meant);
    return {};
  };
  // What the agent remembered may be with any session.
  const std::string id = call.text("id"), name = call.flag("memory") ? "" : id.substr(id.find('/') + 1);
  HOLDFAST_TRY(look(name));
  // It may be part of a session that does not know of it yet.
  if (!captured_then && !name.empty()) HOLDFAST_TRY(look({}));
  // The transcript of a sub-agent is restored with its session.
  const auto whole = captured_then ? std::nullopt : owning_session(call, call.text("id"));
  if (whole) captured_then = archive->find(*whole, place_in(call));
  if (!captured_then && !until.empty()) HOLDFAST_TRY(explain_too_early(call, whole.value_or(call.text("id")), until));
  HOLDFAST_LET(found, captured_then);
  const CaptureKey& key = found->first;
  const CapturedSession captured = until.empty() ? found->second : as_last_seen(found->second);
  const Layout* const layout = find_layout(key.layout);
  if (layout == nullptr) return fail(Code::unsupported, "this version does not know the layout " + key.layout);
  std::string root = call.has("to") ? call.text("to") : place_in(call)(key);
  if (call.has("store")) {
    HOLDFAST_LET(named, parse_store_name(call.text("store")));
    if (named.layout != key.layout)
      return fail(Code::invalid_argument, key.id + " is a session of " + std::string(layout->agent()) +
                                              ", which does not read " + store_name(named));
    if (call.has("to") && root != named.roots[""])
      return fail(Code::invalid_argument, "--to and --store name different places; give only one of them");
    root = named.roots[""];
  }
  if (!root.starts_with('/')) return fail(Code::invalid_argument, "not an absolute directory: " + root);
  std::string project = call.text("project");
  while (project.size() > 1 && project.ends_with('/')) project.pop_back();
  if (call.has("project") &&
      (!project.starts_with('/') || !call.stores.settings().files->open_directory(project, false)))
    return fail(Code::invalid_argument, "there is no directory " + project + " to move the project to");
  HOLDFAST_TRY(check_absent(call, key, *layout, root));
  HOLDFAST_LET(place, archive_path(call));
  auto restored = restore_captured(call.context, *call.stores.settings().files, archive->packs(), key, captured,
                                   *layout, memory_of_project(archive->state(), key, captured, *layout),
                                   {.root = root,
                                    .exact_times = call.flag("exact_times"),
                                    .renew = !call.flag("exact_times") && !call.has("to"),
                                    .imports = call.has("to") ? root : place + "/" + std::string(kRestoredFolder),
                                    .project = project,
                                    .memory = call.flag("memory"),
                                    .look = call.looking});
  if (!restored) return fail(explain_damage(call, *archive, key, captured, std::move(restored).error()));
  RestoredFiles& done = *restored;
  const std::string lacks = until.empty() && captured.lacks() > 0
                                ? lacking_words(captured.lacks(), session_word(key.layout, key.id))
                                : std::string();
  if (!lacks.empty())
    done.findings.push_back({.file = key.layout + "/" + key.id, .kind = "lacks", .consequence = lacks});
  if (call.looking)
    return "restore " + key.layout + "/" + key.id + " from the archive, as it was captured " + captured.shown_at +
           ", to " + root + (whole ? "; " + call.text("id") + " is the transcript of a sub-agent of it" : "") +
           (lacks.empty() ? "" : "; " + lacks);
  if (whole)
    done.findings.push_back({.file = call.text("id"),
                             .kind = "part",
                             .consequence = "this is the transcript of a sub-agent; its session " + *whole +
                                            " was restored, with everything that belongs to it"});
  JsonWriter json = begin_answer();
  json.key("id").string(key.id).key("store").string(key.layout + ":" + root).key("from").string("archive");
  if (!call.has("to") && !call.has("store") && root != key.store) json.key("was_in").string(key.store);
  json.key("captured_at").string(captured.shown_at).key("written").uint64(done.written.size());
  if (call.flag("memory")) json.key("memory").uint64(done.memory);
  json.key("already_there").uint64(done.already.size()).key("files").strings(done.written);
  if (!done.import_command.empty())
    json.key("import_file").string(done.import_file).key("next").string(done.import_command + " " + done.import_file);
  write_findings(json, "findings", done.findings);
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
