// Finding secrets in text and putting a placeholder in their place. What counts
// as one: docs/guides/privacy.md. Text without secrets is scanned at memory-like
// speed (bench/text_bench.cc). Thread-safety: pure functions. Safe on any bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

enum class SecretTier {
  sure,    // a prefix or a shape that its issuer gives to nothing else
  likely,  // a value that something calls a password, a token, a key
};

struct FoundSecret {
  std::size_t at = 0;
  std::size_t length = 0;
  std::string_view what;  // "GitHub token"; lives for ever
  SecretTier tier = SecretTier::sure;
};

// In order, never overlapping, never inside a placeholder.
std::vector<FoundSecret> find_secrets(std::string_view text);

// "[redacted: GitHub token]"
std::string secret_placeholder(std::string_view what);
// Whether the whole text is one.
bool is_secret_placeholder(std::string_view text);

// The text with placeholders; nullopt when there is nothing to hide. Doing it
// again changes nothing.
std::optional<std::string> redacted(std::string_view text);

}  // namespace holdfast::inline v1
