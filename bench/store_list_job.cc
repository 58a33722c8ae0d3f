// Listing 10,000 sessions with a fresh index, compared with walking the tree with stat.
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "bench/jobs.h"
#include "bench/store_jobs.h"

namespace holdfast::bench {
namespace {

constexpr std::size_t kSessions = 10'000;

std::size_t walk(const std::string& directory) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    struct stat now{};
    if (::stat(entry.path().c_str(), &now) == 0) ++files;
  }
  return files;
}

template <typename Work>
Row repeated(const std::string& name, int rounds, const Work& work) {
  std::vector<double> samples;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    samples.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  return timing(name, std::move(samples));
}

}  // namespace

Group store_list_job(const std::string& directory) {
  const std::string place = directory + "/list";
  const std::string cache = directory + "/list-cache";
  const auto store = open_store("holdfast", place, cache);
  std::string last;
  for (std::size_t n = 0; n < kSessions; ++n) {
    last = need(store->create({}, {.project = "/bench/project-" + std::to_string(n % 40)}, Durability::process));
    const auto writer = need(store->write({}, last));
    for (const bool answer : {false, true}) need(writer->append({}, sample_message(n, answer), Durability::none));
  }
  // Files that have just changed are read again (decision 34).
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  Group group{"list of 10,000 sessions (one process each round: store opened, index loaded)", {}};
  const auto list = [&] {
    StoreOptions options;
    options.roots[""] = place;
    options.cache = cache;
    const auto fresh = need(Store::open({}, real_file_system(), options));
    if (need(fresh->list({})).total != kSessions) stop("the list is not whole");
  };
  group.rows.push_back(repeated("walk and stat the tree", 10, [&] { walk(place); }));
  group.rows.push_back(repeated("list, without an index", 1, list));
  group.rows.push_back(repeated("list, index fresh", 10, list));
  against(group.rows[1], group.rows[0]);
  at_most(group.rows[2], group.rows[0], 3);
  need(need(store->write({}, last))->append({}, sample_message(1, false)));
  group.rows.push_back(repeated("list, after one append", 1, list));
  against(group.rows[3], group.rows[0]);
  return group;
}

}  // namespace holdfast::bench
