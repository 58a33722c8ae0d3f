// Large outputs that lie in a file of their own, with a preview in the transcript (decision 31).
#pragma once

#include "layout/feed.h"
#include "model/events.h"

namespace holdfast::inline v1 {

// A file that a record names `below` a folder of the store; unsafe_path when it, or a directory
// on the way from the folder, is a symbolic link. Else as Feed::plain_document.
Result<std::optional<std::string>> plain_below(Feed& feed, const Place& folder, std::string_view below,
                                               std::uint64_t limit, std::string_view sha256 = {});

// Puts the whole text in place of the preview. The file lies `below` a folder of the store and is a
// plain one: links may lead to the folder, where the transcript lies itself, and no further. What
// cannot be read, or must not, stays a preview, with a finding.
void read_spilled(Feed& feed, const Place& folder, std::string_view below, Block& block);

}  // namespace holdfast::inline v1
