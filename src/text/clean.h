// Makes foreign text safe to print: nothing in it moves the cursor, changes colors or
// titles, or reorders characters.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct CleanOptions {
  bool visible = false;       // show what would be removed: controls as pictures (U+2400...), others as <U+202E>
  bool one_line = false;      // line ends and tabs become spaces
  bool keep_colours = false;  // keep ESC [ digits ; ... m, which a door has added itself
  std::size_t max_bytes = std::string_view::npos;  // longer output is cut between characters and ends with U+2026
};

// Returns `text` without terminal sequences (CSI, OSC, DCS and other ESC strings, in 7
// and 8 bits), C0 and C1 controls except "\n" and "\t", DEL, carriage returns, and bidi
// controls (U+061C, U+200E/F, U+202A-E, U+2066-9). Bytes that are not UTF-8 become
// U+FFFD. A string sequence that is not closed on its line loses only its introducer:
// damage must not hide what follows. The result has at most nine bytes per byte of
// `text`, three if not visible. Idempotent.
std::string clean_for_terminal(std::string_view text, const CleanOptions& options = {});

// Returns equivalent JSON with DEL, C1 and bidi controls escaped, so a terminal
// that shows it does not act on them. JSON text contains no raw C0 controls.
std::string escape_controls_in_json(std::string_view json);

}  // namespace holdfast::inline v1
