#include "api/forget.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include "api/archive_access.h"
#include "api/forget_live.h"
#include "api/forget_published.h"
#include "api/forget_pulled.h"
#include "api/meant_session.h"
#include "api/notes.h"
#include "api/owned_files.h"
#include "api/owning_session.h"
#include "archive/damaged_chunks.h"
#include "archive/find_text.h"
#include "archive/forget_lines.h"
#include "archive/lost_lines.h"
#include "base/own_folder.h"
#include "disk/memory_file_system.h"
#include "layout/belongings.h"
#include "layout/layout.h"
#include "layout/title_file.h"
#include "model/model_json.h"
#include "store/session_match.h"
#include "text/shell_word.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

// Every session begins with an empty id, and every line contains an empty text.
Result<void> check_one_is_named(const Call& call) {
  const std::string id = call.text("id"), text = call.text("match");
  if (id.empty() != text.empty() && call.has("id") != call.has("match") && !id.ends_with('/')) return {};
  return fail(Code::invalid_argument, "name a session, or a text with --match");
}

// Forgetting only the sub-agent would leave its transcript in the copy of the session that started it.
Failure is_part(const std::string& session, const std::string& of) {
  return fail(Code::unsupported, session + " is the transcript of a sub-agent, which is kept with its session " + of +
                                     "; nothing was forgotten; run holdfast forget " + shell_word(of) +
                                     " to forget both");
}

// The sessions with that id that are only at a remote, where this machine published them before its home was restored
// from a backup.
Result<PublishedText> published_sessions(const Call& call, std::string_view id) {
  HOLDFAST_LET(found, find_published(call, nullptr, {}));
  std::erase_if(found.sessions, [&](const PublishedText::Session& one) { return !is_named(one.key, id); });
  std::set<std::string> names;
  for (const CaptureKey& key : found.keys()) names.insert(key.layout + "/" + key.id);
  if (names.size() > 1)
    return fail(Code::not_found,
                std::string(id) + " is ambiguous; it may be " + *names.begin() + " or " + *std::next(names.begin()));
  return found;
}

std::vector<Finding> unsearched(const PublishedText& published) {
  std::vector<Finding> all = published.unread;
  std::ranges::copy(published.unasked, std::back_inserter(all));
  return all;
}

// Why nothing is known of the session: no agent has it, or also that a remote may have it.
Error not_found_anywhere(Error error, const PublishedText& there) {
  for (const Finding& one : unsearched(there)) error.message += "; " + one.file + ": " + one.consequence;
  if (!there.unread.empty()) error.code = Code::corrupt;
  return error;
}

// What the call asks to forget, as found in the archive; `published`: if it is not there and was found at a remote.
Result<FoundText> meant_to_forget(const Call& call, Directory& directory, Packs& packs, const CaptureState& state,
                                  const ForgottenLines& lines, PublishedText& published) {
  const std::string id = call.text("id"), text = call.text("match");
  FoundText found;
  if (!id.empty()) {
    HOLDFAST_LET(meant, meant_session(call, state, id));
    const auto is_meant = [&](const auto& one) { return one.first.layout + "/" + one.first.id == meant; };
    if (std::ranges::none_of(state.sessions, is_meant)) {
      // Not captured yet; must never be captured.
      bool ambiguous = false;
      auto live = live_session(call, id, &ambiguous);
      if (!live && !ambiguous && live.error().code == Code::not_found) {
        HOLDFAST_LET(there, published_sessions(call, id));
        published = std::move(there);
        found.whole = published.keys();
        if (!found.whole.empty()) return found;
        return fail(not_found_anywhere(std::move(live).error(), published));
      }
      HOLDFAST_LET(key, std::move(live));
      if (const auto of = owning_session(call, id)) return is_part(key.layout + "/" + key.id, *of);
      found.whole.insert(std::move(key));
      return found;
    }
    const PlaceOf place = place_in(call);
    HOLDFAST_LET(session, find_captured(state, meant, place));
    const CaptureKey& first = session->first;
    if (const auto of = owning_session(state, *session)) return is_part(first.layout + "/" + first.id, *of);
    for (const auto& [key, captured] : state.sessions) {
      if (key.layout == first.layout && key.id == first.id && place(key) == place(first)) found.whole.insert(key);
    }
  } else {
    HOLDFAST_LET(some, find_text(call.context, directory, packs, text, lines));
    found = std::move(some);
  }
  std::set<CaptureKey> all;
  for (const CaptureKey& key : found.whole) all.merge(with_inner(state, key));
  for (const CaptureKey& key : all) found.in_lines.erase(key);
  found.whole = std::move(all);
  return found;
}

