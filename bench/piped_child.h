// A child program that exchanges lines with this one.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace holdfast::bench {

class PipedChild {
 public:
  // `words[0]` is searched in PATH.
  explicit PipedChild(const std::vector<std::string>& words);
  ~PipedChild();  // ends it
  PipedChild(const PipedChild&) = delete;
  PipedChild& operator=(const PipedChild&) = delete;

  void say(const std::string& line) const;
  // The next line without its newline. Ends this program if there is none.
  std::string hear();

 private:
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;
  std::string buffer_;
};

}  // namespace holdfast::bench
