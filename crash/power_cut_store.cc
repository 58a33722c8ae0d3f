#include "power_cut_store.h"

#include <holdfast/commit.h>
#include <holdfast/counter.h>
#include <holdfast/document.h>
#include <holdfast/log_reader.h>

#include <charconv>
#include <optional>
#include <utility>

namespace holdfast::lab {
namespace {

constexpr std::string_view kOurs = "logs/ours.jsonl";
constexpr std::string_view kShared = "logs/shared.jsonl";
constexpr std::string_view kDocument = "documents/document.json";
constexpr std::string_view kState = "state.json";
constexpr std::string_view kCommits = "commits.jsonl";
constexpr std::string_view kCurrent = "current";
constexpr std::string_view kCounter = "tickets";

// 0 if the bytes do not begin like a record of ours.
std::uint32_t number_in(std::string_view bytes) {
  constexpr std::string_view kStart = R"({"n":)";
  std::uint32_t number = 0;
  if (bytes.starts_with(kStart)) std::from_chars(bytes.data() + kStart.size(), bytes.data() + bytes.size(), number);
  return number;
}

Result<std::shared_ptr<Root>> open_root(const Context& context, FileSystem& file_system, std::string path, bool write) {
  RootOptions options;
  options.create = write;
  options.write = write;
  return Root::open(context, file_system, std::move(path), options);
}

struct Inspector {
  const Ledger& ledger;
  const std::string& where;
  Inspection& inspection;
  Outcome& outcome;

  void fail(std::uint64_t Outcome::* count, const std::string& what) { outcome.fail(count, where + ": " + what); }
  const std::set<std::uint32_t>& promised(Stream stream) const {
    return ledger.promised[static_cast<std::size_t>(stream)];
  }

