// Arbitrary bytes as two chats, the transcript of a sub-agent and its document.
#include "layout/qwen/qwen_layout.h"
#include "reader_store.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t half = bytes.find("\n\n");
  const std::string folder = "projects/-home-dev-alpha/", a = "aaaaaaaa-0000-4000-8000-00000000000a";
  holdfast::fuzz::read_everything(holdfast::qwen_layout(),
                                  {{folder + "chats/" + a + ".jsonl", bytes.substr(0, half)},
                                   {folder + "chats/b.jsonl", half == std::string::npos ? bytes : bytes.substr(half)},
                                   {folder + "subagents/" + a + "/agent-x.jsonl", bytes},
                                   {folder + "subagents/" + a + "/agent-x.meta.json", bytes},
                                   {"tmp/0123/shell_1.output", "whole"}});
  return 0;
}
