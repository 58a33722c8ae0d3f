// Two processes with transactions on one stream of entries: at every call of the one, the
// other acts from beginning to end. Whatever both were told must be what the one after
// the other would have been told, and be there after a power loss at that moment; asked
// again, nothing changes. Then logs that another file replaces.
#include <algorithm>
#include <atomic>

#include "entry_deeds.h"
#include "sim_interleaving.h"
#include "sim_parts.h"
#include "store_world.h"

namespace holdfast::lab {
namespace {

using Kind = EntryTransaction::Kind;

const std::string kSession(kEntrySessions[0]);

const StoreTraits& traits() {
  return *std::ranges::find(store_traits(), std::string_view("entries"), &StoreTraits::name);
}

struct Act {
  const char* name;
  EntryTransaction transaction;
};

ModelEntry plain(const char* name) { return {name, {}}; }
ModelEntry with_uuid(const char* name, const char* uuid) { return {name, uuid}; }

// The stream begins with these.
const std::vector<ModelEntry> kBefore{plain("e1s"), with_uuid("e2s", "two")};

// Transactions that get in each other's way. "same" ones are requested by both processes.
std::vector<Act> acts() {
  const auto make = [](Kind kind, std::vector<ModelEntry> expected, std::vector<ModelEntry> entries,
                       const char* operation, const char* summary, const char* stream = "") {
    return EntryTransaction{.kind = kind,
                            .session = kSession,
                            .stream = stream,
                            .entries = std::move(entries),
                            .expected = std::move(expected),
                            .operation = operation,
                            .summary = summary};
  };
  return {
      {"append", make(Kind::append, {}, {plain("e3s"), plain("e4m")}, "", "")},
      {"same operation", make(Kind::append, {}, {plain("e5s"), plain("e6m")}, "op", "five")},
      {"other operation", make(Kind::append, {}, {plain("e7s")}, "op", "seven")},
      {"same uuid", make(Kind::append, {}, {with_uuid("e8s", "new"), with_uuid("e9s", "two")}, "", "")},
      {"same replacement", make(Kind::replace, {kBefore[1]}, {with_uuid("e10s", "two")}, "replace", "ten")},
      {"other replacement", make(Kind::replace, kBefore, {plain("e11s")}, "", "eleven")},
      {"first of a stream", make(Kind::append, {}, {plain("e12s")}, "first", "twelve", "sub")},
      {"remove a stream", make(Kind::remove, {}, {}, "", "", "sub")},
      {"remove all", make(Kind::remove, {}, {}, "", "")},
  };
}

// What the processes were told, in one of the orders in which it may have happened.
bool tell(EntryModel& model, const EntryTransaction& transaction, const EntryAnswer& answer) {
  model.attempt(transaction);
  return model.answered(transaction, answer).empty();
}

EntryTransaction beginning() { return {.session = kSession, .entries = kBefore, .summary = "begin", .number = 1}; }

EntryModel begun() {
  EntryModel model;
  (void)tell(model, beginning(), {.applied = true, .appended = kBefore.size(), .total = kBefore.size()});
  return model;
}

EntryAnswer request(Door& door, const EntryTransaction& transaction) {
  const EntryCall call = call_of(transaction, traits());
  return entry_answer(transaction, door.call(call.method, call.params));
}

bool is_answer(const EntryAnswer& answer) { return answer.error.empty() || is_refusal_by_rule(answer.error); }

class Meeting {
 public:
  Meeting(const Act& first, const Act& second, std::uint64_t at, bool open, Outcome& outcome)
      : first_(first.transaction),
        second_(second.transaction),
        name_(std::string("entries: ") + first.name + " meets " + second.name + " at call " + std::to_string(at) +
              (open ? ", both open" : "")),
        at_(at),
        open_(open),
        outcome_(outcome) {
    ++outcome_.cases;
    one_.hurry();
    two_.hurry();
    first_.number = 10;
    second_.number = 11;
  }

