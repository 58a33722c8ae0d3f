// Arbitrary bytes as the events and the workspace of a session, and as a session without a folder.
#include "layout/copilot/copilot_layout.h"
#include "reader_store.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::string folder = "session-state/aaaaaaaa-0000-4000-8000-00000000000a/";
  holdfast::fuzz::read_everything(holdfast::copilot_layout(),
                                  {{folder + "events.jsonl", bytes},
                                   {folder + "workspace.yaml", bytes},
                                   {folder + "inuse.1.lock", ""},
                                   {"session-state/bbbbbbbb-0000-4000-8000-00000000000b.jsonl", bytes}});
  return 0;
}
