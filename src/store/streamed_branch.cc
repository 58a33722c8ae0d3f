#include "store/streamed_branch.h"

#include <algorithm>

#include "layout/partial_reader.h"
#include "model/tally.h"
#include "store/observed.h"
#include "store/part_feed.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxHeld = 64;  // messages, while waiting for the first prompt

class HeadFacts final : public Events {
 public:
  void facts(const SessionFacts& facts) override { all.merge(facts); }
  bool message(Message /*message*/) override { return false; }
  SessionFacts all;
};

// What is known about the session before it is read.
struct Beforehand {
  bool listed = false;  // `row` is the listed row; otherwise it lacks what facts and messages contain
  Session row = {};
  SessionFacts facts = {};
};

Result<Beforehand> known_of(const Context& context, FileStore& store, const SessionRef& ref,
                            const SessionFacts& planned) {
  if (auto row = store.remembered_row(ref)) return Beforehand{true, *std::move(row), {}};
  const Layout& layout = store.layout();
  DirectoryFeed files = store.looking(context);
  HeadFacts head;
  // A layout that can read a session without its head reports that when it reads the session.
  const auto read = layout.read_head(files, ref, head);
  if (!read && read.error().code != Code::corrupt && read.error().code != Code::not_found) return fail(read.error());
  head.all.merge(planned);
  Beforehand known;
  known.row.id = ref.name();
  known.row.layout = layout.name();
  if (layout.traits().root_is_project) known.row.project = store.roots().first()->path();
  known.facts = std::move(head.all);
  return known;
}

// Reports the messages of the branch.
class BranchReader final : public Events {
 public:
  // Without a `plan`, reports every message that was not abandoned by a rewind, or every message if `all`.
  BranchReader(const BranchPlan* plan, bool all, Beforehand known, BranchListener& listener)
      : plan_(plan), all_(all), known_(std::move(known)), listener_(listener) {}

  void facts(const SessionFacts& facts) override {
    if (!begun_) tally_.facts(facts);
  }
  bool message(Message message) override {
    if (plan_ != nullptr) {
      const bool more = number_ == plan_->map.size();
      if (more && message.offset >= plan_->bytes) return true;  // added since the plan was made
      if (more || !plan_->map.is(number_, message)) {
        lost_ = true;
        return false;
      }
    }
    message.ordinal = static_cast<std::int64_t>(number_);
    if (!begun_ && !known_.listed) tally_.count(message);
    const bool kept = plan_ != nullptr ? plan_->kept[number_] : all_ || !message.abandoned;
    ++number_;
    if (!kept) {
      off_.add(message);
      return true;
    }
    if (begun_) {
      wanted_ = listener_.message(std::move(message));
      return wanted_;
    }
    const bool prompt = message.role == Role::user && message.origin == Origin::typed && !message.side;
    held_.push_back(std::move(message));
    return known_.listed || prompt || held_.size() == kMaxHeld ? begin() : true;
  }

  // Reports the messages that were held back. Returns true if everything was as planned.
  bool end() {
    if (wanted_ && !lost_ && !begun_) begin();
    if (wanted_ && plan_ != nullptr && number_ < plan_->map.size()) lost_ = true;
    return !lost_;
  }
  bool wanted() const { return wanted_; }
  const OffBranch& off_branch() const { return off_; }

 private:
  bool begin() {
    begun_ = true;
    Session& row = known_.row;
    if (!known_.listed) {
      tally_.facts(known_.facts);
      const std::string otherwise = row.project;
      tally_.finish(row);
      if (row.project.empty()) row.project = otherwise;
    }
    listener_.begin(row);
    for (Message& message : held_) {
      if (wanted_) wanted_ = listener_.message(std::move(message));
    }
    held_.clear();
    return wanted_;
  }

  const BranchPlan* plan_;
  const bool all_;
  Beforehand known_;
  BranchListener& listener_;
  Tally tally_;
  std::vector<Message> held_;
  OffBranch off_;
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

// The messages that are needed in full, by number. Empty means all, because it is
// not known which records belong to which message.
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
    HOLDFAST_LET(known, known_of(context_, store_, ref_, plan_ ? plan_->facts : SessionFacts()));
    BranchReader reader(at_once ? nullptr : &*plan_, query_.branch == "all", std::move(known), listener);
    DirectoryFeed feed = store_.looking(context_);
    const std::vector<bool> whole = window_ ? needed() : std::vector<bool>();
    // A record belongs to the last message that begins at or before it.
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
    HOLDFAST_LET(row, store_.row_of(context_, ref_));
    session_ = std::move(row);
    findings_ = findings_of(feed);
    off_branch_ = reader.off_branch();
    ends_in_part_ =
        std::ranges::any_of(feed.unfinished(), [](const UnfinishedLine& line) { return !line.whole && !line.cut; });
    return End::told;
  });
}

}  // namespace holdfast::inline v1
