// What other devices are called. A device has one name at each remote, the one of its newest epoch there. Where the
// names differ, lists show the one that it took last, and people may use any of them.
// Thread-safety: immutable.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sync/sync_home.h"

namespace holdfast::inline v1 {

class MachineNames {
 public:
  explicit MachineNames(std::span<const RemoteSettings> remotes);

  // The name to show; the device's id if it has none.
  std::string of(const std::string& device) const;
  // Whether `wanted` means this device: one of its names, the beginning of its id, or "all".
  bool is_meant(std::string_view wanted, const std::string& device) const;
  // Whether it means this stream: all streams of a device, or NAME@EPOCH for one of them.
  bool is_meant(std::string_view wanted, const StreamId& stream) const;
  // Whether it means this stream, and only this epoch of its device.
  bool is_epoch_meant(std::string_view wanted, const StreamId& stream) const;

 private:
  struct Name {
    std::string name, since;
  };
  std::map<std::string, std::vector<Name>> names_;  // by device
};

}  // namespace holdfast::inline v1
