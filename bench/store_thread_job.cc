// A thread of 10,000 messages with one file each (layout maestro): listing and
// resuming it compared with reading its files once.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "bench/jobs.h"
#include "bench/store_jobs.h"
#include "rules/threads/thread_resume.h"
#include "rules/threads/threads.h"

namespace holdfast::bench {
namespace {

constexpr int kMessages = 10'000;

// Written directly as files: saving them is not measured here.
void write_messages(const std::string& directory, const std::string& thread, const std::string& session) {
  const std::string folder = directory + "/messages/" + thread;
  std::filesystem::create_directories(folder);
  for (int n = 0; n < kMessages; ++n) {
    const std::string id = "msg_" + std::to_string(1'000'000 + n * 7919LL % kMessages);
    std::ofstream file(fmt::format("{}/{}.json", folder, id));
    file << "{\n  \"schemaVersion\": 1,\n  \"id\": \"" << id << "\",\n  \"threadId\": \"" << thread
         << "\",\n  \"sessionId\": \"" << session << "\",\n  \"role\": \"" << (n % 2 == 0 ? "user" : "assistant")
         << "\",\n  \"content\": \"" << n << " " << std::string(700, 'x') << "\",\n  \"createdAt\": \"2026-01-21T"
         << 10 + n / 3600 << ":" << (n / 600) % 6 << n / 60 % 10 << ":" << n / 10 % 6 << n % 10
         << ".000000001+00:00\",\n  \"toolCallId\": null\n}";
  }
}

std::size_t read_plainly(const std::string& folder) {
  std::size_t bytes = 0;
  std::string buffer(1 << 16, '\0');
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const int file = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) stop("cannot open a message");
    for (ssize_t got = 1; got > 0;) {
      got = ::read(file, buffer.data(), buffer.size());
      if (got > 0) bytes += static_cast<std::size_t>(got);
    }
    ::close(file);
  }
  return bytes;
}

template <typename Work>
Row rounds(const std::string& name, const Work& work) {
  std::vector<double> samples;
  for (int round = 0; round < 9; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    samples.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  return timing(name, std::move(samples));
}

}  // namespace

Group store_thread_job(const std::string& directory) {
  Group group{"a thread of 10,000 messages, a file each (maestro)", {}};
  const std::string place = directory + "/thread-maestro";
  std::string session;
  {
    const auto store = open_store("maestro", place);
    session = need(store->create({}, {.id = "ses_bench", .project = "/bench"}));
  }
  const std::string thread = [&] {
    const auto store = open_store("maestro", place);
    return need(list_threads({}, *store)).records.front().id;
  }();
  write_messages(place, thread, session);
  group.rows.push_back(rounds("open, read and close every file", [&] {
    if (read_plainly(place + "/messages/" + thread) < kMessages * 700ULL) stop("messages are missing");
  }));
  group.rows.push_back(rounds("list the messages of the thread", [&] {
    const auto store = open_store("maestro", place);
    if (need(read_thread({}, *store, thread)).messages.size() != kMessages) stop("the list is not whole");
  }));
  at_most(group.rows.back(), group.rows.front(), 3);
  group.rows.push_back(rounds("resume the thread and read its session", [&] {
    const auto store = open_store("maestro", place);
    const ResumedThread resumed = need(resume_thread({}, *store, thread));
    if (resumed.new_session || need(store->read({}, resumed.session)).messages.size() != kMessages)
      stop("the session is not whole");
  }));
  at_most(group.rows.back(), group.rows.front(), 3);
  return group;
}

}  // namespace holdfast::bench
