// Exports a session as one self-contained HTML file: no network, no script, a policy
// that allows neither, light and dark, folded tools, an anchor for each message.
// Text of the transcript stays text. Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <string>

namespace holdfast::inline v1 {

std::string session_html(const Transcript& transcript);

}  // namespace holdfast::inline v1