// The agents' own files of these sessions that are still there.
std::vector<std::string> agents_files(const Call& call, const CaptureState& state, const std::set<CaptureKey>& keys) {
  std::vector<std::string> files;
  for (const CaptureKey& key : keys) {
    const auto session = state.sessions.find(key);
    std::ranges::move(live_parts(call, key), std::back_inserter(files));
    if (session == state.sessions.end()) {
      std::ranges::move(live_files(call, key), std::back_inserter(files));
      continue;
    }
    const auto directory = call.stores.settings().files->open_directory(key.store, false);
    if (!directory) continue;
    const SessionPaths paths = captured_paths(key, session->second);
    std::vector<std::string> own;
    for (const auto& [place, version] : session->second.head) {
      // A file that other sessions share is not a file of this session.
      if (!paths.is_shared(place.path)) own.push_back(place.path);
    }
    for (const std::string& path : own) {
      if ((*directory)->stat_to_read(path)) files.push_back(key.store + "/" + path);
    }
    std::ranges::move(copies_of(call, key, own), std::back_inserter(files));
    const TitleFile* const titles = title_file_of(key.layout);
    if (titles == nullptr || JsonView(session->second.row).find("title").as_string().value_or("").empty()) continue;
    const std::string path = key.store + "/" + std::string(titles->path);
    if ((*directory)->stat_to_read(titles->path) && std::ranges::find(files, path) == files.end())
      files.push_back(path);
  }
  return files;
}

// Adds what the agents have now. A line that was captured half written is complete by now, and the next run would
// capture what was written since or never captured.
void add_live(const CaptureState& state, const LiveText& live, FoundText& found) {
  found.hashes.insert(live.hashes.begin(), live.hashes.end());
  for (const CaptureKey& key : live.whole) {
    found.whole.insert(key);
    for (const CaptureKey& inner : with_inner(state, key)) found.whole.insert(inner);
  }
  for (const CaptureKey& key : found.whole) found.in_lines.erase(key);
}

// A session that was captured in several homes is one.
std::set<std::string> session_names(const std::set<CaptureKey>& keys) {
  std::set<std::string> names;
  for (const CaptureKey& key : keys) names.insert(key.layout + "/" + key.id);
  return names;
}

// Sessions with forgotten lines that no run has captured: the lines are kept out of the archive.
std::set<CaptureKey> kept_out_sessions(const LiveText& live, const std::set<CaptureKey>& holed,
                                       const std::set<CaptureKey>& whole) {
  std::set<CaptureKey> kept_out = live.in_lines;
  std::erase_if(kept_out, [&](const CaptureKey& key) { return holed.contains(key) || whole.contains(key); });
  return kept_out;
}

std::vector<std::string> restored_names(const std::set<CaptureKey>& whole, const std::set<CaptureKey>& holed) {
  std::vector<std::string> names;
  for (const auto* const keys : {&whole, &holed}) {
    for (const CaptureKey& key : *keys) names.push_back(key.layout + "-" + key.id + "-");
  }
  return names;
}

}  // namespace

Result<std::unique_ptr<ArchiveWriter>> open_archive_writer(const Call& call) {
  HOLDFAST_LET(path, archive_path(call));
  FileSystem& files = *call.stores.settings().files;
  // An archive is not created just to remove something from it.
  const auto there = own_folder(files.open_directory(path, false));
  const auto known = there ? check_archive_format(**there) : fail(there.error());
  if (!known && known.error().code == Code::not_found)
    return fail(Code::not_found, "there is no archive yet; run holdfast archive run to create it", path);
  if (!known) return fail(known.error());
  return ArchiveWriter::open(call.context, files, path);
}

