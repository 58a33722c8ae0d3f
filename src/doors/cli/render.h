// Answers of the api for people. Thread-safety: pure function.
#pragma once

#include <string>

#include "text/json_value.h"

namespace holdfast::inline v1 {

struct RenderStyle {
  bool colour = false;
  bool terminal = false;  // text of transcripts is cleaned before it gets there
  std::size_t width = 0;  // columns of the terminal; 0: there is none, and no line is cut
};

// A text as it is, a list as a table, anything else as lines of names and values. In a table that
// is too wide for the terminal the widest texts give way, ids never.
// Nothing in cells can move a cursor, whatever the transcript holds.
std::string render(JsonView answer, const RenderStyle& style);
// Whether that text is a document that was asked for, word for word, not one made for people.
bool is_document(JsonView answer);
// What follows a list whose rows were printed one by one; `answer` has none of them.
// Before: there were some.
std::string render_rest(bool before, JsonView answer, const RenderStyle& style);

}  // namespace holdfast::inline v1
