// Compared with Node: the same work, the same durability (Node promises none, we promise `process`).
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "bench/jobs.h"
#include "bench/store_jobs.h"

namespace holdfast::bench {
namespace {

constexpr int kRounds = 5;
constexpr std::size_t kSessions = 500;
constexpr std::size_t kMessages = 10'000;

double node(const std::string& script, const std::string& words) {
  const std::string command = "node " + script + " " + words;
  FILE* const pipe = ::popen(command.c_str(), "r");
  char line[64] = {};
  const bool read = pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr;
  if (pipe == nullptr || ::pclose(pipe) != 0 || !read) stop("node did not run: " + command);
  return std::atof(line);
}

template <typename Work>
double microseconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

void create_all(const std::string& directory, Durability durability) {
  const auto store = open_store("open-agent", directory);
  for (std::size_t n = 0; n < kSessions; ++n) need(store->create({}, {.project = "/bench"}, durability));
}

void append_all(const std::string& directory, Durability durability, std::size_t count, std::string& id) {
  const auto store = open_store("open-agent", directory);
  id = need(store->create({}, {.project = "/bench"}, durability));
  const auto writer = need(store->write({}, id));
  for (std::size_t n = 0; n < count; ++n) need(writer->append({}, sample_message(n, false), durability));
  need(writer->close({}));
}

// The least that any loading must do, without parsing the JSON: read the bytes of the log, split
// the lines, and make for each a message that owns as many strings of the same lengths.
std::size_t load_least(const std::string& file) {
  constexpr std::size_t kId = 36, kTime = 24, kBefore = 150, kAround = 240;
  const int log = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (log < 0) stop("cannot open " + file);
  std::vector<Message> messages;
  messages.reserve(kMessages + 1);
  std::string buffer(256 << 10, '\0');
  std::size_t kept = 0;
  for (ssize_t got = 1; got > 0;) {
    got = ::read(log, buffer.data() + kept, buffer.size() - kept);
    if (got < 0) stop("cannot read " + file);
    std::string_view rest(buffer.data(), kept + static_cast<std::size_t>(got));
    for (std::size_t end = 0; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
      if (end < kAround) continue;  // the header
      Message& message = messages.emplace_back();
      message.id = rest.substr(kBefore - kId, kId);
      message.parent = rest.substr(kBefore, kId);
      message.timestamp = rest.substr(end - kTime, kTime);
      message.blocks.emplace_back().text = rest.substr(kBefore, end - kAround);
    }
    kept = rest.size();
    std::copy(rest.begin(), rest.end(), buffer.begin());
  }
  ::close(log);
  return messages.size();
}

}  // namespace

Group store_node_job(const std::string& directory, const std::string& script) {
  std::vector<double> node_create, create, create_power, node_append, append, append_power, node_load, load, least;
  for (int round = 0; round < kRounds; ++round) {
    const std::string base = directory + "/node-" + std::to_string(round);
    node_create.push_back(node(script, base + "-a create " + std::to_string(kSessions)));
    create.push_back(microseconds_of([&] { create_all(base + "-b", Durability::process); }));
    create_power.push_back(microseconds_of([&] { create_all(base + "-c", Durability::power); }));
    node_append.push_back(node(script, base + "-d append " + std::to_string(kMessages)));
    std::string id;
    append.push_back(microseconds_of([&] { append_all(base + "-e", Durability::process, kMessages, id); }));
    std::string other;
    append_power.push_back(microseconds_of([&] { append_all(base + "-f", Durability::power, kMessages / 10, other); }) *
                           10);
    const auto store = open_store("open-agent", base + "-e");
    const std::string file = base + "-e/" + need(store->get({}, id)).path;
    node_load.push_back(node(script, fmt::format("{} load {}", base, file)));
    load.push_back(microseconds_of([&] {
      if (need(store->read({}, id)).messages.size() != kMessages) stop("not all messages were loaded");
    }));
    least.push_back(microseconds_of([&] {
      if (load_least(file) != kMessages) stop("not all lines were read");
    }));
  }
  Group group{"open-agent against a Node script that does what the Open Agent SDK does", {}};
  group.rows.push_back(timing("Node: create 500 sessions", std::move(node_create)));
  group.rows.push_back(timing("Holdfast, process", std::move(create)));
  group.rows.push_back(timing("Holdfast, power", std::move(create_power)));
  group.rows.push_back(timing("Node: load 10,000 messages", std::move(node_load)));
  group.rows.push_back(timing("Holdfast", std::move(load)));
  group.rows.push_back(timing("Node: append 10,000 messages, never synced", std::move(node_append)));
  group.rows.push_back(timing("Holdfast, process", std::move(append)));
  group.rows.push_back(timing("Holdfast, power", std::move(append_power)));
  group.rows.push_back(timing("the least: lines read, messages made, no JSON", std::move(least)));
  at_most(group.rows[1], group.rows[0], 0.2);
  against(group.rows[2], group.rows[0]);
  at_most(group.rows[4], group.rows[3], 0.2);
  at_most(group.rows[6], group.rows[5], 1.0);
  against(group.rows[7], group.rows[5]);
  against(group.rows[8], group.rows[3]);
  return group;
}

}  // namespace holdfast::bench
