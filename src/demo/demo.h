// `holdfast demo`: writer processes record sessions and are killed again and again;
// then everything that was acknowledged is read back and compared.
#pragma once

#include <holdfast/context.h>

#include <string>

#include "demo/measure.h"
#include "demo/oracle.h"
#include "demo/progress.h"
#include "demo/storm.h"

namespace holdfast::inline v1 {

struct DemoOptions {
  int seconds = 8;
  bool keep = false;
  std::string base;  // parent of the temporary directory; empty: the system's default
};

struct DemoReport {
  std::string directory;
  bool kept = false;
  std::string file_system;  // "ext4", ...
  std::uint64_t writers = 0;
  StormResult storm;
  std::uint64_t acknowledged = 0;
  std::uint64_t bytes = 0;
  std::uint64_t documents = 0;  // acknowledged replacements
  Findings findings;
  Timing timing;
};

// Writes only below a temporary directory, and removes it before returning unless
// options.keep is set or something was lost.
Result<DemoReport> run_demo(const Context& context, const DemoOptions& options, const Screen& screen);

}  // namespace holdfast::inline v1
