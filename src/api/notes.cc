#include "api/notes.h"

#include <holdfast/document.h>
#include <holdfast/root.h>

#include <algorithm>

#include "archive/find_text.h"
#include "base/own_folder.h"
#include "base/parent_path.h"
#include "model/model_json.h"
#include "store/secret_backup.h"
#include "text/json_edit.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kFile = "notes.json";
constexpr std::string_view kNothing = R"({"schema_version":1,"sessions":{}})";

// Beside the archive, in the person's data directory; empty if there is none.
std::string folder_of(const StoreSettings& settings) {
  return settings.archive.empty() ? std::string() : std::string(absolute_parent(settings.archive)) + "/notes";
}

SessionNote note_in(JsonView json) {
  SessionNote note;
  note.starred = json.find("starred").as_bool().value_or(false);
  note.title = json.find("title").as_string().value_or("");
  if (auto source = handed_off_from(json)) {
    note.source = *std::move(source);
    note.source_machine = json.find("handed_off_from").find("machine").as_string().value_or("");
  }
  for (const JsonItem& tag : json.find("tags").elements())
    if (auto text = tag.value.as_string()) note.tags.push_back(*std::move(text));
  return note;
}

std::string source_json(const SessionNote& note) {
  std::string json = json_of(note.source);
  if (note.source_machine.empty()) return json;
  json.pop_back();
  return json + ",\"machine\":" + JsonWriter().string(note.source_machine).take() + "}";
}

// Of a note that names a session with the text in its id, or in that of its source, that part goes as well.
SessionNote without_text(SessionNote note, std::string_view id, std::string_view text) {
  if (holds_text(id, text)) return {};
  if (holds_text(note.title, text)) note.title.clear();
  std::erase_if(note.tags, [&](const std::string& tag) { return holds_text(tag, text); });
  if (holds_text(note.source.id, text) || holds_text(note.source_machine, text)) {
    note.source = {};
    note.source_machine.clear();
  }
  return note;
}

// Writes the note into an object that may have other members.
Result<std::string> noted(std::string object, const SessionNote& note) {
  const auto put = [&](std::string_view key, bool there, const std::string& value) -> Result<void> {
    if (!there && !JsonView(object).find(key)) return {};
    HOLDFAST_LET(edited, there ? json_set(object, {key}, value) : json_remove(object, {key}));
    object = std::move(edited);
    return {};
  };
  HOLDFAST_TRY(put("starred", note.starred, "true"));
  HOLDFAST_TRY(put("tags", !note.tags.empty(), JsonWriter().strings(note.tags).take()));
  HOLDFAST_TRY(put("title", !note.title.empty(), JsonWriter().string(note.title).take()));
  HOLDFAST_TRY(put("handed_off_from", !note.source.id.empty(), source_json(note)));
  return object;
}

}  // namespace

std::optional<SessionName> handed_off_from(JsonView noted) {
  const JsonView source = noted.find("handed_off_from");
  SessionName name{source.find("layout").as_string().value_or(""), source.find("id").as_string().value_or("")};
  if (name.layout.empty() || name.id.empty()) return std::nullopt;
  return name;
}

std::string json_of(const SessionName& name) {
  JsonWriter json;
  json.begin_object().key("layout").string(name.layout).key("id").string(name.id);
  return json.end_object().take();
}

bool SessionNote::has_tag(std::string_view tag) const { return std::ranges::find(tags, tag) != tags.end(); }

std::shared_ptr<const Notes> Notes::read(const Context& context, const StoreSettings& settings) {
  auto notes = std::make_shared<Notes>();
  const std::string folder = folder_of(settings);
  if (folder.empty() || settings.files == nullptr) return notes;
  const auto loaded = [&]() -> Result<Loaded> {
    HOLDFAST_LET(root, Root::open(context, *settings.files, folder, {.write = false}));
    return load_document(context, *root, kFile);
  }();
  if (!loaded) {
    if (loaded.error().code != Code::not_found)
      notes->finding_ = Finding{.file = folder + "/" + std::string(kFile),
                                .kind = std::string(code_name(loaded.error().code)),
                                .consequence = "stars, tags and titles are not shown: " + loaded.error().message};
    return notes;
  }
  notes->finding_ = loaded->finding;
  for (const JsonItem& item : JsonView(loaded->bytes).find("sessions").fields())
    notes->notes_.insert_or_assign(item.key(), note_in(item.value));
  return notes;
}

const SessionNote* Notes::of(std::string_view layout, std::string_view id) const {
  if (notes_.empty()) return nullptr;
  const auto found = notes_.find(std::string(layout) + "/" + std::string(id));
  return found == notes_.end() ? nullptr : &found->second;
}

bool is_about(const SessionName& noted, std::string_view layout, std::string_view id) {
  const std::string_view name = noted.id;
  return noted.layout == layout && name.starts_with(id) && (name.size() == id.size() || name[id.size()] == '@');
}

std::vector<SessionName> Notes::of_all(std::string_view layout, std::string_view id) const {
  std::vector<SessionName> found;
  for (const auto& [key, note] : notes_) {
    const std::size_t slash = key.find('/');
    if (slash == std::string::npos) continue;
    SessionName name{key.substr(0, slash), key.substr(slash + 1)};
    if (is_about(name, layout, id)) found.push_back(std::move(name));
  }
  return found;
}

