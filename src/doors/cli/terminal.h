// What the command line learns from its surroundings: terminals, environment,
// signals; and how it ends.
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

// The error as the contract has it: for people, or one JSON object with `json`.
std::string error_text(const Error& error, bool json);

// Colour on standard output, progress on standard error, as terminals, NO_COLOR,
// TERM and --color allow.
Screen screen_for(ColourChoice choice, bool json);

// Whether a terminal that is drawn on may have colours: TERM and NO_COLOR.
bool terminal_has_colour();

// Columns of the terminal behind standard output; 80 when there is none.
std::size_t terminal_width();
// Its lines; 24 when there is none.
std::size_t terminal_lines();

// The first thing that a process does. A standard descriptor that was closed would go to the next file that is opened
// here, and be read or written in its place: each is given to /dev/null, opened the wrong way around, so that whoever
// uses it gets the error that it gets from one that is closed. An error when even that cannot be had.
Result<void> hold_standard_descriptors();

// $TMPDIR, or nothing.
std::string temporary_base();

// Everything that the command line prints goes through print_out, PagedOutput (pager.h)
// or print_error: what others have written reaches no terminal as anything but text.
enum class Printed {
  text,  // for people: cleaned, wherever it goes; a pager or a file is shown on a terminal later
  json,  // for programs: the same document, with its controls escaped
  data,  // what was asked for as a document: as it is; on a terminal cleaned
};
// What print_out and PagedOutput write for `text`.
std::string made_safe(std::string_view text, Printed what);

// Whether colours in text are ours, and may stay; none are before anybody says so.
void allow_colours(bool allowed);

// Writes to standard output. A reader that went away ends us quietly: an error only
// for other reasons (a full disk behind a redirection).
Result<void> print_out(std::string_view text, Printed what);
// The bytes as they are: 0, or the errno that kept them from being written.
int write_out(std::string_view bytes);
Error output_error(int number);

// Writes to standard error, cleaned.
void print_error(std::string_view text);

// A line that a person types on standard input; nothing at its end. Nothing is changed
// while we wait for it, so a signal ends us, Interrupts or not.
std::optional<std::string> read_reply();

// While it lives, Ctrl-C, SIGTERM and SIGHUP ask for a stop instead of ending the
// process; a second one ends it. To be made before any other thread.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  int over_ = -1;  // becomes readable when the watchman may go
  std::jthread thread_;
};

}  // namespace holdfast::inline v1
