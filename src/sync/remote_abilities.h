// Optional abilities of remotes, beyond remote.h. Thread-safety: as the Remote's.
#pragma once

#include "sync/remote.h"

namespace holdfast::inline v1 {

class SweepsRemote {
 public:
  virtual ~SweepsRemote() = default;
  // Removes leftovers of this device's interrupted calls, which nobody will read.
  virtual Result<void> sweep(const Context& context, std::string_view device) = 0;
};

class NamesPlaces {
 public:
  virtual ~NamesPlaces() = default;
  // Where people find it.
  virtual std::string segment_place(const StreamId& stream, std::uint64_t seq) const = 0;
  virtual std::string chunk_place(std::string_view device, std::string_view name) const = 0;
};

class NoticesObstacles {
 public:
  virtual ~NoticesObstacles() = default;
  // Where people find something that has the name of that segment and is not one; nullopt if the name is free.
  virtual Result<std::optional<std::string>> obstacle(const Context& context, const StreamId& stream,
                                                      std::uint64_t seq) = 0;
  // Where people find the first segment after `seq`, if there is none with the next number; nullopt if the stream ends
  // with `seq`, or goes on after it.
  virtual Result<std::optional<std::string>> after_gap(const Context& context, const StreamId& stream,
                                                       std::uint64_t seq) = 0;
  // Whether devices have published there, even if not everything has been copied yet.
  virtual Result<bool> has_streams(const Context& context) = 0;
};

class KnowsItsWriters {
 public:
  virtual ~KnowsItsWriters() = default;
  // Whether this device may not write to that stream of its own and to its chunks. Changes nothing there. An answer
  // of false is no promise.
  virtual Result<bool> is_read_only(const Context& context, const StreamId& stream) = 0;
  // Why, for people, after is_read_only() returned true; empty if there is nothing to add.
  virtual std::string read_only_reason() const { return {}; }
};

class KeepsDamage {
 public:
  // Says only that what cannot be read there, or is missing, is so for everybody and stays so. Elsewhere a passing
  // fault of the remote may look the same.
  virtual ~KeepsDamage() = default;
};

// For any remote.
Result<void> sweep(const Context& context, Remote& remote, std::string_view device);
Result<std::optional<std::string>> obstacle(const Context& context, Remote& remote, const StreamId& stream,
                                            std::uint64_t seq);
Result<std::optional<std::string>> after_gap(const Context& context, Remote& remote, const StreamId& stream,
                                             std::uint64_t seq);
bool keeps_damage(const Remote& remote);
// Whether a call to a remote failed because there is no space left.
bool is_full(const Error& error);
Result<bool> has_streams(const Context& context, Remote& remote);
Result<bool> is_read_only(const Context& context, Remote& remote, const StreamId& stream);
// Fails with sync_transport_failed if it is read-only. To be called before anything is changed there, or saved here as
// being on its way there.
Result<void> check_writable(const Context& context, Remote& remote, const StreamId& stream);
std::string segment_place(const Remote& remote, const StreamId& stream, std::uint64_t seq);
std::string chunk_place(const Remote& remote, std::string_view device, std::string_view name);

}  // namespace holdfast::inline v1
