#include "store/plain_appender.h"

namespace holdfast::inline v1 {

Result<FolderAndName> folder_and_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (!path.starts_with('/') || slash + 1 == path.size())
    return fail(Code::invalid_argument, "not the absolute path of a file", std::string(path));
  return FolderAndName{slash == 0 ? "/" : std::string(path.substr(0, slash)), std::string(path.substr(slash + 1))};
}

Result<std::unique_ptr<File>> open_or_create(Directory& directory, const std::string& name) {
  auto file = directory.open(name, OpenMode::append);
  if (file || file.error().code != Code::not_found) return file;
  file = directory.open(name, OpenMode::create_append);
  if (!file && file.error().code == Code::already_exists) return directory.open(name, OpenMode::append);
  return file;
}

void PlainAppender::line(std::string text) {
  if (!on()) return;
  text += '\n';
  const ScopedLock guard(mutex_);
  if (!file_) {
    const auto place = folder_and_name(path_);
    if (!place) return;
    auto directory = file_system_.open_directory(place->folder, true);
    if (!directory) return;
    directory_ = std::move(*directory);
    auto file = open_or_create(*directory_, place->name);
    if (!file) return;
    file_ = std::move(*file);
  }
  const auto written = file_->append(text);
  if (!written || *written != text.size()) file_.reset();
}

}  // namespace holdfast::inline v1
