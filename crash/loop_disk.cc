#include "loop_disk.h"

#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

namespace holdfast::lab {
namespace {

// EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN have the same number; 2 means that
// the file system's log is not flushed either.
constexpr unsigned long kShutdown = _IOR('X', 125, std::uint32_t);
constexpr std::uint32_t kNoLogFlush = 2;
constexpr int kPatience = 200;  // x 10 ms

std::string because(const std::string& what) { return what + ": " + std::strerror(errno); }

std::string image_prefix() { return "/dev/shm/holdfast-disk-" + std::to_string(::getpid()) + "-"; }

void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }

bool unmount_at(const std::string& directory) {
  for (int i = 0; i < kPatience; ++i) {
    if (::umount2(directory.c_str(), 0) == 0) return true;
    if (errno != EBUSY) break;
    nap();
  }
  return false;
}

}  // namespace

const char* disk_kind_name(DiskKind kind) { return kind == DiskKind::ext4 ? "ext4" : "xfs"; }

bool make_mounts_private() {
  static const bool done =
      ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  return done;
}

void die_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

std::string disks_unavailable_reason(bool images) {
  if (::geteuid() != 0) return "needs root to mount";
  if (images && ::access("/dev/loop-control", R_OK | W_OK) != 0) return "needs /dev/loop-control";
  if (images) {
    for (const char* program : {"mkfs.ext4", "mkfs.xfs"})
      if (!run_program({program, "-V"}).empty()) return std::string("needs ") + program;
  }
  make_mounts_private();
  const std::string probe = image_prefix() + "probe";
  const MemoryDisk disk(probe, "size=64k");
  return disk.ok() ? std::string() : "needs to mount a tmpfs: " + disk.error();
}

