// What is noted about sessions of any agent: a star, tags, a title of the person's own; which session it was handed off
// from. Kept in Holdfast's own folder
// (docs/formats/notes.md), by agent and id; no file of an agent is touched. Thread-safety: constant once read.
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
  std::vector<std::string> tags = {};  // in order
  std::string title = {};              // empty: the session's own
  SessionName source = {};             // that it was handed off from; without an id: none
  std::string source_machine = {};     // that the source was of; empty: this one

  bool has_tag(std::string_view tag) const;
  std::string words() const;  // "starred · #login #urgent"; empty: neither
};

class Notes {
 public:
  // Never fails: notes that cannot be read are a finding and hide no session.
  static std::shared_ptr<const Notes> read(const Context& context, const StoreSettings& settings);

  // nullptr: nothing is noted.
  const SessionNote* of(std::string_view layout, std::string_view id) const;
  bool empty() const { return notes_.empty(); }
  // What was handed off on this machine.
  HandOffs handed_off() const;
  const std::optional<Finding>& finding() const { return finding_; }

 private:
  std::map<std::string, SessionNote, std::less<>> notes_;
  std::optional<Finding> finding_;
};

// Changes the note of one session, durably: what it is from then on.
Result<SessionNote> change_note(const Context& context, const StoreSettings& settings, const std::string& layout,
                                const std::string& id, const std::function<void(SessionNote& note)>& change);

// The member "handed_off_from" of what is noted, or of the row of a capture; nothing when there is none, or none that
// could be.
std::optional<SessionName> handed_off_from(JsonView noted);
// {"layout","id"}
std::string json_of(const SessionName& name);

// Nothing is noted of it any more, and no earlier version of the notes is kept.
Result<void> forget_note(const Context& context, const StoreSettings& settings, const std::string& layout,
                         const std::string& id);

// A session as the person knows it: with the title that was given to it.
void apply_note(const SessionNote* note, Session& session);
// write_session, with "starred" and "tags" where they are noted.
void write_noted(JsonWriter& json, Session session, const Notes& notes);
// A session that is written, with them.
std::string with_note(std::string session_json, const SessionNote& note);

}  // namespace holdfast::inline v1
