#include "sync/open_remote.h"

#include "sync/directory_remote.h"
#include "sync/postgres_remote.h"

namespace holdfast::inline v1 {
namespace {

struct RemoteKind {
  std::string_view scheme;
  Result<std::unique_ptr<Remote>> (*open)(const Context& context, FileSystem& files, std::string_view url);
};

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
     }},
    {"postgres://", open_postgres},
    {"postgresql://", open_postgres},
};

}  // namespace

Result<std::unique_ptr<Remote>> open_remote(const Context& context, FileSystem& files, std::string_view url) {
  for (const RemoteKind& kind : kKinds)
    if (url.starts_with(kind.scheme)) return kind.open(context, files, url);
  return fail(Code::invalid_argument, "not an address that this version knows: it must begin with dir: or postgres://");
}

}  // namespace holdfast::inline v1
