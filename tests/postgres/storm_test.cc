// What was acknowledged stays, once and whole: through crashes of the server, a network that cuts and stalls, and
// more devices than the server has connections.
#include <random>
#include <thread>

#include "tests/postgres/device_testing.h"
#include "tests/postgres/proxy_testing.h"
#include "tests/postgres/server_testing.h"

namespace holdfast::inline v1 {
namespace {

using Kind = ProxyFault::Kind;

struct PostgresStorm : testing::Test {
  PostgresServer& server = PostgresServer::shared();
  const std::string schema = server.new_schema();
  const PostgresTimeouts hasty{.connect = std::chrono::milliseconds(1500),
                               .free = std::chrono::seconds(60),
                               .silence = std::chrono::milliseconds(700)};

  std::unique_ptr<Remote> through(const FaultyProxy& proxy) const {
    auto remote = open_postgres_remote(server.tcp_url(schema, "device", proxy.port()), hasty);
    EXPECT_TRUE(remote) << remote.error().text();
    return std::move(*remote);
  }
};

TEST_F(PostgresStorm, LostAnswerIsUnclearAndPublishedOnce) {
  for (const Kind kind : {Kind::swallow_answer, Kind::keep_answer}) {
    PublishingDevice device(static_cast<unsigned>(kind));
    FaultyProxy proxy(server.port(), [&](int number) { return number == 0 ? ProxyFault{.kind = kind} : ProxyFault(); });
    const auto remote = through(proxy);
    const StreamSegment first = PublishingDevice::segment(device.stream, 1);
    const auto outcome = remote->publish({}, device.stream, {}, {&first, 1});
    ASSERT_TRUE(outcome) << outcome.error().text();
    EXPECT_EQ(*outcome, RemoteOutcome::unclear);
    EXPECT_TRUE(proxy.answered());
    EXPECT_EQ(remote->publish({}, device.stream, {}, {&first, 1}).value(), RemoteOutcome::lost);
    device.head = {1, first.hash};
    expect_stream(server.url(schema), device);
  }
}

TEST_F(PostgresStorm, LostRequestIsUnclearAndNotPublished) {
  FaultyProxy proxy(server.port(),
                    [&](int number) { return number == 0 ? ProxyFault{.kind = Kind::swallow_request} : ProxyFault(); });
  PublishingDevice device(1);
  const auto remote = through(proxy);
  const StreamSegment first = PublishingDevice::segment(device.stream, 1);
  EXPECT_EQ(remote->publish({}, device.stream, {}, {&first, 1}).value(), RemoteOutcome::unclear);
  EXPECT_TRUE(remote->heads({})->empty());
  EXPECT_EQ(remote->publish({}, device.stream, {}, {&first, 1}).value(), RemoteOutcome::done);
}

TEST_F(PostgresStorm, DelayedBytesAreOnlyLate) {
  using Direction = ProxyFault::Direction;
  constexpr std::chrono::milliseconds kShort{400};  // less than the silence that a device bears
  for (const Direction direction : {Direction::to_server, Direction::to_client})
    for (const std::size_t bytes : {0u, 1u, 100u, 300u, 600u}) {
      FaultyProxy proxy(server.port(), [&](int) {
        return ProxyFault{.kind = Kind::delay, .direction = direction, .bytes = bytes, .held = kShort};
      });
      PublishingDevice device(static_cast<unsigned>(bytes * 2 + (direction == Direction::to_server ? 0 : 1)));
      const auto begin = std::chrono::steady_clock::now();
      const auto remote = through(proxy);
      for (int i = 0; i < 3; ++i) ASSERT_TRUE(device.publish(*remote, {}));
      bool answered = false;
      EXPECT_EQ(read_stream(*remote, {}, device.stream, 0, answered), 3u);
      EXPECT_GE(std::chrono::steady_clock::now() - begin, kShort) << bytes;
      EXPECT_EQ(device.unclear + device.failed, 0u) << bytes;
      EXPECT_EQ(proxy.connections(), 1) << bytes;
      expect_stream(server.url(schema), device);
    }
}

// The device gives up, tries again, and then the first request arrives.
TEST_F(PostgresStorm, RequestThatArrivesAfterItsDeviceGaveUpCountsOnce) {
  unsigned number = 40;
  std::uint64_t gave_up = 0;
  for (const std::size_t bytes : {600u, 900u, 1200u, 1500u, 1800u, 2100u}) {
    PublishingDevice device(++number);
    {
      FaultyProxy proxy(server.port(), [&](int connection) {
        return connection > 0
                   ? ProxyFault()
                   : ProxyFault{.kind = Kind::delay, .bytes = bytes, .held = std::chrono::milliseconds(1500)};
      });
      const auto remote = through(proxy);
      for (int i = 0; i < 3; ++i) ASSERT_TRUE(device.publish(*remote, {}));
      std::this_thread::sleep_for(std::chrono::milliseconds(1000));  // it arrives
      gave_up += device.unclear + device.failed;
      ASSERT_TRUE(device.publish(*remote, {}));
    }
    expect_stream(server.url(schema), device);
  }
  EXPECT_GT(gave_up, 0u) << "no delay was met";
}

TEST_F(PostgresStorm, NetworkFaultsLoseNothing) {
  std::minstd_rand random(20);
  FaultyProxy proxy(server.port(), [&](int number) {
    ProxyFault fault;
    if (number % 4 == 3) return fault;  // so that the test ends
    fault.kind = number % 16 == 1   ? Kind::stall
                 : number % 16 == 9 ? Kind::delay
                 : number % 8 == 2  ? Kind::swallow_answer
                                    : Kind::cut;
    fault.held = std::chrono::milliseconds(random() % 1200);  // shorter and longer than a device waits
    fault.direction = random() % 2 == 0 ? ProxyFault::Direction::to_server : ProxyFault::Direction::to_client;
    fault.bytes = random() % 12000;
    return fault;
  });
  PublishingDevice device(3);
  const int wanted = long_run() ? 2000 : 120;
  std::uint64_t seen = 0;
  for (int i = 0; i < wanted; ++i) {
    const auto remote = through(proxy);  // each sync has its own connection
    for (int more = 0; more < 3; ++more) ASSERT_TRUE(device.publish(*remote, {}));
    bool answered = false;
    seen = read_stream(*remote, {}, device.stream, seen, answered);
    if (answered) {
      EXPECT_EQ(seen, device.head.seq);
    }
  }
  expect_stream(server.url(schema), device);
  EXPECT_GT(device.unclear, 0u) << "no fault was met";
}

TEST_F(PostgresStorm, ServerCrashesLoseNothingAcknowledged) {
  const int crashes = long_run() ? 100 : 6;
  std::atomic<bool> over = false;
  std::vector<std::unique_ptr<PublishingDevice>> devices;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i) devices.push_back(std::make_unique<PublishingDevice>(100 + i));
  const auto open = [&] { return *open_postgres_remote(server.url(schema, "device"), hasty); };
  for (const auto& device : devices) {
    threads.emplace_back([&, one = device.get()] {
      const auto remote = open();
      while (!over && one->publish(*remote, {})) {
      }
    });
    threads.emplace_back([&, one = device.get()] {
      const auto remote = open();
      std::uint64_t seen = 0;
      while (!over) {
        const std::uint64_t sure = one->acknowledged;
        bool answered = false;
        seen = read_stream(*remote, {}, one->stream, seen, answered);
        if (answered) {
          EXPECT_GE(seen, sure) << "acknowledged, and not there";
        }
      }
    });
  }
  const auto published = [&] {
    std::uint64_t all = 0;
    for (const auto& one : devices) all += one->acknowledged;
    return all;
  };
  for (int i = 0; i < crashes; ++i) {
    for (const std::uint64_t before = published(); published() < before + 10;) std::this_thread::yield();
    server.stop("immediate");
    server.start();
  }
  over = true;
  for (std::thread& one : threads) one.join();
  std::uint64_t met = 0;
  for (const auto& one : devices) {
    expect_stream(server.url(schema), *one);
    met += one->unclear + one->failed;
  }
  EXPECT_GT(met, 0u) << "no crash was met";
}

TEST_F(PostgresStorm, MoreDevicesThanConnectionsAreAllServed) {
  const unsigned many = long_run() ? 200 : 60;
  const std::uint64_t each = long_run() ? 50 : 8;
  server.restart(long_run() ? "-c max_connections=100" : "-c max_connections=20");
  std::vector<std::unique_ptr<PublishingDevice>> devices;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < many; ++i) devices.push_back(std::make_unique<PublishingDevice>(1000 + i));
  for (const auto& device : devices) {
    threads.emplace_back([&, one = device.get()] {
      const auto remote = *open_postgres_remote(server.url(schema, "device"));
      const std::string chunk = sha256_hex(one->stream.device);
      for (std::uint64_t i = 0; i < each; ++i) {
        const StreamSegment next = PublishingDevice::segment(one->stream, i + 1);
        const auto outcome = remote->publish({}, one->stream, one->head, {&next, 1});
        ASSERT_TRUE(outcome) << outcome.error().text();
        ASSERT_EQ(*outcome, RemoteOutcome::done);
        one->head = {next.seq, next.hash};
      }
      const std::vector<RemoteChunk> chunks{{chunk, one->stream.device}};
      ASSERT_EQ(remote->store_chunks({}, one->stream.device, chunks).value(), RemoteOutcome::done);
      ASSERT_TRUE(remote->heads({}));
    });
  }
  for (std::thread& one : threads) one.join();
  server.restart("");
  EXPECT_EQ(open_postgres_remote(server.url(schema))->get()->heads({})->size(), many);
  for (const auto& one : devices) expect_stream(server.url(schema), *one);
}

