#include "layout/feed.h"

#include "base/hash.h"

namespace holdfast::inline v1 {

Result<std::optional<std::string>> Feed::plain_document(const Place& file, std::uint64_t limit,
                                                        std::string_view sha256) {
  HOLDFAST_LET(target, link(file));
  if (target) return fail(Code::unsafe_path, "not a plain file; it is not followed and not read", file.path);
  HOLDFAST_LET(bytes, document(file, limit));
  if (bytes && !sha256.empty() && sha256_hex(*bytes) != sha256)
    return fail(Code::corrupt, "its bytes do not match the SHA-256 in its name", file.path);
  return bytes;
}

}  // namespace holdfast::inline v1
