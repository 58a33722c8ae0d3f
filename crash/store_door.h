// Access to a store: the table of operations, by method and JSON, as every
// caller of Holdfast uses it. Either in this process on any FileSystem, or in a
// separate process over JSON-RPC (rpc_process.h).
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <atomic>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::inline v1 {
class Stores;
struct StoreSettings;
}  // namespace holdfast::inline v1

namespace holdfast::lab {

class Door {
 public:
  virtual ~Door() = default;
  virtual Result<std::string> call(std::string_view method, const std::string& params) = 0;
};

// One store of a layout at `top`, created if missing, with its other roots beside it.
StoreSettings settings_for(FileSystem& files, const std::string& layout, const std::string& top, bool keep);

class LibraryDoor final : public Door {
 public:
  // `keep`: keeps the store open between calls, like `holdfast rpc`; otherwise opens it for each call, like a script.
  LibraryDoor(FileSystem& files, const std::string& layout, const std::string& top, bool keep);
  ~LibraryDoor() override;
  Result<std::string> call(std::string_view method, const std::string& params) override;
  // From now on waiting takes no real time: each sleep advances the clock by a second.
  void hurry();
  // Like a process that ends silently.
  Result<void> close();

 private:
  class LabClock;
  std::unique_ptr<LabClock> clock_;
  std::unique_ptr<Stores> stores_;
};

// {"a":"text",...}; a value that begins with \x01 is already JSON.
std::string params(std::initializer_list<std::pair<std::string_view, std::string_view>> fields);
inline std::string raw(std::string_view json) { return "\x01" + std::string(json); }

}  // namespace holdfast::lab
