#include "layout/spilled.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kLargest = std::uint64_t{256} << 20;
constexpr std::string_view kConsequence = "only the preview of a large tool result is shown";

}  // namespace

Result<std::optional<std::string>> plain_below(Feed& feed, const Place& folder, std::string_view below,
                                               std::uint64_t limit, std::string_view sha256) {
  const std::string before = folder.path.empty() ? std::string() : folder.path + "/";
  for (std::size_t end = below.find('/', 1); end != std::string_view::npos; end = below.find('/', end + 1)) {
    HOLDFAST_LET(target, feed.link({folder.root, before + std::string(below.substr(0, end))}));
    if (target) return fail(Code::unsafe_path, "behind a link");
  }
  return feed.plain_document({folder.root, before + std::string(below)}, limit, sha256);
}

void read_spilled(Feed& feed, const Place& folder, std::string_view below, Block& block) {
  const Place file{folder.root, (folder.path.empty() ? "" : folder.path + "/") + std::string(below)};
  auto whole = plain_below(feed, folder, below, kLargest);
  if (!whole && whole.error().code == Code::unsafe_path)
    return feed.complain(file, 0, "unsafe_output",
                         std::string(kConsequence) + ": it is not a plain file, or it is behind a link");
  if (whole && *whole) {
    block.text = std::move(**whole);
    return;
  }
  if (whole) return feed.complain(file, 0, "missing", kConsequence);
  feed.complain(file, 0, code_name(whole.error().code), std::string(kConsequence) + ": " + whole.error().message);
}

}  // namespace holdfast::inline v1
