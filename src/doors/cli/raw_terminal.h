// Reads the terminal of this process key by key, and by default uses the whole screen. The
// terminal is restored however this ends: by return, by a signal or by a crash. One object at a
// time, one thread.
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
    own,     // the alternate screen, until this object ends
    shared,  // earlier output stays visible
  };
  // Fails with unsupported if there is no terminal.
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
  // Waits for keys (appended to `bytes`), a new size, a terminating signal, or until
  // the milliseconds have passed; -1: forever.
  Event wait(std::string& bytes, int milliseconds);

 private:
  RawTerminal(int device, int signals) : device_(device), signals_(signals) {}
  int device_ = -1;
  int signals_ = -1;
};

}  // namespace holdfast::inline v1
