// A session of one agent becomes a new session of another: what is carried is
// prepared, then written; nothing that is there already is touched (decisions 42 and 43).
// Thread-safety: pure but for the files that are written.
#pragma once

#include <holdfast/context.h>
#include <holdfast/store.h>

#include <string>
#include <vector>

#include "handoff/conversation.h"
#include "handoff/cut.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

struct HandoffOptions {
  CutOptions cut = {};
  std::string project = {};  // where the work goes on; empty: where it was
  bool map_tools = true;     // calls get the names of the next agent's tools
  bool redact = false;
};

// The conversation as `to` can have had it. unsupported: `to` takes no sessions of others. invalid_argument: there
// is nothing to carry, or no project.
Result<Conversation> prepare_handoff(const Transcript& transcript, const Layout& to, const HandoffOptions& options);

struct NewlyWritten {
  std::string id = {};
  std::string file = {};            // below the root
  std::string import_command = {};  // followed by the file: takes it in
};

// Into the store of layout `to` whose first root is `root`. The main file is written last: with it the session is
// there.
Result<NewlyWritten> write_handoff(const Context& context, FileSystem& files, Directory& root, const Layout& to,
                                   const Conversation& conversation);

// The same into a store that Holdfast itself writes; the id.
Result<std::string> store_handoff(const Context& context, Store& store, const Conversation& conversation,
                                  const Session& source);

}  // namespace holdfast::inline v1
