// Large outputs that are in a file of their own, with a preview in the transcript (decision 31).
#pragma once

#include "layout/feed.h"
#include "model/events.h"

namespace holdfast::inline v1 {

// Reads a file that a record names, `below` a folder of the store. Fails with unsafe_path if the file, or a
// directory between the folder and the file, is a symbolic link. Otherwise like Feed::plain_document.
Result<std::optional<std::string>> plain_below(Feed& feed, const Place& folder, std::string_view below,
                                               std::uint64_t limit, std::string_view sha256 = {});

// Replaces the preview in `block` with the whole text. The file is a plain file `below` a folder of
// the store: links may lead to the folder, as they may to the transcript, but no further. A text
// that cannot or must not be read stays a preview, with a finding.
void read_spilled(Feed& feed, const Place& folder, std::string_view below, Block& block);

}  // namespace holdfast::inline v1
