// Arbitrary bytes as a log of operations and as an old document.
#include "layout/gemini/gemini_layout.h"
#include "reader_store.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  holdfast::fuzz::read_everything(holdfast::gemini_layout(),
                                  {{"tmp/p/chats/session-2026-01-01T00-00-aaaaaaaa.jsonl", bytes},
                                   {"tmp/p/chats/session-2026-01-01T00-01-aaaaaaaa.jsonl", bytes},
                                   {"tmp/p/chats/session-2026-01-01T00-02-bbbbbbbb.json", bytes},
                                   {"tmp/p/chats/aaaaaaaa/cccccccc.jsonl", bytes},
                                   {"projects.json", bytes}});
  return 0;
}