  // Returns the number of calls that the first process made.
  std::uint64_t run() {
    (void)request(two_, beginning());
    if (open_) (void)request(one_, {.session = kSession, .entries = {kBefore[1]}, .number = 2});  // a duplicate
    disk_->sync_all();
    const std::uint64_t start = way_.calls();
    way_.meet(start + at_, [this] { visit(); });
    const EntryAnswer answer = request(one_, first_);
    const std::uint64_t calls = way_.calls() - start;
    way_.clear_visits();
    if (after_visit_ == nullptr) return calls;
    const bool met = is_answer(visit_);
    std::vector<EntryModel> orders;
    if (EntryModel model = begun(); tell(model, first_, answer) && (!met || tell(model, second_, visit_)))
      orders.push_back(std::move(model));
    if (EntryModel model = begun(); met && tell(model, second_, visit_) && tell(model, first_, answer))
      orders.push_back(std::move(model));
    if (orders.empty()) {
      broken("it was told: " + text_of(answer) + "; the visitor: " + text_of(visit_));
      return calls;
    }
    judge(*disk_->clone(), "", orders);
    judge(*dark(), ", power lost", orders);
    if (!met) return calls;
    // When the visitor was told, the first one was still in flight. A refusal may be due to what it had written, and
    // does not promise that this stays.
    if (EntryModel model = begun(); !visit_.error.empty() || tell(model, second_, visit_))
      orders.push_back(std::move(model));
    judge(*after_visit_, ", power lost after the visit", std::move(orders));
    return calls;
  }

 private:
  void visit() {
    visit_ = request(two_, second_);
    // It may find a lock held.
    if (!is_answer(visit_) && visit_.error != code_name(Code::busy)) broken("the visitor was told: " + visit_.error);
    after_visit_ = dark();
  }

  // The disk after a power loss in which only synced data survived.
  std::unique_ptr<SimFileSystem> dark() const {
    auto nothing = Chooser::random(1, 0);
    return disk_->crash(CrashModel::weak, nothing);
  }

  // The next process sees what one of the models says, also after both have asked again.
  void judge(SimFileSystem& disk, const std::string& when, std::vector<EntryModel> models) {
    LibraryDoor next(disk, std::string(traits().layout), kStoreTop, true);
    if (!fits(next, when, models)) return;
    for (EntryTransaction again : {first_, second_, first_}) {
      if (again.kind == Kind::remove) continue;
      again.number = ++number_;
      const EntryAnswer answer = request(next, again);
      std::string wrong;
      std::erase_if(models, [&](EntryModel& model) {
        model.attempt(again);
        wrong = model.answered(again, answer);
        return !wrong.empty();
      });
      if (models.empty()) return broken(wrong, when + ", asked again");
      if (!fits(next, when + ", asked again", models)) return;
    }
  }

  bool fits(Door& door, const std::string& when, std::vector<EntryModel>& models) {
    std::vector<std::string> wrong;
    const auto seen = look_at_entries(door, traits(), kEntrySessions, wrong);
    if (!seen) wrong.push_back(seen.error().text());
    std::erase_if(models, [&](const EntryModel& model) {
      const auto complaints = seen ? model.complaints(*seen) : wrong;
      if (!complaints.empty()) wrong.push_back(complaints.front());
      return !complaints.empty();
    });
    if (!models.empty()) return true;
    broken(wrong.front(), when);
    return false;
  }

  void broken(const std::string& how, const std::string& when = "") {
    outcome_.fail(&Outcome::wrong, name_ + when + ": " + how);
  }

