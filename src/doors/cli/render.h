// Renders answers of the api for people. Thread-safety: pure function.
#pragma once

#include <span>
#include <string>

#include "text/json_value.h"

namespace holdfast::inline v1 {

struct RenderStyle {
  bool colour = false;
  bool terminal = false;                  // clean text of transcripts
  std::size_t width = 0;                  // columns of the terminal; 0: no terminal, lines are not cut
  std::span<const std::string> ids = {};  // of sessions, also those not in the answer: no shortened id matches two
};

// Prints a text as it is, a list as a table, anything else as lines of names and values. If a
// table is too wide for the terminal, the widest texts are shortened, ids never. Nothing in cells
// can move the cursor, whatever the transcript contains.
std::string render(JsonView answer, const RenderStyle& style);
// Whether that text is a requested document, to be printed verbatim, rather than text made for people.
bool is_document(JsonView answer);
// What follows a list whose rows were printed one by one; `answer` does not contain them. `before`: there were some.
std::string render_rest(bool before, JsonView answer, const RenderStyle& style);

}  // namespace holdfast::inline v1
