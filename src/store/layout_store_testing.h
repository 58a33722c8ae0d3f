// A store on a simulated disk, and a clock that tests advance.
#pragma once

#include <holdfast/store.h>

#include <string>

#include "crash/disk/sim_testing.h"

namespace holdfast::inline v1 {

// A clock that tests advance.
class TestClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override { return now_; }
  std::chrono::steady_clock::time_point ticks() const override { return system_clock().ticks(); }
  void sleep(std::chrono::nanoseconds time) const override { system_clock().sleep(time); }

  std::chrono::system_clock::time_point now_{std::chrono::seconds(1700000000)};
  void step(std::chrono::nanoseconds time) { now_ += std::chrono::duration_cast<std::chrono::microseconds>(time); }
};

// A store on a simulated disk that tests can examine and modify behind its back.
struct LayoutStore {
  explicit LayoutStore(std::string name) : layout(std::move(name)) {
    context.clock = &clock;
    reopen();
  }
  void reopen(bool write = true) {
    store.reset();
    StoreOptions options;
    options.layout = layout;
    options.roots = {{"", "/store"}};
    if (layout == "linggen") options.roots = {{"home", "/store"}, {"workspace", "/ws"}};
    options.write = write;
    options.create = write;
    store = must(Store::open(context, disk, options));
  }
  std::string bytes(const std::string& path) { return disk.read_file(path).value_or("<none>"); }

  std::string layout;
  TestClock clock;
  Context context;
  SimFileSystem disk;
  std::shared_ptr<Store> store;
};

}  // namespace holdfast::inline v1
