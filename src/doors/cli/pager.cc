#include "doors/cli/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

#include "doors/cli/columns.h"

extern char** environ;

namespace holdfast::inline v1 {
namespace {

// Our environment, plus options for less unless the user set them: quit if everything fits on one screen,
// keep colors, leave the text on the screen (FRX). The output is UTF-8, whatever the locale is.
std::vector<std::string> pager_environment() {
  std::vector<std::string> all;
  bool less = false, charset = false;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    less = less || std::string_view(*each).starts_with("LESS=");
    charset = charset || std::string_view(*each).starts_with("LESSCHARSET=");
    all.emplace_back(*each);
  }
  if (!less) all.emplace_back("LESS=FRX");
  if (!charset) all.emplace_back("LESSCHARSET=utf-8");
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// Restores the signal handling that a program expects.
pid_t start(const std::string& command, int input) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, ours;
  ::sigemptyset(&none);
  ::sigemptyset(&ours);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) ::sigaddset(&ours, signal);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &ours);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> words{"sh", "-c", command}, variables = pager_environment();
  const auto arguments = pointers(words), environment = pointers(variables);
  pid_t pid = -1;
  if (::posix_spawnp(&pid, "sh", &files, &attributes, arguments.data(), environment.data()) != 0) pid = -1;
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  return pid;
}

}  // namespace

std::string pager_command() {
  for (const char* name : {"HOLDFAST_PAGER", "PAGER"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr) return std::string_view(value) == "cat" ? "" : value;
  }
  return "less";
}

bool print_through(const std::string& command, std::string_view text) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  // While the pager runs, Ctrl-C is for it.
  const auto before = ::signal(SIGINT, SIG_IGN);
  const pid_t pid = start(command, ends[0]);
  ::close(ends[0]);
  while (pid > 0 && !text.empty()) {
    const auto count = ::write(ends[1], text.data(), text.size());
    if (count < 0 && errno != EINTR) break;  // the user quit before the end
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
  ::close(ends[1]);
  int status = -1;
  while (pid > 0 && ::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  ::signal(SIGINT, before);
  return pid > 0 && !(WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127));
}

std::size_t screen_lines(std::string_view text, std::size_t columns) {
  std::size_t lines = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t wide = shown_width(line);
    lines += columns == 0 || wide <= columns ? 1 : (wide + columns - 1) / columns;
  }
  return lines;
}

Result<void> print_paged(std::string_view text, OutputKind what, bool wanted) {
  PagedOutput out(what, wanted);
  out.write(text);
  return out.finish();
}

PagedOutput::PagedOutput(OutputKind what, bool wanted) : what_(what) {
  winsize size{};
  if (!wanted || ::isatty(STDOUT_FILENO) != 1 || ::isatty(STDIN_FILENO) != 1 ||
      ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || pager_command().empty())
    return;
  rows_ = size.ws_row;
  columns_ = size.ws_col;
}

PagedOutput::~PagedOutput() { leave_pager(); }

bool PagedOutput::plain(std::string_view text) {
  if (gone_ || failed_ != 0) return false;
  const int why = write_out(text);
  gone_ = why == EPIPE;
  if (!gone_) failed_ = why;
  return why == 0;
}

bool PagedOutput::into_pager(std::string_view text) {
  // More than a pipe holds was read, so the command exists.
  constexpr std::size_t kMaxUnread = std::size_t{256} << 10;
  while (!text.empty()) {
    const auto count = ::write(pipe_, text.data(), std::min(text.size(), kMaxUnread / 4));
    if (count < 0 && errno != EINTR) {  // the user quit before the end
      leave_pager();
      return plain(text);
    }
    if (count <= 0) continue;
    if (!seen_) first_ += text.substr(0, static_cast<std::size_t>(count));
    seen_ = seen_ || first_.size() > kMaxUnread;
    if (seen_) first_.clear();
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// A pager that could not be started has shown nothing.
void PagedOutput::leave_pager() {
  if (pid_ < 0) return;
  ::close(pipe_);
  int status = -1;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  ::signal(SIGINT, interrupt_);
  pid_ = -1;
  rows_ = 0;
  const bool shown = !WIFEXITED(status) || (WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127);
  gone_ = shown || seen_;
  if (!gone_) plain(first_);
  first_.clear();
}

namespace {

// Where a piece can be cut without splitting a character or a sequence: after a line, or in
// JSON, which is one line, after a character.
std::size_t whole_end(std::string_view text, OutputKind what) {
  if (what != OutputKind::json) return text.rfind('\n') + 1;  // npos + 1 is 0
  std::size_t end = text.size();
  while (end > 0 && text.size() - end < 4 && (static_cast<unsigned char>(text[end - 1]) & 0xC0) == 0x80) --end;
  return end > 0 && static_cast<unsigned char>(text[end - 1]) >= 0xC0 ? end - 1 : text.size();
}

}  // namespace

bool PagedOutput::write(std::string_view text) {
  if (what_ == OutputKind::data && ::isatty(STDOUT_FILENO) != 1) return write_safe(text);
  line_ += text;
  const std::size_t end = whole_end(line_, what_);
  const std::string rest = line_.substr(end);
  line_.resize(end);
  const std::string whole = std::exchange(line_, rest);
  return whole.empty() ? !gone_ && failed_ == 0 : write_safe(sanitize_output(whole, what_));
}

bool PagedOutput::write_safe(std::string_view text) {
  if (gone_ || failed_ != 0) return false;
  if (pid_ > 0) return into_pager(text);
  if (rows_ == 0) return plain(text);
  first_ += text;
  if (screen_lines(first_, columns_) < rows_) return true;
  const std::string all = std::move(first_);
  first_.clear();
  return begin_pager(pager_command()) ? into_pager(all) : plain(all);
}

bool PagedOutput::begin_pager(const std::string& command) {
  rows_ = 0;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  // While the pager runs, Ctrl-C is for it.
  interrupt_ = ::signal(SIGINT, SIG_IGN);
  pid_ = start(command, ends[0]);
  ::close(ends[0]);
  pipe_ = ends[1];
  if (pid_ > 0) return true;
  ::close(pipe_);
  ::signal(SIGINT, interrupt_);
  return false;
}

Result<void> PagedOutput::finish() {
  if (!line_.empty()) (void)write_safe(sanitize_output(std::exchange(line_, {}), what_));
  if (pid_ > 0)
    leave_pager();
  else
    plain(std::exchange(first_, {}));
  if (failed_ != 0) return fail(output_error(failed_));
  return {};
}

}  // namespace holdfast::inline v1
