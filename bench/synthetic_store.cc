#include "bench/synthetic_store.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "bench/synthetic_session.h"

namespace holdfast::bench {
namespace {

constexpr std::size_t kPool = std::size_t{8} << 20;
constexpr std::size_t kProjects = 25;
constexpr std::chrono::sys_seconds kFirstDay{std::chrono::sys_days{std::chrono::year{2026} / 1 / 5}};
constexpr std::uint64_t kDays = 300;

// Most sessions are short and a few are very long; together about `bytes`.
std::vector<std::uint64_t> session_sizes(Dice& dice, const SyntheticPlan& plan) {
  std::vector<double> weights;
  double sum = 0;
  for (std::size_t n = 0; n < plan.sessions; ++n) {
    double normal = -6;  // the sum of twelve is close to normal
    for (int part = 0; part < 12; ++part) normal += dice.share();
    weights.push_back(std::exp(1.1 * normal));
    sum += weights.back();
  }
  std::vector<std::uint64_t> sizes;
  for (const double weight : weights)
    sizes.push_back(static_cast<std::uint64_t>(weight / sum * static_cast<double>(plan.bytes)));
  return sizes;
}

std::string encoded(std::string project) {
  std::ranges::replace_if(
      project, [](char c) { return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')); },
      '-');
  return project;
}

std::string make_directory(const std::string& directory) {
  std::filesystem::create_directories(directory);
  return directory + "/";
}

// The decoded JSON text; the pools use no other escapes.
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      plain += text[at];
      continue;
    }
    ++at;
    plain += text[at] == 'n' ? '\n' : text[at] == 't' ? '\t' : text[at];
  }
  return plain;
}

std::string path_of(const SyntheticSession& told, const SyntheticFile& clock, const std::string& directory) {
  if (told.layout == "claude-code")
    return make_directory(directory + "/.claude/projects/" + encoded(told.project)) + told.id + ".jsonl";
  std::string stamp(clock.stamp().substr(0, 19));
  const std::string day = stamp.substr(0, 4) + "/" + stamp.substr(5, 2) + "/" + stamp.substr(8, 2);
  std::ranges::replace(stamp, ':', '-');
  return make_directory(directory + "/.codex/sessions/" + day) + "rollout-" + stamp + "-" + told.id + ".jsonl";
}

}  // namespace

std::size_t synthetic_length(Dice& dice, std::size_t median, std::size_t most) {
  const double spread = std::exp(2.4 * (dice.share() + dice.share() + dice.share() - 1.5));
  return std::min(most, static_cast<std::size_t>(static_cast<double>(median) * spread) + 1);
}

std::vector<SyntheticSession> write_synthetic_store(const SyntheticPlan& plan, const std::string& directory) {
  Dice dice(plan.seed);
  const SyntheticPools pools{TextPool(TextPool::Kind::prose, dice.next(), kPool),
                             TextPool(TextPool::Kind::code, dice.next(), kPool)};
  const std::vector<std::uint64_t> sizes = session_sizes(dice, plan);
  make_directory(directory);
  std::vector<SyntheticSession> sessions;
  for (std::size_t n = 0; n < plan.sessions; ++n) {
    const auto begin = kFirstDay + std::chrono::seconds(n * kDays * 86'400 / plan.sessions + dice.below(600));
    const std::uint64_t seed = dice.next();
    SyntheticSession told;
    told.layout = !plan.layout.empty() ? plan.layout : n % 2 == 0 ? "claude-code" : "codex";
    const std::uint64_t project = dice.below(kProjects);
    told.project = "/home/dev/work/project-" + std::to_string(project);
    told.branch = dice.one_in(3) ? "main" : "feature/part-" + std::to_string(dice.below(40));
    const std::string staged = directory + "/.staged";
    {
      SyntheticFile page(staged, seed, begin);
      told.id = page.uuid();
      told.path = path_of(told, page, directory);
      if (told.layout == "claude-code")
        write_synthetic_claude(page, pools, sizes[n], told);
      else
        write_synthetic_codex(page, pools, sizes[n], told);
      told.bytes = page.bytes();
    }
    std::filesystem::rename(staged, told.path);
    told.first_prompt = decoded(told.first_prompt);
    sessions.push_back(std::move(told));
  }
  return sessions;
}

}  // namespace holdfast::bench
