// Remembers what a layout found in a store, with everything that the answer rests
// on: the names in directories, and the small documents that were read for it
// (docs/formats/index.md). Nothing here is an error: what cannot be read back, or
// rests on something that has changed, is found anew.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "index/found_refs.h"
#include "index/frame_file.h"
#include "index/seen_files.h"

namespace holdfast::inline v1 {

class FoundFile {
 public:
  // `cache` as FrameFile.
  FoundFile(FileSystem& file_system, const std::string& cache, const std::string& store);

  // Everything that the answer rests on is looked at; directories stay in `seen`.
  std::optional<FoundRefs> load(const RootDirectories& roots, SeenFiles& seen);
  // `documents` as they were before they were read, `looked_ns` before the first of them was.
  void save(const FoundRefs& found, const SeenFiles& seen, const std::map<Place, Fingerprint>& documents,
            std::int64_t looked_ns);

 private:
  FrameFile file_;
};

}  // namespace holdfast::inline v1
