// Arbitrary bytes as the rollouts of two threads, one of which may name the other.
#include "layout/codex/codex_layout.h"
#include "reader_store.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t half = bytes.find("\n\n");
  const std::string folder = "sessions/2026/11/15/rollout-2026-11-15T01-00-0";
  const std::string a = "0199c000-0000-7000-8000-00000000000a", b = "0199c000-0000-7000-8000-00000000000b";
  holdfast::fuzz::read_everything(
      holdfast::codex_layout(), {{folder + "0-" + a + ".jsonl", bytes.substr(0, half)},
                                 {folder + "1-" + b + ".jsonl", half == std::string::npos ? bytes : bytes.substr(half)},
                                 {folder + "2-" + a + "_" + b + ".jsonl", bytes}});
  return 0;
}
