// A session as one HTML file that stands alone: no network, no script, a policy
// that allows neither, light and dark, tools folded, an anchor for each message.
// Text of the transcript stays text. Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <string>

namespace holdfast::inline v1 {

std::string session_html(const Transcript& transcript);

}  // namespace holdfast::inline v1