// Two programs publish as one device by mistake: in each round exactly one succeeds.
TEST_F(PostgresStorm, PublishersOfTheSameDeviceDoNotMix) {
  const std::string url = server.url(schema, "device");
  const StreamId stream{device_id(5), 1};
  std::atomic<std::uint64_t> won = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const auto remote = *open_postgres_remote(url);
      StreamHead head;
      for (int round = 0; round < 50; ++round) {
        const StreamSegment next = PublishingDevice::segment(stream, head.seq + 1);
        const auto outcome = remote->publish({}, stream, head, {&next, 1});
        ASSERT_TRUE(outcome) << outcome.error().text();
        if (*outcome == RemoteOutcome::done) ++won;
        const auto heads = remote->heads({});
        ASSERT_TRUE(heads && heads->size() == 1);
        head = heads->at(0).head;
      }
    });
  for (std::thread& one : threads) one.join();
  PublishingDevice all(5);
  all.head.seq = won;
  expect_stream(url, all);
}

// However the transactions of both interleave, no half of a stream is left.
TEST_F(PostgresStorm, ErasingPublishingDeviceLeavesNoPartialStream) {
  const std::string url = server.url(schema, "device"), id = device_id(6);
  std::atomic<bool> over = false;
  std::thread publisher([&] {
    const auto remote = *open_postgres_remote(url);
    for (std::uint64_t epoch = 1; !over; ++epoch) {
      StreamHead head;
      const StreamId stream{id, epoch % 3 + 1};
      for (int i = 0; i < 5; ++i) {
        const StreamSegment next = PublishingDevice::segment(stream, head.seq + 1);
        const auto outcome = remote->publish({}, stream, head, {&next, 1});
        ASSERT_TRUE(outcome) << outcome.error().text();
        if (*outcome != RemoteOutcome::done) break;
        head = {next.seq, next.hash};
      }
    }
  });
  const auto remote = *open_postgres_remote(url);
  for (int i = 0; i < 100; ++i) {
    const auto gone = remote->erase_device({}, id);
    ASSERT_TRUE(gone) << gone.error().text();
    EXPECT_EQ(*gone, RemoteOutcome::done);
  }
  over = true;
  publisher.join();
  EXPECT_EQ(server.sql("SELECT count(*) FROM " + schema + ".hf_segment s WHERE NOT EXISTS (SELECT FROM " + schema +
                       ".hf_stream t WHERE t.device = s.device AND t.epoch = s.epoch AND t.seq >= s.seq)"),
            "0");
  EXPECT_EQ(server.sql("SELECT count(*) FROM " + schema + ".hf_stream t WHERE seq <> (SELECT count(*) FROM " + schema +
                       ".hf_segment s WHERE t.device = s.device AND t.epoch = s.epoch)"),
            "0");
}

}  // namespace
}  // namespace holdfast::inline v1
