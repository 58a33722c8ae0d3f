// Arbitrary bytes as a session document, as the end of one, and as the index.
#include "layout/continue_dev/continue_layout.h"
#include "reader_store.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  holdfast::fuzz::read_everything(holdfast::continue_layout(),
                                  {{"sessions/a.json", bytes},
                                   {"sessions/b.json", "{\"title\":\"t\",\"history\":[" + bytes},
                                   {"sessions/sessions.json", bytes}});
  return 0;
}
