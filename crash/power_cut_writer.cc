#include "power_cut_writer.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <thread>

#include "power_cut.h"

namespace holdfast::lab {
namespace {

// Works until something fails, which happens when the power is cut.
struct Writer {
  const CutWork& work;
  int report;
  std::unique_ptr<Store> store{};
  std::array<std::atomic<std::uint32_t>, kStreams> next{};

  void say(Report words, const CutProof& proof) const {
    words.proved = proof.power_is_on();
    words.ns = steady_ns();
    (void)!::write(report, &words, sizeof words);
  }

  bool open(std::chrono::milliseconds interval, Word word) {
    const CutProof proof(work.mount, 0);
    auto opened = Store::open({}, real_file_system(), work.store, interval);
    Report words;
    words.word = opened ? word : Word::failed;
    if (!opened) std::strncpy(words.text, opened.error().text().c_str(), sizeof words.text - 1);
    if (opened) store = std::move(*opened);
    say(words, proof);
    return store != nullptr;
  }

  bool act(std::uint32_t thread, const CutProof& proof, Stream stream, Durability durability = Durability::power) {
    Report words;
    words.thread = thread;
    words.stream = stream;
    words.number = next[static_cast<std::size_t>(stream)].fetch_add(1);
    const auto done = store->act({}, stream, words.number, durability);
    words.word = done ? Word::acknowledged : Word::failed;
    if (done)
      words.value = *done;
    else
      std::strncpy(words.text, done.error().text().c_str(), sizeof words.text - 1);
    say(words, proof);
    return done.has_value();
  }

  static Stream some_log(Random& random) { return random.chance(60) ? Stream::ours : Stream::shared; }

  void logs() {
    const CutProof proof(work.mount, 1);
    Random random(work.seed * 2);
    while (act(1, proof, some_log(random))) {
    }
  }

  void everything() {
    const CutProof proof(work.mount, 2);
    Random random(work.seed * 2 + 1);
    constexpr Stream kMix[] = {Stream::ours, Stream::document, Stream::commit, Stream::commit, Stream::counter};
    while (act(2, proof, kMix[random.below(std::size(kMix))])) {
    }
  }

  void documents(std::chrono::milliseconds pause) {
    const CutProof proof(work.mount, 2);
    do std::this_thread::sleep_for(pause);
    while (act(2, proof, Stream::document));
  }

  void unsynced(unsigned count) {
    const CutProof proof(work.mount, kProcessThread);
    Random random(work.seed * 2);
    for (unsigned i = 0; i < count && act(kProcessThread, proof, some_log(random), Durability::process); ++i)
      std::this_thread::sleep_for(std::chrono::microseconds(random.below(200)));
  }

  // A separate process that appends and is killed. It never syncs.
  void let_one_die() {
    const pid_t child = ::fork();
    if (child == 0) {
      die_with_parent();
      if (open(std::chrono::hours(1), Word::ready)) unsynced(20 + static_cast<unsigned>(work.seed % 80));
      ::kill(::getpid(), SIGKILL);  // before any destructor runs
    }
    ::waitpid(child, nullptr, 0);
  }

  int run() {
    for (auto& number : next) number = work.first;
    if (work.mode == CutMode::died) let_one_die();
    const bool process = work.mode == CutMode::process;
    if (!open(process ? kShortInterval : std::chrono::milliseconds(1000),
              work.mode == CutMode::died ? Word::opened : Word::ready))
      return 1;
    if (work.mode == CutMode::documents) documents(std::chrono::milliseconds(2));
    if (work.mode == CutMode::mixed || process) {
      std::thread first([&] { process ? unsynced(UINT32_MAX) : logs(); });
      process ? documents(kShortInterval) : everything();
      first.join();
    }
    while (true) ::pause();  // no destructor may write once the disk is back
  }
};

}  // namespace

std::vector<Report> parse_reports(const std::string& said) {
  std::vector<Report> reports(said.size() / sizeof(Report));
  if (!reports.empty()) std::memcpy(reports.data(), said.data(), reports.size() * sizeof(Report));
  return reports;
}

int write_until_cut(const CutWork& work, int report) {
  Writer writer{work, report};
  return writer.run();
}

}  // namespace holdfast::lab
