// Any bytes as TOML must be the same when read, written and read again; edits must change only one
// value. Input: a length byte and the key, then the value up to NUL, followed by the document.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "text/json_value.h"
#include "text/toml_edit.h"
#include "text/toml_value.h"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.empty()) return 0;
  const std::string_view key = input.substr(1, static_cast<unsigned char>(input[0]) % 8);
  input.remove_prefix(1 + key.size());
  const std::size_t nul = input.find('\0');
  const std::string_view value = input.substr(0, nul);
  const std::string_view doc = nul == std::string_view::npos ? input : input.substr(nul + 1);

  if (const auto json = holdfast::toml_to_json(doc)) {
    if (const auto toml = holdfast::json_to_toml(holdfast::JsonView(*json))) {
      const auto again = holdfast::toml_to_json(*toml);
      must(again.has_value());
      // Keys may be reordered once, plain ones before tables, and then never again.
      must(holdfast::json_to_toml(holdfast::JsonView(*again)).value_or("") == *toml);
    }
  }
  if (const auto edited = holdfast::toml_set(doc, {key}, value)) {
    const auto after = holdfast::toml_to_json(*edited);
    must(after && holdfast::JsonView(*after).find(key));
    must(holdfast::toml_set(*edited, {key}, value).value_or("") == *edited);
  }
  return 0;
}
