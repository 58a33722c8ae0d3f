#include "handoff/inline_images.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "handoff/raw_records.h"
#include "text/base64.h"
#include "text/json_text.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kDeepest = 64;

// An image in a record; without data if the record has none that can be decoded.
Block image_of(std::string_view media_type, std::string_view encoded) {
  // Parameters follow the type: "image/png;charset=utf-8".
  Block image{.kind = BlockKind::image,
              .media_type = std::string(media_type.substr(0, media_type.find_first_of(";,")))};
  if (auto bytes = from_base64(encoded)) image.data = std::move(*bytes);
  image.bytes = image.data.size();
  return image;
}

// "data:image/png;base64,…"
Block image_at(std::string_view url) {
  constexpr std::string_view kScheme = "data:", kCoding = ";base64,";
  const std::size_t coding = url.substr(0, 200).find(kCoding);
  url.remove_prefix(kScheme.size());
  if (coding == std::string_view::npos) return image_of(url.substr(0, 200), {});
  const std::size_t type = coding - kScheme.size();
  return image_of(url.substr(0, type), url.substr(type + kCoding.size()));
}

bool is_image_url(JsonView value) {
  return value.kind() == JsonKind::string && value.raw().starts_with("\"data:image/");
}

// Collects objects with the media type of an image, and strings that are data URLs, in order.
void collect(JsonView value, int depth, std::vector<Block>& found) {
  if (depth > kDeepest) return;
  if (value.kind() == JsonKind::array) {
    for (const JsonItem& item : value.elements()) collect(item.value, depth + 1, found);
    return;
  }
  if (is_image_url(value)) {
    found.push_back(image_at(value.as_string().value_or("")));
    return;
  }
  if (value.kind() != JsonKind::object) return;
  for (const std::string_view key : {"media_type", "mimeType", "mime"}) {
    const std::string type = json_text(value, key);
    if (!type.starts_with("image/")) continue;
    const JsonView data = value.find("data"), url = value.find("url");
    if (data.kind() == JsonKind::string)
      found.push_back(image_of(type, data.as_string().value_or("")));
    else if (is_image_url(url))
      found.push_back(image_at(url.as_string().value_or("")));
    else
      found.push_back({.kind = BlockKind::image, .media_type = type});
    return;
  }
  for (const JsonItem& item : value.fields()) collect(item.value, depth + 1, found);
}

// Which of the images `found` in the record are the `wanted` ones, in order; nullopt if that is not certain.
std::optional<std::vector<Block*>> matching(std::vector<Block*> found, std::size_t wanted) {
  if (found.size() == wanted) return found;
  // A record may also name images whose bytes are elsewhere, and readers may report these as something else.
  std::erase_if(found, [](const Block* image) { return image->data.empty(); });
  if (found.size() < wanted || found.size() % wanted != 0) return std::nullopt;
  // Some agents write all of them twice.
  for (std::size_t n = wanted; n < found.size(); ++n)
    if (found[n]->data != found[n % wanted]->data) return std::nullopt;
  found.resize(wanted);
  return found;
}

}  // namespace

void fill_images(Message& message) {
  // The images of each media type. One without a type is only referred to.
  std::map<std::string, std::vector<Block*>, std::less<>> wanted, present;
  for (Block& block : message.blocks)
    if (block.kind == BlockKind::image && block.data.empty() && !block.media_type.empty())
      wanted[block.media_type].push_back(&block);
  if (wanted.empty() || message.raw.empty()) return;
  std::vector<Block> found;
  visit_records(message.raw, [&](JsonView record) { collect(record, 0, found); });
  for (Block& image : found) present[image.media_type].push_back(&image);
  for (const auto& [type, blocks] : wanted) {
    const auto images = matching(present[type], blocks.size());
    if (!images) continue;
    for (std::size_t n = 0; n < blocks.size(); ++n) {
      if ((*images)[n]->data.empty()) continue;
      blocks[n]->bytes = (*images)[n]->bytes;
      blocks[n]->data = std::move((*images)[n]->data);
    }
  }
}

}  // namespace holdfast::inline v1
