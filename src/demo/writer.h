// A writer process of the demo: records one session until it is killed.
#pragma once

#include <holdfast/append_log.h>

#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

struct DemoWriterOptions {
  std::string root;
  std::uint32_t writer = 0;
  std::uint32_t life = 0;
  std::string log;       // relative to the root
  std::string document;  // relative to the root
  LogMode mode = LogMode::ours;
  bool large = false;  // every second message is large
};

// Writes notes (demo/wire.h) to standard output. Returns the exit code, and only if
// something fails or the reader is gone.
int run_writer(const DemoWriterOptions& options);

}  // namespace holdfast::inline v1
