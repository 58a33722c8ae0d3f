// A way into a store: the table of operations, by method and JSON, as every
// caller of Holdfast has it. In this process on any FileSystem, or a process of
// its own that speaks JSON-RPC (rpc_process.h).
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

// One store of a layout at `top`, made when it is missing; its other roots lie beside it.
StoreSettings settings_for(FileSystem& files, const std::string& layout, const std::string& top, bool keep);

class LibraryDoor final : public Door {
 public:
  // `keep`: stays open between calls as `holdfast rpc` does; else a call at a time, as a script.
  LibraryDoor(FileSystem& files, const std::string& layout, const std::string& top, bool keep);
  ~LibraryDoor() override;
  Result<std::string> call(std::string_view method, const std::string& params) override;
  // Waiting costs nothing from now on: a second passes whenever it sleeps.
  void hurry();
  // As when the process ends without a word.
  Result<void> close();

 private:
  class LabClock;
  std::unique_ptr<LabClock> clock_;
  std::unique_ptr<Stores> stores_;
};

// {"a":"text",...}; a value that begins with \x01 is JSON already.
std::string params(std::initializer_list<std::pair<std::string_view, std::string_view>> fields);
inline std::string raw(std::string_view json) { return "\x01" + std::string(json); }

}  // namespace holdfast::lab
