#include "archive/damaged_chunks.h"

#include <holdfast/document.h>

#include "archive/chunk.h"
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

}  // namespace

std::set<std::string> load_damaged(Directory& archive) {
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
  std::set<std::string> chunks;
  const auto file = archive.open(kDamaged, OpenMode::read);
  const auto stat = file ? (*file)->stat() : Result<FileStat>(fail(file.error()));
  if (!stat || stat->size > kMost) return chunks;
  std::string text(static_cast<std::size_t>(stat->size), '\0');
  text.resize((*file)->read_at(0, text).value_or(0));
  if (!check_json(text).ok()) return chunks;
  for (const JsonItem& item : JsonView(text).find("chunks").elements()) {
    if (auto name = item.value.as_string(); name && is_chunk_name(*name)) chunks.insert(std::move(*name));
  }
  return chunks;
}

Result<void> save_damaged(const Context& context, Root& archive, const std::set<std::string>& chunks) {
  if (chunks.empty())
    return archive.directory().exists(kDamaged) ? remove_document(context, archive, kDamaged) : Result<void>();
  const std::string json = JsonWriter().begin_object().key("chunks").strings(chunks).end_object().take();
  HOLDFAST_TRY(replace_document(context, archive, kDamaged, json + "\n", {.backup = false}));
  return {};
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
