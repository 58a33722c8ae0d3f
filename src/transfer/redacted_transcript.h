// Removes the secrets from a transcript before others read it. What counts as a secret:
// docs/guides/privacy.md. Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <map>
#include <string>

namespace holdfast::inline v1 {

// What was masked: "GitHub token" -> how often. Pictures are not changed.
using MaskedSecrets = std::map<std::string, std::uint64_t>;
MaskedSecrets redact_transcript(Transcript& transcript);

// The same for written text: counts its placeholders.
MaskedSecrets masked_in(std::string_view text);
// The same for a page with folds. The line of a fold repeats a part of its content, which is not counted twice.
MaskedSecrets masked_in_page(std::string_view html);

// "3 secrets masked: GitHub token (2), password", or "no secrets found".
std::string masked_words(const MaskedSecrets& masked);

}  // namespace holdfast::inline v1
