#include "sync/home_epochs.h"

#include <algorithm>
#include <set>

namespace holdfast::inline v1 {

const SigningKey* writer_of(const std::vector<SigningKey>& keys, const std::vector<RemoteStream>& heads,
                            const StreamId& stream) {
  for (const SigningKey& key : keys) {
    const StreamId its{device_id(key.public_key), stream.epoch};
    if (its == stream) return &key;
    if (std::ranges::any_of(heads, [&](const RemoteStream& one) { return one.id == its; })) return nullptr;
  }
  return nullptr;
}

Result<bool> is_home_epoch(const Context& context, const std::vector<SigningKey>& keys, const RemoteSettings& settings,
                           Remote& remote, const std::vector<RemoteStream>& heads, const StreamId& stream) {
  if (writer_of(keys, heads, stream) == nullptr) return false;
  HOLDFAST_LET(segments, remote.read_after(context, stream, 0));
  if (segments.empty()) return false;
  StreamSegment& first = segments.front();
  first.body.reset();
  return check_segment(first, settings.id, stream, {}).has_value();
}

Result<std::uint64_t> next_epoch(const Context& context, const std::vector<SigningKey>& keys,
                                 const RemoteSettings& settings, Remote& remote, const std::vector<RemoteStream>& heads,
                                 std::uint64_t last) {
  std::set<std::uint64_t> there;
  for (const RemoteStream& one : heads) {
    if (writer_of(keys, heads, one.id) == nullptr) continue;
    there.insert(one.id.epoch);
    if (one.id.epoch <= last) continue;
    HOLDFAST_LET(ours, is_home_epoch(context, keys, settings, remote, heads, one.id));
    if (ours) last = one.id.epoch;
  }
  while (there.contains(++last)) {
  }
  return last;
}

}  // namespace holdfast::inline v1
