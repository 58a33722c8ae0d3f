#include "layout/gemini/hashed_project.h"

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "layout/gemini/chat_files.h"
#include "layout/json_pick.h"
#include "text/trim.h"

namespace holdfast::inline v1::gemini {
namespace {

constexpr std::uint64_t kSmall = std::uint64_t{1} << 20;
constexpr std::uint64_t kLargest = std::uint64_t{8} << 20;  // largest chat to search
constexpr std::size_t kMaxChats = 8;
constexpr std::size_t kMaxPaths = 20'000;

Result<std::string> text_of_file(Feed& feed, const std::string& path, std::uint64_t limit) {
  auto text = feed.document({kRoot, path}, limit);
  if (!text && text.error().code == Code::too_large) return std::string();
  if (!text) return fail(std::move(text).error());
  return std::move(*text).value_or(std::string());
}

class Search {
 public:
  explicit Search(std::string_view hash) : hash_(hash) {}

  bool is_it(std::string_view path) {
    if (!found_.empty()) return true;
    if (path.size() < 2 || tried_.size() > kMaxPaths || !tried_.emplace(path).second) return false;
    if (sha256_hex(path) != hash_) return false;
    found_ = path;
    return true;
  }
  // Every path in the bytes, and every directory above it.
  bool in(std::string_view bytes) {
    constexpr std::string_view kBefore = "\" (:=`'n";  // n: from an escaped line break, \n
    for (std::size_t at = bytes.find('/'); at != std::string_view::npos; at = bytes.find('/', at + 1)) {
      if (at == 0 || !kBefore.contains(bytes[at - 1])) continue;
      const std::size_t end = std::min(bytes.find_first_of("\"\\\n", at), bytes.size());
      const std::string_view path = bytes.substr(at, end - at);
      for (std::size_t cut = 1; cut <= path.size(); ++cut) {
        const bool edge = cut == path.size() || std::string_view("/ ,;:)`'").contains(path[cut]);
        if (edge && is_it(path.substr(0, cut))) return true;
      }
      if (tried_.size() > kMaxPaths) return false;
    }
    return false;
  }
  const std::string& found() const { return found_; }

 private:
  std::string_view hash_;
  std::set<std::string, std::less<>> tried_;
  std::string found_;
};

Result<void> look_at_known(Feed& feed, Search& search) {
  HOLDFAST_LET(projects, text_of_file(feed, "projects.json", kSmall));
  for (const JsonItem& entry : JsonView(projects).find("projects").fields()) search.is_it(entry.key());
  HOLDFAST_LET(trusted, text_of_file(feed, "trustedFolders.json", kSmall));
  for (const JsonItem& entry : JsonView(trusted).fields()) search.is_it(entry.key());
  HOLDFAST_LET(folders, feed.list({kRoot, "tmp"}));
  for (const FeedEntry& folder : folders) {
    if (!folder.directory || is_sha256_hex(folder.name)) continue;
    HOLDFAST_LET(root, text_of_file(feed, "tmp/" + folder.name + "/.project_root", kSmall));
    search.is_it(trim(root));
  }
  return {};
}

}  // namespace

Result<std::string> directory_of_hash(Feed& feed, const std::string& hash) {
  Search search(hash);
  HOLDFAST_TRY(look_at_known(feed, search));
  const std::string chats = "tmp/" + hash + "/chats";
  HOLDFAST_LET(entries, feed.list({kRoot, chats}));
  std::size_t left = kMaxChats;
  for (const FeedEntry& entry : entries) {
    if (!search.found().empty() || left == 0) break;
    if (entry.directory) continue;
    --left;
    HOLDFAST_LET(text, text_of_file(feed, chats + "/" + entry.name, kLargest));
    search.in(text);
  }
  return search.found();
}

}  // namespace holdfast::inline v1::gemini
