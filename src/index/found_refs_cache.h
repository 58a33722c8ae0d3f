// Caches what a layout found in a store, with everything that the answer depends
// on: the names in directories, and the small documents that were read for it
// (docs/formats/index.md). Nothing here is an error: if the cache cannot be read
// back, or something it depends on has changed, the layout searches again.
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

class FoundRefsCache {
 public:
  // `cache` as in FrameFile.
  FoundRefsCache(FileSystem& file_system, const std::string& cache, const std::string& store);

  // Checks everything that the answer depends on; directories are recorded in `seen`.
  std::optional<FoundRefs> load(const RootDirectories& roots, SeenFiles& seen);
  // `documents` as they were before they were read; `looked_ns` is before the first was read.
  void save(const FoundRefs& found, const SeenFiles& seen, const std::map<Place, Fingerprint>& documents,
            std::int64_t looked_ns);

 private:
  FrameFile file_;
};

}  // namespace holdfast::inline v1
