// Resuming: open the store, open the session for writing, read its last 50 messages.
#include <fmt/core.h>

#include <chrono>

#include "bench/jobs.h"
#include "bench/store_jobs.h"

namespace holdfast::bench {
namespace {

std::string session_of(Store& store, std::size_t messages) {
  const std::string id = need(store.create({}, {.project = "/bench"}));
  const auto writer = need(store.write({}, id));
  for (std::size_t n = 0; n < messages; ++n) need(writer->append({}, sample_message(n, n % 2 == 1), Durability::none));
  need(writer->close({}));
  return id;
}

Row resumes(const std::string& name, const std::string& layout, const std::string& directory, const std::string& id) {
  std::vector<double> samples;
  for (int round = 0; round < 60; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const auto store = open_store(layout, directory);
    const auto writer = need(store->write({}, id, {.lease = LeaseRequest::take}));
    if (need(store->read({}, id, {.last = 50})).messages.size() != 50) stop("resume did not give 50 messages");
    samples.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  return timing(name, std::move(samples));
}

}  // namespace

Group store_resume_job(const std::string& directory) {
  Group group{"resume: open the store, take the session, read its last 50 messages", {}};
  for (const std::string layout : {"holdfast", "open-agent"}) {
    const std::string place = fmt::format("{}/resume-{}", directory, layout);
    const auto store = open_store(layout, place);
    const std::string small = session_of(*store, 100);
    const std::string large = session_of(*store, 100'000);
    group.rows.push_back(resumes(layout + ", 100 messages", layout, place, small));
    group.rows.push_back(resumes(layout + ", 100,000 messages (100 MB)", layout, place, large));
    at_most(group.rows.back(), group.rows[group.rows.size() - 2], 5);
  }
  return group;
}

}  // namespace holdfast::bench
