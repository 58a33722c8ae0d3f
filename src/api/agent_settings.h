// The one kind of file of another agent that Holdfast edits when it is asked to by name: its settings.
#pragma once

#include <string>

#include "api/call.h"

namespace holdfast::inline v1 {

struct SettingsFile {
  std::string path, bytes;
  bool there = false;
};

// Links followed: people keep it in another place and link to it. One that is not there is empty.
Result<SettingsFile> read_settings_file(const Call& call, const std::string& path);

struct SettingsEdit {
  SettingsFile file;
  std::string next;
  bool changes() const { return next != file.bytes && !(next.empty() && !file.there); }
};

// Whole or not at all, with a backup of what was there; conflict when somebody has changed it since it was read.
Result<void> write_settings(const Call& call, const SettingsEdit& edit);

}  // namespace holdfast::inline v1
