#include "layout/agent_home.h"
#include "layout/linggen/belongings.h"
#include "layout/linggen/linggen_layout.h"
#include "layout/linggen/paths.h"

namespace holdfast::inline v1::linggen {

const AgentHome& home() {
  static constexpr AgentHome home = {
      .place = {.folder = ".linggen", .variable = "LINGGEN_HOME"},
      .marks = {".linggen"},
      .resume = {.command = "holdfast session resume", .names_store = true},
      .beside = {.root = kWorkspace, .place = {.from = HomeFolder::From::project, .folder = ".linggen"}},
      .belongings = &kBelongings};
  return home;
}

}  // namespace holdfast::inline v1::linggen
