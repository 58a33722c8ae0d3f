// Prints a session as text (transcript_text.h) while it is read, for sessions that are too large to
// be read first. The output equals transcript_text of the whole session, byte for byte, except for
// a title whose own line is damaged. Thread-safety: like Store.
#pragma once

#include <holdfast/context.h>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "layout/layout.h"
#include "store/file_store.h"
#include "store/off_branch.h"
#include "transfer/transcript_text.h"

namespace holdfast::inline v1 {

// Takes pieces of the text. Returns false if nobody reads any more, which ends the output without an error.
using TextSink = std::function<bool(std::string_view)>;

// Set `style.totals_last`, so that everything is printed as early as possible. Returns what the text itself does not
// contain; nullopt, with nothing printed, if the branch has no message `style.at` or a damaged log hides it (then use
// read()).
struct StreamedTextResult {
  std::vector<Finding> findings = {};  // what is damaged
  OffBranch off_branch = {};           // empty if the session was not read to the end
};
Result<std::optional<StreamedTextResult>> stream_transcript(const Context& context, FileStore& store,
                                                            const SessionRef& ref, const TranscriptQuery& query,
                                                            const TextStyle& style, const TextSink& sink);

}  // namespace holdfast::inline v1
