// Receives what a layout reports while it reads a session, in stored order.
#pragma once

#include <holdfast/session.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "model/kept_output.h"
#include "model/message_view.h"

namespace holdfast::inline v1 {

class Events {
 public:
  virtual ~Events() = default;
  virtual void facts(const SessionFacts& facts) = 0;
  // Return false to stop; then the layout stops without an error.
  virtual bool message(Message message) = 0;
  // What layouts call. What Holdfast itself wrote on the user's side is no prompt, whatever the agent takes it for.
  bool report(Message message) {
    mark_kept_outputs(message);
    return this->message(std::move(message));
  }
  // A receiver that only writes messages can take them without copies, from layouts that have them like that. A view
  // is the whole message, and its bytes are those of the record, valid during the call.
  virtual bool prefers_views() const { return false; }
  virtual bool view(MessageView /*message*/) { return true; }
  // The end of the active branch as the agent itself would choose it. If not called, the last message.
  virtual void leaf(std::string_view /*message_id*/) {}
  // Called after the last record, before the last facts, by layouts whose main log
  // only grows: with this state, reading can continue after everything reported so
  // far when there is more. Anything reported after this call is reported again then.
  virtual void rest(std::string_view /*state*/) {}
  // Called now and then before a record of the main log, by layouts whose messages
  // depend on earlier records: reading that starts at the record at `offset` with this
  // state reports the same from there on. Everything before it has been reported.
  virtual void checkpoint(std::uint64_t /*offset*/, std::string_view /*state*/) {}
};

}  // namespace holdfast::inline v1