  EntryTransaction first_, second_;
  const std::string name_;
  const std::uint64_t at_;
  const bool open_;
  Outcome& outcome_;
  std::unique_ptr<SimFileSystem> disk_ = disk_for(traits(), 1);
  InterleavingFileSystem way_{*disk_};
  LibraryDoor one_{way_, std::string(traits().layout), kStoreTop, true};
  LibraryDoor two_{*disk_, std::string(traits().layout), kStoreTop, true};
  EntryAnswer visit_;
  std::unique_ptr<SimFileSystem> after_visit_;
  std::uint64_t number_ = 100;
};

void meetings(Outcome& outcome, std::uint64_t every) {
  struct Case {
    Act first, second;
    bool open;
  };
  std::vector<Case> cases;
  for (const Act& first : acts())
    for (const Act& second : acts())
      for (const bool open : {false, true}) cases.push_back({first, second, open});
  std::atomic<std::size_t> next{0};
  outcome.merge(in_parallel([&](unsigned, unsigned, Outcome& found) {
    for (std::size_t i = next++; i < cases.size() && found.failures.size() < 10; i = next++) {
      std::uint64_t calls = every;
      for (std::uint64_t at = i % every; at < calls; at += every)
        calls = std::max(calls, Meeting(cases[i].first, cases[i].second, at, cases[i].open, found).run());
    }
  }));
}

// A version that somebody else has written after is refused, whoever wrote it.
void old_version(Outcome& outcome) {
  ++outcome.cases;
  const auto disk = disk_for(traits(), 1);
  LibraryDoor one(*disk, std::string(traits().layout), kStoreTop, true);
  LibraryDoor two(*disk, std::string(traits().layout), kStoreTop, true);
  const std::string version = request(one, beginning()).version;
  const EntryTransaction late{.session = kSession, .entries = {plain("e3s")}, .after = {{1, version}}, .number = 3};
  if (const auto other = request(two, {.session = kSession, .entries = {plain("e4s")}, .number = 2}); !other.applied)
    outcome.fail(&Outcome::wrong, "entries: an append was told: " + text_of(other));
  if (const auto answer = request(one, late); answer.error != code_name(Code::conflict))
    outcome.fail(&Outcome::wrong, "entries: a write after an old version was told: " + text_of(answer));
}

// A log that somebody puts back as it was before the last write, while a process knows what it has read of it. What it
// acknowledges must be in the log that is there now.
void put_back(bool anew, bool longer, Outcome& outcome) {
  ++outcome.cases;
  const auto disk = disk_for(traits(), 1);
  LibraryDoor door(*disk, std::string(traits().layout), kStoreTop, true);
  (void)request(door, beginning());
  std::string path;
  for (const std::string& each : disk->paths())
    if (each.contains("/entries/") && each.ends_with("main.jsonl") && !each.contains("/.side/")) path = each;
  std::string old = disk->read_file(path).value_or("");
  const EntryTransaction last{.session = kSession, .entries = {plain("e3s")}, .operation = "op", .number = 2};
  if (const auto answer = request(door, last); path.empty() || !answer.applied)
    return outcome.fail(&Outcome::wrong, "entries: an append was told: " + text_of(answer));
  // After this it has read that one as well.
  (void)request(door, {.session = kSession, .entries = {plain("e4s")}, .number = 3});
  const std::size_t read = disk->read_file(path).value_or("").size();
  const std::string other = R"({"type":"write","at":1,"entries":[{"text":"other"}]})";
  while (longer && old.size() <= read) old += other + "\n";
  (void)disk->put_file(anew ? std::string(kStoreTop) + "/copy" : path, old);
  if (anew)
    (void)(*disk->open_directory("/", false))->rename(std::string(kStoreTop).substr(1) + "/copy", path.substr(1));
  const EntryAnswer answer = request(door, last);
  if (!disk->read_file(path).value_or("").contains(text_of("e3s", traits())))
    outcome.fail(&Outcome::lost, "entries: in a log that was put back" + std::string(longer ? ", longer" : "") +
                                     (anew ? ", as a new file" : "") + ", an operation was told: " + text_of(answer));
}

}  // namespace

void run_entries(Outcome& outcome, std::uint64_t every) {
  old_version(outcome);
  for (const bool anew : {false, true})
    for (const bool longer : {false, true}) put_back(anew, longer, outcome);
  meetings(outcome, every);
}

}  // namespace holdfast::lab
