#include "rules/upkeep/summary.h"

#include "base/error_words.h"
#include "base/utf8.h"
#include "store/engine.h"
#include "store/session_header.h"
#include "text/one_line.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kPart = 200;  // bytes of each half

// One line of at most kPart bytes, cut between characters.
std::string one_line(std::string_view text) {
  const std::string line = on_one_line(text, kPart + 1);
  return line.size() <= kPart ? line : std::string(utf8_prefix(line, kPart)) + "…";
}

constexpr std::string_view kBetween = " — ";

// The first prompt of the session, as an extract begins.
std::string opening_of(const Transcript& transcript) {
  for (const Message& message : transcript.messages) {
    if (message.side || message.role != Role::user || message.origin != Origin::typed) continue;
    if (const std::string text = message.text(); !text.empty()) return one_line(text);
  }
  return one_line(transcript.session.first_prompt);
}

// Whether the summary is an extract that was made when the session was shorter. Anything else is somebody's own words.
bool is_extract(std::string_view summary, const std::string& opening) {
  return !opening.empty() && summary.starts_with(opening) &&
         (summary.size() == opening.size() || summary.substr(opening.size()).starts_with(kBetween));
}

}  // namespace

std::string extract_summary(const Transcript& transcript) {
  std::string answer;
  for (const Message& message : transcript.messages) {
    if (message.side || message.role != Role::assistant || message.origin != Origin::model || message.failed) continue;
    if (std::string text = message.text(); !text.empty()) answer = std::move(text);
  }
  const std::string first = opening_of(transcript);
  const std::string last = one_line(answer);
  if (first.empty() || last.empty()) return first + last;
  return first + std::string(kBetween) + last;
}

Result<std::vector<std::string>> end_session(const Context& context, Store& store, std::string_view id,
                                             const SessionEnd& end) {
  HOLDFAST_LET(files, engine_of(store));
  if (!end.status && !end.summary && !files->layout().traits().holds_status)
    return std::vector{"sessions of layout " + std::string(store.layout_name()) + " have no status: session " +
                       std::string(id) + " is not marked as complete, only its lease is released"};
  SessionPatch patch;
  patch.status = end.status.value_or(Status::complete);
  patch.summary = end.summary;
  if (!patch.summary && files->layout().traits().holds_summaries) {
    HOLDFAST_LET(transcript, store.read(context, id, {.branch = "all"}));
    const std::string& known = transcript.session.summary;
    if (known.empty() || is_extract(known, opening_of(transcript))) {
      if (std::string extract = extract_summary(transcript); !extract.empty()) patch.summary = std::move(extract);
    }
  }
  HOLDFAST_TRY(store.update(context, id, patch));
  std::vector<std::string> warnings;
  if (auto written = write_header(context, store, id); !written)
    warnings.push_back("other programs cannot see yet that the session has ended: " + error_words(written.error()));
  files->flush_indexes();
  return warnings;
}

}  // namespace holdfast::inline v1
