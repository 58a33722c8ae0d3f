// What each writable layout can contain, as far as the laboratory tests it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace holdfast::lab {

struct StoreTraits {
  std::string_view layout;
  std::string_view name = layout;  // of this row, for replays
  bool talks = true;               // sessions with messages
  bool logs = true;                // torn tails stay until the next write, or forever, and verify reports them
  bool titles = true;
  bool forks = true;
  bool trash = true;
  bool imports = true;
  bool ends = true;       // a session can be ended
  std::size_t large = 0;  // a text with more bytes is in its own file
  bool spills = false;    // the same for the output of a tool
  bool runs = false;
  bool missions = false;
  bool threads = false;
  bool plans = false;       // texts under the caller's ids
  bool memory = false;      // the same
  bool entries = false;     // objects of other programs, in transactions
  bool modules = false;     // sessions are work on a module: tasks, iterations
  bool initiative = false;  // no sessions: an initiative and what was learned
  bool goes_on = false;     // keeps changes in memory while the disk accepts none
};

std::span<const StoreTraits> store_traits();

inline constexpr std::string_view kProject = "/project/of/the/lab";

// Whether something is not tested because the library is known to fail there: "part layout
// what", each a word or "*". HOLDFAST_LAB_WITHOUT, a comma-separated list, replaces the table
// if it is set; an empty one tests everything.
bool withheld(std::string_view part, std::string_view layout, std::string_view what);

// No id is a prefix of another, because a prefix may be used to name a session.
std::string lab_session_id(const StoreTraits& traits, std::uint64_t number);

// The whole text for a short name such as "m17l": padding that depends on the
// name; its last letter determines the length.
std::string text_of(std::string_view name, const StoreTraits& traits);
// The name, if the text is exactly the one for that name; otherwise empty.
std::string name_in(std::string_view text, const StoreTraits& traits);

// Names in the ledger.
inline std::string session_slot(std::string_view id) { return "session " + std::string(id); }
inline std::string title_slot(std::string_view id) { return "title of " + std::string(id); }
inline std::string messages_shelf(std::string_view id) { return "messages of " + std::string(id); }

}  // namespace holdfast::lab
