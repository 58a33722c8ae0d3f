// Reads and edits the settings files of other agents, which Holdfast edits only when a person explicitly asks for that.
#pragma once

#include <string>

#include "api/call.h"

namespace holdfast::inline v1 {

struct SettingsFile {
  std::string path, bytes;
  bool there = false;
  bool read_only = false;  // by its mode
};

// Follows symbolic links: people keep the file in another place and link to it. A missing file reads as empty; a link
// to one fails with unsafe_path.
Result<SettingsFile> read_settings_file(const Call& call, const std::string& path);

struct SettingsEdit {
  SettingsFile file;
  std::string next;
  bool changes() const { return next != file.bytes && !(next.empty() && !file.there); }
};

// Fails with permission_denied if this would change a file that somebody made read-only.
Result<SettingsEdit> edit_settings(SettingsFile file, std::string next);

// Replaces the file atomically, or creates it, and leaves nothing else there. The file keeps its mode, and links to it
// stay. Fails with conflict if it was changed since it was read.
Result<void> write_settings(const Call& call, const SettingsEdit& edit);

}  // namespace holdfast::inline v1
