// A page that leads to the viewer. The address with its code must not be a word of a command line, which everybody on
// the machine can read (ps): a browser is given this file instead, which only its owner can read.
// Lifetime: the page is removed with the object. Thread-safety: one thread.
#pragma once

#include <holdfast/file_system.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

class EntryPage {
 public:
  // `name` is that of the file. In $XDG_RUNTIME_DIR, else in the state directory of the person.
  static Result<EntryPage> make(FileSystem& files, const std::function<std::string(std::string_view name)>& variable,
                                const std::string& name, const std::string& address);
  ~EntryPage();
  EntryPage(EntryPage&&) = default;
  EntryPage& operator=(EntryPage&&) = delete;

  std::string path() const { return directory_->path() + "/" + name_; }

 private:
  EntryPage(std::unique_ptr<Directory> directory, std::string name)
      : directory_(std::move(directory)), name_(std::move(name)) {}

  std::unique_ptr<Directory> directory_;  // null: moved from
  std::string name_;
};

}  // namespace holdfast::inline v1
