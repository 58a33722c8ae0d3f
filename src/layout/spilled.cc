#include "layout/spilled.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kLargest = std::uint64_t{256} << 20;
constexpr std::string_view kConsequence = "a large tool result is shown by its preview only";

// Whether `below` or a folder on the way to it is a link.
Result<bool> behind_link(Feed& feed, const Place& folder, std::string_view below) {
  const std::string before = folder.path.empty() ? std::string() : folder.path + "/";
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = below.find('/', end + 1);
    HOLDFAST_LET(target, feed.link({folder.root, before + std::string(below.substr(0, end))}));
    if (target) return true;
  }
  return false;
}

}  // namespace

void read_spilled(Feed& feed, const Place& folder, std::string_view below, Block& block) {
  const Place file{folder.root, (folder.path.empty() ? "" : folder.path + "/") + std::string(below)};
  const auto link = behind_link(feed, folder, below);
  if (link && *link)
    return feed.complain(file, 0, "unsafe_output", std::string(kConsequence) + ": the file is a link or behind one");
  auto whole = link ? feed.document(file, kLargest) : fail(link.error());
  if (whole && *whole) {
    block.text = std::move(**whole);
    return;
  }
  if (whole) return feed.complain(file, 0, "missing", kConsequence);
  feed.complain(file, 0, code_name(whole.error().code), std::string(kConsequence) + ": " + whole.error().message);
}

}  // namespace holdfast::inline v1
