#include <holdfast/commit.h>
#include <holdfast/lease.h>
#include <holdfast/log_reader.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "storm_oracle.h"
#include "storm_roles.h"
#include "text/json_value.h"

namespace holdfast::lab {
namespace {

const Context kContext;

Result<std::shared_ptr<Root>> open(const std::string& path, bool write) {
  RootOptions options;
  options.write = write;
  return Root::open(kContext, real_file_system(), path, options);
}

// 0 if there is no document; nullopt, and a failure, if it is not whole.
std::optional<std::uint64_t> number_in(Outcome& outcome, const std::string& where, Root& root, std::string_view path) {
  LoadOptions strict;
  strict.use_backup = false;
  const auto loaded = load_document(kContext, root, path, strict);
  if (!loaded && loaded.error().code == Code::not_found) return 0;
  const auto number = loaded ? document_number(loaded->bytes) : std::nullopt;
  if (!number)
    outcome.fail(&Outcome::unopenable,
                 where + ": " + std::string(path) + (loaded ? " is not whole" : ": " + loaded.error().text()));
  return number;
}

}  // namespace

void StoreOracle::NumberSequence::take(const Message& message) {
  if (message.kind == Kind::intent) open[message.number].insert(message.stream);
  if (message.kind == Kind::withdrawn || message.kind == Kind::ack) open[message.number].erase(message.stream);
  if (message.kind == Kind::ack) acked[message.number].push_back(message.stream);
}

// Each number up to `reached` was acknowledged by one writer, or written by one that died before it could report it.
void StoreOracle::NumberSequence::verify(Outcome& outcome, const std::string& where, std::uint64_t reached) const {
  for (const auto& [number, writers] : acked) {
    if (writers.size() > 1)
      outcome.fail(&Outcome::lost, where + ": " + std::to_string(number) + " was acknowledged " +
                                       std::to_string(writers.size()) + " times: a lost update");
    if (number > reached)
      outcome.fail(&Outcome::lost, where + ": " + std::to_string(number) + " was acknowledged, but the store is at " +
                                       std::to_string(reached));
  }
  for (std::uint64_t number = 1; number <= reached; ++number) {
    if (acked.contains(number)) continue;
    const auto maybe = open.find(number);
    if (maybe == open.end() || maybe->second.empty())
      outcome.fail(&Outcome::wrong, where + ": nobody wrote " + std::to_string(number) + ", yet the store is at " +
                                        std::to_string(reached));
  }
}

void StoreOracle::take(const Job& job, const Message& message) {
  if (message.kind == Kind::ack) ++acknowledged_;
  if (job.role == "document") document_.take(message);
  if (job.role == "commit") commit_.take(message);
  if (job.role == "counter" && message.kind == Kind::ack) numbers_[message.number].push_back(message.stream);
  if (message.kind == Kind::held) {
    holding_[message.stream] = holds_.size();
    holds_.push_back({message.number, message.number, message.stream});
  }
  if (message.kind == Kind::checked) holds_[holding_.at(message.stream)].until = message.number;
}

void StoreOracle::verify(Outcome& outcome, const std::string& where, Random& random) {
  outcome.acknowledged += acknowledged_;
  verify_commit(outcome, where + " commit", random);  // first, because it chooses which root to open
  verify_document(outcome, where + " document");
  verify_leases(outcome, where + " lease");
  for (const auto& [number, writers] : numbers_)
    if (writers.size() > 1)
      outcome.fail(&Outcome::wrong, where + ": the number " + std::to_string(number) + " was handed out " +
                                        std::to_string(writers.size()) + " times");
}

void StoreOracle::verify_document(Outcome& outcome, const std::string& where) {
  if (document_.acked.empty() && document_.open.empty()) return;
  const auto root = open(one_, true);
  if (!root) return outcome.fail(&Outcome::unopenable, where + ": " + root.error().text());
  const auto reached = number_in(outcome, where, **root, kDocument);
  if (!reached) return;
  document_.verify(outcome, where, *reached);
  if (*reached < 2) return;
  // The file is replaced with an empty one: the previous version, or this one if its
  // writer died just before the rename, is still there. (If emptied in place, it would be
  // gone in that case, because the backup is the same inode then.)
  const std::string file = one_ + "/" + std::string(kDocument);
  std::filesystem::remove(file);
  std::ofstream(file, std::ios::trunc);
  const auto loaded = load_document(kContext, **root, kDocument);
  const auto backup = loaded ? document_number(loaded->bytes) : std::nullopt;
  if (!backup || !loaded->restored_from_backup || *backup + 1 < *reached || *backup > *reached)
    outcome.fail(&Outcome::wrong,
                 where + ": no good backup: " +
                     (backup   ? "it holds " + std::to_string(*backup) + " of " + std::to_string(*reached)
                      : loaded ? "not whole"
                               : loaded.error().text()));
}

void StoreOracle::verify_commit(Outcome& outcome, const std::string& where, Random& random) {
  if (commit_.acked.empty() && commit_.open.empty()) return;
  // Opening either root finishes the commit in both.
  const bool first = random.chance(50);
  const auto opened = open(first ? one_ : two_, true);
  if (!opened && opened.error().code == Code::not_found) return;
  if (!opened) return outcome.fail(&Outcome::unopenable, where + ": " + opened.error().text());
  const auto one = open(one_, false);
  const auto two = open(two_, false);
  if (!one || !two) {  // killed before the second root was created
    if (!commit_.acked.empty()) outcome.fail(&Outcome::unopenable, where + ": a root is missing");
    return;
  }
  for (const auto& finding : (*opened)->findings())
    if (finding.kind == "conflict" || finding.kind == "recovery")
      outcome.fail(&Outcome::wrong, where + ": recovery: " + finding.file + ": " + finding.consequence);
  const auto n1 = number_in(outcome, where, **one, kCommitOne);
  const auto n2 = number_in(outcome, where, **two, kCommitTwo);
  if (!n1 || !n2) return;
  const auto link = (*two)->directory().read_symlink(kCommitLink);
  const std::string target = link ? *link : "v0";
  std::map<std::uint64_t, int> lines;
  if (auto reader = LogReader::open(kContext, (*one)->directory(), kCommitLog)) {
    Record record;
    for (auto more = reader->next(record); more && *more; more = reader->next(record)) {
      const auto number = JsonView(record.bytes).find("n").as_int64();
      if (number) ++lines[static_cast<std::uint64_t>(*number)];
    }
    if (!reader->damage().empty()) outcome.fail(&Outcome::altered, where + ": damage in the log of commits");
  }
  const std::uint64_t last = lines.empty() ? 0 : lines.rbegin()->first;
  if (*n1 != *n2 || target != "v" + std::to_string(*n1) || last != *n1)
    outcome.fail(&Outcome::wrong, where + (first ? " (first root opened)" : " (second root opened)") +
                                      ": not all or none: documents at " + std::to_string(*n1) + " and " +
                                      std::to_string(*n2) + ", link at " + target + ", log at " + std::to_string(last));
  for (std::uint64_t number = 1; number <= *n1; ++number)
    if (const int count = lines[number]; count != 1)
      outcome.fail(count == 0 ? &Outcome::lost : &Outcome::wrong,
                   where + ": the log holds commit " + std::to_string(number) + " " + std::to_string(count) + " times");
  commit_.verify(outcome, where, *n1);
}

void StoreOracle::verify_leases(Outcome& outcome, const std::string& where) const {
  // Only a holder that asked and was told "still yours" relies on it: a
  // take-over may happen between the lock and the return of an acquire.
  std::vector<Hold> holds = holds_;
  std::erase_if(holds, [](const Hold& hold) { return hold.until <= hold.from; });
  std::ranges::sort(holds, {}, &Hold::from);
  for (std::size_t i = 1; i < holds.size(); ++i)
    if (holds[i].from < holds[i - 1].until)
      outcome.fail(&Outcome::wrong, where + ": held by writers " + std::to_string(holds[i - 1].writer) + " and " +
                                        std::to_string(holds[i].writer) + " at the same time");
  if (holds.empty()) return;
  const auto root = open(one_, false);
  if (!root) return outcome.fail(&Outcome::unopenable, where + ": " + root.error().text());
  const auto state = look_at_lease(**root, kLease);
  if (!state || state->alive) outcome.fail(&Outcome::wrong, where + ": it outlived every holder");
}

void LogOracle::tear_and_append(Outcome& outcome, const std::string& where) {
  const std::string file = root_ + "/" + path_;
  // No writer of a storm has this number.
  const std::string fragment = make_record(seed_, {666'666, 1}, Profile::storm).substr(0, 77);
  const std::string record = make_record(seed_, {666'666, 2}, Profile::storm);
  const auto end = std::filesystem::file_size(file);
  std::ofstream(file, std::ios::app | std::ios::binary) << fragment;
  RootOptions options;
  const auto root = Root::open(kContext, real_file_system(), root_, options);
  if (!root) return outcome.fail(&Outcome::unopenable, where + ": " + root.error().text());
  LogOptions how;
  how.mode = shared_ ? LogMode::shared : LogMode::ours;
  auto log = AppendLog::open(kContext, *root, path_, how);
  if (!log) return outcome.fail(&Outcome::unopenable, where + ": " + log.error().text());
  if (const auto ack = (*log)->append(kContext, record, Durability::process); !ack)
    return outcome.fail(&Outcome::wrong, where + ": append to a torn log: " + ack.error().text());
  const std::string expected = (shared_ ? fragment + "\n" : std::string()) + record + "\n";
  if (read_all(file).substr(end) != expected)
    outcome.fail(&Outcome::lost, where + ": an append glued itself onto a torn tail of " + path_);
  if (shared_) return;
  const auto findings = (*log)->findings();
  const bool kept = std::ranges::any_of(findings, [&](const Finding& finding) {
    return !finding.moved_to.empty() && read_all(root_ + "/" + finding.moved_to) == fragment;
  });
  if (!kept) outcome.fail(&Outcome::wrong, where + ": the torn tail of " + path_ + " was cut without a copy");
}

}  // namespace holdfast::lab
