#include "rules/workflow/scope_state.h"

#include <array>
#include <charconv>
#include <set>

#include "base/hash.h"
#include "disk/staged.h"
#include "index/fingerprint.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMostFiles = 200'000;
constexpr std::array<std::string_view, 3> kNotSources = {".git", ".lopen", ".holdfast"};

class ScopeWalk {
 public:
  ScopeWalk(const Context& context, Directory& project, std::int64_t looked_ns) : context_(context), project_(project) {
    state_.looked_ns = looked_ns;
  }

  Result<void> take(const std::string& path) {
    const auto stat = project_.stat_to_read(path);
    if (!stat && stat.error().code != Code::not_found) return fail(stat.error());
    if (!stat) {
      note(path, "missing");
    } else if (stat->kind == FileKind::directory) {
      return directory(path, *stat);
    } else {
      return file(path, *stat);
    }
    return {};
  }

  ScopeState finish() {
    state_.digest = hash_.hex();
    return std::move(state_);
  }

 private:
  Result<void> directory(const std::string& path, const FileStat& stat) {
    HOLDFAST_TRY(context_.check());
    note(path, "directory");
    // Links may form cycles.
    if (!visited_.emplace(stat.device, stat.inode).second) return {};
    HOLDFAST_LET(entries, project_.list_to_read(path));
    for (const DirectoryEntry& entry : entries) {
      bool skipped = false;
      for (const std::string_view name : kNotSources) skipped = skipped || entry.name == name;
      if (!skipped) HOLDFAST_TRY(take(path.empty() ? entry.name : path + "/" + entry.name));
    }
    return {};
  }

  Result<void> file(const std::string& path, const FileStat& stat) {
    if (state_.modified.size() >= kMostFiles)
      return fail(Code::too_large, "more than " + std::to_string(kMostFiles) + " files are in this scope", path);
    const Fingerprint now = Fingerprint::of(stat);
    std::string line = "file";
    for (const std::uint64_t number :
         {now.inode, now.size, static_cast<std::uint64_t>(now.mtime_ns), static_cast<std::uint64_t>(now.ctime_ns)})
      line += " " + std::to_string(number);
    if (stat.kind == FileKind::file && now.racy(state_.looked_ns)) {
      HOLDFAST_LET(bytes, read_whole(project_, path));
      line += " " + xxh3_hex(bytes);
      state_.racy = true;
    }
    note(path, line);
    state_.modified[path] = now.mtime_ns;
    return {};
  }

  void note(std::string_view path, std::string_view what) {
    hash_.add(path);
    hash_.add(std::string_view("\0", 1));
    hash_.add(what);
    hash_.add("\n");
  }

  const Context& context_;
  Directory& project_;
  ScopeState state_;
  Xxh3Stream hash_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> visited_;
};

}  // namespace

std::string ScopeState::token() const { return std::to_string(looked_ns) + "-" + digest; }

std::int64_t token_time(std::string_view token) {
  std::int64_t time = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), time);
  return read.ec == std::errc() && read.ptr != token.data() + token.size() && *read.ptr == '-' ? time : 0;
}

Result<ScopeState> compute_scope_state(const Context& context, Directory& project,
                                       const std::vector<std::string>& paths, std::int64_t looked_ns) {
  ScopeWalk walk(context, project, looked_ns);
  for (const std::string& path : paths) HOLDFAST_TRY(walk.take(path));
  return walk.finish();
}

}  // namespace holdfast::inline v1
