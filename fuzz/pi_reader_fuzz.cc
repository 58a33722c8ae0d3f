// Arbitrary bytes as a session that is recognized by its name, and as one that is recognized only by its header.
#include "layout/pi/pi_layout.h"
#include "reader_store.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  holdfast::fuzz::read_everything(
      holdfast::pi_layout(),
      {{"sessions/--p--/2026-01-01T00-00-00-000Z_01a1dcc9.jsonl", bytes}, {"sessions/--p--/mine.jsonl", bytes}});
  return 0;
}
