// The surroundings of the command line: terminals, environment, signals and exit codes.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "doors/cli/args.h"

namespace holdfast::inline v1 {

int exit_code_of(Code code);

// The error in the documented form: for people, or one JSON object with `json`.
std::string error_text(const Error& error, bool json);

// Whether to use color on standard output and progress on standard error, as
// terminals, NO_COLOR, TERM and --color allow.
Screen screen_for(ColourChoice choice, bool json);

// Whether a terminal that is drawn on may have colors: TERM and NO_COLOR.
bool terminal_has_colour();

// Columns of the terminal at standard output; 80 if there is none.
std::size_t terminal_width();
// Lines of that terminal; 24 if there is none.
std::size_t terminal_lines();

// Must be the first thing that a process does. If a standard descriptor is closed, the next opened file would
// get its number and be read or written by mistake. Opens /dev/null in its place, with the wrong access mode,
// so using it fails as a closed one does. Fails if even that is impossible.
Result<void> reserve_standard_descriptors();

// $TMPDIR, or empty.
std::string temporary_base();

// Everything that the command line prints goes through print_out, PagedOutput (pager.h)
// or print_error, so foreign text cannot control a terminal.
enum class OutputKind {
  text,  // for people: always cleaned, because a file or pager is shown on a terminal later
  json,  // for programs: the same document with control characters escaped
  data,  // a requested document: verbatim; cleaned on a terminal
};
// What print_out and PagedOutput write for `text`.
std::string sanitize_output(std::string_view text, OutputKind what);

// Whether color sequences in text are ours and may stay. Initially they may not.
void allow_colours(bool allowed);

// Writes to standard output. If the reader is gone, ends quietly; fails only for
// other reasons (a full disk behind a redirection).
Result<void> print_out(std::string_view text, OutputKind what);
// Writes the bytes as they are. Returns 0 or errno.
int write_out(std::string_view bytes);
Error output_error(int number);

// Writes to standard error, cleaned.
void print_error(std::string_view text);

// Reads a line that a person types on standard input; nullopt at the end of input. Nothing is
// changed while we wait, so a signal ends the process, with or without Interrupts.
std::optional<std::string> read_reply();
// Whether a reply to a question that ends in [y/N] agrees.
bool is_yes(const std::optional<std::string>& reply);

// During its lifetime, Ctrl-C, SIGTERM and SIGHUP request a stop instead of ending the
// process; a second one ends it. Must be created before any other thread.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  int over_ = -1;  // becomes readable when the watcher thread may end
  std::jthread thread_;
};

}  // namespace holdfast::inline v1