std::string run_program(const std::vector<std::string>& words) {
  int out[2];
  if (::pipe2(out, O_CLOEXEC) != 0) return because("pipe");
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return because("fork");
  if (child == 0) {
    ::dup2(out[1], 1);
    ::dup2(out[1], 2);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(out[1]);
  std::string text;
  char buffer[512];
  for (ssize_t count = 0; (count = ::read(out[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  ::close(out[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? std::string() : words[0] + ": " + text;
}

std::string make_file_system(DiskKind kind, const std::string& image) {
  if (kind == DiskKind::ext4) return run_program({"mkfs.ext4", "-q", "-F", image});
  return run_program({"mkfs.xfs", "-q", "-f", image});
}

LoopDisk::LoopDisk(DiskKind kind, std::string directory, unsigned megabytes) : LoopDisk(kind, std::move(directory)) {
  std::string image = image_prefix() + "XXXXXX";
  const int file = ::mkostemp(image.data(), O_CLOEXEC);
  if (file < 0) {
    error_ = because(image);
    return;
  }
  if (::ftruncate(file, static_cast<off_t>(megabytes) << 20) != 0) error_ = because(image);
  ::close(file);
  if (ok()) error_ = make_file_system(kind_, image);
  if (ok()) attach(image);
  ::unlink(image.c_str());
}

LoopDisk LoopDisk::over(DiskKind kind, std::string directory, const std::string& image) {
  LoopDisk disk(kind, std::move(directory));
  disk.attach(image);
  return disk;
}

LoopDisk::LoopDisk(LoopDisk&& other) noexcept
    : kind_(other.kind_),
      directory_(std::move(other.directory_)),
      image_file_(std::exchange(other.image_file_, -1)),
      device_(std::move(other.device_)),
      device_file_(std::exchange(other.device_file_, -1)),
      mounted_(std::exchange(other.mounted_, false)),
      error_(std::move(other.error_)) {}

LoopDisk::~LoopDisk() {
  unmount();
  disconnect();
  if (image_file_ >= 0) ::close(image_file_);
}

void LoopDisk::attach(const std::string& image) {
  make_mounts_private();
  ::mkdir(directory_.c_str(), 0700);
  image_file_ = ::open(image.c_str(), O_RDWR | O_CLOEXEC);
  if (image_file_ < 0)
    error_ = because(image);
  else if (connect())
    mount();
}

// Others may look for a free device at the same time: the first to configure it gets it.
bool LoopDisk::connect() {
  const int control = ::open("/dev/loop-control", O_RDWR | O_CLOEXEC);
  loop_config config{};
  config.fd = static_cast<__u32>(image_file_);
  config.info.lo_flags = LO_FLAGS_AUTOCLEAR;
  error_ = "no loop device";
  for (int i = 0; i < kPatience && control >= 0; ++i) {
    const int number = ::ioctl(control, LOOP_CTL_GET_FREE);
    if (number < 0) break;
    device_ = "/dev/loop" + std::to_string(number);
    device_file_ = ::open(device_.c_str(), O_RDWR | O_CLOEXEC);
    if (device_file_ >= 0 && ::ioctl(device_file_, LOOP_CONFIGURE, &config) == 0) {
      error_.clear();
      break;
    }
    error_ = because(device_);
    disconnect();
    nap();
  }
  ::close(control);
  return ok();
}

// The device detaches itself.
void LoopDisk::disconnect() {
  if (device_file_ >= 0) ::close(std::exchange(device_file_, -1));
}

bool LoopDisk::mount() {
  // xfs refuses a second file system with the same id, for example after a failed unmount.
  if (::mount(device_.c_str(), directory_.c_str(), disk_kind_name(kind_), MS_NOATIME, nullptr) != 0) {
    error_ = because("cannot mount " + device_);
    return false;
  }
  mounted_ = true;
  return true;
}

bool LoopDisk::unmount() {
  if (!mounted_) return true;
  if (!unmount_at(directory_)) {
    error_ = because("cannot unmount " + directory_);
    return false;
  }
  mounted_ = false;
  return true;
}

bool LoopDisk::power_cut() {
  const int file = ::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return false;
  std::uint32_t flag = kNoLogFlush;
  const bool done = ::ioctl(file, kShutdown, &flag) == 0;
  ::close(file);
  return done;
}

bool LoopDisk::remount() {
  if (!unmount()) return false;
  disconnect();
  return connect() && mount();
}

MemoryDisk::MemoryDisk(std::string directory, const std::string& options) : directory_(std::move(directory)) {
  make_mounts_private();
  ::mkdir(directory_.c_str(), 0700);
  mounted_ = ::mount("tmpfs", directory_.c_str(), "tmpfs", 0, (options + ",mode=700").c_str()) == 0;
  if (!mounted_) error_ = because("cannot mount a tmpfs");
}

MemoryDisk::~MemoryDisk() {
  if (mounted_) unmount_at(directory_);
  ::rmdir(directory_.c_str());
}

bool MemoryDisk::resize(const std::string& options) {
  return ::mount("tmpfs", directory_.c_str(), "tmpfs", MS_REMOUNT, (options + ",mode=700").c_str()) == 0;
}

void check_leftovers(const std::string& directory, Outcome& outcome) {
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);)
    if (line.find(" " + directory + "/") != std::string::npos)
      outcome.fail(&Outcome::wrong, "a mount was left behind: " + line);
  std::string left;
  for (int i = 0; i < kPatience; ++i) {  // the kernel detaches it a little later
    left.clear();
    for (const auto& entry : std::filesystem::directory_iterator("/sys/block")) {
      std::ifstream backing(entry.path() / "loop/backing_file");
      std::string name;
      if (std::getline(backing, name) && (name.starts_with(image_prefix()) || name.starts_with(directory + "/")))
        left = entry.path().filename().string() + " on " + name;
    }
    if (left.empty()) return;
    nap();
  }
  outcome.fail(&Outcome::wrong, "a loop device was left behind: " + left);
}

}  // namespace holdfast::lab
