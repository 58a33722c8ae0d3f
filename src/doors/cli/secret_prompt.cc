#include "doors/cli/secret_prompt.h"

#include <utility>

#include "doors/cli/raw_terminal.h"

namespace holdfast::inline v1 {
namespace {

constexpr char kInterrupt = 3, kEnd = 4, kBackspace = 8, kClear = 21, kDelete = 127;

// Removes the last character, which may be several bytes of UTF-8.
void remove_last(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
  if (!text.empty()) text.pop_back();
}

}  // namespace

Result<std::string> ask_secret(std::string_view what) {
  HOLDFAST_LET(terminal, RawTerminal::open(RawTerminal::Screen::shared));
  terminal.draw(std::string(what) + " (not shown): ");
  std::string secret, keys;
  for (;;) {
    const auto event = terminal.wait(keys, -1);
    if (event == RawTerminal::Event::stopped) return fail(Code::cancelled, "interrupted");
    for (const char key : std::exchange(keys, {})) {
      if (key == kInterrupt) {
        terminal.draw("\r\n");
        return fail(Code::cancelled, "interrupted");
      }
      if (key == '\r' || key == '\n' || (key == kEnd && secret.empty())) {
        terminal.draw("\r\n");
        return secret;
      }
      if (key == kClear)
        secret.clear();
      else if (key == kBackspace || key == kDelete)
        remove_last(secret);
      else if (static_cast<unsigned char>(key) >= ' ')
        secret += key;
    }
  }
}

}  // namespace holdfast::inline v1
