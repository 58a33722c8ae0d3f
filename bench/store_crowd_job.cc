// Many writers at once on a store that serves them one after the other: a message of the layout
// with one file per message is a commit under the store's locks. A lock that is not fair makes some
// wait for ever, and one that is polled leaves the processor to those who wait.
#include <fmt/core.h>

#include <chrono>
#include <thread>
#include <vector>

#include "bench/find_process.h"
#include "bench/jobs.h"
#include "bench/piped_child.h"
#include "bench/store_jobs.h"

namespace holdfast::bench {
namespace {

constexpr int kWriters = 200;
constexpr int kRounds = 5;
constexpr int kSessions = 8;  // requests for one session never run at the same time

double milliseconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

struct MaestroStore {
  std::string directory;
  std::vector<std::string> sessions;

  explicit MaestroStore(std::string at) : directory(std::move(at)) {
    const auto store = open_store("maestro", directory);
    for (int i = 0; i < kSessions; ++i) sessions.push_back(need(store->create({}, {.project = "/bench"})));
  }
  std::string parameters(int number) const {
    return fmt::format(R"({{"session":"{}","text":"message {}"}})",
                       sessions[static_cast<std::size_t>(number % kSessions)], number);
  }
  void check(std::size_t messages) const {
    std::size_t found = 0;
    const auto store = open_store("maestro", directory);
    for (const std::string& session : sessions) found += need(store->read({}, session)).messages.size();
    if (found != messages) stop(fmt::format("{} of {} messages are there", found, messages));
  }
};

void one_process(const MaestroStore& store, const std::string& binary, int number) {
  const ProcessRun ran =
      run_process({binary, "call", "message.append", store.parameters(number), "--store", "maestro:" + store.directory},
                  store.directory);
  if (ran.code != 0) stop(fmt::format("an append ended with {}", ran.code));
}

void processes(const MaestroStore& store, const std::string& binary, bool at_once) {
  if (!at_once) {
    for (int i = 0; i < kWriters; ++i) one_process(store, binary, i);
    return;
  }
  std::vector<std::jthread> writers;
  for (int i = 0; i < kWriters; ++i) writers.emplace_back([&, i] { one_process(store, binary, i); });
}

void requests(PipedChild& server, const MaestroStore& store, bool at_once) {
  const auto hear = [&] {
    if (const std::string answer = server.hear(); answer.find("\"result\"") == std::string::npos) stop(answer);
  };
  for (int i = 0; i < kWriters; ++i) {
    server.say(
        fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"message.append","params":{}}})", i, store.parameters(i)));
    if (!at_once) hear();
  }
  for (int i = 0; at_once && i < kWriters; ++i) hear();
}

Row row(const std::string& name, std::vector<double> samples) {
  return {name, percentile(samples, 0.5), NAN, "ms", NAN, {}, {}, {}};
}

}  // namespace

Group store_crowd_job(const std::string& directory, const std::string& binary) {
  const MaestroStore alone(directory + "/crowd-alone"), crowd(directory + "/crowd");
  std::vector<Timed> jobs;
  for (const bool at_once : {false, true})
    jobs.push_back(
        {[&, at_once] { return milliseconds_of([&] { processes(at_once ? crowd : alone, binary, at_once); }); }});
  PipedChild one({binary, "rpc", "--store", "maestro:" + alone.directory});
  PipedChild all({binary, "rpc", "--store", "maestro:" + crowd.directory});
  for (PipedChild* const server : {&one, &all}) {
    server->say(R"({"jsonrpc":"2.0","id":0,"method":"hello","params":{}})");
    server->hear();
  }
  for (const bool at_once : {false, true})
    jobs.push_back({[&, at_once] {
      return milliseconds_of([&] { requests(at_once ? all : one, at_once ? crowd : alone, at_once); });
    }});
  run_in_turns(jobs, kRounds);
  for (const MaestroStore* const store : {&alone, &crowd}) store->check(2 * kRounds * kWriters);
  Group group{fmt::format("{} messages for {} sessions of one store (maestro), median of {} rounds", kWriters,
                          kSessions, kRounds),
              {}};
  group.rows.push_back(row("a process each, in a row", jobs[0].samples));
  group.rows.push_back(row("a process each, at once", jobs[1].samples));
  at_most(group.rows[1], group.rows[0], 2);
  group.rows.push_back(row("one rpc, in a row", jobs[2].samples));
  group.rows.push_back(row("one rpc, at once", jobs[3].samples));
  at_most(group.rows[3], group.rows[2], 2);
  return group;
}

}  // namespace holdfast::bench
