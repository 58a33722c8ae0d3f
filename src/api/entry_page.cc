#include "api/entry_page.h"

namespace holdfast::inline v1 {
namespace {

std::string folder_of(const std::function<std::string(std::string_view name)>& variable) {
  for (const std::string_view name : {"XDG_RUNTIME_DIR", "XDG_STATE_HOME"})
    if (std::string folder = variable(name); folder.starts_with('/')) return folder + "/holdfast";
  const std::string home = variable("HOME");
  return home.starts_with('/') ? home + "/.local/state/holdfast" : std::string();
}

}  // namespace

Result<EntryPage> EntryPage::make(FileSystem& files, const std::function<std::string(std::string_view name)>& variable,
                                  const std::string& name, const std::string& address) {
  const std::string folder = folder_of(variable);
  if (folder.empty())
    return fail(Code::storage_unavailable, "there is no place for a file: no XDG_RUNTIME_DIR, no HOME");
  HOLDFAST_LET(directory, files.open_directory(folder, true));
  (void)directory->remove(name);  // left by a killed server; nothing listens on its port any more
  HOLDFAST_LET(file, directory->open(name, OpenMode::create_update));
  EntryPage page(std::move(directory), name);
  HOLDFAST_TRY(file->write_at(0,
                              "<!doctype html><meta charset=\"utf-8\"><title>Holdfast</title>"
                              "<meta http-equiv=\"refresh\" content=\"0;url=" +
                                  address + "\"><p><a href=\"" + address + "\">Open the viewer</a></p>\n"));
  return page;
}

EntryPage::~EntryPage() {
  if (directory_) (void)directory_->remove(name_);
}

}  // namespace holdfast::inline v1
