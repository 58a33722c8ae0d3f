// Documents: one atomic replace compared with an append, and three together compared with one.
#include <fcntl.h>
#include <fmt/core.h>
#include <holdfast/commit.h>
#include <unistd.h>

#include "bench/jobs.h"

namespace holdfast::bench {
namespace {

std::string document_of(std::uint64_t number) {
  constexpr std::size_t kBytes = 4096;
  const std::string head = fmt::format("{{\"schema_version\": 1, \"version\": {}, \"text\": \"", number);
  return head + std::string(kBytes - head.size() - 3, 'x') + "\"}\n";
}

// What a careful program without a library does: no backup, no lock, no revision.
void replace_by_hand(const std::string& directory, std::uint64_t number) {
  const std::string temporary = directory + "/by-hand.tmp";
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int folder = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::string bytes = document_of(number);
  if (file < 0 || folder < 0 || ::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
      ::fsync(file) != 0 || ::rename(temporary.c_str(), (directory + "/by-hand.json").c_str()) != 0 ||
      ::fsync(folder) != 0)
    stop("cannot replace a file by hand");
  ::close(file);
  ::close(folder);
}

constexpr int kBatch = 8;

}  // namespace

Group documents_job(const std::string& place, const std::string& directory, const Size& size) {
  const auto root = open_root(directory + "/documents");
  const std::shared_ptr<AppendLog> log = need(AppendLog::open({}, root, "log.jsonl"));
  std::vector<Variant> variants;
  variants.push_back({"append of 1 KiB, power", [&](std::uint64_t n) { need(log->append({}, message_of(n))); }, {}});
  variants.push_back({"write, fsync, rename, fsync by hand, 4 KiB",
                      [&](std::uint64_t n) { replace_by_hand(directory + "/documents", n); },
                      {}});
  variants.push_back({"replace_document, 4 KiB",
                      [&](std::uint64_t n) { need(replace_document({}, *root, "one.json", document_of(n))); },
                      {}});
  variants.push_back({"Commit of 3 documents, 4 KiB each",
                      [&](std::uint64_t n) {
                        Commit commit(root);
                        for (const char* const name : {"a.json", "b.json", "c.json"})
                          commit.put(root, name, document_of(n));
                        need(commit.run({}));
                      },
                      {}});
  take_turns(variants, size.seconds, kBatch);

  Group group{
      fmt::format("documents, {} ({} rounds of {})", place, variants.front().samples.size() / (kBatch - 1), kBatch),
      {}};
  for (auto& variant : variants) group.rows.push_back(timing(variant.name, std::move(variant.samples)));
  against(group.rows[1], group.rows[0]);
  against(group.rows[2], group.rows[0]);
  at_most(group.rows[3], group.rows[2], 3.3);
  return group;
}

}  // namespace holdfast::bench
