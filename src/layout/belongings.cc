#include "layout/belongings.h"

#include <algorithm>
#include <array>

#include "base/safe_name.h"
#include "layout/agent_home.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kMaxDepth = 16;

std::pair<std::string_view, std::string_view> first_name(std::string_view path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return {path, {}};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

// Matches one name; * is any part of it.
bool name_matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  pattern.remove_prefix(star + 1);
  for (std::size_t at = star; at <= name.size(); ++at) {
    if (name_matches(pattern, name.substr(at))) return true;
  }
  return false;
}

// `first` receives what the first * that is a whole name matched.
bool path_matches(std::string_view pattern, std::string_view path, std::string* first = nullptr) {
  if (pattern.empty() || path.empty()) return pattern.empty() && path.empty();
  const auto [want, rest] = first_name(pattern);
  if (want == "**") {
    while (!path.empty()) {
      if (path_matches(rest, path, first)) return true;
      if (rest.empty() && path.find('/') == std::string_view::npos) return true;
      path = first_name(path).second;
    }
    return false;
  }
  const auto [name, below] = first_name(path);
  if (!name_matches(want, name)) return false;
  if (want == "*" && first != nullptr && first->empty()) *first = name;
  return path_matches(rest, below, first);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string with_id(std::string_view pattern, std::string_view id) {
  std::string out(pattern);
  replace_all(out, "{id8}", id.substr(0, 8));
  replace_all(out, "{id}", id);
  return out;
}

std::string beside_main(std::string_view pattern, std::string_view id, std::string_view main, std::string_view first) {
  std::string out = with_id(pattern, id);
  const std::size_t slash = main.rfind('/');
  replace_all(out, "{dir}", slash == std::string_view::npos ? std::string_view() : main.substr(0, slash));
  replace_all(out, "{1}", first);
  return out;
}

// Finds files by patterns. A link to a directory is followed only on the way to a main file of the session, as its
// agent does. Of any other link, only the link itself is found, and only if something behind it would be: a pattern
// that matches all names below would otherwise walk through whatever the link leads to.
class Walk {
 public:
  Walk(const Context& context, FileNames& names, const std::string& root, std::span<const std::string> mains,
       std::vector<Place>& found)
      : context_(context), names_(names), root_(root), mains_(mains), found_(found) {}

  Result<void> find(std::string_view pattern) { return expand({}, pattern, {}, 0); }

 private:
  // `link` is the outermost link above or at `folder` that is not followed; empty if there is none.
  Result<void> expand(const std::string& folder, std::string_view pattern, std::string link, int depth) {
    if (depth > kMaxDepth) return {};
    HOLDFAST_TRY(context_.check());
    if (link.empty() && is_strange_link(folder)) link = folder;
    const auto [want, rest] = first_name(pattern);
    const bool all_below = want == "**";
    const auto joined = [&](std::string_view name) {
      return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
    };
    const std::string_view begin = want.substr(0, want.find('*'));
    if (begin == want && !rest.empty()) {
      if (names_.lacks({root_, folder}, want)) return {};
      return expand(joined(want), rest, link, depth + 1);
    }
    HOLDFAST_LET(entries, names_.list({root_, folder}, begin));
    for (const FeedEntry& entry : entries) {
      if (!all_below && !name_matches(want, entry.name)) continue;
      const bool is_wanted = entry.directory ? all_below : rest.empty();
      if (is_wanted && !link.empty()) {
        found_.push_back({root_, link});
        return {};
      }
      if (entry.directory && (all_below || !rest.empty()))
        HOLDFAST_TRY(expand(joined(entry.name), all_below ? pattern : rest, link, depth + 1));
      else if (is_wanted)
        found_.push_back({root_, joined(entry.name)});
    }
    return {};
  }

  bool is_strange_link(const std::string& folder) const {
    const auto leads = [&](const std::string& main) { return main.starts_with(folder + "/"); };
    if (folder.empty() || std::ranges::any_of(mains_, leads)) return false;
    return names_.is_link({root_, folder});
  }

  const Context& context_;
  FileNames& names_;
  const std::string& root_;
  const std::span<const std::string> mains_;
  std::vector<Place>& found_;
};

// Asks anew each time.
class NamesInFeed final : public FileNames {
 public:
  explicit NamesInFeed(Feed& feed) : feed_(feed) {}
  Result<std::vector<FeedEntry>> list(const Place& directory, std::string_view begin) override {
    HOLDFAST_LET(entries, feed_.list(directory));
    std::erase_if(entries, [&](const FeedEntry& entry) { return !entry.name.starts_with(begin); });
    return entries;
  }
  bool lacks(const Place& /*directory*/, std::string_view /*name*/) override { return false; }
  bool is_link(const Place& name) override {
    const auto target = feed_.link(name);  // if it cannot be examined, it cannot be listed either
    return target && target->has_value();
  }

 private:
  Feed& feed_;
};

}  // namespace

const Belongings* belongings_of(const Layout& layout) {
  const AgentHome* const home = layout.home();
  return home == nullptr ? nullptr : home->belongings;
}

bool is_usable_id(std::string_view id) {
  return is_plain_name(id) && id.find_first_of("*{}") == std::string_view::npos;
}

bool is_main_name(const Belongings& belongings, std::string_view path) {
  return std::ranges::any_of(belongings.main,
                             [&](std::string_view pattern) { return path_matches(with_id(pattern, "*"), path); });
}

