// A session as text for people. Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <string>

namespace holdfast::inline v1 {

// Returns Markdown: facts about the session, then each message under its own heading.
// Message text is quoted, so it cannot be mistaken for a heading or swallow what follows.
// Callers that print it to a terminal must clean it. `marks` is a star and tags, as words.
std::string session_markdown(const Transcript& transcript, const std::string& marks = {});

}  // namespace holdfast::inline v1
