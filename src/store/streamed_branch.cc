#include "store/streamed_branch.h"

#include <algorithm>

#include "layout/read_in_parts.h"
#include "model/tally.h"
#include "store/live_owners.h"
#include "store/observed.h"
#include "store/owner_status.h"
#include "store/part_feed.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMostHeld = 64;  // messages, while the first prompt is waited for

class HeadFacts final : public Events {
 public:
  void facts(const SessionFacts& facts) override { all.merge(facts); }
  bool message(Message /*message*/) override { return false; }
  SessionFacts all;
};

// Counts every message and tells those of the branch.
class BranchReader final : public Events {
 public:
  // `plan` nullptr: every message that no rewind left, or with `all` every message.
  BranchReader(const BranchPlan* plan, bool all, const SessionFacts& known, Session row, BranchListener& listener)
      : plan_(plan), all_(all), known_(known), row_(std::move(row)), listener_(listener) {}

  void facts(const SessionFacts& facts) override { tally_.facts(facts); }
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
    tally_.count(message);
    const bool kept = plan_ != nullptr ? plan_->kept[number_] : all_ || !message.abandoned;
    ++number_;
    if (!kept) return true;
    if (begun_) {
      wanted_ = listener_.message(std::move(message));
      return wanted_;
    }
    const bool prompt = message.role == Role::user && message.origin == Origin::typed && !message.side;
    held_.push_back(std::move(message));
    return prompt || held_.size() == kMostHeld ? begin() : true;
  }

  // What was held back is told; whether all is as it was planned.
  bool end() {
    if (wanted_ && !lost_ && !begun_) begin();
    if (wanted_ && plan_ != nullptr && number_ < plan_->map.size()) lost_ = true;
    return !lost_;
  }
  bool wanted() const { return wanted_; }
  const Tally& tally() const { return tally_; }

 private:
  bool begin() {
    begun_ = true;
    Tally tally = tally_;
    tally.facts(known_);
    const std::string otherwise = row_.project;
    tally.finish(row_);
    if (row_.project.empty()) row_.project = otherwise;
    listener_.begin(row_);
    for (Message& message : held_) {
      if (wanted_) wanted_ = listener_.message(std::move(message));
    }
    held_.clear();
    return wanted_;
  }

  const BranchPlan* plan_;
  const bool all_;
  const SessionFacts& known_;
  Session row_;
  BranchListener& listener_;
  Tally tally_;
  std::vector<Message> held_;
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
    DirectoryFeed files = store_.looking(context_);
    HeadFacts head;
    HOLDFAST_TRY(layout.read_head(files, ref_, head));
    if (plan_) head.all.merge(plan_->facts);
    Session row;
    row.id = ref_.id;
    row.layout = layout.name();
    if (layout.traits().root_is_project) row.project = store_.roots().first()->path();
    BranchReader reader(at_once ? nullptr : &*plan_, query_.branch == "all", head.all, std::move(row), listener);
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
    reader.tally().finish(session_);
    session_.id = ref_.id;
    session_.layout = layout.name();
    session_.store = store_.name();
    session_.path = ref_.place.path;
    session_.bytes = feed.bytes_read();
    if (session_.project.empty() && layout.traits().root_is_project) session_.project = store_.roots().first()->path();
    if (adds_status(store_.roots(), ref_.place.root))
      session_.status = owner_status(store_.roots(), ref_, session_.status);
    if (LiveOwners(layout, store_.roots(), feed).owns(ref_, [&] { return ref_; })) session_.status = Status::running;
    findings_ = findings_of(feed);
    return End::told;
  });
}

}  // namespace holdfast::inline v1