bool is_excluded_file(std::string_view path) {
  static constexpr std::array<std::string_view, 6> kEnds{".key", ".pem", ".lock", ".p12", ".sqlite", ".db"};
  static constexpr std::array<std::string_view, 12> kNames{
      "auth.json",     "credentials.json",    ".credentials.json", "oauth_creds.json",
      "settings.json", "settings.local.json", "config.toml",       "config.json",
      ".mcp.json",     "CLAUDE.md",           "AGENTS.md",         ".env"};
  static constexpr std::array<std::string_view, 4> kFolders{"hooks", "commands", "skills", "plugins"};
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); })) return true;
  if (std::ranges::find(kNames, name) != kNames.end()) return true;
  const std::string_view top = first_name(path).first;
  return top != name && std::ranges::find(kFolders, top) != kFolders.end();
}

Result<std::vector<Place>> files_of_session(const Context& context, const Belongings& belongings, Feed& feed,
                                            const SessionRef& ref) {
  NamesInFeed names(feed);
  return files_of_session(context, belongings, names, ref);
}

Result<std::vector<Place>> memory_beside(const Context& context, const Belongings& belongings, Feed& feed,
                                         const SessionRef& ref) {
  NamesInFeed names(feed);
  return memory_beside(context, belongings, names, ref);
}

Result<std::vector<Place>> files_of_session(const Context& context, const Belongings& belongings, FileNames& names,
                                            const SessionRef& ref) {
  std::vector<Place> files;
  if (!is_usable_id(ref.id)) return files;
  SessionPaths paths(belongings, ref.id);
  std::vector<std::string> mains{ref.place.path};
  if (belongings.more != nullptr) std::ranges::copy(belongings.more(ref), std::back_inserter(mains));
  for (const std::string& main : mains) {
    if (paths.add_main(main)) files.push_back({ref.place.root, main});
  }
  if (files.empty()) return files;
  std::vector<Place> found;
  Walk walk(context, names, ref.place.root, mains, found);
  for (const std::string& pattern : paths.beside()) HOLDFAST_TRY(walk.find(pattern));
  std::ranges::sort(found);
  for (Place& place : found) {
    if (std::ranges::find(files, place) == files.end()) files.push_back(std::move(place));
  }
  std::erase_if(files, [](const Place& place) { return is_excluded_file(place.path); });
  return files;
}

Result<std::vector<Place>> memory_beside(const Context& context, const Belongings& belongings, FileNames& names,
                                         const SessionRef& ref) {
  std::vector<Place> found;
  SessionPaths paths(belongings, ref.id);
  if (!paths.add_main(ref.place.path)) return found;
  Walk walk(context, names, ref.place.root, {&ref.place.path, 1}, found);
  for (const std::string& pattern : paths.memory()) HOLDFAST_TRY(walk.find(pattern));
  std::erase_if(found, [](const Place& place) { return is_excluded_file(place.path); });
  return found;
}

bool SessionPaths::add_main(std::string_view path) {
  if (!is_usable_id(id_)) return false;
  for (const std::string_view pattern : belongings_.main) {
    std::string first;
    if (!path_matches(with_id(pattern, id_), path, &first)) continue;
    if (path.find_first_of("*{}") != std::string_view::npos) return true;  // in a pattern it would match more
    if (const std::string_view above = pattern.substr(0, pattern.find('*'));
        project_folder_.empty() && !first.empty() && path.starts_with(std::string(above) + first + "/"))
      project_folder_ = std::string(above) + first;
    for (const std::string_view one : belongings_.memory) {
      if (!first.empty()) memory_.push_back(beside_main(one, id_, path, first));
    }
    for (const auto patterns : {belongings_.beside, belongings_.shared}) {
      for (const std::string_view pattern_of_one : patterns) {
        if (first.empty() && pattern_of_one.find("{1}") != std::string_view::npos) continue;
        std::string one = beside_main(pattern_of_one, id_, path, first);
        if (patterns.data() == belongings_.shared.data()) shared_.push_back(one);
        if (std::ranges::find(beside_, one) == beside_.end()) beside_.push_back(std::move(one));
      }
    }
    return true;
  }
  return false;
}

bool SessionPaths::is_one(std::string_view path) const {
  if (!check_relative_path(path) || is_excluded_file(path) || !is_usable_id(id_)) return false;
  const auto matches = [&](std::string_view pattern) { return path_matches(with_id(pattern, id_), path); };
  if (std::ranges::any_of(belongings_.main, matches) || std::ranges::any_of(belongings_.named_as, matches)) return true;
  return std::ranges::any_of(beside_, [&](const std::string& pattern) { return path_matches(pattern, path); });
}

bool SessionPaths::is_memory(std::string_view path) const {
  if (!check_relative_path(path) || is_excluded_file(path)) return false;
  return std::ranges::any_of(memory_, [&](const std::string& pattern) { return path_matches(pattern, path); });
}

std::string SessionPaths::in_folder(std::string_view path, std::string_view name) const {
  if (project_folder_.empty() || !path.starts_with(project_folder_ + "/")) return std::string(path);
  return project_folder_.substr(0, project_folder_.rfind('/') + 1) + std::string(name) +
         std::string(path.substr(project_folder_.size()));
}

bool SessionPaths::is_shared(std::string_view path) const {
  return std::ranges::any_of(shared_, [&](const std::string& pattern) { return path_matches(pattern, path); });
}

}  // namespace holdfast::inline v1
