// One session of a store on a simulated disk, its callers, and what they were
// told; for designed scenes, not random ones.
#pragma once

#include <string>
#include <vector>

#include "store_door.h"
#include "store_world.h"

namespace holdfast::lab {

inline constexpr const char* kId = "00000000-0000-4000-8000-000000000001";  // valid in every layout

// What was appended to the session, by the answer that its caller got.
struct Said {
  std::vector<std::string> power, process, refused;
};

class Session {
 public:
  Session(const StoreTraits& traits, SimFileSystem& disk, std::string name, Outcome& outcome)
      : traits_(traits), disk_(disk), name_(std::move(name)), outcome_(outcome) {}

  void create(Door& door);
  void must(Door& door, std::string_view method, const std::string& params);
  void must_not(Door& door, std::string_view method, const std::string& params);
  bool append(Door& door, const std::string& message, bool power = true);

  // The session is live or in the trash, with everything that was acknowledged, once.
  void judge(FileSystem& files, bool power_loss, const std::string& when);
  void broken(const std::string& when, const std::string& how, std::uint64_t Outcome::* count = &Outcome::wrong);

  const StoreTraits& traits() const { return traits_; }
  SimFileSystem& disk() { return disk_; }
  Said& said() { return said_; }

 private:
  const StoreTraits& traits_;
  SimFileSystem& disk_;
  const std::string name_;
  Outcome& outcome_;
  Said said_;
};

}  // namespace holdfast::lab
