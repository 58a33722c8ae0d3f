// What the store adds to an append: ids, parents, formatting, the catalog.
#include <fmt/core.h>

#include <chrono>

#include "bench/jobs.h"
#include "bench/store_jobs.h"

namespace holdfast::bench {
namespace {

constexpr int kBatch = 16;
constexpr std::size_t kMany = 10'000;
constexpr std::size_t kEnds = 1'000;

double microseconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Group store_append_job(const std::string& directory, double seconds) {
  const auto root = open_root(directory + "/floor");
  const std::shared_ptr<AppendLog> log = need(AppendLog::open({}, root, "log.jsonl"));
  const auto shared_root = open_root(directory + "/floor-shared");
  LogOptions shared;
  shared.mode = LogMode::shared;
  const std::shared_ptr<AppendLog> shared_log = need(AppendLog::open({}, shared_root, "log.jsonl", shared));
  const auto native = open_store("holdfast", directory + "/native");
  const std::shared_ptr<SessionWriter> writer =
      need(native->write({}, need(native->create({}, {.project = "/bench"}))));
  const auto agent = open_store("open-agent", directory + "/agent");
  const std::shared_ptr<SessionWriter> agent_writer =
      need(agent->write({}, need(agent->create({}, {.project = "/bench"}))));

  std::vector<Variant> variants;
  variants.push_back({"the floor's log, ours", [&](std::uint64_t n) { need(log->append({}, message_of(n))); }, {}});
  variants.push_back(
      {"store, holdfast", [&](std::uint64_t n) { need(writer->append({}, sample_message(n, n % 2 == 1))); }, {}});
  variants.push_back(
      {"the floor's log, shared", [&](std::uint64_t n) { need(shared_log->append({}, message_of(n))); }, {}});
  variants.push_back({"store, open-agent",
                      [&](std::uint64_t n) { need(agent_writer->append({}, sample_message(n, n % 2 == 1))); },
                      {}});
  take_turns(variants, seconds, kBatch);
  Group group{"a durable append of 1 KiB, one writer", {}};
  for (auto& variant : variants) group.rows.push_back(timing(variant.name, std::move(variant.samples)));
  at_most(group.rows[1], group.rows[0], 1.3);
  at_most(group.rows[3], group.rows[2], 1.3);

  const std::shared_ptr<SessionWriter> many = need(native->write({}, need(native->create({}, {.project = "/bench"}))));
  std::vector<double> first, last;
  for (std::size_t n = 0; n < kMany; ++n) {
    const double time = microseconds_of([&] { need(many->append({}, sample_message(n, n % 2 == 1))); });
    if (n < kEnds) first.push_back(time);
    if (n >= kMany - kEnds) last.push_back(time);
  }
  group.rows.push_back(timing("the first 1,000 of 10,000 to one session", std::move(first)));
  group.rows.push_back(timing("the last 1,000", std::move(last)));
  at_most(group.rows[5], group.rows[4], 1.2);
  return group;
}

}  // namespace holdfast::bench
