// What goes to a browser goes without secrets, as in exports, unless the request asks to see them: somebody may look
// over a shoulder, and a page is soon copied or printed. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "doors/http/exchange.h"

namespace holdfast::inline v1 {

// Whether the request asks for secrets as they are: X-Holdfast-Reveal: 1, or reveal=1 where a browser sets no headers.
bool reveals(const HttpRequest& request);

// An answer or an item, JSON.
std::string masked(std::string json);

// Parameters with which the operation itself hides secrets, where it cuts texts or spells them anew: half a secret
// looks like none afterwards. `params` are valid.
std::string masking(std::string_view method, std::string params);

}  // namespace holdfast::inline v1
