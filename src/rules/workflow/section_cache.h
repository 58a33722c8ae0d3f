// Sections of specifications and other Markdown files, extracted once and cached (L10).
//
// A hit needs the same path, header and modification time, and the same size and
// content hash of the source. The hash is not computed for a source whose inode, size,
// times and change time are unchanged and which had settled when it was looked at
// (decision 34): then it cannot have been written to.
// Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct SectionRequest {
  std::string path = {};  // in the project
  std::string header;
  bool subtree = false;     // see extract_section
  std::string module = {};  // instead of a path: its specification
};

struct CachedSection {
  std::string path;
  std::string header;  // as the document spells it
  int level = 1;
  std::string content;
  bool cached = false;  // from the cache
  std::vector<Finding> findings;
};

// Fails with not_found if there is no such file or heading, with unsupported if the layout has no
// such cache. If the store was opened for reading, uses the cache and changes nothing.
Result<CachedSection> read_section(const Context& context, Store& store, std::string_view project,
                                   const SectionRequest& request);

}  // namespace holdfast::inline v1
