#include "archive/damaged_chunks.h"

#include <holdfast/document.h>

#include <algorithm>
#include <unordered_set>

#include "archive/chunk.h"
#include "archive/log_lines.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

// Calls `take` with each block that a session needs; a block may come twice.
template <typename Take>
void for_each_block(const CapturedSession& session, const Take& take) {
  for (const Versions* const versions : {&session.head, &session.last}) {
    for (const auto& [place, version] : *versions)
      for (const FileBlock& block : version->blocks) take(block.name);
  }
}

std::set<std::string> not_in(const Packs& packs, const CaptureState& state) {
  std::set<std::string> missing;
  for (const auto& [key, session] : state.sessions) {
    for_each_block(session, [&](const std::string& name) {
      if (packs.find(name) == nullptr) missing.insert(name);
    });
  }
  return missing;
}

// Empty unless it is JSON.
std::string load_text(Directory& archive) {
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
  const auto file = archive.open(kDamaged, OpenMode::read);
  const auto stat = file ? (*file)->stat() : Result<FileStat>(fail(file.error()));
  if (!stat || stat->size > kMost) return {};
  std::string text(static_cast<std::size_t>(stat->size), '\0');
  text.resize((*file)->read_at(0, text).value_or(0));
  return check_json(text).ok() ? text : std::string();
}

std::set<std::string> load_list(Directory& archive, std::string_view list) {
  std::set<std::string> chunks;
  const std::string text = load_text(archive);
  for (const JsonItem& item : JsonView(text).find(list).elements()) {
    if (auto name = item.value.as_string(); name && is_chunk_name(*name)) chunks.insert(std::move(*name));
  }
  return chunks;
}

Result<void> save_lists(const Context& context, Root& archive, const std::set<std::string>& chunks,
                        const std::set<std::string>& given_up, std::uint64_t healing_tried) {
  if (chunks.empty() && given_up.empty())
    return archive.directory().exists(kDamaged) ? remove_document(context, archive, kDamaged) : Result<void>();
  JsonWriter json;
  json.begin_object().key("chunks").strings(chunks);
  if (!given_up.empty()) json.key("given_up").strings(given_up);
  if (healing_tried > 0) json.key("tried").uint64(healing_tried);
  HOLDFAST_TRY(replace_document(context, archive, kDamaged, json.end_object().take() + "\n", {.backup = false}));
  return {};
}

}  // namespace

std::set<std::string> load_damaged(Directory& archive) { return load_list(archive, "chunks"); }

Result<void> save_damaged(const Context& context, Root& archive, const std::set<std::string>& chunks,
                          std::uint64_t healing_tried) {
  return save_lists(context, archive, chunks, load_list(archive.directory(), "given_up"), healing_tried);
}

std::uint64_t load_healing_tried(Directory& archive) {
  const std::string text = load_text(archive);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(JsonView(text).find("tried").as_int64().value_or(0), 0));
}

Result<std::set<std::string>> chunks_away(const Context& context, Directory& archive,
                                          const std::set<CaptureKey>& sessions) {
  std::set<std::string> away;
  HOLDFAST_LET(packs, Packs::load(context, archive));
  HOLDFAST_LET(lines, log_lines(context, archive));
  std::unordered_set<std::string> needed;
  for (const LogLine& line : lines)
    if (sessions.contains(line.read.capture.session)) (void)note_names(line.read, packs, needed);
  const auto drop_found = [&] { std::erase_if(away, [&](const auto& name) { return packs.find(name) != nullptr; }); };
  away.insert(needed.begin(), needed.end());
  drop_found();  // an index has them
  if (!away.empty()) HOLDFAST_TRY(packs.scan());
  drop_found();  // a pack has them
  if (away.empty()) return away;
  // A damaged chunk that no index has may be among the bytes that belong to no chunk.
  for (const auto& [pack, end] : packs.ends()) {
    HOLDFAST_LET(stat, archive.stat(pack_path(pack)));
    if (packs.bytes_outside_chunks(pack, stat.size) > 0) return std::set<std::string>();
  }
  for (const std::string& name : load_list(archive, "given_up")) away.erase(name);
  return away;
}

Result<void> give_up_chunks_away(const Context& context, Root& archive, const CaptureState& state) {
  std::set<CaptureKey> all;
  for (const auto& [key, session] : state.sessions) all.insert(key);
  HOLDFAST_LET(away, chunks_away(context, archive.directory(), all));
  if (away.empty()) return {};
  away.merge(load_list(archive.directory(), "given_up"));
  return save_lists(context, archive, load_damaged(archive.directory()), away, load_healing_tried(archive.directory()));
}

Result<std::set<std::string>> missing_chunks(const CaptureState& state, Packs& packs) {
  if (not_in(packs, state).empty()) return std::set<std::string>();
  HOLDFAST_TRY(packs.scan());  // an index may be wrong
  return not_in(packs, state);
}

std::vector<Finding> incomplete_sessions(const CaptureState& state, const std::set<std::string>& chunks) {
  constexpr std::size_t kNamed = 10;
  std::vector<Finding> findings;
  std::size_t more = 0;
  if (chunks.empty()) return findings;
  for (const auto& [key, session] : state.sessions) {
    std::set<std::string_view> its;
    for_each_block(session, [&](const std::string& name) {
      if (chunks.contains(name)) its.insert(name);
    });
    if (its.empty()) continue;
    if (findings.size() == kNamed) {
      ++more;
      continue;
    }
    findings.push_back({key.layout + "/" + key.id, 0, 0, "damaged",
                        counted(its.size(), "piece") + " of it " + (its.size() == 1 ? "is" : "are") +
                            " damaged or missing in the archive, and this run found " +
                            (its.size() == 1 ? "it" : "them") +
                            " nowhere else; a pack that is put back from a backup is used again",
                        0});
  }
  if (more > 0) findings.back().consequence += "; the same is true of " + counted(more, "other session");
  return findings;
}

}  // namespace holdfast::inline v1