Result<std::unique_ptr<ArchiveWriter>> open_archive_to_shrink(const Call& call, std::vector<Finding>& findings,
                                                              UnreadableLists lists) {
  HOLDFAST_LET(writer, open_archive_writer(call));
  HOLDFAST_LET(lost, note_lost_lines(call.context, *writer));
  if (lost) findings.push_back(lost_lines_finding(*lost));
  HOLDFAST_LET(mended, set_log_damage_aside(call.context, *writer, findings, lists));
  if (mended) {
    writer.reset();
    HOLDFAST_LET(again, open_archive_writer(call));
    writer = std::move(again);
  }
  HOLDFAST_TRY(check_captures_are_whole(writer->state()));
  return writer;
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
  for (const std::string& name : session_names(keys)) {
    if (told++ == 10) return names + ", …";
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

bool is_half_forgotten(const Forgotten& forgotten, const CaptureState& state) {
  return forgotten.lines.pending || !forgotten.unfinished.empty() ||
         std::ranges::any_of(forgotten.sessions, [&](const CaptureKey& key) { return state.sessions.contains(key); });
}

namespace {

Result<void> forget_notes(const Call& call, const std::set<CaptureKey>& sessions) {
  for (const CaptureKey& key : sessions)
    HOLDFAST_TRY(forget_notes_about(call.context, call.stores.settings(), key.layout, key.id));
  return {};
}

}  // namespace

Result<void> finish_forgetting(const Call& call, ArchiveWriter& writer) {
  static const std::set<CaptureKey> kNone;
  const Forgotten& all = writer.all_forgotten();
  HOLDFAST_TRY(forget_notes(call, all.unfinished));
  HOLDFAST_LET(done, forget_lines(call.context, writer, all.lines.pending ? nullptr : &kNone));
  (void)remove_derived_files(call, writer.root().directory(), restored_names(all.sessions, done.holed));
  return writer.note_forgetting_done(call.context);
}

namespace {

// The next sync erases what this machine published, at the remote and here.
std::string with_sync_note(const std::string& file) {
  const bool published =
      file.contains("/sync/remotes/") &&
      (file.contains("/published/") || file.contains("/redacted/") || file.ends_with("/pending.json"));
  return published ? file + ", until the next holdfast sync" : file;
}

// If no agent here has the session, returns an error that says so, and which machine has it, instead of "no archive".
Error without_archive(const Call& call, Error error) {
  const std::string id = call.text("id");
  if (error.code != Code::not_found || call.has("match")) return error;
  auto live = live_session(call, id);
  if (!live && live.error().code == Code::not_found) return std::move(live).error();
  return error;
}

// For a dry run; the call itself returns the findings.
std::string unread_words(const std::vector<Finding>& unread, const PublishedText& there) {
  constexpr std::size_t kNamed = 10;
  std::string names;
  for (std::size_t n = 0; n < std::min(unread.size(), kNamed); ++n) names += (n == 0 ? "" : ", ") + unread[n].file;
  if (unread.size() > kNamed) names += ", …";
  if (!names.empty()) names = "; could not read these files, and the text may be in them: " + names;
  for (const Finding& one : unsearched(there)) names += "; " + one.file + ": " + one.consequence;
  return names;
}

// Files that contain the text and stay as they are: those of agents, then those of Holdfast. A session in Holdfast's
// own store is in both.
std::vector<std::string> files_out_of_reach(const LiveText& live, const OwnedFiles& owned) {
  std::vector<std::string> all;
  std::unordered_set<std::string> told;
  for (const auto* const files : {&live.files, &owned.hold}) {
    for (const std::string& file : *files)
      if (told.insert(file).second) all.push_back(with_sync_note(file));
  }
  return all;
}

// For a dry run. The call that does it returns the files, and both exit alike: the text was found, if not in reach.
std::string out_of_reach_words(const std::vector<std::string>& files) {
  constexpr std::size_t kNamed = 10;
  std::string names;
  for (std::size_t n = 0; n < std::min(files.size(), kNamed); ++n) names += (n == 0 ? "" : ", ") + files[n];
  if (files.size() > kNamed) names += ", …";
  return names.empty() ? names : "; out of reach: " + names;
}

Error not_removed(Error error) {
  if (error.code == Code::disk_full)
    error.message +=
        "; nothing is removed from the archive yet, but it will not be captured again; the next holdfast archive run "
        "removes it if there is space by then";
  return error;
}

Error not_recorded(Error error) {
  if (error.code == Code::disk_full)
    error.message +=
        "; this is not recorded, so nothing is removed from the archive, and the next run captures it as before; "
        "repeat it once the disk has space";
  return error;
}

// What missing or damaged lines name may be what is to be forgotten, or the only copy of something else.
Result<void> check_log_is_whole(const Call& call, Directory& archive, const CaptureState& state, bool had_log) {
  if (auto whole = check_captures_are_whole(state); !whole) {
    whole.error().message.insert(0, "nothing was forgotten: ");
    return whole;
  }
  HOLDFAST_LET(lost, find_lost_lines(call.context, archive, had_log));
  if (!lost) return {};
  return fail(Code::corrupt, "nothing was forgotten: " + lost_lines_finding(*lost).consequence,
              std::string(kCaptureLog));
}

// A pack that is put back later would bring back what only it has of these sessions.
Result<void> check_packs_are_here(const Call& call, Directory& archive, const std::set<CaptureKey>& sessions) {
  HOLDFAST_LET(away, chunks_away(call.context, archive, sessions));
  if (away.empty()) return {};
  const bool one = away.size() == 1;
  return fail(Code::corrupt,
              "nothing was forgotten: " + counted(away.size(), "piece") + " of " + names_of(sessions) +
                  (one ? " is" : " are") + " in no pack, and a pack that is put back later would bring " +
                  (one ? "it" : "them") +
                  " back; put it back now, or give up what is missing with holdfast archive "
                  "compact --drop-unnamed",
              std::string(kPacks));
}

void write_notes(JsonWriter& json, const std::vector<SessionName>& notes) {
  json.key("notes").begin_array();
  for (const SessionName& name : notes) json.raw(json_of(name));
  json.end_array();
}

// For a dry run. The notes about sessions that are forgotten are removed with them.
std::string noted_words(const Call& call, const std::set<CaptureKey>& whole) {
  const auto goes = [&](const SessionName& name) {
    return std::ranges::any_of(whole, [&](const CaptureKey& key) { return is_about(name, key.layout, key.id); });
  };
  std::set<CaptureKey> noted;
  for (const SessionName& name : Notes::read(call.context, call.stores.settings())->containing(call.text("match")))
    if (!goes(name)) noted.insert({name.layout, {}, name.id});
  return noted.empty() ? std::string() : "remove it from your notes about " + names_of(noted);
}

// For a dry run.
std::string withdrawn_words(const PublishedText& found) {
  if (found.sessions.empty()) return {};
  return "withdraw what this machine published earlier of " + names_of(found.keys());
}

void add_words(std::string& what, const std::string& more) {
  if (!more.empty()) what += (what.empty() ? "" : "; ") + more;
}

SoughtText sought_elsewhere(const Call& call, const FoundText& found) {
  if (call.has("match")) return {.text = call.text("match")};
  return {.sessions = found.whole};
}

// What is forgotten is noted in the archive. If no run has created it, but remotes may have something of this machine
// or of others, forgetting creates it.
Result<std::unique_ptr<ArchiveWriter>> open_to_forget(const Call& call) {
  auto opened = open_archive_writer(call);
  if (opened || opened.error().code != Code::not_found) return opened;
  HOLDFAST_LET(remotes, has_remotes(call));
  if (!remotes) return fail(without_archive(call, std::move(opened).error()));
  HOLDFAST_LET(path, archive_path(call));
  return ArchiveWriter::open(call.context, *call.stores.settings().files, path);
}

// The same for a dry run, which creates it in `memory`.
Result<std::unique_ptr<Archive>> open_to_look(const Call& call, FileSystem& memory) {
  auto opened = open_archive(call);
  if (opened || opened.error().code != Code::not_found) return opened;
  HOLDFAST_LET(remotes, has_remotes(call));
  if (!remotes) return fail(without_archive(call, std::move(opened).error()));
  HOLDFAST_TRY(ArchiveWriter::open(call.context, memory, "/archive"));
  return Archive::open(call.context, memory, "/archive");
}

}  // namespace

Result<std::string> forget_sessions(Call& call) {
  HOLDFAST_TRY(check_one_is_named(call));
  HOLDFAST_LET(writer, open_to_forget(call));
  HOLDFAST_TRY(note_lost_lines(call.context, *writer));
  HOLDFAST_TRY(check_log_is_whole(call, writer->root().directory(), writer->state(), writer->had_log()));
  std::optional<Error> earlier;  // why something else is only recorded
  if (is_half_forgotten(writer->all_forgotten(), writer->state())) {
    auto finished = finish_forgetting(call, *writer);
    if (!finished && finished.error().code != Code::disk_full) return fail(std::move(finished).error());
    if (!finished) earlier = std::move(finished).error();
    writer.reset();
    auto again = open_archive_writer(call);
    if (!again) return fail(not_recorded(std::move(again).error()));
    writer = std::move(*again);
  }
  PublishedText published;
  HOLDFAST_LET(found, meant_to_forget(call, writer->root().directory(), writer->packs(), writer->state(),
                                      writer->forgotten_lines(), published));
  if (call.has("id")) HOLDFAST_TRY(check_packs_are_here(call, writer->root().directory(), found.whole));
  if (call.has("match")) {
    HOLDFAST_LET(there, find_published(call, &writer->packs(), call.text("match")));
    published = std::move(there);
    HOLDFAST_TRY(note_published(call, published));
  }
  LiveText live;
  if (call.has("match")) {
    HOLDFAST_LET(now, live_text(call, writer->state(), writer->all_forgotten()));
    live = std::move(now);
    add_live(writer->state(), live, found);
  } else {
    live.files = agents_files(call, writer->state(), found.whole);
  }
  HoledArchive done;
  std::uint64_t removed = 0;
  const bool finds = !found.whole.empty() || !found.hashes.empty();
  // What only the text itself can find goes first: from here on the list of hashes and sessions is enough, and the next
  // run can finish what is interrupted.
  std::vector<SessionName> notes;
  HOLDFAST_LET(pulled, forget_pulled(call, sought_elsewhere(call, found)));
  if (call.has("match")) {
    auto noted = forget_text_in_notes(call.context, call.stores.settings(), call.text("match"));
    if (!noted) return fail(not_recorded(std::move(noted).error()));
    notes = std::move(*noted);
    HOLDFAST_LET(copies, remove_text_from_copies(call, call.text("match"), SearchedFiles::copies));
    removed += copies.removed;
  }
  const std::vector<std::string> restored = restored_names(found.whole, found.in_lines);
  if (finds) {
    removed += remove_derived_files(call, writer->root().directory(), restored);
    // First make sure that the text is not captured again, then remove it.
    if (auto noted = writer->note_forgotten(call.context, found.whole, found.hashes); !noted)
      return fail(not_recorded(std::move(noted).error()));
    if (auto forgotten = forget_notes(call, found.whole); !forgotten)
      return fail(not_removed(std::move(forgotten).error()));
    if (earlier) return fail(not_removed(std::move(*earlier)));
    auto rewritten = forget_lines(call.context, *writer, &found.in_lines);
    if (!rewritten) return fail(not_removed(std::move(rewritten).error()));
    done = std::move(*rewritten);
    removed += remove_derived_files(call, writer->root().directory(), restored);
    HOLDFAST_TRY(writer->note_forgetting_done(call.context));
  } else if (earlier) {
    done.rewritten.findings.push_back({writer->path(), 0, 0, "half_forgotten",
                                       earlier->message + "; what was forgotten before is still in the archive until a "
                                                          "run finds that much space",
                                       0});
  }
  writer.reset();
  // Check everything that is left.
  HOLDFAST_LET(archive, open_archive(call));
  std::set<CaptureKey> still, unreadable;
  OwnedFiles owned;
  if (call.has("match")) {
    HOLDFAST_LET(rest, find_text(call.context, archive->directory(), archive->packs(), call.text("match"), {}));
    still = std::move(rest.whole);
    still.merge(rest.in_lines);
    unreadable = std::move(rest.unreadable);
    HOLDFAST_LET(copies, remove_text_from_copies(call, call.text("match")));
    owned = std::move(copies);
  }
  for (const CaptureKey& key : found.whole) {
    if (archive->state().sessions.contains(key)) still.insert(key);
  }
  JsonWriter json = begin_answer();
  write_keys(json, "forgotten", found.whole);
  write_keys(json, "holed", done.holed);
  write_keys(json, "kept_out", kept_out_sessions(live, done.holed, found.whole));
  write_notes(json, notes);
  write_pulled(json, pulled);
  json.key("lines").uint64(found.hashes.size());
  json.key("packs_rewritten").uint64(done.rewritten.packs).key("files_removed").uint64(removed + owned.removed);
  write_keys(json, "still_there", still);
  write_keys(json, "unreadable", unreadable);
  json.key("looked_at").begin_object().key("sessions").uint64(archive->state().sessions.size());
  json.key("chunks").uint64(archive->packs().count()).key("files").uint64(owned.looked_at).end_object();
  json.key("out_of_reach").begin_array();
  for (const std::string& file : files_out_of_reach(live, owned)) json.string(file);
  std::set<std::string> places = published_places(published);
  if (!call.has("match")) places.merge(published_places(call, found.whole));
  for (const std::string& place : places) json.string(place);
  if (!live.files.empty()) json.string("what the cache remembers of these files while they exist");
  json.string("free blocks of the disk, snapshots, backups, and copies that others made").end_array();
  std::ranges::move(live.findings, std::back_inserter(done.rewritten.findings));
  std::ranges::move(unsearched(published), std::back_inserter(done.rewritten.findings));
  write_findings(json, "findings", done.rewritten.findings);
  return json.end_object().take();
}

Result<std::string> would_forget(Call& call) {
  HOLDFAST_TRY(check_one_is_named(call));
  const std::unique_ptr<FileSystem> memory = make_memory_file_system();
  HOLDFAST_LET(archive, open_to_look(call, *memory));
  HOLDFAST_TRY(
      check_log_is_whole(call, archive->directory(), archive->state(), archive->directory().exists(kCaptureLog)));
  HOLDFAST_LET(forgotten, load_forgotten(call.context, archive->directory()));
  PublishedText there;
  HOLDFAST_LET(found,
               meant_to_forget(call, archive->directory(), archive->packs(), archive->state(), forgotten.lines, there));
  if (call.has("id")) HOLDFAST_TRY(check_packs_are_here(call, archive->directory(), found.whole));
  HOLDFAST_LET(pulled, find_pulled(call, sought_elsewhere(call, found)));
  std::string others = pulled_text_message(pulled);
  LiveText live;
  if (call.has("match")) {
    HOLDFAST_LET(now, live_text(call, archive->state(), forgotten));
    live = std::move(now);
    add_live(archive->state(), live, found);
    add_words(others, noted_words(call, found.whole));
    HOLDFAST_LET(now_there, find_published(call, &archive->packs(), call.text("match")));
    there = std::move(now_there);
    add_words(others, withdrawn_words(there));
  }
  std::erase_if(found.unreadable, [&](const CaptureKey& key) { return found.whole.contains(key); });
  const std::string unsure =
      (found.unreadable.empty()
           ? ""
           : "; could not read all of these sessions, and the text may be in them: " + names_of(found.unreadable)) +
      unread_words(live.findings, there);
  call.missed = !found.unreadable.empty() || !there.unread.empty();
  OwnedFiles owned;
  if (call.has("match")) {
    HOLDFAST_LET(copies, remove_text_from_copies(call, call.text("match")));
    owned = std::move(copies);
  }
  if (found.whole.empty() && found.hashes.empty() && others.empty() && owned.removed > 0)
    return "remove " + counted(owned.removed, "file") + " of Holdfast that " + (owned.removed == 1 ? "holds" : "hold") +
           " a copy of that text; nothing in the archive does" + unsure;
  if (found.whole.empty() && found.hashes.empty() && others.empty())
    return std::string("do nothing: ") +
           (unsure.empty() ? "the archive does not contain that text and would not capture it"
                           : "what could be read does not contain that text, but not everything could be read") +
           out_of_reach_words(files_out_of_reach(live, owned)) + unsure;
  std::string what;
  if (const std::size_t sessions = session_names(found.whole).size(); sessions > 0)
    what = "remove " + counted(sessions, "session") + " from the archive for good and never capture " +
           (sessions == 1 ? "it" : "them") + " again: " + names_of(found.whole);
  if (!found.hashes.empty())
    what += (what.empty() ? "" : "; ") + std::string("remove ") + counted(found.hashes.size(), "line") +
            " for good and never capture " + (found.hashes.size() == 1 ? "it" : "them") + " again" +
            (found.in_lines.empty() ? "" : ", out of " + names_of(found.in_lines));
  if (const auto kept_out = kept_out_sessions(live, found.in_lines, found.whole); !kept_out.empty())
    what += (found.in_lines.empty() ? ", out of " : "; also out of ") + names_of(kept_out) +
            ", which would have been captured next";
  add_words(what, others);
  return what + unsure;
}

}  // namespace holdfast::inline v1
