// Arbitrary bytes as two sessions of one project and the transcript of a sub-agent.
#include "layout/claude_code/claude_code_layout.h"
#include "reader_store.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t half = bytes.find("\n\n");
  const std::string folder = "projects/-home-dev-alpha/", a = "aaaaaaaa-0000-4000-8000-00000000000a";
  holdfast::fuzz::read_everything(
      holdfast::claude_code_layout(),
      {{folder + a + ".jsonl", bytes.substr(0, half)},
       {folder + "bbbbbbbb-0000-4000-8000-00000000000b.jsonl", half == std::string::npos ? bytes : bytes.substr(half)},
       {folder + a + "/subagents/agent-a1.jsonl", bytes},
       {folder + a + "/custom-title.json", bytes},
       {folder + a + "/tool-results/b1.txt", "whole"}});
  return 0;
}
