// message.list and tail -f on a short and on a long session: both cost what is
// listed or added, not the session.
#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "bench/piped_child.h"
#include "bench/read_jobs.h"

namespace holdfast::bench {
namespace {

constexpr std::uint64_t kShort = 1'000'000, kLong = 61'000'000;

struct LongLog {
  std::string layout, store, cache;
  SyntheticSession session;
};

LongLog write_log(const std::string& directory, const std::string& layout, std::uint64_t bytes) {
  const std::string place = fmt::format("{}/pages-{}-{}", directory, layout, bytes);
  const auto sessions = write_synthetic_store({.bytes = bytes, .sessions = 1, .seed = 7, .layout = layout}, place);
  return {layout, fmt::format("{}:{}/.{}", layout, place, layout == "codex" ? "codex" : "claude"),
          "XDG_CACHE_HOME=" + place + "/cache", sessions[0]};
}

double microseconds_of(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

// Pages from all over the session, from a process that stays.
std::vector<double> time_pages(const std::string& holdfast, const LongLog& log, int rounds) {
  PipedChild rpc({"env", log.cache, holdfast, "rpc", "--store", log.store});
  const auto ask = [&](const std::string& method, const std::string& params) {
    rpc.say(fmt::format(R"({{"jsonrpc":"2.0","id":1,"method":"{}","params":{}}})", method, params));
    return rpc.hear();
  };
  ask("hello", "{}");
  const auto page = [&](std::uint64_t skip) {
    return ask("message.list", fmt::format(R"({{"session":"{}","limit":100,"skip":{}}})", log.session.id, skip));
  };
  const std::string first = page(0);
  const auto at = first.find("\"total\":");
  if (at == std::string::npos) stop("no page: " + first.substr(0, 300));
  const std::uint64_t total = std::strtoull(first.c_str() + at + 8, nullptr, 10);
  std::vector<double> samples;
  for (int i = 0; i < rounds * 20; ++i) {
    const std::uint64_t skip = (total - std::min<std::uint64_t>(total, 100)) * static_cast<std::uint64_t>(i % 20) / 20;
    samples.push_back(microseconds_of([&] { page(skip); }));
  }
  return samples;
}

std::string line_of(const LongLog& log, int number) {
  if (log.layout == "codex")
    return fmt::format(
        R"({{"timestamp":"2026-01-01T00:00:00.000Z","type":"response_item","payload":{{"type":"message","role":"user","content":[{{"type":"input_text","text":"line {}"}}]}}}})",
        number);
  return fmt::format(
      R"({{"type":"user","uuid":"added-{}","parentUuid":null,"sessionId":"{}","timestamp":"2026-01-01T00:00:00.000Z","message":{{"role":"user","content":"line {}"}}}})",
      number, log.session.id, number);
}

// From the moment a line is written until tail has printed it.
std::vector<double> time_tail(const std::string& holdfast, const LongLog& log, int rounds) {
  PipedChild tail(
      {"env", log.cache, holdfast, "tail", "-f", "--json", "-n", "1", log.session.id, "--store", log.store});
  tail.hear();
  std::ofstream file(log.session.path, std::ios::app);
  std::vector<double> samples;
  for (int i = 0; i < rounds * 20; ++i) {
    samples.push_back(microseconds_of([&] {
      file << line_of(log, i) << '\n' << std::flush;
      tail.hear();
    }));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // it waits again
  }
  return samples;
}

}  // namespace

Group read_page_job(const std::string& holdfast, const std::string& directory, int rounds) {
  Group group{"100 messages of a session (message.list over rpc, index warm), and tail -f until a new line is printed",
              {}};
  for (const std::string layout : {"claude-code", "codex"}) {
    const LongLog small = write_log(directory, layout, kShort), large = write_log(directory, layout, kLong);
    // What was written just now is trusted by no index; and the first look makes it.
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    const Row page = timing(layout + ", a page of 1 MB", time_pages(holdfast, small, rounds));
    group.rows.push_back(page);
    group.rows.push_back(timing("  a page of 61 MB", time_pages(holdfast, large, rounds)));
    at_most(group.rows.back(), page, 2);
    const Row tail = timing(layout + ", tail -f of 1 MB", time_tail(holdfast, small, rounds));
    group.rows.push_back(tail);
    group.rows.push_back(timing("  tail -f of 61 MB", time_tail(holdfast, large, rounds)));
    at_most(group.rows.back(), tail, 2);
  }
  return group;
}

}  // namespace holdfast::bench
