// Reads and edits the settings files of other agents, which Holdfast edits only when a person explicitly asks for that.
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
