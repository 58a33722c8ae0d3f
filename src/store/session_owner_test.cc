// Who owns a session while a new owner has the lock but has not recorded its name yet.
#include "store/session_owner.h"

#include <holdfast/lease.h>

#include <functional>
#include <utility>

#include "store/engine.h"
#include "store/layout_store_testing.h"

namespace holdfast::inline v1 {
namespace {

// A clock whose first wait runs something.
class WaitingClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override { return system_clock().now(); }
  std::chrono::steady_clock::time_point ticks() const override { return ticks_; }
  void sleep(std::chrono::nanoseconds time) const override {
    ticks_ += std::chrono::duration_cast<std::chrono::steady_clock::duration>(time);
    if (auto once = std::exchange(meanwhile, nullptr)) once();
  }
  mutable std::function<void()> meanwhile;

 private:
  mutable std::chrono::steady_clock::time_point ticks_{};
};

struct SessionOwner : testing::Test {
  SessionOwner() { context.clock = &clock; }
  LayoutStore one{"holdfast"};
  const std::string id = must(one.store->create({}, {.project = "/p", .title = "t"}));
  const std::shared_ptr<Root> root = must(engine_of(*one.store))->roots().first();
  WaitingClock clock;
  Context context;
};

TEST_F(SessionOwner, WaitsForOwnerToWriteItsName) {
  const std::string path = root->side("leases", lease_name(id));
  const Lease taken = must(Lease::acquire({}, root, lease_name(id), "for process 7"));
  const std::string name = must(one.disk.read_file(root->path() + "/" + path));
  // The state between taking the lock and writing the name: empty, or the name of an owner that died.
  std::string dead = name;
  dead.replace(dead.find("\"pid\":") + 6, 0, "9999999");
  for (const std::string& before : {std::string(), dead}) {
    const auto write = [&](const std::string& text) {
      const auto file = must(root->directory().open(path, OpenMode::update));
      must(file->truncate(0));
      must(file->write_at(0, text));
    };
    write(before);
    clock.meanwhile = [&] { write(name); };
    EXPECT_TRUE(must(is_owned_by(context, *one.store, id, "for process 7"))) << before;
    EXPECT_EQ(clock.meanwhile, nullptr);
  }
}

TEST_F(SessionOwner, OwnerWithoutNameIsBusy) {
  const Lease taken = must(Lease::acquire({}, root, lease_name(id), "for process 7"));
  must(must(root->directory().open(root->side("leases", lease_name(id)), OpenMode::update))->truncate(0));
  const auto owned = is_owned_by(context, *one.store, id, "for process 7");
  ASSERT_FALSE(owned);
  EXPECT_EQ(owned.error().code, Code::busy);
}

}  // namespace
}  // namespace holdfast::inline v1
