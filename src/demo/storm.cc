#include "demo/storm.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>

#include "demo/processes.h"
#include "demo/wire.h"

namespace holdfast::inline v1 {
namespace {

using Moment = std::chrono::steady_clock::time_point;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// No more large messages after this many bytes, so the demo fits on a small disk.
constexpr std::uint64_t kLargeBudget = std::uint64_t{192} << 20;
constexpr auto kStartPatience = std::chrono::seconds(10);  // for a writer's first note

std::vector<std::string> words_of(const DemoWriterOptions& options) {
  std::vector<std::string> words{"demo-writer",
                                 "--root",
                                 options.root,
                                 "--writer",
                                 std::to_string(options.writer),
                                 "--life",
                                 std::to_string(options.life),
                                 "--log",
                                 options.log,
                                 "--document",
                                 options.document};
  if (options.mode == LogMode::shared) words.emplace_back("--shared");
  if (options.large) words.emplace_back("--large");
  return words;
}

Error error_of(std::string_view text) {
  const auto name = text.substr(0, text.find(' '));
  Error error{Code::internal, "a writer gave up: " + std::string(text.substr(name.size())), {}, 0};
  for (int code = 0; code < kCodeCount; ++code)
    if (code_name(static_cast<Code>(code)) == name) error.code = static_cast<Code>(code);
  return error;
}

struct Slot {
  DemoWriterOptions options;
  std::optional<ChildProcess> process;
  Moment dies;          // when to kill it
  std::string pending;  // an incomplete note
  std::uint64_t begun = 0;
  std::uint64_t acked = 0;
};

class Storm {
 public:
  Storm(const std::vector<DemoWriterOptions>& writers, Oracle& oracle)
      : oracle_(oracle), random_(std::random_device{}()) {
    for (const auto& writer : writers) slots_.push_back({writer, {}, {}, {}, 0, 0});
  }

  Result<StormResult> run(const Context& context, double seconds, DemoProgress& progress) {
    const Moment begin = context.clock->ticks();
    const Moment end = begin + std::chrono::duration_cast<Moment::duration>(std::chrono::duration<double>(seconds));
    while (now_ = context.clock->ticks(), now_ < end) {
      HOLDFAST_TRY(context.check());
      for (auto& slot : slots_)
        if (!slot.process) HOLDFAST_TRY(start(slot));
      HOLDFAST_TRY(listen(std::min(end, now_ + milliseconds(100))));
      now_ = context.clock->ticks();
      for (auto& slot : slots_)
        if (slot.process && now_ >= slot.dies) HOLDFAST_TRY(kill(slot));
      progress.update(counts(std::chrono::duration<double>(now_ - begin).count(), seconds));
    }
    for (auto& slot : slots_)
      if (slot.process) HOLDFAST_TRY(kill(slot));
    result_.seconds = std::chrono::duration<double>(now_ - begin).count();
    return result_;
  }

 private:
  StormCounts counts(double elapsed, double total) const {
    return {elapsed, total, oracle_.messages(), result_.kills, mended_};
  }

  microseconds between(std::int64_t from, std::int64_t to) {
    return microseconds(std::uniform_int_distribution<std::int64_t>(from, to)(random_));
  }

  Result<void> start(Slot& slot) {
    ++slot.options.life;
    if (large_bytes_ > kLargeBudget) slot.options.large = false;
    slot.begun = slot.acked = 0;
    slot.pending.clear();
    HOLDFAST_LET(process, ChildProcess::start(words_of(slot.options)));
    slot.process.emplace(std::move(process));
    slot.dies = now_ + kStartPatience;
    if (random_() % 10 == 0) slot.dies = now_ + between(500, 20'000);  // some are killed while opening
    return {};
  }

  Result<void> listen(Moment until) {
    std::vector<int> fds;
    for (const auto& slot : slots_) {
      fds.push_back(slot.process->fd());
      until = std::min(until, slot.dies);
    }
    const auto ready = wait_for_any(fds, until - now_);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (!ready[i]) continue;
      const bool more = slots_[i].process->read_some(slots_[i].pending);
      HOLDFAST_TRY(take_notes(slots_[i]));
      if (!more) return fail(Code::internal, "a writer exited on its own");
    }
    return {};
  }

  Result<void> kill(Slot& slot) {
    if (slot.process->kill()) ++result_.kills;
    while (slot.process->read_some(slot.pending)) {
    }
    HOLDFAST_TRY(take_notes(slot));
    if (slot.begun != slot.acked) ++result_.kills_in_append;
    slot.process.reset();
    return {};
  }

  Result<void> take_notes(Slot& slot) {
    std::size_t from = 0;
    for (std::size_t newline; (newline = slot.pending.find('\n', from)) != std::string::npos; from = newline + 1) {
      const auto note = parse_note(std::string_view(slot.pending).substr(from, newline - from));
      if (!note) return fail(Code::internal, "unexpected output from a writer: " + slot.pending.substr(from, 80));
      HOLDFAST_TRY(take(slot, *note));
    }
    slot.pending.erase(0, from);
    return {};
  }

  Result<void> take(Slot& slot, const Note& note) {
    const DemoWriterOptions& options = slot.options;
    switch (note.kind) {
      case NoteKind::begin:
        slot.begun = note.number;
        if (note.number == 1) slot.dies = std::min(slot.dies, now_ + between(5'000, 180'000));
        // A large message is being written now: a good time to kill.
        if (options.large && note.number % 2 == 0 && random_() % 4 != 0) slot.dies = now_ + between(500, 9'000);
        return {};
      case NoteKind::ack: {
        slot.acked = note.number;
        const MessageId id{options.writer, options.life, note.number, note.text == "large"};
        oracle_.acknowledge(options.log, id, note.offset, note.end);
        if (id.large) large_bytes_ += note.end - note.offset;
        return {};
      }
      case NoteKind::document: oracle_.acknowledge_document(options.document, options.writer, note.number); return {};
      case NoteKind::found: ++mended_; return {};
      case NoteKind::error: return fail(error_of(note.text));
    }
    return {};
  }

  Oracle& oracle_;
  std::mt19937_64 random_;
  std::vector<Slot> slots_;
  StormResult result_;
  Moment now_;
  std::uint64_t mended_ = 0;
  std::uint64_t large_bytes_ = 0;
};

}  // namespace

std::vector<DemoWriterOptions> demo_writers(const std::string& root) {
  const std::string shared = "shared/messages.jsonl";
  const auto writer = [&](std::uint32_t number, std::string log, bool large) {
    const std::string folder = "sessions/ses_" + std::to_string(number);
    const LogMode mode = log.empty() ? LogMode::ours : LogMode::shared;
    if (log.empty()) log = folder + "/messages.jsonl";
    return DemoWriterOptions{root, number, 0, std::move(log), folder + "/session.json", mode, large};
  };
  return {writer(1, "", false), writer(2, "", false), writer(3, "", true), writer(4, shared, false),
          writer(5, shared, true)};
}

Result<StormResult> run_storm(const Context& context, const std::vector<DemoWriterOptions>& writers, double seconds,
                              Oracle& oracle, DemoProgress& progress) {
  return Storm(writers, oracle).run(context, seconds, progress);
}

}  // namespace holdfast::inline v1
