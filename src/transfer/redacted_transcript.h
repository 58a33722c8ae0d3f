// A transcript without the secrets in it, for those who are given it to read. What counts as one:
// docs/guides/privacy.md. Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <map>
#include <string>

namespace holdfast::inline v1 {

// What was masked: "GitHub token" -> how often. Pictures stay as they are.
using MaskedSecrets = std::map<std::string, std::uint64_t>;
MaskedSecrets redact_transcript(Transcript& transcript);

// The same of what is written: each placeholder that stands in it.
MaskedSecrets masked_in(std::string_view text);
// The same of a page with folds: the line of a fold says a part of what is in it again, which is not counted twice.
MaskedSecrets masked_in_page(std::string_view html);

// "3 secrets masked: GitHub token (2), password", or "no secrets found".
std::string masked_words(const MaskedSecrets& masked);

}  // namespace holdfast::inline v1
