#include "doors/cli/raw_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>

namespace holdfast::inline v1 {
namespace {

// Switch to the alternate screen and hide the cursor; and back.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view kLeave = "\x1b[?25h\x1b[?1049l";
constexpr int kFatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT};
constexpr int kWatched[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT};

// For a signal handler that may run at any time: plain data, set before it is installed.
int g_device = -1;
bool g_own_screen = true;
termios g_before;
sigset_t g_mask;

void write_all(int device, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(device, text.data(), text.size());
    if (count < 0 && errno != EINTR) return;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void put_back() {
  if (g_device < 0) return;
  if (g_own_screen) write_all(g_device, kLeave);
  (void)::tcsetattr(g_device, TCSAFLUSH, &g_before);
}

// A crash still ends the process, but must not leave the terminal without echo.
void on_crash(int signal) {
  put_back();
  ::signal(signal, SIG_DFL);
  (void)::raise(signal);
}

void make_raw(int device) {
  termios raw = g_before;
  raw.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  (void)::tcsetattr(device, TCSAFLUSH, &raw);
  if (g_own_screen) write_all(device, kEnter);
}

}  // namespace

Result<RawTerminal> RawTerminal::open(Screen screen) {
  const int device = ::open("/dev/tty", O_RDWR | O_CLOEXEC);
  if (device < 0 || ::tcgetattr(device, &g_before) != 0) {
    if (device >= 0) ::close(device);
    return fail(Code::unsupported, "this needs a terminal");
  }
  sigset_t watched;
  ::sigemptyset(&watched);
  for (const int signal : kWatched) ::sigaddset(&watched, signal);
  const int signals = ::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0) {
    ::close(device);
    return fail(Code::io_error, "cannot wait for signals");
  }
  ::pthread_sigmask(SIG_BLOCK, &watched, &g_mask);
  g_device = device;
  g_own_screen = screen == Screen::own;
  for (const int signal : kFatal) ::signal(signal, on_crash);
  make_raw(device);
  return RawTerminal(device, signals);
}

RawTerminal::RawTerminal(RawTerminal&& other) noexcept : device_(other.device_), signals_(other.signals_) {
  other.device_ = other.signals_ = -1;
}

RawTerminal::~RawTerminal() {
  if (device_ < 0) return;
  put_back();
  g_device = -1;
  for (const int signal : kFatal) ::signal(signal, SIG_DFL);
  ::close(signals_);
  ::pthread_sigmask(SIG_SETMASK, &g_mask, nullptr);
  ::close(device_);
}

RawTerminal::Size RawTerminal::size() const {
  winsize now{};
  if (::ioctl(device_, TIOCGWINSZ, &now) != 0 || now.ws_col == 0 || now.ws_row == 0) return {};
  return {now.ws_col, now.ws_row};
}

void RawTerminal::draw(std::string_view picture) const { write_all(device_, picture); }

RawTerminal::Event RawTerminal::wait(std::string& bytes, int milliseconds) {
  pollfd both[] = {{device_, POLLIN, 0}, {signals_, POLLIN, 0}};
  const int ready = ::poll(both, 2, milliseconds);
  if (ready == 0) return Event::quiet;
  if (both[1].revents != 0) {
    signalfd_siginfo info;
    bool resized = false;
    while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      if (info.ssi_signo == SIGCONT) make_raw(device_);  // a shell used the terminal in the meantime
      if (info.ssi_signo != SIGCONT && info.ssi_signo != SIGWINCH) return Event::stopped;
      resized = true;
    }
    if (resized) return Event::resized;
  }
  if (both[0].revents == 0) return Event::quiet;
  char buffer[256];
  const auto count = ::read(device_, buffer, sizeof buffer);
  if (count <= 0) return count < 0 && errno == EINTR ? Event::quiet : Event::stopped;  // the terminal is gone
  bytes.append(buffer, static_cast<std::size_t>(count));
  return Event::keys;
}

}  // namespace holdfast::inline v1
