// The demo's temporary directory, removed with everything in it at the end.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <utility>

namespace holdfast::inline v1 {

class Scratch {
 public:
  // Creates a directory below `base`, or if that is empty below the system's directory
  // for temporary files: /tmp, or /var/tmp if /tmp is in memory.
  static Result<Scratch> create(const std::string& base);
  Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  const std::string& path() const { return path_; }
  void keep() { kept_ = true; }
  bool remove();  // returns false if something could not be removed

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  std::string path_;
  bool kept_ = false;
};

}  // namespace holdfast::inline v1
