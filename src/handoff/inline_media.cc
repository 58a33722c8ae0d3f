#include "handoff/inline_media.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "handoff/raw_records.h"
#include "model/text_document.h"
#include "text/base64.h"
#include "text/json_text.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kDeepest = 64;

// Media in a record.
struct Found {
  std::string media_type;
  std::string data = {};  // empty if the record has none that can be decoded
};

Found media_of(std::string_view media_type, std::string_view encoded) {
  // Parameters follow the type: "image/png;charset=utf-8".
  Found media{.media_type = std::string(media_type.substr(0, media_type.find_first_of(";,")))};
  if (auto bytes = from_base64(encoded)) media.data = std::move(*bytes);
  return media;
}

// "data:image/png;base64,…"
Found image_at(std::string_view url) {
  constexpr std::string_view kScheme = "data:", kCoding = ";base64,";
  const std::size_t coding = url.substr(0, 200).find(kCoding);
  url.remove_prefix(kScheme.size());
  if (coding == std::string_view::npos) return media_of(url.substr(0, 200), {});
  const std::size_t type = coding - kScheme.size();
  return media_of(url.substr(0, type), url.substr(type + kCoding.size()));
}

bool is_image_url(JsonView value) {
  return value.kind() == JsonKind::string && value.raw().starts_with("\"data:image/");
}

// Collects objects with a media type and data, those with the media type of an image in any case, and strings that are
// data URLs of images, in order.
void collect(JsonView value, int depth, std::vector<Found>& found) {
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
  if (value.find("type").is_string("text")) return;  // its data, if it has any, is a text
  for (const std::string_view key : {"media_type", "mimeType", "mime"}) {
    const std::string type = json_text(value, key);
    if (type.empty()) continue;
    const JsonView data = value.find("data"), url = value.find("url");
    if (!type.starts_with("image/") && data.kind() != JsonKind::string) continue;
    if (data.kind() == JsonKind::string)
      found.push_back(media_of(type, data.as_string().value_or("")));
    else if (is_image_url(url))
      found.push_back(image_at(url.as_string().value_or("")));
    else
      found.push_back({.media_type = type});
    return;
  }
  for (const JsonItem& item : value.fields()) collect(item.value, depth + 1, found);
}

// Which of the media `found` in the record are the `wanted` ones, in order; nullopt if that is not certain.
std::optional<std::vector<Found*>> matching(std::vector<Found*> found, std::size_t wanted) {
  if (found.size() == wanted) return found;
  // A record may also name images whose bytes are elsewhere, and readers may report these as something else.
  std::erase_if(found, [](const Found* media) { return media->data.empty(); });
  if (found.size() < wanted || found.size() % wanted != 0) return std::nullopt;
  // Some agents write all of them twice.
  for (std::size_t n = wanted; n < found.size(); ++n)
    if (found[n]->data != found[n % wanted]->data) return std::nullopt;
  found.resize(wanted);
  return found;
}

}  // namespace

void fill_media(Message& message) {
  // Those of each media type. What has no type is only referred to.
  std::map<std::string, std::vector<Block*>, std::less<>> wanted;
  for (Block& block : message.blocks)
    if (is_media(block.kind) && block.data.empty() && !block.media_type.empty() && document_text(block).empty())
      wanted[block.media_type].push_back(&block);
  if (wanted.empty() || message.raw.empty()) return;
  std::vector<Found> found;
  visit_records(message.raw, [&](JsonView record) { collect(record, 0, found); });
  std::map<std::string, std::vector<Found*>, std::less<>> present;
  for (Found& media : found) present[media.media_type].push_back(&media);
  for (const auto& [type, blocks] : wanted) {
    const auto media = matching(present[type], blocks.size());
    if (!media) continue;
    for (std::size_t n = 0; n < blocks.size(); ++n) {
      if ((*media)[n]->data.empty()) continue;
      blocks[n]->bytes = (*media)[n]->data.size();
      blocks[n]->data = std::move((*media)[n]->data);
    }
  }
}

}  // namespace holdfast::inline v1
