// A session as text for people. Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <string>

namespace holdfast::inline v1 {

// Markdown: what the session is, then each message under its own heading. What was
// said is quoted, so that nothing in it can be taken for a heading of ours or swallow what
// follows; who prints it to a terminal cleans it.
// `marks`: a star and tags, in words.
std::string session_markdown(const Transcript& transcript, const std::string& marks = {});

}  // namespace holdfast::inline v1
