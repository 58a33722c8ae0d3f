#include "text/mask_paths.h"

#include "base/ascii.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/path_words.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestWord = 200;

void write_masked(JsonWriter& json, JsonView value, KnownPlaces places, bool named) {
  switch (value.kind()) {
    case JsonKind::object:
      json.begin_object();
      for (const JsonItem& item : value.fields()) {
        std::string key = item.key();
        json.key(without_paths(key, places));
        key = in_lower_case(key);
        const bool says_so = key.contains("path") || key.contains("file") || key.contains("dir") || key.contains("cwd");
        write_masked(json, item.value, places, named || says_so);
      }
      json.end_object();
      return;
    case JsonKind::array:
      json.begin_array();
      for (const JsonItem& item : value.elements()) write_masked(json, item.value, places, named);
      json.end_array();
      return;
    case JsonKind::string:
      json.string(named ? std::string(kMaskedPath) : without_paths(value.as_string().value_or(""), places));
      return;
    default: json.raw(value.raw());
  }
}

}  // namespace

std::string without_paths(std::string_view text, KnownPlaces places) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t end = quoted_path_end(text, at, places); end > at) {
      out += kMaskedPath;
      at = end;
    }
    const PathWord word = word_at(text, at, places);
    const std::string_view bytes = text.substr(at, word.end - at);
    if (bytes.size() > kLongestWord && !is_web_address(bytes))
      out += kMaskedBytes;
    else
      out += word.is_path ? kMaskedPath : bytes;
    // One at a time: behind each of them, a quoted path may begin.
    const std::size_t length = between_words(text, word.end);
    out += text.substr(word.end, length);
    at = word.end + length;
  }
  return out;
}

std::string json_without_paths(std::string_view json, KnownPlaces places) {
  if (!check_json(json).ok()) return {};
  JsonWriter writer;
  write_masked(writer, JsonView(json), places, false);
  return writer.take();
}

}  // namespace holdfast::inline v1
