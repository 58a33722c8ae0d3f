// The sessions that a layout found, as views into the packed bytes.
// Lifetime: everything returned is a view of what holder() owns.
// Thread-safety: immutable.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/session_key.h"

namespace holdfast::inline v1 {

struct FoundRef {
  SessionKey key = {};
  std::string_view root = {}, path = {}, id = {}, hint = {}, project = {};
  bool inner = false;

  SessionRef ref() const;
};

class FoundRefs {
 public:
  using Holder = std::shared_ptr<const std::string>;

  explicit FoundRefs(std::span<const SessionRef> refs);
  // `packed` is the result of packed(), somewhere in `holder`.
  static std::optional<FoundRefs> unpack(Holder holder, std::string_view packed);

  const std::vector<FoundRef>& all() const { return all_; }
  std::string_view packed() const { return packed_; }
  const Holder& holder() const { return holder_; }

 private:
  FoundRefs() = default;
  bool unpack();

  Holder holder_;
  std::string_view packed_;
  std::vector<FoundRef> all_;
};

}  // namespace holdfast::inline v1