  std::set<std::uint32_t> read_log(Root& root, std::string_view path, Stream stream, bool ours);
  std::uint32_t read_document(Root& root, std::string_view path, Stream stream);
  void check_findings(Root& root, const std::vector<Finding>& findings);
  void open_log(const std::shared_ptr<Root>& root, std::string_view path, LogMode mode);
  void check_commits(Root& a, Root& b, bool recovered);
  void check_counter(Root& root);
};

std::set<std::uint32_t> Inspector::read_log(Root& root, std::string_view path, Stream stream, bool ours) {
  std::set<std::uint32_t> seen;
  const std::string name = root.path() + "/" + std::string(path);
  auto reader = LogReader::open({}, root.directory(), path);
  if (!reader) {
    if (reader.error().code != Code::not_found)
      fail(&Outcome::unopenable, reader.error().text());
    else if (!promised(stream).empty())
      fail(&Outcome::lost, name + " is gone");
    return seen;
  }
  Record record;
  while (true) {
    const auto more = reader->next(record);
    if (!more) {
      fail(&Outcome::unopenable, more.error().text());
      return seen;
    }
    if (!*more) break;
    const std::uint32_t number = number_in(record.bytes);
    if (record.bytes != record_of(stream, number))
      fail(&Outcome::altered,
           name + " at " + std::to_string(record.offset) + ": " + std::string(record.bytes.substr(0, 60)));
    else if (record.salvaged && promised(stream).contains(number))
      fail(&Outcome::wrong, name + ": record " + std::to_string(number) + " shares its line with something else");
    else if (!seen.insert(number).second)
      fail(&Outcome::wrong, name + ": record " + std::to_string(number) + " is there twice");
  }
  inspection.damaged += reader->damage().size();
  if (ours && inspection.write && !inspection.full && reader->in_flight() != 0)
    fail(&Outcome::wrong, name + " does not end in a newline after it was opened for writing");
  for (const auto number : promised(stream))
    if (!seen.contains(number))
      fail(&Outcome::lost,
           name + ": record " + std::to_string(number) + " of " + std::to_string(promised(stream).size()));
  return seen;
}

// Returns the version, 0 if there is none.
std::uint32_t Inspector::read_document(Root& root, std::string_view path, Stream stream) {
  const std::uint32_t least = promised(stream).empty() ? 0 : *promised(stream).rbegin();
  const std::string name = root.path() + "/" + std::string(path);
  const auto loaded = load_document({}, root, path);
  if (!loaded) {
    if (loaded.error().code != Code::not_found)
      fail(&Outcome::unopenable, loaded.error().text());
    else if (least != 0)
      fail(&Outcome::lost, name + " is gone");
    return 0;
  }
  const std::uint32_t version = number_in(loaded->bytes);
  if (loaded->restored_from_backup) fail(&Outcome::wrong, name + " had to be read from its backup");
  if (loaded->bytes != record_of(stream, version)) fail(&Outcome::altered, name);
  if (version < least)
    fail(&Outcome::lost, name + " is version " + std::to_string(version) + ", promised " + std::to_string(least));
  return version;
}

// Bytes that were cut must be where the finding says.
void Inspector::check_findings(Root& root, const std::vector<Finding>& findings) {
  for (const auto& finding : findings) {
    if (finding.kind == "recovery") ++inspection.waiting;
    if (finding.kind == "conflict") fail(&Outcome::wrong, finding.file + ": " + finding.consequence);
    if (finding.moved_to.empty()) continue;
    ++inspection.quarantined;
    const auto copy = root.directory().stat(finding.moved_to);
    if (!copy || copy->size != finding.length) fail(&Outcome::wrong, "no whole copy in " + finding.moved_to);
  }
}

void Inspector::open_log(const std::shared_ptr<Root>& root, std::string_view path, LogMode mode) {
  LogOptions options;
  options.mode = mode;
  const auto before = root->directory().stat(path);
  const auto log = AppendLog::open({}, root, std::string(path), options);
  const auto after = root->directory().stat(path);
  if (log) {
    check_findings(*root, (*log)->findings());
    std::uint64_t aside = 0;
    for (const auto& finding : (*log)->findings()) aside += finding.moved_to.empty() ? 0 : finding.length;
    if (before && after && before->size > after->size + aside)
      fail(&Outcome::wrong, std::string(path) + " was cut without a copy of what was cut");
    return;
  }
  if (inspection.full && log.error().code == Code::disk_full) return;
  fail(&Outcome::unopenable, log.error().text());
}

// All must have the same number once recovery was possible.
void Inspector::check_commits(Root& a, Root& b, bool recovered) {
  const auto in_a = read_log(a, kCommits, Stream::commit, true);
  const auto in_b = read_log(b, kCommits, Stream::commit, false);
  const std::uint32_t first = read_document(a, kState, Stream::commit);
  const std::uint32_t second = read_document(b, kState, Stream::commit);
  const auto link = a.directory().read_symlink(kCurrent);
  const std::string target = link ? *link : std::string("v0");
  if (!recovered) return;
  const std::uint32_t last = in_a.empty() ? 0 : *in_a.rbegin();
  if (in_a != in_b || first != second || first != last || target != "v" + std::to_string(first))
    fail(&Outcome::wrong, "a commit is there by half: documents " + std::to_string(first) + " and " +
                              std::to_string(second) + ", logs " + std::to_string(last) + " and " +
                              std::to_string(in_b.empty() ? 0 : *in_b.rbegin()) + ", link " + target);
}

void Inspector::check_counter(Root& root) {
  const auto tail = read_last({}, root.directory(), root.side("counters", kCounter), 1);
  std::uint32_t last = 0;
  if (tail && !tail->records.empty()) last = number_in(tail->records.back().bytes);
  if (last < ledger.highest_number)
    fail(&Outcome::lost,
         "the counter is at " + std::to_string(last) + " and has handed out " + std::to_string(ledger.highest_number));
}

}  // namespace

std::string_view stream_name(Stream stream) {
  static constexpr std::array<std::string_view, kStreams> kNames{"ours", "shared", "document", "commit", "counter"};
  return kNames[static_cast<std::size_t>(stream)];
}

std::string record_of(Stream stream, std::uint32_t number) {
  Random random((std::uint64_t{number} << 3) + static_cast<std::uint64_t>(stream));
  const std::uint64_t size = random.chance(2) ? 20'000 : random.chance(20) ? random.below(6'000) : random.below(600);
  std::string record =
      R"({"n":)" + std::to_string(number) + R"(,"s":")" + std::string(stream_name(stream)) + R"(","p":")";
  do {
    record.append(kMarker).push_back('-');
    for (std::uint64_t bits = random.next(); bits != 0; bits >>= 5)
      record.push_back(static_cast<char>('A' + bits % 26));
    record.push_back(' ');
  } while (record.size() < size);
  return record.append("\"}");
}

