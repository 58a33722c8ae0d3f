// The terminal of this process, a key at a time, and by default the whole screen for ourselves.
// However it ends, by return, by a signal or by a crash, the terminal is as it was before.
// One object at a time, one thread.
#pragma once

#include <holdfast/error.h>
#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

class RawTerminal {
 public:
  enum class Screen {
    own,     // another screen, which is gone when this object is
    shared,  // what was printed stays in sight
  };
  // unsupported when there is none.
  static Result<RawTerminal> open(Screen screen = Screen::own);
  RawTerminal(RawTerminal&& other) noexcept;
  RawTerminal& operator=(RawTerminal&&) = delete;
  ~RawTerminal();

  struct Size {
    std::size_t columns = 80, lines = 24;
  };
  Size size() const;
  void draw(std::string_view picture) const;

  enum class Event { keys, resized, stopped, quiet };
  // Waits for keys (appended to `bytes`), a new size, a signal that wants us to end, or
  // until so many milliseconds have passed; -1: for ever.
  Event wait(std::string& bytes, int milliseconds);

 private:
  RawTerminal(int device, int signals) : device_(device), signals_(signals) {}
  int device_ = -1;
  int signals_ = -1;
};

}  // namespace holdfast::inline v1
