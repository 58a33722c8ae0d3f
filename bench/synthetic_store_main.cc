// Writes a synthetic store and prints what is in it.
//
//   synthetic_store [--bytes N] [--sessions N] [--seed N] [--layout claude-code|codex] DIR
#include <fmt/core.h>

#include <chrono>
#include <cstdlib>

#include "bench/synthetic_store.h"
#include "bench/table.h"

int main(int count, char** arguments) {
  using namespace holdfast::bench;
  SyntheticPlan plan;
  std::string directory;
  for (int at = 1; at < count; ++at) {
    const std::string name = arguments[at];
    if (!name.starts_with("--")) {
      directory = name;
      continue;
    }
    if (++at == count) stop(name + " needs a value");
    const std::string value = arguments[at];
    if (name == "--bytes")
      plan.bytes = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--sessions")
      plan.sessions = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--seed")
      plan.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--layout" && (value == "claude-code" || value == "codex"))
      plan.layout = value;
    else
      stop(fmt::format("unknown option {} {}", name, value));
  }
  if (directory.empty()) stop("synthetic_store [--bytes N] [--sessions N] [--seed N] [--layout NAME] DIR");
  const auto begin = std::chrono::steady_clock::now();
  const auto sessions = write_synthetic_store(plan, directory);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  SyntheticSession sum;
  for (const SyntheticSession& one : sessions) {
    sum.bytes += one.bytes;
    sum.prompts += one.prompts;
    sum.answers += one.answers;
    sum.calls += one.calls;
  }
  fmt::print("{} sessions, {} prompts, {} answers, {} tool calls, {:.1f} MB in {:.1f} s ({:.0f} MB/s)\n",
             sessions.size(), sum.prompts, sum.answers, sum.calls, static_cast<double>(sum.bytes) / 1e6, seconds,
             static_cast<double>(sum.bytes) / 1e6 / seconds);
  return 0;
}