Result<std::unique_ptr<Store>> Store::open(const Context& context, FileSystem& file_system, const std::string& path,
                                           std::chrono::milliseconds sync_interval) {
  auto store = std::make_unique<Store>();
  HOLDFAST_LET(a, open_root(context, file_system, path + "/a", true));
  HOLDFAST_LET(b, open_root(context, file_system, path + "/b", true));
  LogOptions options;
  options.sync_interval = sync_interval;
  HOLDFAST_LET(ours, AppendLog::open(context, a, std::string(kOurs), options));
  options.mode = LogMode::shared;
  HOLDFAST_LET(shared, AppendLog::open(context, a, std::string(kShared), options));
  store->a_ = std::move(a);
  store->b_ = std::move(b);
  store->ours_ = std::move(ours);
  store->shared_ = std::move(shared);
  return store;
}

Result<std::uint64_t> Store::act(const Context& context, Stream stream, std::uint32_t number, Durability durability) {
  const std::string bytes = record_of(stream, number);
  switch (stream) {
    case Stream::ours:
    case Stream::shared: HOLDFAST_TRY(log(stream).append(context, bytes, durability)); return 0;
    case Stream::document: HOLDFAST_TRY(replace_document(context, *a_, kDocument, bytes)); return 0;
    case Stream::commit: {
      Commit commit(a_);
      commit.put(a_, std::string(kState), bytes);
      commit.append(a_, std::string(kCommits), {bytes});
      commit.symlink(a_, std::string(kCurrent), "v" + std::to_string(number));
      commit.put(b_, std::string(kState), bytes);
      commit.append(b_, std::string(kCommits), {bytes}, LogMode::shared);
      HOLDFAST_TRY(commit.run(context));
      return 0;
    }
    case Stream::counter: return next_number(context, a_, kCounter);
  }
  return 0;
}

void Ledger::promise(Stream stream, std::uint32_t number, std::uint64_t value) {
  ++count;
  if (stream == Stream::counter)
    highest_number = std::max(highest_number, value);
  else
    promised[static_cast<std::size_t>(stream)].insert(number);
}

void inspect(FileSystem& file_system, const std::string& path, const Ledger& ledger, const std::string& where,
             Inspection& inspection, Outcome& outcome) {
  Inspector inspector{ledger, where, inspection, outcome};
  outcome.acknowledged += ledger.count;
  const auto a = open_root({}, file_system, path + "/a", inspection.write);
  const auto b = open_root({}, file_system, path + "/b", inspection.write);
  if (!a || !b) {
    const Error& error = a ? b.error() : a.error();
    const bool nothing_yet = ledger.count == 0 && (error.code == Code::not_found || error.code == Code::disk_full);
    if (!nothing_yet) inspector.fail(&Outcome::unopenable, error.text());
    return;
  }
  if (inspection.write) {
    inspector.check_findings(**a, (*a)->findings());
    inspector.check_findings(**b, (*b)->findings());
    inspector.open_log(*a, kOurs, LogMode::ours);
    inspector.open_log(*a, kShared, LogMode::shared);
  }
  inspector.read_log(**a, kOurs, Stream::ours, true);
  inspector.read_log(**a, kShared, Stream::shared, false);
  inspector.read_document(**a, kDocument, Stream::document);
  inspector.check_commits(**a, **b, inspection.write && !inspection.full);
  inspector.check_counter(**a);
  if (inspection.waiting > 0 && !inspection.full) inspector.fail(&Outcome::wrong, "a commit could not be finished");
}

}  // namespace holdfast::lab
