#include "fuse_disk.h"

#ifdef HOLDFAST_HAVE_FUSE3
#define FUSE_USE_VERSION 31
#include <fuse3/fuse.h>
#endif

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

#include "power_cut_store.h"

namespace holdfast::lab {

struct FuseDisk::Control {
  std::atomic<int> illness{0};
  std::atomic<std::uint64_t> refused{0};
};

#ifdef HOLDFAST_HAVE_FUSE3
namespace {

// Used by the serving process only.
int the_image = -1;
off_t the_size = 0;
std::atomic<int>* the_illness = nullptr;
std::atomic<std::uint64_t>* the_refused = nullptr;

bool is_disk(const char* path) { return std::strcmp(path, "/disk") == 0; }

int get_attributes(const char* path, struct stat* into, fuse_file_info*) {
  *into = {};
  if (std::strcmp(path, "/") == 0) {
    into->st_mode = S_IFDIR | 0700;
    into->st_nlink = 2;
    return 0;
  }
  if (!is_disk(path)) return -ENOENT;
  into->st_mode = S_IFREG | 0600;
  into->st_nlink = 1;
  into->st_size = the_size;
  return 0;
}

int open_disk(const char* path, fuse_file_info* file) {
  file->direct_io = 1;  // no second cache that would hide the state of the medium
  return is_disk(path) ? 0 : -ENOENT;
}

int read_disk(const char*, char* into, std::size_t size, off_t offset, fuse_file_info*) {
  const ssize_t count = ::pread(the_image, into, size, offset);
  return count < 0 ? -errno : static_cast<int>(count);
}

int write_disk(const char*, const char* from, std::size_t size, off_t offset, fuse_file_info*) {
  const auto illness = static_cast<DiskFault>(the_illness->load());
  if (illness == DiskFault::everything ||
      (illness == DiskFault::data && ::memmem(from, size, kMarker.data(), kMarker.size()) != nullptr)) {
    ++*the_refused;
    return -EIO;
  }
  const ssize_t count = ::pwrite(the_image, from, size, offset);
  return count < 0 ? -errno : static_cast<int>(count);
}

int sync_disk(const char*, int, fuse_file_info*) {
  return static_cast<DiskFault>(the_illness->load()) == DiskFault::everything ? -EIO : 0;
}

}  // namespace

bool FuseDisk::built() { return true; }

void FuseDisk::serve(int image, std::uint64_t size) {
  die_with_parent();
  the_image = image;
  the_size = static_cast<off_t>(size);
  the_illness = &control_->illness;
  the_refused = &control_->refused;
  fuse_operations operations{};
  operations.getattr = get_attributes;
  operations.open = open_disk;
  operations.read = read_disk;
  operations.write = write_disk;
  operations.fsync = sync_disk;
  char name[] = "holdfast_lab";
  char* words[] = {name, nullptr};
  fuse_args arguments = FUSE_ARGS_INIT(1, words);
  fuse* const served = fuse_new(&arguments, &operations, sizeof operations, nullptr);
  if (served != nullptr && fuse_mount(served, directory_.c_str()) == 0) fuse_loop(served);
  ::_exit(0);
}
#else
bool FuseDisk::built() { return false; }
void FuseDisk::serve(int, std::uint64_t) { ::_exit(1); }
#endif

FuseDisk::FuseDisk(DiskKind kind, std::string directory, unsigned megabytes) : directory_(std::move(directory)) {
  make_mounts_private();
  ::mkdir(directory_.c_str(), 0700);
  void* const shared = ::mmap(nullptr, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    error_ = "no memory to share";
    return;
  }
  control_ = new (shared) Control;
  std::string name = "/dev/shm/holdfast-fuse-XXXXXX";
  const int image = ::mkostemp(name.data(), O_CLOEXEC);
  const std::uint64_t size = std::uint64_t{megabytes} << 20;
  if (image < 0 || ::ftruncate(image, static_cast<off_t>(size)) != 0) error_ = "no image in /dev/shm";
  if (ok()) error_ = make_file_system(kind, name);
  ::unlink(name.c_str());
  if (ok()) {
    server_ = ::fork();
    if (server_ == 0) serve(image, size);
    error_ = "the FUSE file system did not come up";
    for (int i = 0; i < 500 && !ok(); ++i) {
      if (::access(this->image().c_str(), R_OK | W_OK) == 0)
        error_.clear();
      else
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  ::close(image);
}

FuseDisk::~FuseDisk() {
  if (server_ > 0) {
    if (::umount2(directory_.c_str(), 0) != 0) ::umount2(directory_.c_str(), MNT_DETACH);
    for (int i = 0; i < 200 && ::waitpid(server_, nullptr, WNOHANG) == 0; ++i) {
      if (i == 100) ::kill(server_, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  if (control_ != nullptr) ::munmap(control_, sizeof(Control));
}

void FuseDisk::set(DiskFault illness) { control_->illness = static_cast<int>(illness); }
std::uint64_t FuseDisk::refused() const { return control_->refused; }

}  // namespace holdfast::lab