std::vector<SessionName> Notes::containing(std::string_view text) const {
  std::vector<SessionName> found;
  for (const auto& [key, note] : notes_) {
    const std::size_t slash = key.find('/');
    if (slash == std::string::npos) continue;
    SessionName name{key.substr(0, slash), key.substr(slash + 1)};
    if (without_text(note, name.id, text) != note) found.push_back(std::move(name));
  }
  return found;
}

HandOffs Notes::handed_off() const {
  HandOffs all;
  for (const auto& [key, note] : notes_) {
    const std::size_t slash = key.find('/');
    if (!note.source.id.empty() && slash != std::string::npos)
      all[{key.substr(0, slash), key.substr(slash + 1)}] = note.source;
  }
  return all;
}

Result<SessionNote> change_note(const Context& context, const StoreSettings& settings, const std::string& layout,
                                const std::string& id, const NoteChange& change) {
  const std::string folder = folder_of(settings);
  if (folder.empty() || settings.files == nullptr)
    return fail(Code::storage_unavailable, "there is no home directory to keep notes in");
  HOLDFAST_LET(root, own_folder(Root::open(context, *settings.files, folder, {.create = true})));
  const std::string key = layout + "/" + id;
  for (;;) {
    auto loaded = load_document(context, *root, kFile, {.move_bad_aside = true});
    if (!loaded && loaded.error().code != Code::not_found) return fail(std::move(loaded).error());
    std::string bytes(loaded ? std::string_view(loaded->bytes) : kNothing);
    const JsonView before = JsonView(bytes).find("sessions").find(key);
    SessionNote note = note_in(before);
    HOLDFAST_TRY(change(note));
    HOLDFAST_LET(object, noted(before.kind() == JsonKind::object ? std::string(before.raw()) : "{}", note));
    const bool nothing = JsonView(object).fields().empty();
    if (!nothing) {
      HOLDFAST_LET(edited, json_set(bytes, {"sessions", std::string_view(key)}, object));
      bytes = std::move(edited);
    } else if (before) {
      HOLDFAST_LET(edited, json_remove(bytes, {"sessions", std::string_view(key)}));
      bytes = std::move(edited);
    }
    const auto written =
        replace_document(context, *root, kFile, bytes, {.expected = loaded ? loaded->revision : Revision(kAbsent)});
    if (written) return note;
    if (written.error().code != Code::conflict) return fail(written.error());
  }
}

Result<void> forget_notes_about(const Context& context, const StoreSettings& settings, const std::string& layout,
                                const std::string& id) {
  const auto empty = [](SessionNote& note) -> Result<void> {
    note = {};
    return {};
  };
  const std::vector<SessionName> names = Notes::read(context, settings)->of_all(layout, id);
  for (const SessionName& name : names) HOLDFAST_TRY(change_note(context, settings, name.layout, name.id, empty));
  // Without a note there may still be earlier versions, if this was interrupted.
  if (names.empty()) {
    const auto root = Root::open(context, *settings.files, folder_of(settings), {.write = false});
    const auto backups = root ? (*root)->directory().stat((*root)->side("backup")) : fail(root.error());
    // unsafe_path: something that is no folder, which has no versions in it.
    if (!backups && (backups.error().code == Code::not_found || backups.error().code == Code::unsafe_path)) return {};
  }
  HOLDFAST_LET(root, Root::open(context, *settings.files, folder_of(settings)));
  return refresh_secret_backup(context, *root, kFile);
}

Result<std::vector<SessionName>> forget_text_in_notes(const Context& context, const StoreSettings& settings,
                                                      std::string_view text) {
  std::vector<SessionName> names = Notes::read(context, settings)->containing(text);
  if (names.empty()) return names;
  for (const SessionName& name : names) {
    const auto remove = [&](SessionNote& note) -> Result<void> {
      note = without_text(std::move(note), name.id, text);
      return {};
    };
    HOLDFAST_TRY(change_note(context, settings, name.layout, name.id, remove));
  }
  HOLDFAST_LET(root, Root::open(context, *settings.files, folder_of(settings)));
  HOLDFAST_TRY(refresh_secret_backup(context, *root, kFile));
  return names;
}

std::string SessionNote::words() const {
  std::string text = starred ? "starred" : "";
  for (std::size_t i = 0; i < tags.size(); ++i) text.append(i > 0 ? " #" : text.empty() ? "#" : " · #").append(tags[i]);
  return text;
}

void apply_note(const SessionNote* note, Session& session) {
  if (note != nullptr && !note->title.empty()) session.title = note->title;
}

std::string with_note(std::string session_json, const SessionNote& note) {
  session_json.pop_back();
  if (!note.source.id.empty()) session_json += ",\"handed_off_from\":" + source_json(note);
  if (note.starred) session_json += ",\"starred\":true";
  if (!note.tags.empty()) session_json += ",\"tags\":" + JsonWriter().strings(note.tags).take();
  return session_json += '}';
}

void write_noted(JsonWriter& json, Session session, const Notes& notes) {
  const SessionNote* const note = notes.of(session.layout, session.id);
  if (note == nullptr) return write_session(json, session);
  apply_note(note, session);
  JsonWriter one;
  write_session(one, session);
  json.raw(with_note(one.take(), *note));
}

}  // namespace holdfast::inline v1
