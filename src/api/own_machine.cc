#include "api/own_machine.h"

#include <algorithm>

#include "api/remotes.h"
#include "text/json_edit.h"

namespace holdfast::inline v1 {

std::optional<std::string> without_own_machine(const Call& call) {
  if (!call.has("machine") || call.has("remote")) return std::nullopt;
  const std::string name = call.text("machine");
  const auto remotes = requested_remotes(call, {});
  if (!remotes || std::ranges::find(*remotes, name, &RemoteSettings::machine) == remotes->end()) return std::nullopt;
  const auto is_another = [&](const RemoteSettings& remote) {
    return std::ranges::any_of(remote.devices, [&](const auto& one) { return one.second.name == name; });
  };
  if (std::ranges::any_of(*remotes, is_another)) return std::nullopt;
  auto rest = json_remove(call.params.raw(), {"machine"});
  return rest ? std::optional(*std::move(rest)) : std::nullopt;
}

}  // namespace holdfast::inline v1
