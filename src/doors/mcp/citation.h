// How an answer names a session or a message of it: "session://codex/ID", "session://codex/ID#12". Characters
// that a URI cannot contain are percent-encoded, so any id survives a round trip. Thread-safety: any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

std::string citation(std::string_view layout, std::string_view id);
std::string citation(std::string_view layout, std::string_view id, std::int64_t ordinal);

struct ParsedCitation {
  std::string layout = {}, id = {};
  std::optional<std::string> message = {};  // the text after '#'

  std::string session() const { return layout + "/" + id; }
};
// nullopt if it is not such an address.
std::optional<ParsedCitation> read_citation(std::string_view uri);

// The ordinal; nullopt if no message can have it.
std::optional<std::int64_t> ordinal_of(std::string_view message);
inline constexpr std::string_view kNoOrdinal = "what follows # must be the number of a message";

// The session that a caller means: LAYOUT/ID for an address, anything else unchanged.
std::string session_named(std::string_view text);

}  // namespace holdfast::inline v1
