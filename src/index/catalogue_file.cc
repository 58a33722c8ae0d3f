#include "index/catalogue_file.h"

#include <holdfast/document.h>

#include "base/hash.h"
#include "disk/staged.h"

namespace holdfast::inline v1 {
namespace {

std::string file_of(const std::string& store) { return "sessions-" + xxh3_hex(store) + ".index"; }

}  // namespace

Catalogue load_catalogue(FileSystem& file_system, const std::string& cache, const std::string& store) {
  if (cache.empty()) return Catalogue(store);
  const auto directory = file_system.open_directory(cache, false);
  if (!directory) return Catalogue(store);
  const auto bytes = read_whole(**directory, file_of(store));
  return bytes ? Catalogue::from_bytes(store, *bytes) : Catalogue(store);
}

void save_catalogue(const Context& context, FileSystem& file_system, const std::string& cache, const std::string& store,
                    Catalogue& catalogue) {
  if (cache.empty() || !catalogue.changed()) return;
  RootOptions options;
  options.create = true;
  options.allow_network = true;  // nothing in it is ever trusted without its hash
  auto root = Root::open(context, file_system, cache, options);
  if (!root) return;
  ReplaceOptions how;
  how.backup = false;
  how.durability = Durability::none;
  (void)replace_document(context, **root, file_of(store), catalogue.to_bytes(), how);
}

}  // namespace holdfast::inline v1
