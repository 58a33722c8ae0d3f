#include "model/mission.h"

namespace holdfast::inline v1 {

std::span<const Member<Mission>> Mission::members() {
  static constexpr auto kMembers =
      std::to_array({required<&Mission::text>("text"), required<&Mission::created_at>("created_at"),
                     required<&Mission::active>("active"), optional<&Mission::agents>("agents")});
  return kMembers;
}

}  // namespace holdfast::inline v1
