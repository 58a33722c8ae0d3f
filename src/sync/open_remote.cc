#include "sync/open_remote.h"

#include "sync/directory_remote.h"
#include "sync/postgres_remote.h"

namespace holdfast::inline v1 {
namespace {

struct RemoteKind {
  std::string_view scheme;
  Result<std::unique_ptr<Remote>> (*open)(const Context& context, FileSystem& files, std::string_view url);
  std::string_view kept;  // what erasing does not reach
};

constexpr std::string_view kKeptByStorage = "versions and backups kept by the storage";
constexpr std::string_view kKeptByServer =
    "dead rows (until VACUUM), WAL (until it is recycled), and standbys, archived WAL and backups of the server";

Result<std::unique_ptr<Remote>> open_postgres(const Context&, FileSystem&, std::string_view url) {
  return open_postgres_remote(url);
}

constexpr RemoteKind kKinds[] = {
    {"dir:",
     [](const Context&, FileSystem& files, std::string_view url) -> Result<std::unique_ptr<Remote>> {
       const std::string path(url.substr(4));
       if (!path.starts_with('/'))
         return fail(Code::invalid_argument, "the path of a directory remote must be absolute: dir:/path", path);
       return open_directory_remote(files, path);
     },
     kKeptByStorage},
    {"postgres://", open_postgres, kKeptByServer},
    {"postgresql://", open_postgres, kKeptByServer},
};

}  // namespace

Result<std::unique_ptr<Remote>> open_remote(const Context& context, FileSystem& files, std::string_view url) {
  for (const RemoteKind& kind : kKinds)
    if (url.starts_with(kind.scheme)) return kind.open(context, files, url);
  return fail(Code::invalid_argument, "not an address that this version knows: it must begin with dir: or postgres://");
}

std::string_view kept_after_erasure(std::string_view url) {
  for (const RemoteKind& kind : kKinds)
    if (url.starts_with(kind.scheme)) return kind.kept;
  return kKeptByStorage;
}

}  // namespace holdfast::inline v1
