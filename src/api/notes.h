// Notes about sessions of any agent: a star, tags, a title chosen by the person, and the session that it was handed off
// from. Kept in Holdfast's own folder (docs/formats/notes.md), by agent and id; files of agents stay untouched.
// Thread-safety: constant once read.
#pragma once

#include <holdfast/context.h>
#include <holdfast/finding.h>
#include <holdfast/session.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/session_name.h"
#include "api/store_settings.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

struct SessionNote {
  bool starred = false;
  std::vector<std::string> tags = {};  // sorted
  std::string title = {};              // empty if the session keeps its own
  SessionName source = {};             // the session it was handed off from; no id if none
  std::string source_machine = {};     // the machine of the source; empty for this one

  bool operator==(const SessionNote&) const = default;
  bool has_tag(std::string_view tag) const;
  std::string words() const;  // "starred · #login #urgent"; empty if neither
};

class Notes {
 public:
  // Never fails: notes that cannot be read are reported as a finding.
  static std::shared_ptr<const Notes> read(const Context& context, const StoreSettings& settings);

  // nullptr if there is no note.
  const SessionNote* of(std::string_view layout, std::string_view id) const;
  bool empty() const { return notes_.empty(); }
  // The names under which the session and further files with its id have notes.
  std::vector<SessionName> of_all(std::string_view layout, std::string_view id) const;
  // The sessions whose notes contain the text, also escaped.
  std::vector<SessionName> containing(std::string_view text) const;
  // The sessions that were handed off on this machine.
  HandOffs handed_off() const;
  const std::optional<Finding>& finding() const { return finding_; }

 private:
  std::map<std::string, SessionNote, std::less<>> notes_;
  std::optional<Finding> finding_;
};

// Fails if the note cannot be changed like that.
using NoteChange = std::function<Result<void>(SessionNote& note)>;
// Changes the note of one session durably, and returns the new note. If `change` fails, nothing is written.
Result<SessionNote> change_note(const Context& context, const StoreSettings& settings, const std::string& layout,
                                const std::string& id, const NoteChange& change);

// The member "handed_off_from" of a note or of the row of a capture; nullopt if it is missing or invalid.
std::optional<SessionName> handed_off_from(JsonView noted);
// {"layout","id"}
std::string json_of(const SessionName& name);

// Whether that note is about the session, or about a further file with its id.
bool is_about(const SessionName& noted, std::string_view layout, std::string_view id);

// Removes the notes about a session and further files with its id, and all earlier versions of the notes.
Result<void> forget_notes_about(const Context& context, const StoreSettings& settings, const std::string& layout,
                                const std::string& id);

// Removes what contains the text from all notes, and all earlier versions of the notes. Returns the sessions whose
// notes were changed.
Result<std::vector<SessionName>> forget_text_in_notes(const Context& context, const StoreSettings& settings,
                                                      std::string_view text);

// Sets the title of the session to the one in the note, if any.
void apply_note(const SessionNote* note, Session& session);
// Like write_session, with "starred" and "tags" from the note.
void write_noted(JsonWriter& json, Session session, const Notes& notes);
// Adds the same to a session that is already JSON.
std::string with_note(std::string session_json, const SessionNote& note);

}  // namespace holdfast::inline v1
