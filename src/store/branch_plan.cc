#include "store/branch_plan.h"

#include <span>

#include "base/parallel.h"
#include "layout/partial_reader.h"
#include "store/branch.h"
#include "store/part_feed.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kWorthParting = std::uint64_t{1} << 20;  // bytes

// Builds the map and keeps nothing else.
class BranchMapBuilder final : public Events {
 public:
  void facts(const SessionFacts& facts) override { plan.facts.merge(facts); }
  bool message(Message message) override {
    plan.map.add(message);
    plan.offsets.push_back(message.offset);
    return true;
  }
  void leaf(std::string_view id) override { leaf_id = id; }

  BranchPlan plan;
  std::optional<std::string> leaf_id;
  std::optional<Error> error;
};

Result<BranchMapBuilder> draw_in_parts(const Context& context, FileStore& store, const SessionRef& ref,
                                       const PartialReader& layout) {
  DirectoryFeed look = store.looking(context);
  HOLDFAST_LET(stat, look.stat(ref.place));
  const std::uint64_t size = stat ? stat->size : 0;
  const std::size_t count = size < kWorthParting ? 1 : threads_for(16);
  std::vector<BranchMapBuilder> parts(count);
  in_parallel(count, 2, [&](std::size_t i) {
    DirectoryFeed files = store.looking(context, Check::framing);
    const std::uint64_t to = i + 1 == count ? UINT64_MAX : size / count * (i + 1);
    PartFeed feed(files, ref.place, {.from = size / count * i, .to = to});
    if (auto read = layout.read_part(feed, ref, parts[i]); !read) parts[i].error = std::move(read).error();
  });
  for (const BranchMapBuilder& part : parts)
    if (part.error) return fail(*part.error);
  BranchMapBuilder all = std::move(parts.front());
  for (const BranchMapBuilder& part : std::span(parts).subspan(1)) {
    all.plan.map.add(part.plan.map);
    all.plan.offsets.insert(all.plan.offsets.end(), part.plan.offsets.begin(), part.plan.offsets.end());
    all.facts(part.plan.facts);
    if (part.leaf_id) all.leaf_id = part.leaf_id;
  }
  all.plan.bytes = size;
  all.leaf_id = std::string(all.plan.map.last_after(all.leaf_id.value_or("")));
  return all;
}

Result<BranchMapBuilder> draw(const Context& context, FileStore& store, const SessionRef& ref, bool history) {
  const Layout& layout = store.layout();
  if (const PartialReader* const parts = layout.partial_reader()) return draw_in_parts(context, store, ref, *parts);
  DirectoryFeed feed = store.looking(context);
  feed.skim_unless(ref.place, [](std::string_view) { return false; });
  BranchMapBuilder all;
  // Without `whole`, not every layout reports the same messages.
  HOLDFAST_TRY(layout.read(feed, ref, {.history = history}, all));
  return all;
}

}  // namespace

Result<std::optional<BranchPlan>> plan_branch(const Context& context, FileStore& store, const SessionRef& ref,
                                              const TranscriptQuery& query) {
  HOLDFAST_LET(drawn, draw(context, store, ref, query.history));
  BranchPlan& plan = drawn.plan;
  bool unsure = false;
  if (query.branch == "all") {
    plan.kept.assign(plan.map.size(), true);
  } else {
    // A cheap pass does not see everything that damage hides: only a full read can tell whether the branch exists.
    if (!query.branch.empty() && !plan.map.has(query.branch)) return std::nullopt;
    const std::string leaf = query.branch.empty() ? drawn.leaf_id.value_or("") : query.branch;
    plan.kept = plan.map.on_branch(leaf, [&](std::size_t, std::size_t) {
      unsure = true;
      return false;
    });
  }
  if (unsure) return std::nullopt;
  plan.tools = plan.map.tool_uses(plan.kept);
  return std::move(plan);
}

}  // namespace holdfast::inline v1
