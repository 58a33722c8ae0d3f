// Edits of any YAML document must change only the given value. Input: a length byte
// and the key, then the value up to NUL, followed by the document.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "text/json_edit.h"
#include "text/json_value.h"
#include "text/yaml_edit.h"
#include "text/yaml_value.h"
#include "text/yaml_write.h"

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

  const auto before = holdfast::yaml_to_json(doc);
  if (before) {
    const auto yaml = holdfast::json_to_yaml(holdfast::JsonView(*before));
    if (yaml) must(holdfast::yaml_to_json(*yaml).value_or("") == *before);
  }
  if (const auto edited = holdfast::yaml_set(doc, key, value)) {
    must(holdfast::yaml_set(*edited, key, value).value_or("") == *edited);
    const auto after = holdfast::yaml_to_json(*edited);
    if (before) must(after && holdfast::JsonView(*after).find(key));
  }
  if (const auto edited = holdfast::yaml_remove(doc, key)) {
    const auto after = holdfast::yaml_to_json(*edited);
    if (before) must(after && !holdfast::JsonView(*after).find(key));
    if (before && !holdfast::JsonView(*before).find(key)) must(*edited == doc);
  }
  return 0;
}
