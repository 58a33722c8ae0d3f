// One writer: a durable append compared with the disk itself and with
// databases; a `process` append compared with a bare write.
#include <fmt/core.h>

#include "bench/jobs.h"

namespace holdfast::bench {
namespace {

std::function<void(std::uint64_t)> appender(const std::shared_ptr<Root>& root, const std::string& name, bool checksums,
                                            Durability durability) {
  LogOptions options;
  options.checksums = checksums;
  std::shared_ptr<AppendLog> log = need(AppendLog::open({}, root, name, options));
  return [log, durability](std::uint64_t number) { need(log->append({}, message_of(number), durability)); };
}

void add(std::vector<Variant>& all, std::string name, std::function<void(std::uint64_t)> once) {
  Variant& variant = all.emplace_back();
  variant.name = std::move(name);
  variant.once = std::move(once);
}

std::vector<Variant> durable_variants(const std::shared_ptr<Root>& root, const std::string& directory) {
  std::vector<Variant> all;
  add(all, "raw write + fdatasync", raw_writer(directory + "/raw", true));
  add(all, "AppendLog, power", appender(root, "power.jsonl", true, Durability::power));
  add(all, "AppendLog, power, no checksums", appender(root, "plain.jsonl", false, Durability::power));
  if (auto put = leveldb_put(directory)) add(all, "LevelDB, sync put", put);
  if (auto insert = sqlite_insert(directory)) add(all, "SQLite, WAL FULL, insert", insert);
  return all;
}

std::vector<Variant> fast_variants(const std::shared_ptr<Root>& root, const std::string& directory) {
  std::vector<Variant> all;
  add(all, "raw write", raw_writer(directory + "/raw-process", false));
  add(all, "AppendLog, process", appender(root, "process.jsonl", true, Durability::process));
  add(all, "AppendLog, process, no checksums", appender(root, "bare.jsonl", false, Durability::process));
  return all;
}

constexpr double kProcessLimit = 5;  // microseconds more than the raw write
constexpr int kBatch = 16;

}  // namespace

Group append_job(const std::string& place, const std::string& directory, const Size& size) {
  const std::string below = directory + "/append";
  const auto root = open_root(below);
  auto durable = durable_variants(root, below);
  take_turns(durable, size.seconds, kBatch);
  auto fast = fast_variants(root, below);
  take_turns(fast, size.seconds / 8, kBatch);

  Group group{fmt::format("append of 1 KiB, one writer, {} ({} rounds of {})", place,
                          durable.front().samples.size() / (kBatch - 1), kBatch),
              {}};
  for (auto& variant : durable) group.rows.push_back(timing(variant.name, std::move(variant.samples)));
  for (std::size_t i = 1; i < group.rows.size(); ++i) {
    if (i == 1)
      at_most(group.rows[i], group.rows[0], 1.15);
    else
      against(group.rows[i], group.rows[0]);
  }
  const Row base = timing(fast[0].name, std::move(fast[0].samples));
  group.rows.push_back(base);
  for (std::size_t i = 1; i < fast.size(); ++i) {
    Row row = timing(fast[i].name, std::move(fast[i].samples));
    against(row, base);
    if (i == 1) {
      row.goal = fmt::format("<= {:.0f} us more", kProcessLimit);
      row.met = row.p50 - base.p50 <= kProcessLimit;
    }
    group.rows.push_back(row);
  }
  return group;
}

}  // namespace holdfast::bench
