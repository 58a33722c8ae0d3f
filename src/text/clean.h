// Making foreign text safe to print: nothing in it moves the cursor, changes
// colours or titles, or turns the order of characters around.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct CleanOptions {
  bool visible = false;       // show what would be removed: controls as pictures (U+2400...), others as <U+202E>
  bool one_line = false;      // line ends and tabs become spaces
  bool keep_colours = false;  // ESC [ digits ; ... m stays: what a door has put there itself
  std::size_t max_bytes = std::string_view::npos;  // longer output is cut at a character, and ends with U+2026
};

// `text` without terminal sequences (CSI, OSC, DCS and other ESC strings, in 7 and 8
// bits), C0 and C1 controls except "\n" and "\t", DEL, carriage returns, and bidi
// controls (U+061C, U+200E/F, U+202A-E, U+2066-9). Bytes that are not UTF-8 become
// U+FFFD. A string sequence that is not closed on its line loses its introducer
// only: damage must not hide what follows. The answer has at most nine bytes for
// each byte of `text`, three when not visible, and is the same when cleaned again.
std::string clean_for_terminal(std::string_view text, const CleanOptions& options = {});

// JSON that means the same, with DEL, C1 and bidi controls escaped, so that a terminal
// that shows it does not act on them. C0 controls stand in no JSON text.
std::string escape_controls_in_json(std::string_view json);

}  // namespace holdfast::inline v1
