#include "handoff/inline_images.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "text/base64.h"
#include "text/json_text.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kDeepest = 64;

Block image_of(std::string media_type, std::string_view encoded) {
  Block image{.kind = BlockKind::image, .media_type = std::move(media_type)};
  if (auto bytes = from_base64(encoded)) image.data = std::move(*bytes);
  image.bytes = image.data.size();
  return image;
}

// "data:image/png;base64,…"
std::optional<Block> image_at(std::string_view url) {
  constexpr std::string_view kScheme = "data:", kCoding = ";base64,";
  const std::size_t coding = url.substr(0, 200).find(kCoding);
  if (!url.starts_with(kScheme) || coding == std::string_view::npos) return std::nullopt;
  std::string media_type(url.substr(kScheme.size(), coding - kScheme.size()));
  return image_of(std::move(media_type), url.substr(coding + kCoding.size()));
}

// Collects objects with a media type and base64 data, and strings that are data URLs, in order.
void collect(JsonView value, int depth, std::vector<Block>& found) {
  if (depth > kDeepest) return;
  if (value.kind() == JsonKind::array) {
    for (const JsonItem& item : value.elements()) collect(item.value, depth + 1, found);
    return;
  }
  if (value.kind() == JsonKind::string) {
    if (!value.raw().starts_with("\"data:image/")) return;
    if (auto image = image_at(value.as_string().value_or(""))) found.push_back(std::move(*image));
    return;
  }
  if (value.kind() != JsonKind::object) return;
  for (const std::string_view key : {"media_type", "mimeType"}) {
    const std::string type = json_text(value, key);
    const JsonView data = value.find("data");
    if (!type.starts_with("image/") || data.kind() != JsonKind::string) continue;
    found.push_back(image_of(type, data.as_string().value_or("")));
    return;
  }
  for (const JsonItem& item : value.fields()) collect(item.value, depth + 1, found);
}

}  // namespace

void fill_images(Message& message) {
  const auto wants = [](const Block& block) { return block.kind == BlockKind::image && block.data.empty(); };
  const auto wanted = std::ranges::count_if(message.blocks, wants);
  if (wanted == 0 || message.raw.empty()) return;
  std::vector<Block> found;
  std::string_view lines = message.raw;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    collect(JsonView(lines.substr(0, end)), 0, found);
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  if (std::ssize(found) != wanted) return;
  auto next = found.begin();
  for (Block& block : message.blocks) {
    if (!wants(block)) continue;
    if (block.media_type.empty()) block.media_type = next->media_type;
    block.bytes = next->bytes;
    block.data = std::move((next++)->data);
  }
}

}  // namespace holdfast::inline v1
