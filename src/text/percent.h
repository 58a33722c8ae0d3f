// Percent-encoding of URIs (RFC 3986). Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Escapes everything but letters, digits, "-._~" and what is in `also_plain`, byte by byte.
std::string percent_encoded(std::string_view text, std::string_view also_plain = {});

// A '%' that two hexadecimal digits do not follow stays.
std::string percent_decoded(std::string_view text);

// The path of a file:// URI of this machine; any other text stays as it is.
std::string path_of_uri(std::string_view text);

}  // namespace holdfast::inline v1
