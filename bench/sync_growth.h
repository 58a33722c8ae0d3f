// How sync grows with the sessions that a device shares, and with the devices at one remote.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/table.h"
#include "sync/remote.h"

namespace holdfast::bench {

struct SyncGrowth {
  std::string remote;                                                           // its kind, for titles
  std::string folder;                                                           // for the homes of the devices
  std::function<std::unique_ptr<v1::Remote>(const std::string& name)> connect;  // to an empty remote of that name
  std::vector<std::size_t> sessions, devices;
};
std::vector<Group> measure_sync_growth(const SyncGrowth& request);

}  // namespace holdfast::bench
