#include "index/found_refs.h"

#include "model/packing.h"

namespace holdfast::inline v1 {

SessionRef FoundRef::ref() const {
  return {std::string(id), {std::string(root), std::string(path)}, std::string(project), std::string(hint), inner};
}

FoundRefs::FoundRefs(std::span<const SessionRef> refs) {
  Packer out;
  out.number(refs.size());
  for (const SessionRef& ref : refs) {
    const SessionKey key = SessionKey::of(ref);
    out.fixed(key.hash);
    out.fixed(key.check);
    for (const std::string* text : {&ref.place.root, &ref.place.path, &ref.id, &ref.hint, &ref.project})
      out.text(*text);
    out.number(ref.inner ? 1 : 0);
  }
  holder_ = std::make_shared<const std::string>(out.take());
  packed_ = *holder_;
  (void)unpack();
}

std::optional<FoundRefs> FoundRefs::unpack(Holder holder, std::string_view packed) {
  std::optional<FoundRefs> found(FoundRefs{});
  found->holder_ = std::move(holder);
  found->packed_ = packed;
  if (!found->unpack()) found.reset();
  return found;
}

bool FoundRefs::unpack() {
  Unpacker in(packed_);
  std::uint64_t left = in.number();
  constexpr std::uint64_t kLeast = 16;  // smallest size of one, in bytes
  if (left > packed_.size() / kLeast) return false;
  all_.reserve(static_cast<std::size_t>(left));
  for (; left > 0 && in.ok(); --left) {
    FoundRef& found = all_.emplace_back();
    found.key.hash = in.fixed();
    found.key.check = in.fixed();
    for (std::string_view* text : {&found.root, &found.path, &found.id, &found.hint, &found.project}) *text = in.view();
    found.inner = in.number() != 0;
  }
  return in.done();
}

}  // namespace holdfast::inline v1
