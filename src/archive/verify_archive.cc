#include "archive/verify_archive.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace holdfast::inline v1 {

namespace {

using Where = std::pair<std::uint32_t, std::uint64_t>;  // the pack and the offset in it

// In the order of the packs, so each is read from start to end. An index may be wrong, so the packs say what they hold.
// What only an index has counts where the pack has nothing whole: a chunk was there.
Result<std::vector<std::pair<Where, std::string>>> chunks_in_order(Packs& packs) {
  const auto told = packs.all();
  HOLDFAST_TRY(packs.scan());
  std::vector<std::pair<Where, std::string>> order;
  std::set<Where> whole;
  for (const auto& [name, place] : packs.all()) order.push_back({{place.pack, place.offset}, name});
  for (const auto& [pack, end] : packs.ends())
    for (const auto& [offset, chunk] : packs.in_pack(pack)) whole.emplace(pack, offset);
  for (const auto& [name, place] : told)
    if (packs.find(name) == nullptr && !whole.contains({place.pack, place.offset}))
      order.push_back({{place.pack, place.offset}, name});
  std::ranges::sort(order);
  return order;
}

}  // namespace

Result<ArchiveCheck> verify_archive(const Context& context, Archive& archive,
                                    const std::function<void(std::uint64_t done, std::uint64_t all)>& progress) {
  ArchiveCheck check;
  check.damage = archive.state().findings;
  Packs& packs = archive.packs();
  HOLDFAST_LET(order, chunks_in_order(packs));
  std::unordered_set<std::string> good;
  for (const auto& [where, name] : order) {
    HOLDFAST_TRY(context.check());
    if (progress) progress(check.chunks, order.size());
    ++check.chunks;
    if (const auto bytes = packs.read(name)) {
      good.insert(name);
    } else {
      check.damage.push_back({pack_path(where.first), where.second, 0, "chunk", bytes.error().message, 0});
      check.chunks_lost.insert(name);
    }
  }
  // After the last chunk of an earlier pack there may be leftovers of a failed sync, which nothing needs.
  if (const std::uint32_t last = packs.last(); last != 0) {
    const std::uint64_t end = packs.ends().at(last);
    const auto stat = archive.directory().stat(pack_path(last));
    if (stat && stat->size > end)
      check.damage.push_back(
          {pack_path(last), end, stat->size - end, "torn", "not a complete chunk; the next run sets it aside", 0});
  }
  if (const CaptureState& state = archive.state(); state.unfinished > 0)
    check.damage.push_back({std::string(kCaptureLog), state.log_end, state.unfinished, "torn",
                            "the last line is not complete: its capture was interrupted, or the end of the log is "
                            "lost; the next run sets it aside",
                            0});
  std::unordered_set<std::string> named;
  for (const auto& [key, session] : archive.state().sessions) {
    ++check.sessions;
    bool whole = true;
    for (const auto* const versions : {&session.head, &session.last}) {
      for (const auto& [place, version] : *versions) {
        for (const FileBlock& block : version->blocks) {
          named.insert(block.name);
          if (!good.contains(block.name)) check.chunks_lost.insert(block.name);
        }
        if (versions != &session.head) continue;
        ++check.files;
        check.bytes += version->size;
        std::uint64_t missing = 0, at = 0, first = 0;
        for (const FileBlock& block : version->blocks) {
          if (!good.contains(block.name) && missing++ == 0) first = at;
          at += block.size;
        }
        if (missing == 0) continue;
        whole = false;
        check.damage.push_back({place.path, first, 0, "missing",
                                std::to_string(missing) + " of its " + std::to_string(version->blocks.size()) +
                                    " blocks cannot be read; session " + key.id + " cannot be restored in full",
                                0});
      }
    }
    if (!whole) ++check.broken_sessions;
  }
  check.unnamed = static_cast<std::uint64_t>(
      std::ranges::count_if(good, [&](const std::string& name) { return !named.contains(name); }));
  return check;
}

}  // namespace holdfast::inline v1
