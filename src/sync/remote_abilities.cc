#include "sync/remote_abilities.h"

namespace holdfast::inline v1 {

Result<void> sweep(const Context& context, Remote& remote, std::string_view device) {
  auto* const sweeping = dynamic_cast<SweepsRemote*>(&remote);
  return sweeping == nullptr ? Result<void>() : sweeping->sweep(context, device);
}

Result<std::optional<std::string>> obstacle(const Context& context, Remote& remote, const StreamId& stream,
                                            std::uint64_t seq) {
  auto* const noticing = dynamic_cast<NoticesObstacles*>(&remote);
  return noticing == nullptr ? std::nullopt : noticing->obstacle(context, stream, seq);
}

Result<std::optional<std::string>> after_gap(const Context& context, Remote& remote, const StreamId& stream,
                                             std::uint64_t seq) {
  auto* const noticing = dynamic_cast<NoticesObstacles*>(&remote);
  return noticing == nullptr ? std::nullopt : noticing->after_gap(context, stream, seq);
}

bool keeps_damage(const Remote& remote) { return dynamic_cast<const KeepsDamage*>(&remote) != nullptr; }

bool is_full(const Error& error) {
  return error.code == Code::sync_transport_failed && error.os_error != 0 &&
         os_error(error.os_error, {}, {}).code == Code::disk_full;
}

Result<bool> has_streams(const Context& context, Remote& remote) {
  if (auto* const noticing = dynamic_cast<NoticesObstacles*>(&remote)) return noticing->has_streams(context);
  HOLDFAST_LET(heads, remote.heads(context));
  return !heads.empty();
}

Result<bool> is_read_only(const Context& context, Remote& remote, const StreamId& stream) {
  auto* const knowing = dynamic_cast<KnowsItsWriters*>(&remote);
  return knowing == nullptr ? Result<bool>(false) : knowing->is_read_only(context, stream);
}

Result<void> check_writable(const Context& context, Remote& remote, const StreamId& stream) {
  HOLDFAST_LET(read_only, is_read_only(context, remote, stream));
  if (!read_only) return {};
  const std::string why = dynamic_cast<KnowsItsWriters&>(remote).read_only_reason();
  return fail(Code::sync_transport_failed,
              "the remote is read-only for this machine; what it shares or withdraws there waits until it may write" +
                  (why.empty() ? "" : ": " + why),
              remote.place());
}

std::string segment_place(const Remote& remote, const StreamId& stream, std::uint64_t seq) {
  if (const auto* const named = dynamic_cast<const NamesPlaces*>(&remote)) return named->segment_place(stream, seq);
  return remote.place() + ", segment " + std::to_string(seq) + " of device " + stream.device + ", epoch " +
         std::to_string(stream.epoch);
}

std::string chunk_place(const Remote& remote, std::string_view device, std::string_view name) {
  if (const auto* const named = dynamic_cast<const NamesPlaces*>(&remote)) return named->chunk_place(device, name);
  return remote.place() + ", chunk " + std::string(name) + " of device " + std::string(device);
}

}  // namespace holdfast::inline v1
