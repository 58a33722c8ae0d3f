// Sends long output on a terminal through a pager, as git does; other output is written directly.
#pragma once

#include <string>
#include <string_view>

#include "doors/cli/terminal.h"

namespace holdfast::inline v1 {

// $HOLDFAST_PAGER, else $PAGER, else less. Empty if the user wants none (empty or "cat").
std::string pager_command();

// Writes to standard output: through the pager if that is a terminal, `wanted`, and
// the text does not fit on the screen.
Result<void> print_paged(std::string_view text, OutputKind what, bool wanted);

// The same for text that arrives in pieces: the pager starts when the screen is full.
class PagedOutput {
 public:
  PagedOutput(OutputKind what, bool wanted);
  PagedOutput(const PagedOutput&) = delete;
  PagedOutput& operator=(const PagedOutput&) = delete;
  ~PagedOutput();

  // Returns false if nobody reads any more, or the text cannot be written.
  bool write(std::string_view text);
  // Writes the rest and waits until the user quits the pager. Fails if something could not be written.
  Result<void> finish();

 private:
  bool write_safe(std::string_view text);
  bool plain(std::string_view text);
  bool into_pager(std::string_view text);
  bool begin_pager(const std::string& command);
  void leave_pager();

  const OutputKind what_;
  std::string line_;                    // an incomplete line
  std::size_t rows_ = 0, columns_ = 0;  // room left on the screen; 0: no pager
  std::string first_;                   // text to print directly if the pager showed nothing
  bool seen_ = false;                   // the pager has read something
  int pid_ = -1, pipe_ = -1;
  void (*interrupt_)(int) = nullptr;
  bool gone_ = false;
  int failed_ = 0;  // errno
};

// Pipes the text into a shell command that shows it. Returns false if the command could not be
// started, or failed without being quit by its user.
bool print_through(const std::string& command, std::string_view text);

// The number of screen lines of that width that the text takes; color sequences take no space.
std::size_t screen_lines(std::string_view text, std::size_t columns);

}  // namespace holdfast::inline v1
