#include "layout/gemini/chat_files.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/hash.h"
#include "layout/gemini/hashed_project.h"
#include "layout/json_pick.h"
#include "text/trim.h"

namespace holdfast::inline v1::gemini {
namespace {

constexpr std::uint64_t kSmall = std::uint64_t{1} << 20;

bool is_chat(const FeedEntry& entry) {
  return !entry.directory && entry.name.starts_with("session-") &&
         (entry.name.ends_with(".jsonl") || entry.name.ends_with(".json"));
}

std::string stem(std::string_view name) { return std::string(name.substr(0, name.rfind('.'))); }

struct NamedChat {
  std::string path, id;
  bool sure = true;    // false if only the first digits of the id are known
  bool empty = false;  // the file has no record
};

// The session's id from the file, else from the name and the entries beside it.
Result<NamedChat> session_of(Feed& feed, const std::string& path, const std::string& name,
                             std::span<const FeedEntry> beside) {
  const std::string base = stem(name);
  const std::string digits = base.substr(base.rfind('-') + 1);
  std::string id;
  bool first = true;
  if (path.ends_with(".json")) {
    auto text = feed.document({kRoot, path});
    if (!text && text.error().code != Code::too_large) return fail(std::move(text).error());
    if (text && *text) id = text_of(JsonView(**text).find("sessionId"));
    first = text && *text && (*text)->empty();
  } else {
    HOLDFAST_TRY(feed.records({kRoot, path}, {}, [&](const FeedRecord& record) {
      id = text_of(JsonView(record.bytes).find("sessionId"));
      // Only a header of this session counts further down.
      if (!std::exchange(first, false) && !id.starts_with(digits)) id.clear();
      return id.empty();
    }));
  }
  if (id.empty()) id = id_of_folder(beside, digits);
  const bool sure = !id.empty();
  return NamedChat{path, sure ? id : digits, sure, first};
}

// Completes an id if only its first digits are known and exactly one session in the folder begins with them.
void name_by_neighbours(std::vector<NamedChat>& chats) {
  for (NamedChat& chat : chats) {
    if (chat.sure) continue;
    std::set<std::string> beside;
    for (const NamedChat& other : chats)
      if (other.sure && other.id.starts_with(chat.id + "-")) beside.insert(other.id);
    if (beside.size() == 1) chat.id = *beside.begin();
  }
  // A session is shown and repaired through its first file, so empty files come last.
  std::vector<NamedChat> empty;
  std::ranges::copy_if(chats, std::back_inserter(empty), &NamedChat::empty);
  std::erase_if(chats, &NamedChat::empty);
  chats.insert(chats.end(), empty.begin(), empty.end());
}

Result<void> list_project(Feed& feed, const std::string& project, std::vector<ChatSession>& sessions) {
  const std::string chats = "tmp/" + project + "/chats";
  HOLDFAST_LET(entries, feed.list({kRoot, chats}));
  std::map<std::string, std::size_t> known;  // id -> sessions
  std::vector<NamedChat> named;
  for (const FeedEntry& entry : entries) {
    const std::string path = chats + "/" + entry.name;
    if (entry.directory) {
      HOLDFAST_LET(files, subagent_files(feed, project, entry.name));
      for (const std::string& file : files) {
        sessions.push_back({stem(file.substr(file.rfind('/') + 1)), project, {file}, 1});
      }
    } else if (is_chat(entry)) {
      HOLDFAST_LET(chat, session_of(feed, path, entry.name, entries));
      named.push_back(std::move(chat));
    }
  }
  name_by_neighbours(named);
  for (const NamedChat& chat : named) {
    const auto [at, fresh] = known.try_emplace(chat.id, sessions.size());
    if (fresh) sessions.push_back({chat.id, project, {}});
    ChatSession& session = sessions[at->second];
    session.files.push_back(chat.path);  // names sort by time
    if (!chat.empty) ++session.with_records;
  }
  return {};
}

// A small document; empty if it is missing or too large to be valid.
Result<std::string> small_document(Feed& feed, const std::string& path) {
  auto text = feed.document({kRoot, path}, kSmall);
  if (!text && text.error().code == Code::too_large) return std::string();
  if (!text) return fail(std::move(text).error());
  return std::move(*text).value_or(std::string());
}

}  // namespace

Result<std::vector<ChatSession>> list_chats(Feed& feed) {
  std::vector<ChatSession> sessions;
  HOLDFAST_LET(projects, feed.list({kRoot, "tmp"}));
  for (const FeedEntry& project : projects) {
    if (project.directory) HOLDFAST_TRY(list_project(feed, project.name, sessions));
  }
  // Since 0.26 the client copies the folder named by a hash to one with a readable name, continues there, and leaves
  // the old folder as it was.
  std::set<std::string> copied;
  for (const ChatSession& session : sessions)
    if (!is_sha256_hex(session.project)) copied.insert(session.id);
  std::erase_if(sessions, [&](const ChatSession& session) {
    return is_sha256_hex(session.project) && copied.contains(session.id);
  });
  return sessions;
}

std::string id_of_folder(std::span<const FeedEntry> entries, std::string_view digits) {
  std::string id;
  for (const FeedEntry& entry : entries) {
    if (!entry.directory || digits.empty() || entry.name.size() <= digits.size() || !entry.name.starts_with(digits))
      continue;
    if (!id.empty()) return {};
    id = entry.name;
  }
  return id;
}

std::string parent_of_path(std::string_view path) {
  const std::size_t chats = path.find("/chats/");
  if (chats == std::string_view::npos) return {};
  const std::string_view rest = path.substr(chats + 7);
  const std::size_t slash = rest.find('/');
  return slash == std::string_view::npos ? std::string() : std::string(rest.substr(0, slash));
}

Result<std::vector<std::string>> subagent_files(Feed& feed, std::string_view project, std::string_view session) {
  const std::string folder = "tmp/" + std::string(project) + "/chats/" + std::string(session);
  HOLDFAST_LET(entries, feed.list({kRoot, folder}));
  std::vector<std::string> files;
  for (const FeedEntry& entry : entries) {
    if (!entry.directory && entry.name.ends_with(".jsonl")) files.push_back(folder + "/" + entry.name);
  }
  return files;
}

Result<std::string> project_path(Feed& feed, const std::string& project) {
  for (const std::string_view folder : {"tmp/", "history/"}) {
    HOLDFAST_LET(root, small_document(feed, std::string(folder) + project + "/.project_root"));
    if (std::string path = std::string(trim(root)); !path.empty()) return path;
  }
  HOLDFAST_LET(text, small_document(feed, "projects.json"));
  for (const JsonItem& entry : JsonView(text).find("projects").fields()) {
    std::string path = entry.key();
    if (entry.value.is_string(project)) return path;
  }
  return is_sha256_hex(project) ? directory_of_hash(feed, project) : std::string();
}

}  // namespace holdfast::inline v1::gemini
