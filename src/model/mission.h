// The goal that a project's agents pursue. One is active at a time.
#pragma once

#include "model/record.h"

namespace holdfast::inline v1 {

struct Mission {
  std::string id = {};  // the second in which it was created
  std::string text = {};
  std::string created_at = {};
  bool active = false;
  JsonText agents = {};  // an array of {id, idle_prompt, idle_interval_secs}
  std::string source = {};
};
template <>
inline constexpr auto kMembers<Mission> =
    std::to_array({required<&Mission::text>("text"), required<&Mission::created_at>("created_at"),
                   required<&Mission::active>("active"), optional<&Mission::agents>("agents")});

}  // namespace holdfast::inline v1
