// A child program that exchanges lines with this one.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace holdfast::bench {

class TalkingChild {
 public:
  // `words[0]` is searched in PATH.
  explicit TalkingChild(const std::vector<std::string>& words);
  ~TalkingChild();  // ends it
  TalkingChild(const TalkingChild&) = delete;
  TalkingChild& operator=(const TalkingChild&) = delete;

  void say(const std::string& line) const;
  // The next line without its newline. Ends this program if there is none.
  std::string hear();

 private:
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;
  std::string buffer_;
};

}  // namespace holdfast::bench
