// Redaction in the engine (decision 21): applied once, before a message, a
// draft, a patch or a record is formatted, so no secret reaches a file of any
// kind. The store's options apply, and a thread's own privacy settings.
// Thread-safety: constant.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

#include "layout/layout.h"
#include "layout/record_shape.h"
#include "text/json_value.h"
#include "text/redact_json.h"

namespace holdfast::inline v1 {

class Redactor {
 public:
  Redactor(const StoreOptions& options, const Layout& layout)
      : layout_(layout),
        store_{options.redact_inputs, options.redact_outputs},
        threads_(layout.shape("thread") != nullptr) {}

  // For everything that belongs to no thread.
  RedactOptions request() const { return store_; }
  // For what belongs to `thread`; empty means to none.
  Result<RedactOptions> redaction_for(Feed& feed, std::string_view thread) const;
  Result<RedactOptions> redaction_for(Feed& feed, const SessionRef& ref) const;

  // What the layout may format; unchanged if nothing needs to be hidden.
  Result<SessionDraft> hidden(Feed& feed, const SessionDraft& draft) const;
  Result<SessionPatch> hidden(Feed& feed, const SessionRef& ref, const SessionPatch& patch) const;
  // Not for records whose purpose is to keep a secret: credentials and the configuration.
  Result<RecordEdit> hidden(Feed& feed, const RecordShape& shape, const RecordEdit& edit) const;

 private:
  RedactOptions with_privacy(JsonView thread) const;
  Result<std::string> thread_document(Feed& feed, std::string_view id) const;

  const Layout& layout_;
  RedactOptions store_;
  bool threads_;
};

// The message as it may be stored; ids stay, because a call and its result refer to each other by them.
Message redacted_message(RedactOptions request, Message message);
void redact_in_place(std::string& text);

}  // namespace holdfast::inline v1
