#include "doors/cli/execute_program.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kOurselves = "holdfast";

Error not_installed(const std::string& name) {
  return {Code::unsupported, name + " is not installed, or not in $PATH"};
}

// Changes this process for good. Returns why the program cannot be started.
Error start(const ProgramCommand& program) {
  if (!program.directory.empty() && ::chdir(program.directory.c_str()) != 0)
    return os_error(errno, "cannot change to the session's directory", program.directory);
  if (!program.variable.empty()) ::setenv(program.variable.c_str(), program.value.c_str(), 1);
  std::vector<char*> words;
  for (const std::string& word : program.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  // Reset signals that only we ignore.
  for (const int ignored : {SIGPIPE, SIGXFSZ}) ::signal(ignored, SIG_DFL);
  sigset_t none, before;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, &before);
  const std::string& name = program.words.front();
  ::execvp(name == kOurselves ? "/proc/self/exe" : name.c_str(), words.data());
  const int why = errno;
  for (const int ignored : {SIGPIPE, SIGXFSZ}) ::signal(ignored, SIG_IGN);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (why == ENOENT) return not_installed(name);
  return os_error(why, "cannot start " + name, "");
}

}  // namespace

Result<void> find_program(const std::string& name) {
  if (name == kOurselves || name.contains('/')) return {};
  const char* const set = ::getenv("PATH");
  std::string_view path = set == nullptr ? "/bin:/usr/bin" : set;  // like execvp
  for (bool more = true; more;) {
    const std::size_t colon = path.find(':');
    more = colon != std::string_view::npos;
    const std::string_view folder = path.substr(0, colon);
    if (!folder.starts_with('/')) return {};  // relative to the directory in which it will run
    const std::string file = std::string(folder) + "/" + name;
    std::error_code unused;
    if (std::filesystem::is_regular_file(file, unused) && ::access(file.c_str(), X_OK) == 0) return {};
    path.remove_prefix(more ? colon + 1 : path.size());
  }
  return fail(not_installed(name));
}

Error become(const ProgramCommand& program) { return start(program); }

Result<int> execute_program(const ProgramCommand& program) {
  const pid_t child = ::fork();
  if (child < 0) return fail(os_error(errno, "cannot start a process", program.words.front()));
  if (child == 0) {
    const Error error = start(program);
    const std::string text = "holdfast: " + error.message + "\n";
    (void)!::write(STDERR_FILENO, text.data(), text.size());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return fail(os_error(errno, "cannot wait for", program.words.front()));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace holdfast::inline v1
