#include "sync/machine_names.h"

#include <algorithm>

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kShortestId = 4;  // letters of an id that people may give

}  // namespace

MachineNames::MachineNames(std::span<const RemoteSettings> remotes) {
  for (const RemoteSettings& remote : remotes)
    for (const auto& [id, device] : remote.devices)
      if (!device.name.empty()) names_[id].push_back({device.name, device.named});
}

std::string MachineNames::of(const std::string& device) const {
  const auto known = names_.find(device);
  return known == names_.end() ? device : std::ranges::max_element(known->second, {}, &Name::since)->name;
}

bool MachineNames::is_meant(std::string_view wanted, const std::string& device) const {
  if (wanted == "all" || (wanted.size() >= kShortestId && device.starts_with(wanted))) return true;
  const auto known = names_.find(device);
  return known != names_.end() && std::ranges::find(known->second, wanted, &Name::name) != known->second.end();
}

bool MachineNames::is_meant(std::string_view wanted, const StreamId& stream) const {
  return is_meant(wanted, stream.device) || is_epoch_meant(wanted, stream);
}

bool MachineNames::is_epoch_meant(std::string_view wanted, const StreamId& stream) const {
  const std::size_t at = wanted.rfind('@');
  if (at == std::string_view::npos || is_meant(wanted, stream.device)) return false;
  const std::string_view device = wanted.substr(0, at);
  return device != "all" && wanted.substr(at + 1) == std::to_string(stream.epoch) && is_meant(device, stream.device);
}

}  // namespace holdfast::inline v1
