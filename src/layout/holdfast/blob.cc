#include "layout/holdfast/blob.h"

#include "layout/holdfast/paths.h"
#include "layout/spilled.h"

namespace holdfast::inline v1::native {

std::optional<std::string> read_blob(Feed& feed, const std::string& path) {
  const Place place{std::string(kRoot), path};
  auto bytes =
      plain_below(feed, {place.root, ""}, path, kLargestBlob, std::string_view(path).substr(path.rfind('/') + 1));
  if (bytes && *bytes) return std::move(**bytes);
  if (bytes) {
    feed.complain(place, 0, "missing", "the part of a message in this file is not shown, or only its beginning");
  } else {
    const bool other = bytes.error().code == Code::corrupt;
    feed.complain(place, 0, other ? "checksum" : code_name(bytes.error().code),
                  bytes.error().message + "; the part of a message in this file is not shown, or only its beginning");
  }
  return std::nullopt;
}

}  // namespace holdfast::inline v1::native
