// Finds secrets in text and replaces them with placeholders. What counts as a secret:
// docs/guides/privacy.md. Text without secrets is scanned at close to memory speed
// (bench/text_bench.cc). Thread-safety: pure functions. Safe on any bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

enum class SecretTier {
  sure,    // a prefix or a shape that its issuer uses for nothing else
  likely,  // a value whose name says password, token or key
};

struct FoundSecret {
  std::size_t at = 0;
  std::size_t length = 0;
  std::string_view what;  // "GitHub token"; static storage
  SecretTier tier = SecretTier::sure;
};

// Returns the secrets in order, never overlapping, never inside a placeholder.
std::vector<FoundSecret> find_secrets(std::string_view text);

// "[redacted: GitHub token]"
std::string secret_placeholder(std::string_view what);
// Whether the whole text is one placeholder.
bool is_secret_placeholder(std::string_view text);

// Returns the text with placeholders; nullopt if there is nothing to hide. Idempotent.
std::optional<std::string> redacted(std::string_view text);

}  // namespace holdfast::inline v1
