#include "layout/agent_home.h"
#include "layout/lopen/belongings.h"
#include "layout/lopen/lopen_layout.h"

namespace holdfast::inline v1::lopen {

const AgentHome& home() {
  static constexpr AgentHome home = {
      .place = {.from = HomeFolder::From::project, .folder = ".lopen", .needs = ".lopen"},
      .marks = {".lopen"},
      .resume = {.command = "lopen --resume", .in_project = true},
      .belongings = &kBelongings};
  return home;
}

}  // namespace holdfast::inline v1::lopen
