// What each writable layout can hold, as far as the laboratory tries it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace holdfast::lab {

struct StoreTraits {
  std::string_view layout;
  bool talks = true;  // sessions with messages
  bool logs = true;   // whose torn tails stay until somebody writes there, or for ever, and verify shows them
  bool titles = true;
  bool forks = true;
  bool trash = true;
  bool imports = true;
  bool ends = true;       // a session can be said to be over
  std::size_t large = 0;  // a text over so many bytes lies in a file of its own
  bool spills = false;    // the same for the output of a tool
  bool runs = false;
  bool missions = false;
  bool threads = false;
  bool plans = false;       // texts under the caller's ids
  bool memory = false;      // the same
  bool entries = false;     // objects of others, several in one commit
  bool modules = false;     // sessions are work on a module: tasks, iterations
  bool initiative = false;  // no sessions: an initiative and what was learnt
  bool goes_on = false;     // keeps changes in memory while the disk takes none
};

std::span<const StoreTraits> store_traits();

inline constexpr std::string_view kProject = "/project/of/the/lab";

inline constexpr int kEntriesOfAWrite = 3;

// What is not tried, because the library is known to fail there: "part layout what", each a
// word or "*". HOLDFAST_LAB_WITHOUT, entries with commas between them, takes the place of the
// table when it is set: an empty one tries everything.
bool withheld(std::string_view part, std::string_view layout, std::string_view what);

// None begins another: an id may be given by its beginning.
std::string lab_session_id(const StoreTraits& traits, std::uint64_t number);

// The whole text behind a short name such as "m17l": padding that depends on the
// name, of a length that its last letter says.
std::string text_of(std::string_view name, const StoreTraits& traits);
// The name, when the text is exactly what it stands for; else empty.
std::string name_in(std::string_view text, const StoreTraits& traits);

// Names in the ledger.
inline std::string session_slot(std::string_view id) { return "session " + std::string(id); }
inline std::string title_slot(std::string_view id) { return "title of " + std::string(id); }
inline std::string messages_shelf(std::string_view id) { return "messages of " + std::string(id); }

}  // namespace holdfast::lab
