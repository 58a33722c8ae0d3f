// What a layout says while it reads a session, in stored order.
#pragma once

#include <holdfast/session.h>

#include <cstdint>
#include <string_view>

namespace holdfast::inline v1 {

class Events {
 public:
  virtual ~Events() = default;
  virtual void facts(const SessionFacts& facts) = 0;
  // False: the reader wants no more; the layout stops without an error.
  virtual bool message(Message message) = 0;
  // The end of the active branch as the agent itself would choose it. Not called: the last message.
  virtual void leaf(std::string_view /*message_id*/) {}
  // Told after the last record, before the last facts, by layouts whose main log
  // only grows: with this state, reading can go on behind everything told so far
  // once there is more. Whatever is told after it is told again then.
  virtual void rest(std::string_view /*state*/) {}
  // Told now and then before a record of the main log, by layouts whose messages rest
  // on records before their own: reading that begins at the record at `offset` with
  // this state tells the same from there on. Everything before it is told already.
  virtual void checkpoint(std::uint64_t /*offset*/, std::string_view /*state*/) {}
};

}  // namespace holdfast::inline v1
