// Reads and edits the settings file of another agent: the only file of an agent that Holdfast edits in place, and only
// when a person asks for that.
#pragma once

#include <string>

#include "api/call.h"

namespace holdfast::inline v1 {

struct SettingsFile {
  std::string path, bytes;
  bool there = false;
};

// Follows symbolic links: people keep the file in another place and link to it. A missing file reads as empty.
Result<SettingsFile> read_settings_file(const Call& call, const std::string& path);

struct SettingsEdit {
  SettingsFile file;
  std::string next;
  bool changes() const { return next != file.bytes && !(next.empty() && !file.there); }
};

// Replaces the file atomically and keeps a backup; fails with conflict if it was changed since it was read.
Result<void> write_settings(const Call& call, const SettingsEdit& edit);

}  // namespace holdfast::inline v1
