// The PostgreSQL remote on a server of its own (fsync on, a Unix socket, below the working directory): publishing
// compared with a binary COPY of the same rows, asking when there is nothing new, reading a long stream. Then how whole
// syncs grow, there and in a directory, and how fast a team finds words there.
//
//   sync_bench [--mib 64] [--sessions 1000,10000] [--devices 1,10,50] [--messages 100000] [--json FILE]
//
// 0 leaves a part out. --messages needs at least 3000.
#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/hash.h"
#include "bench/must.h"
#include "bench/options.h"
#include "bench/sync_growth.h"
#include "bench/sync_search.h"
#include "bench/table.h"
#include "disk/real_file_system.h"
#include "sync/directory_remote.h"
#include "sync/postgres_remote.h"

namespace {

using namespace holdfast;
using namespace holdfast::bench;
namespace fs = std::filesystem;

double micros(auto&& deed) {
  const auto begin = std::chrono::steady_clock::now();
  deed();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

std::string programs() {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", none))
    if (fs::exists(version.path() / "bin/initdb")) found.push_back((version.path() / "bin/").string());
  return found.empty() ? "" : *std::ranges::max_element(found);
}

class Server {
 public:
  Server() {
    char name[] = "/var/tmp/holdfast_sync_bench_XXXXXX";
    if (::mkdtemp(name) == nullptr) stop("cannot make a directory");
    directory_ = name;
    if (::geteuid() == 0) {
      as_user_ = "cd / && setpriv --reuid=postgres --regid=postgres --clear-groups ";
      run("chown postgres " + directory_);
    }
    run(as_user_ + programs() + "initdb -D " + directory_ + "/data -U app --auth=trust --locale=C.UTF-8 >/dev/null");
    run(as_user_ + programs() + "pg_ctl -D " + directory_ + "/data -w -l " + directory_ +
        "/log -o '-c listen_addresses= " + "-c max_wal_size=4GB -c unix_socket_directories=" + directory_ +
        "' start >/dev/null");
  }
  ~Server() {
    (void)::system((as_user_ + programs() + "pg_ctl -D " + directory_ + "/data -m immediate stop >/dev/null").c_str());
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  const std::string& directory() const { return directory_; }
  std::string url(const std::string& schema = "bench", const std::string& role = "app") const {
    return "postgres:///postgres?user=" + role + "&schema=" + schema + "&host=" + directory_;
  }
  void sql(const std::string& statement) const { run(psql() + " -c \"" + statement + "\""); }
  std::string ask(const std::string& statement) const {
    FILE* const answer = ::popen((psql() + " -A -t -c \"" + statement + "\"").c_str(), "r");
    std::string text(256, '\0');
    if (answer != nullptr) text.resize(std::fread(text.data(), 1, text.size(), answer));
    if (answer == nullptr || ::pclose(answer) != 0) stop("failed: " + statement);
    return text;
  }

 private:
  std::string psql() const { return programs() + "psql -X -q -h " + directory_ + " -U app -d postgres"; }
  static void run(const std::string& command) {
    if (::system(command.c_str()) != 0) stop("failed: " + command);
  }
  std::string directory_, as_user_;
};

std::vector<StreamSegment> segments(std::size_t count, std::size_t bytes) {
  std::minstd_rand random(1);
  std::vector<StreamSegment> all;
  for (std::size_t i = 1; i <= count; ++i) {
    std::string body(bytes, '\0');
    for (char& c : body) c = static_cast<char>(random());
    all.push_back({i, sha256_hex(std::to_string(i)), std::string(400, 'h'), std::move(body)});
  }
  return all;
}

void publish(Remote& remote, const StreamId& stream, std::span<const StreamSegment> all) {
  StreamHead head;
  while (head.seq < all.size()) {
    std::size_t end = head.seq, bytes = 0;
    while (end < all.size() && bytes + all[end].body->size() + all[end].header.size() <= kMaxRemoteBatch) {
      bytes += all[end].body->size() + all[end].header.size();
      ++end;
    }
    if (must(remote.publish({}, stream, head, all.subspan(head.seq, end - head.seq))) != RemoteOutcome::done)
      stop("not published");
    head = {all[end - 1].seq, all[end - 1].hash};
  }
}

// Writes the format that COPY … (FORMAT binary) reads.
void write_copy(const std::string& path, const StreamId& stream, std::span<const StreamSegment> all) {
  std::ofstream file(path, std::ios::binary);
  const auto number = [](std::uint64_t value, int size) {
    std::string text;
    for (int shift = (size - 1) * 8; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift);
    return text;
  };
  const auto field = [&](const std::string& bytes) { file << number(bytes.size(), 4) << bytes; };
  file << std::string("PGCOPY\n\377\r\n\0", 11) << number(0, 8);
  for (const StreamSegment& one : all) {
    file << number(6, 2);
    field(stream.device.substr(0, 16));
    field(number(stream.epoch, 8));
    field(number(one.seq, 8));
    field(one.hash.substr(0, 32));
    field(one.header);
    field(*one.body);
  }
  file << number(0xffff, 2);
}

std::vector<std::size_t> numbers_in(const std::string& list) {
  std::vector<std::size_t> numbers;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');)
    if (part != "0") numbers.push_back(std::stoul(part));
  return numbers;
}

std::vector<Group> in_a_directory(std::vector<std::size_t> sessions, std::vector<std::size_t> devices) {
  char name[] = "/var/tmp/holdfast_sync_bench_XXXXXX";
  if (::mkdtemp(name) == nullptr) stop("cannot make a directory");
  const std::string folder = name;
  const auto connect = [&](const std::string& remote) {
    fs::create_directories(folder + "/" + remote + "-remote");
    return must(open_directory_remote(real_file_system(), folder + "/" + remote + "-remote"));
  };
  auto groups = measure_sync_growth({"a directory", folder, connect, std::move(sessions), std::move(devices)});
  fs::remove_all(folder);
  return groups;
}

Row rate(std::string name, double bytes, const std::vector<double>& micros) {
  std::vector<double> sorted = micros;
  return {.name = std::move(name), .p50 = bytes / 1048576 / (percentile(sorted, 0.5) / 1e6), .unit = "MiB/s"};
}

std::vector<Group> publish_and_read(const Server& server, std::size_t mib) {
  const auto remote = must(open_postgres_remote(server.url()));
  constexpr int kRounds = 5;

  const auto large = segments(mib * 16, 64U << 10U);
  const double bytes = static_cast<double>(large.size()) * ((64 << 10) + 400);
  std::vector<double> pushed, copied;
  server.sql("CREATE TABLE bench.copied (LIKE bench.hf_segment INCLUDING ALL)");
  for (int round = 0; round < kRounds; ++round) {
    const StreamId stream{std::string(31, 'a') + std::to_string(round), 1};
    pushed.push_back(micros([&] { publish(*remote, stream, large); }));
    write_copy(server.directory() + "/rows", stream, large);
    copied.push_back(
        micros([&] { server.sql("\\copy bench.copied from '" + server.directory() + "/rows' (format binary)"); }));
    server.sql("TRUNCATE bench.copied");
  }
  Group rates{"publish " + std::to_string(mib) + " MiB in segments of 64 KiB", {}};
  rates.rows.push_back(rate("binary COPY by psql, one transaction", bytes, copied));
  rates.rows.push_back(rate("publish, 4 MiB a transaction", bytes, pushed));
  at_least(rates.rows[1], rates.rows[0], 1 / 1.2);

  std::vector<double> asked, connected, read;
  for (int i = 0; i < 500; ++i) asked.push_back(micros([&] { must(remote->heads({})); }));
  for (int i = 0; i < 100; ++i)
    connected.push_back(micros([&] { must(must(open_postgres_remote(server.url()))->heads({})); }));
  const StreamId ops{std::string(32, 'f'), 1};
  publish(*remote, ops, segments(10'000, 1U << 10U));
  for (int i = 0; i < kRounds; ++i)
    read.push_back(micros([&] {
      std::uint64_t at = 0;
      for (auto part = must(remote->read_after({}, ops, at)); !part.empty();
           part = must(remote->read_after({}, ops, at)))
        at = part.back().seq;
      if (at != 10'000) stop("not all was read");
    }));
  Group times{"asking and reading", {}};
  times.rows.push_back(timing("nothing new: one round trip, connected", asked));
  times.rows.push_back(timing("nothing new, with the connection", connected));
  times.rows.push_back(timing("read 10,000 segments of 1 KiB", read));
  times.rows[2].goal = "<= 0.3 s";
  times.rows[2].met = times.rows[2].p50 <= 300'000;
  return {std::move(rates), std::move(times)};
}

// A team among others: the member has rights in one schema only.
Group search_in(const Server& server, std::size_t messages) {
  for (const char* const schema : {"one_team", "another_team"}) must(migrate_postgres({}, server.url(schema)));
  server.sql(
      "CREATE ROLE member LOGIN; GRANT USAGE ON SCHEMA one_team TO member; GRANT SELECT ON ALL TABLES IN SCHEMA "
      "one_team TO member");
  return measure_sync_search({server.url("one_team"), server.url("one_team", "member"), "one_team", messages,
                              [&](const std::string& statement) { return server.ask(statement); }});
}

}  // namespace

int main(int count, char** arguments) {
  std::string json, size = "64", sessions = "1000,10000", devices = "1,10,50", messages = "100000";
  parse_options(count, arguments,
                {{"--json", into(json)},
                 {"--mib", into(size)},
                 {"--sessions", into(sessions)},
                 {"--devices", into(devices)},
                 {"--messages", into(messages)}});
  const std::size_t mib = std::stoul(size), count_of_messages = std::stoul(messages);
  if (count_of_messages > 0 && count_of_messages < kFewestMessages)
    stop(fmt::format("--messages is 0 or at least {}", kFewestMessages));
  std::vector<Group> groups = in_a_directory(numbers_in(sessions), numbers_in(devices));
  if (programs().empty()) {
    std::puts("PostgreSQL is not installed: only a directory is measured (./dev setup postgres)");
    for (const Group& group : groups) print_group(group);
    if (!json.empty()) write_json(json, groups, "a directory");
    return 0;
  }
  const Server server;
  must(migrate_postgres({}, server.url()));
  if (mib > 0) std::ranges::move(publish_and_read(server, mib), std::back_inserter(groups));
  const auto connect = [&](const std::string& name) {
    must(migrate_postgres({}, server.url(name)));
    return must(open_postgres_remote(server.url(name)));
  };
  const std::string homes = server.directory() + "/homes";
  std::ranges::move(measure_sync_growth({"PostgreSQL", homes, connect, numbers_in(sessions), numbers_in(devices)}),
                    std::back_inserter(groups));
  if (count_of_messages > 0) groups.push_back(search_in(server, count_of_messages));
  for (const Group& group : groups) print_group(group);
  if (!json.empty()) write_json(json, groups, "a PostgreSQL server on this machine, by its socket, fsync on");
  return 0;
}
