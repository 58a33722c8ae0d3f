// Which files of a Codex home belong to which thread. Reads names only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "layout/codex/rollout_name.h"
#include "layout/feed.h"

namespace holdfast::inline v1::codex {

inline constexpr char kRoot[] = "home";

struct ThreadFile {
  std::string path;
  RolloutName name;
};

// Thread -> its files, oldest first. A file that exists twice (plain and compressed, or
// in both folders) is listed once: plain before compressed, sessions/ before
// archived_sessions/.
using Threads = std::map<std::string, std::vector<ThreadFile>, std::less<>>;
Result<Threads> list_threads(Feed& feed);

bool is_archived(std::string_view path);

}  // namespace holdfast::inline v1::codex
