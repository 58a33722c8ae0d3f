// The layouts on which the rules of the seeds are tested.
#include "rules/rules_testing.h"

namespace holdfast::inline v1 {

INSTANTIATE_TEST_SUITE_P(Linggen, SeedRules, testing::Values("linggen"));
INSTANTIATE_TEST_SUITE_P(Native, SeedRules, testing::Values("holdfast"));

}  // namespace holdfast::inline v1
