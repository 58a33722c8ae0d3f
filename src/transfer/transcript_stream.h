// A session as text (transcript_text.h) said while it is read, for sessions that
// are too large to be read first. What is said is transcript_text's of the whole,
// byte for byte, but for a title whose own line is damaged. Thread-safety: as Store.
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

// Takes pieces of the text; false: nobody reads any more, which ends it without an error.
using TextPieces = std::function<bool(std::string_view)>;

// `style.totals_last` should be set: with it nothing is printed late that could be printed early.
// Answers what the text leaves to its reader. Nothing: nothing was said, for the branch has no message `style.at`, or
// a damaged log hides it: read() knows.
struct BesideText {
  std::vector<Finding> findings = {};  // what is damaged
  OffBranch off_branch = {};           // none when nobody read to the end
};
Result<std::optional<BesideText>> stream_transcript(const Context& context, FileStore& store, const SessionRef& ref,
                                                    const TranscriptQuery& query, const TextStyle& style,
                                                    const TextPieces& sink);

}  // namespace holdfast::inline v1
