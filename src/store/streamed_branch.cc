#include "store/streamed_branch.h"

#include <algorithm>
#include <utility>

#include "layout/read_in_parts.h"
#include "store/observed.h"
#include "store/part_feed.h"

namespace holdfast::inline v1 {
namespace {

// Tells the messages of the branch.
class BranchReader final : public Events {
 public:
  // `plan` nullptr: every message that no rewind left, or with `all` every message.
  BranchReader(const BranchPlan* plan, bool all, const Session& row, BranchListener& listener)
      : plan_(plan), all_(all), row_(row), listener_(listener) {}

  void facts(const SessionFacts& /*facts*/) override {}
  bool message(Message message) override {
    if (plan_ != nullptr) {
      const bool more = number_ == plan_->map.size();
      if (more && message.offset >= plan_->bytes) return true;  // said since the plan was made
      if (more || !plan_->map.is(number_, message)) {
        lost_ = true;
        return false;
      }
    }
    message.ordinal = static_cast<std::int64_t>(number_);
    const bool kept = plan_ != nullptr ? plan_->kept[number_] : all_ || !message.abandoned;
    ++number_;
    if (!kept) return true;
    begin();
    wanted_ = listener_.message(std::move(message));
    return wanted_;
  }

  // Whether all is as it was planned.
  bool end() {
    if (wanted_ && !lost_) begin();
    if (wanted_ && plan_ != nullptr && number_ < plan_->map.size()) lost_ = true;
    return !lost_;
  }
  bool wanted() const { return wanted_; }

 private:
  void begin() {
    if (!std::exchange(begun_, true)) listener_.begin(row_);
  }

  const BranchPlan* plan_;
  const bool all_;
  const Session& row_;
  BranchListener& listener_;
  std::size_t number_ = 0;
  bool begun_ = false, wanted_ = true, lost_ = false;
};

}  // namespace

bool StreamedBranch::is_known_at_once() const {
  return (query_.branch.empty() || query_.branch == "all") && store_.layout().traits().one_branch;
}

Result<bool> StreamedBranch::plan() {
  if (!planned_) {
    HOLDFAST_LET(made, plan_branch(context_, store_, ref_, query_));
    plan_ = std::move(made);
    planned_ = true;
  }
  return plan_.has_value();
}

const BranchPlan* StreamedBranch::sight() {
  const auto known = plan();
  return known && *known ? &*plan_ : nullptr;
}

// Which messages are needed whole, by their numbers; empty: all, for it is not known
// where the records of which message lie.
std::vector<bool> StreamedBranch::needed() const {
  const auto& offsets = plan_->offsets;
  if (store_.layout().traits().raw_text == RawText::elsewhere || !std::ranges::is_sorted(offsets)) return {};
  const auto from = static_cast<std::size_t>(std::max<std::int64_t>(window_->first, 0));
  const auto to = static_cast<std::size_t>(std::max<std::int64_t>(window_->second + 1, 0));
  std::vector<bool> needed(offsets.size(), false);
  for (const std::size_t number : plan_->map.with_results_for(from, to)) needed[number] = true;
  return needed;
}

Result<StreamedBranch::End> StreamedBranch::tell(BranchListener& listener) {
  return observed_read(context_, store_.observer(), {"read", ref_.id}, [&]() -> Result<End> {
    const Layout& layout = store_.layout();
    const bool at_once = is_known_at_once() && !window_;
    if (!at_once) {
      HOLDFAST_LET(known, plan());
      if (!known) return End::lost;
    }
    HOLDFAST_LET(row, store_.row_of(context_, ref_));
    session_ = std::move(row);
    BranchReader reader(at_once ? nullptr : &*plan_, query_.branch == "all", session_, listener);
    DirectoryFeed feed = store_.looking(context_);
    const std::vector<bool> whole = window_ ? needed() : std::vector<bool>();
    // A record is part of the last message that begins at or before it.
    PartFeed part(feed, ref_.place, {}, [&](std::uint64_t offset) {
      const auto behind = std::ranges::upper_bound(plan_->offsets, offset) - plan_->offsets.begin();
      return behind > 0 && whole[static_cast<std::size_t>(behind) - 1];
    });
    HOLDFAST_TRY(
        layout.read(whole.empty() ? static_cast<Feed&>(feed) : part, ref_,
                    {.history = query_.history,
                     .raw = query_.raw,
                     .media = query_.data ? Layout::ReadOptions::Media::data : Layout::ReadOptions::Media::check},
                    reader));
    if (!reader.end()) return End::lost;
    if (!reader.wanted()) return End::unwanted;
    findings_ = findings_of(feed);
    return End::told;
  });
}

}  // namespace holdfast::inline v1
