#include "disk/steps.h"

#include <array>

namespace holdfast::inline v1 {

std::string_view step_name(Step step) {
  static constexpr std::array<std::string_view, kStepCount> kNames{
#define HOLDFAST_STEP(name, why) #name,
      HOLDFAST_STEPS(HOLDFAST_STEP)
#undef HOLDFAST_STEP
  };
  return kNames[static_cast<std::size_t>(step)];
}

std::string_view step_reason(Step step) {
  static constexpr std::array<std::string_view, kStepCount> kReasons{
#define HOLDFAST_STEP(name, why) why,
      HOLDFAST_STEPS(HOLDFAST_STEP)
#undef HOLDFAST_STEP
  };
  return kReasons[static_cast<std::size_t>(step)];
}

}  // namespace holdfast::inline v1
