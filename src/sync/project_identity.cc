#include "sync/project_identity.h"

#include <algorithm>
#include <optional>

#include "base/parent_path.h"
#include "disk/resolve.h"
#include "store/projects.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kPath = "path:";
constexpr std::size_t kMaxConfig = std::size_t{256} << 10;

std::optional<std::string> text_of(FileSystem& files, const std::string& directory, std::string_view name) {
  const auto opened = files.open_directory(directory, false);
  if (!opened) return std::nullopt;
  const auto file = (*opened)->open(name, OpenMode::read);
  if (!file) return std::nullopt;
  std::string text(kMaxConfig, '\0');
  text.resize((*file)->read_at(0, text).value_or(0));
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r' || text.back() == '\n'))
    text.remove_suffix(1);
  return text;
}

// The URL of "origin", otherwise of the first remote.
std::string remote_in(std::string_view config) {
  std::string first, section;
  while (!config.empty()) {
    const std::size_t end = std::min(config.find('\n'), config.size());
    const std::string_view line = trimmed(config.substr(0, end));
    config.remove_prefix(std::min(end + 1, config.size()));
    if (line.starts_with('[')) section = line;
    if (!section.starts_with("[remote ") || !line.starts_with("url")) continue;
    const std::string_view rest = trimmed(line.substr(3));
    if (!rest.starts_with('=')) continue;
    std::string url(trimmed(rest.substr(1)));
    if (section == "[remote \"origin\"]") return url;
    if (first.empty()) first = std::move(url);
  }
  return first;
}

// The configuration of the repository with that top directory.
std::optional<std::string> config_of(FileSystem& files, const std::string& top) {
  if (auto config = text_of(files, top + "/.git", "config")) return config;
  // In a worktree, .git is a file that names its directory in the repository.
  const auto link = text_of(files, top, ".git");
  if (!link || !link->starts_with("gitdir:")) return std::nullopt;
  const std::string_view git = trimmed(std::string_view(*link).substr(7));
  const std::size_t inner = git.rfind("/worktrees/");
  return text_of(files, std::string(git.substr(0, inner)), "config");
}

}  // namespace

std::string normal_git_remote(std::string_view url) {
  url = trimmed(url);
  bool with_scheme = false;
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos) {
    if (url.starts_with("file:")) return {};
    url.remove_prefix(scheme + 3);
    with_scheme = true;
  }
  const std::size_t slash = std::min(url.find('/'), url.size());
  // git@host:path is an address, /path and C:\path are not.
  const std::size_t colon = url.find(':');
  if (!with_scheme && (colon == std::string_view::npos || colon > slash || colon < 2)) return {};
  std::size_t host_end = with_scheme ? slash : colon;
  std::string host(url.substr(0, host_end));
  std::string_view path = url.substr(std::min(host_end + 1, url.size()));
  if (const std::size_t at = host.rfind('@'); at != std::string::npos) host.erase(0, at + 1);
  if (const std::size_t port = host.find(':'); port != std::string::npos) host.resize(port);
  std::ranges::transform(host, host.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with(".git")) path.remove_suffix(4);
  return host.empty() || path.empty() ? std::string() : host + "/" + std::string(path);
}

std::string project_identity(FileSystem& files, const std::string& given) {
  const std::string directory = given.starts_with('/') ? resolve_path(normalize_path(given)) : given;
  for (std::string top = directory; top.size() > 1; top = std::string(absolute_parent(top))) {
    const auto config = config_of(files, top);
    if (!config) continue;
    const std::string remote = normal_git_remote(remote_in(*config));
    if (remote.empty()) break;
    return top == directory ? remote : remote + "/" + directory.substr(top.size());
  }
  return std::string(kPath) + directory;
}

std::optional<std::size_t> levels_below(std::string_view identity, std::string_view share) {
  if (share.starts_with(kPath)) {
    if (!identity.starts_with(kPath)) return std::nullopt;
    const std::string_view directory = identity.substr(kPath.size()), top = share.substr(kPath.size());
    const bool as_spelled = is_in_project(directory, top);
    if (!as_spelled && !is_in_project(directory, top, resolve_path)) return std::nullopt;
    const auto levels = [&](std::string_view given) {
      const std::string path = as_spelled ? normalize_path(given) : resolve_path(normalize_path(given));
      return path == "/" ? 0 : std::ranges::count(path, '/');
    };
    return static_cast<std::size_t>(levels(directory) - levels(top));
  }
  if (!identity.starts_with(share)) return std::nullopt;
  const std::string_view rest = identity.substr(share.size());
  const bool is_below = share.contains("//");  // the rest begins with "/", otherwise with "//"
  if (!rest.empty() && !rest.starts_with(is_below ? "/" : "//")) return std::nullopt;
  const auto slashes = static_cast<std::size_t>(std::ranges::count(rest, '/'));
  return slashes - (is_below || rest.empty() ? 0 : 1);
}

bool is_project_in(std::string_view identity, std::string_view share) {
  return levels_below(identity, share).has_value();
}

bool is_same_project(std::string_view identity, std::string_view other) {
  return identity == other || (is_project_in(identity, other) && is_project_in(other, identity));
}

}  // namespace holdfast::inline v1
