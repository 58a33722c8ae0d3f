#include "api/remedies.h"

#include <algorithm>
#include <array>

#include "index/directory_feed.h"
#include "layout/layout.h"
#include "layout/session_rescue.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

// Whether the damage is in another agent's database that cannot be written to or imported into.
bool is_in_closed_database(const Layout& layout, const Finding& finding) {
  const SessionRescue* const rescue = layout.rescue();
  const bool database = finding.file.ends_with(".db") || finding.file.ends_with(".sqlite");
  return database && (rescue == nullptr || rescue->database_ending().empty());
}

// Whether the agent imports what is left of a damaged session, which stays in its database.
bool is_imported(const Layout& layout, const Finding& finding) {
  const SessionRescue* const rescue = layout.rescue();
  return rescue != nullptr && !rescue->database_ending().empty() && finding.file.ends_with(rescue->database_ending());
}

// Whether a copy of all rows would have the same finding.
bool is_about_messages(std::string_view kind) {
  constexpr auto kKinds =
      std::to_array<std::string_view>({"duplicate_id", "orphan_message", "orphan_result", "orphan_call"});
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

// Rescue repairs what holds a session's records, not the files beside it: outputs of tools, metadata.
bool holds_records(std::string_view file) {
  constexpr auto kEndings = std::to_array<std::string_view>({".jsonl", ".json", ".zst", ".db", ".sqlite"});
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return file.ends_with(ending); });
}

// Empty if nothing can be done about it.
std::string_view remedy_of(const Layout& layout, const Finding& finding) {
  // What is simply missing cannot be restored, an output behind a link is not touched, and a line that is too long or
  // too deep is whole, as is a message without a text. What can be done about a missing parent is in the finding
  // itself.
  constexpr auto kLeft =
      std::to_array<std::string_view>({"missing", "missing_parent", "circular_history", "unsafe_output", "too_long",
                                       "too_deep", "empty", "no_messages", "no_text"});
  if (std::ranges::find(kLeft, finding.kind) != kLeft.end()) return {};
  // Nothing is damaged: a version that this one does not know wrote it.
  if (finding.kind == code_name(Code::schema_mismatch)) return {};
  // The finding itself says what shows the messages.
  if (finding.kind == "lost_session" && layout.writable()) return {};
  if (finding.kind == "secret_in_header") return "run holdfast session scrub ID to remove the secrets from the header";
  // The archive itself is not repaired from what is left.
  if (finding.kind == kLostInCopy) return "run holdfast rescue ID -o FILE to write a copy of what can be read";
  // Nothing can be copied from a compressed log without a record that can be unpacked.
  if (finding.file.ends_with(".zst") && finding.kind == "torn" && finding.offset == 0) return {};
  if (finding.file.ends_with(".zst")) return "run holdfast rescue ID -o FILE to write a copy of what can be unpacked";
  if (!layout.writable() && !holds_records(finding.file)) return {};
  if (!layout.writable() && is_imported(layout, finding) && is_about_messages(finding.kind)) return {};
  if (!layout.writable() && is_imported(layout, finding))
    return "run holdfast rescue ID --install to import what is left of the session under a new id (the damaged one "
           "stays), or holdfast rescue ID -o FILE to write a copy";
  if (!layout.writable())
    return is_in_closed_database(layout, finding) ? "run holdfast export ID to print what can be read"
                                                  : "run holdfast rescue ID --install to repair the session in place, "
                                                    "or holdfast rescue ID -o FILE to write a copy";
  // A log is never cut (decision 1), so there is nothing to repair in place.
  if (layout.message_files() != nullptr || finding.file.ends_with(".jsonl"))
    return "Holdfast skips damaged data and reads the rest; run holdfast rescue ID -o FILE to write a clean copy";
  return {};
}

// Puts the first session in the place of ID, so the commands of the sentence can be run as they are.
std::string for_sessions(std::string_view remedy, const std::set<std::string>& sessions) {
  std::string line(remedy);
  const std::string& word = *sessions.begin();
  for (std::size_t at = line.find(" ID "); at != std::string::npos; at = line.find(" ID ", at + word.size()))
    line.replace(at + 1, 2, word);
  if (sessions.size() == 2) line += "; the same for " + *sessions.rbegin();
  if (sessions.size() > 2) line += "; the same for the " + std::to_string(sessions.size() - 1) + " other sessions";
  return line;
}

}  // namespace

void Remedies::add(const SessionName& session, const Finding& finding) {
  const Layout* const known = find_layout(session.layout);
  const std::string_view remedy = known == nullptr ? std::string_view() : remedy_of(*known, finding);
  if (!remedy.empty()) all_[remedy].insert(session_word(session.layout, session.id));
}

void Remedies::write(JsonWriter& json) const {
  if (all_.empty()) return;
  json.key("remedies").begin_array();
  for (const auto& [remedy, sessions] : all_) json.string(for_sessions(remedy, sessions));
  json.end_array();
}

void write_remedies(JsonWriter& json, const SessionName& session, std::span<const Finding> findings) {
  Remedies remedies;
  for (const Finding& finding : findings) remedies.add(session, finding);
  remedies.write(json);
}

}  // namespace holdfast::inline v1
