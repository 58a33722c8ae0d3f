// A page that redirects to the viewer. The address contains a secret code and must not be on a command line, which
// every user of the machine can read (ps): the browser opens this file instead, which only its owner can read.
// Lifetime: the destructor removes the file. Thread-safety: one thread.
#pragma once

#include <holdfast/file_system.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

class EntryPage {
 public:
  // Creates the file `name` in $XDG_RUNTIME_DIR, else in the state directory of the person.
  static Result<EntryPage> make(FileSystem& files, const std::function<std::string(std::string_view name)>& variable,
                                const std::string& name, const std::string& address);
  ~EntryPage();
  EntryPage(EntryPage&&) = default;
  EntryPage& operator=(EntryPage&&) = delete;

  std::string path() const { return directory_->path() + "/" + name_; }

 private:
  EntryPage(std::unique_ptr<Directory> directory, std::string name)
      : directory_(std::move(directory)), name_(std::move(name)) {}

  std::unique_ptr<Directory> directory_;  // null if moved from
  std::string name_;
};

}  // namespace holdfast::inline v1
