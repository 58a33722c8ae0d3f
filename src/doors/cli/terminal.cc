#include "doors/cli/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>

#include "api/error_json.h"
#include "base/start_thread.h"
#include "doors/cli/cli_error.h"
#include "text/clean.h"
#include "text/secrets.h"

namespace holdfast::inline v1 {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool colours_allowed = false;

sigset_t ending_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, signal);
  return signals;
}

}  // namespace

int exit_code_of(Code code) {
  switch (code) {
    case Code::invalid_argument:
    case Code::unsafe_path:
    case Code::already_exists:
    case Code::too_large:
    case Code::unsupported: return 2;
    case Code::not_found: return 3;
    case Code::invalid_record:
    case Code::corrupt:
    case Code::serialization_failed:
    case Code::newer_schema:
    case Code::schema_mismatch:
    case Code::schema_version_mismatch: return 4;
    case Code::conflict:
    case Code::busy:
    case Code::deadline_exceeded: return 6;
    case Code::sync_transport_failed: return 7;
    case Code::cancelled: return 130;
    default: return 5;
  }
}

std::string error_text(const Error& given, bool json) {
  Error error = given;
  if (auto hidden = redacted(error.message)) error.message = std::move(*hidden);  // an argument may have been a secret
  if (!json) {
    std::string text = "holdfast: " + clean_for_terminal(rewrite_for_cli(error.message));
    // A message that has parts of its own, one of them the path, says it once.
    if (!error.path.empty() && !error.message.contains(" | Path: " + error.path))
      text += " (" + clean_for_terminal(error.path, {.one_line = true}) + ")";
    return text + "\n";
  }
  return escape_controls_in_json(error_json(error)) + "\n";
}

Screen screen_for(ColourChoice choice, bool json) {
  const bool dumb = variable("TERM").empty() || variable("TERM") == "dumb";
  Screen screen;
  screen.terminal = ::isatty(STDERR_FILENO) == 1 && !dumb;
  screen.quiet = json && !screen.terminal;
  screen.colour =
      choice == ColourChoice::always ||
      (choice == ColourChoice::automatic && ::isatty(STDOUT_FILENO) == 1 && !dumb && variable("NO_COLOR").empty());
  return screen;
}

bool terminal_has_colour() {
  return !variable("TERM").empty() && variable("TERM") != "dumb" && variable("NO_COLOR").empty();
}

std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20;
  return known ? size.ws_col : 80;
}

std::size_t terminal_lines() {
  winsize size{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
  return known ? size.ws_row : 24;
}

Result<void> reserve_standard_descriptors() {
  for (const int wanted : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(wanted, F_GETFD) >= 0) continue;
    // This is the lowest free number, because all below it are open.
    const int given = ::open("/dev/null", wanted == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (given == wanted) continue;
    const int why = given < 0 ? errno : EBADF;
    if (given >= 0) ::close(given);
    return fail(os_error(why, "a standard descriptor is closed, and cannot be replaced", "/dev/null"));
  }
  return {};
}

std::string temporary_base() { return std::string(variable("TMPDIR")); }

void allow_colours(bool allowed) { colours_allowed = allowed; }

std::string sanitize_output(std::string_view text, OutputKind what) {
  if (what == OutputKind::json) return escape_controls_in_json(text);
  if (what == OutputKind::data && ::isatty(STDOUT_FILENO) != 1) return std::string(text);
  return clean_for_terminal(text, {.keep_colours = what == OutputKind::text && colours_allowed});
}

int write_out(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

Error output_error(int number) { return os_error(number, "cannot write to standard output", ""); }

Result<void> print_out(std::string_view given, OutputKind what) {
  const int why = write_out(sanitize_output(given, what));
  if (why == 0 || why == EPIPE) return {};
  return fail(output_error(why));
}

void print_error(std::string_view text) {
  const std::string safe = clean_for_terminal(text);
  std::fwrite(safe.data(), 1, safe.size(), stderr);
}

std::optional<std::string> read_reply() {
  const sigset_t ending = ending_signals();
  sigset_t before;
  ::pthread_sigmask(SIG_UNBLOCK, &ending, &before);
  std::string line;
  const bool read = static_cast<bool>(std::getline(std::cin, line));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return read ? std::optional(std::move(line)) : std::nullopt;
}

bool is_yes(const std::optional<std::string>& reply) { return reply == "y" || reply == "Y" || reply == "yes"; }

Interrupts::Interrupts() : over_(::eventfd(0, EFD_CLOEXEC)) {
  const sigset_t signals = ending_signals();
  const int arrived = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (over_ < 0 || arrived < 0) {  // without them a signal ends the process, like any program
    if (arrived >= 0) ::close(arrived);
    return;
  }
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  thread_ = start_thread([source = source_, signals, arrived, over = over_]() mutable {
    pollfd both[] = {{arrived, POLLIN, 0}, {over, POLLIN, 0}};
    while (::poll(both, 2, -1) < 0 || both[1].revents == 0) {
      signalfd_siginfo info;
      if (::read(arrived, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) continue;
      source.request_stop();
      ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // the next one ends the process
    }
    ::close(arrived);
  });
  if (thread_.joinable()) return;
  ::close(arrived);  // as without descriptors
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

// Do not delay: a finished command must not wait for its own watcher.
Interrupts::~Interrupts() {
  if (over_ < 0) return;
  (void)::eventfd_write(over_, 1);
  if (thread_.joinable()) thread_.join();
  ::close(over_);
}

}  // namespace holdfast::inline v1
