#include <holdfast/commit.h>
#include <holdfast/counter.h>
#include <holdfast/document.h>
#include <holdfast/lease.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "unsafe_paths.h"

namespace holdfast::lab {
namespace {

namespace fs = std::filesystem;

void put(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

std::string describe(const fs::path& path) {
  struct stat now{};
  if (::lstat(path.c_str(), &now) != 0) return "gone";
  std::ostringstream text;
  text << std::oct << now.st_mode << std::dec << ' ' << now.st_uid << ' ' << now.st_mtim.tv_sec << '.'
       << now.st_mtim.tv_nsec;
  if (S_ISREG(now.st_mode)) {
    std::ifstream file(path, std::ios::binary);
    text << ' ' << now.st_size << ' ' << file.rdbuf();
  }
  return text.str();
}

void judge(Answers& answers, const Error& error) {
  if (error.code == Code::unsafe_path)
    ++answers.unsafe;
  else
    ++answers.other;
  if (error.code == Code::internal || error.code == Code::out_of_memory)
    std::strncpy(answers.broken, error.text().c_str(), sizeof answers.broken - 1);
}

template <typename T>
bool take(Answers& answers, const Result<T>& result) {
  if (result)
    ++answers.worked;
  else
    judge(answers, result.error());
  return result.has_value();
}

// Tears the log as a crash would, if it is a plain file of ours; never through a link.
void tear(const World& world, const std::string& log) {
  const std::string path = world.store(log);
  struct stat now{};
  if (::lstat(path.c_str(), &now) == 0 && S_ISREG(now.st_mode) && now.st_nlink == 1 &&
      !fs::is_symlink(fs::path(path).parent_path()))
    std::ofstream(path, std::ios::app) << "{\"torn";
}

}  // namespace

World World::make(const std::string& path) {
  World world{path};
  fs::create_directory(path);
  world.clear();
  return world;
}

void World::clear() const {
  for (const auto& entry : fs::directory_iterator(path)) fs::remove_all(entry.path());
  fs::create_directory(store());
  fs::create_directory(path + "/b");
  fs::create_directories(outside("directory"));
  fs::create_directory(outside("empty"));
  put(outside("file.txt"), "{\"outside\":1}\n");
  put(outside("torn.txt"), "no newline at the end");
  put(outside("directory/file.txt"), "untouched\n");
  put(outside("directory/log.jsonl"), "{\"outside\":2}\n");
  put(outside("directory/document.json"), "{\"outside\":3}\n");
}

std::map<std::string, std::string> World::look() const {
  std::map<std::string, std::string> seen;
  for (const auto& entry : fs::directory_iterator(path)) seen[entry.path()] = "";
  for (const auto& entry : fs::recursive_directory_iterator(outside())) seen[entry.path()] = describe(entry.path());
  seen[outside()] = describe(outside());
  return seen;
}

Answers write_everything(const World& world, const Names& names, std::uint64_t round) {
  Answers answers;
  const Context context = Context{}.within(std::chrono::seconds(2));
  RootOptions options;
  options.create = true;
  const auto a = Root::open(context, real_file_system(), world.store(), options);
  const auto b = Root::open(context, real_file_system(), world.path + "/b", options);
  if (!take(answers, a) || !take(answers, b)) return answers;
  const std::string number = std::to_string(round);
  const std::string record = "{\"round\":" + number + "}";
  for (const LogMode mode : {LogMode::ours, LogMode::shared}) {
    const std::string& path = mode == LogMode::ours ? names.log : names.shared;
    LogOptions log_options;
    log_options.mode = mode;
    if (names.tear) tear(world, path);
    const auto log = AppendLog::open(context, *a, path, log_options);
    if (!take(answers, log)) continue;
    take(answers, (*log)->append(context, record));
    if (names.tear) tear(world, path);
    take(answers, (*log)->append(context, record));
  }
  take(answers, replace_document(context, **a, names.document, record));
  take(answers, replace_document(context, **a, names.document, "{\"again\":" + number + "}"));
  Commit commit(*a);
  commit.put(*a, names.document, "{\"commit\":" + number + "}");
  commit.append(*a, names.log, {"{\"commit\":" + number + "}"});
  commit.symlink(*a, names.link, "nowhere" + number);
  commit.put(*b, names.document, "{\"commit\":" + number + "}");
  take(answers, commit.run(context));
  take(answers, next_number(context, *a, names.counter));
  take(answers, Lease::acquire(context, *a, names.lease));
  take(answers, Lease::take_over(context, *a, names.lease));
  LoadOptions load;
  load.move_bad_aside = true;
  load.check = [](std::string_view) { return Verdict::corrupt; };
  take(answers, load_document(context, **a, names.document, load));
  take(answers, replace_document(context, **a, names.document, record));
  take(answers, remove_document(context, **a, names.document));
  return answers;
}

std::string in_child(unsigned seconds, Answers& answers, Answers (*work)(const void*), const void* argument) {
  int report[2];
  if (::pipe(report) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::signal(SIGALRM, SIG_DFL);
    ::alarm(seconds);
    const Answers found = work(argument);
    (void)!::write(report[1], &found, sizeof found);
    ::_exit(0);
  }
  ::close(report[1]);
  const bool told = ::read(report[0], &answers, sizeof answers) == static_cast<ssize_t>(sizeof answers);
  ::close(report[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM ? "it hangs" : "it dies of signal " + std::to_string(WTERMSIG(status));
  if (!told) return "no answer";
  return answers.broken;
}

void expect_untouched(const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& after,
                      const std::string& what, Outcome& outcome) {
  const auto escaped = [&](std::string_view how, const std::string& path) {
    std::string text = what;
    outcome.fail(&Outcome::wrong, text.append(": ").append(how).append(" outside the root: ").append(path));
  };
  for (const auto& [path, state] : before)
    if (const auto now = after.find(path); now == after.end() || now->second != state) escaped("changed", path);
  for (const auto& [path, state] : after)
    if (!before.contains(path)) escaped("made", path);
}

}  // namespace holdfast::lab
