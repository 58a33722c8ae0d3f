// A run of an agent: who worked, for whom, how it ended.
#pragma once

#include "model/record.h"

namespace holdfast::inline v1 {

enum class RunStatus { running, completed, failed, cancelled, interrupted };
template <>
inline constexpr auto kWords<RunStatus> =
    std::to_array<std::string_view>({"running", "completed", "failed", "cancelled", "interrupted"});

struct Run {
  std::string id = {};
  std::string project = {};  // real path
  std::string agent = {};
  std::string kind = {};  // of the agent; empty: not said
  std::string session = {};
  std::string parent = {};  // the run that started this one
  std::string detail = {};
  Word<RunStatus> status = {};  // interrupted is only shown: the file says running, and the owner is dead
  std::string started_at = {}, ended_at = {};
  std::string source = {};

  static std::span<const Member<Run>> members();
};

}  // namespace holdfast::inline v1
