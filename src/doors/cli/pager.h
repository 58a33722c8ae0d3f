// Long output on a terminal goes through a pager, as in git; anything else is
// written as it is.
#pragma once

#include <string>
#include <string_view>

#include "doors/cli/terminal.h"

namespace holdfast::inline v1 {

// $HOLDFAST_PAGER, else $PAGER, else less; empty: none is wanted (empty or "cat").
std::string pager_command();

// Writes to standard output: through the pager when that is a terminal, `wanted`, and
// the text is longer than its screen.
Result<void> print_paged(std::string_view text, Printed what, bool wanted);

// The same for a text that comes in pieces: the pager starts when the screen is full.
class PagedOutput {
 public:
  PagedOutput(Printed what, bool wanted);
  PagedOutput(const PagedOutput&) = delete;
  PagedOutput& operator=(const PagedOutput&) = delete;
  ~PagedOutput();

  // False: nobody reads any more, or it cannot be written.
  bool write(std::string_view text);
  // What is left, and waits until the pager was left. The error: what could not be written.
  Result<void> finish();

 private:
  bool write_safe(std::string_view text);
  bool plain(std::string_view text);
  bool into_pager(std::string_view text);
  bool begin_pager(const std::string& command);
  void leave_pager();

  const Printed what_;
  std::string line_;                    // without its end, which a later piece brings
  std::size_t rows_ = 0, columns_ = 0;  // of the screen that is not full yet; 0: no pager is wanted
  std::string first_;                   // what the pager may turn out never to have shown
  bool seen_ = false;                   // somebody read it
  int pid_ = -1, pipe_ = -1;
  void (*interrupt_)(int) = nullptr;
  bool gone_ = false;
  int failed_ = 0;  // errno
};

// Pipes the text into a shell command that shows it; false when the command could not be started
// or failed without being ended by its user.
bool print_through(const std::string& command, std::string_view text);

// Lines that the text takes on a screen of that width; sequences that colour take no place.
std::size_t screen_lines(std::string_view text, std::size_t columns);

}  // namespace holdfast::inline v1
