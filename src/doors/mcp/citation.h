// How a session, or a message of it, is named in an answer: "session://codex/ID", "session://codex/ID#12". What a URI
// has no place for is percent-encoded, so that reading an address gives what it was made of, whatever an agent calls
// its sessions. Thread-safety: any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

std::string citation(std::string_view layout, std::string_view id);
std::string citation(std::string_view layout, std::string_view id, std::int64_t ordinal);

struct Cited {
  std::string layout = {}, id = {};
  std::optional<std::string> message = {};  // what follows '#', as it is

  std::string session() const { return layout + "/" + id; }
};
// nullopt: it is no such address.
std::optional<Cited> read_citation(std::string_view uri);

// The ordinal that it names; nullopt: something that no message has.
std::optional<std::int64_t> ordinal_of(std::string_view message);

// The session that a caller means: an address as its LAYOUT/ID, anything else as it is.
std::string session_named(std::string_view text);

}  // namespace holdfast::inline v1
