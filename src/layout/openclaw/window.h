// What the tables session_windows and session_nodes record about one session. A node is
// a conversation (session_key); its windows are its sessions, one after the other.
#pragma once

#include <holdfast/session.h>

#include <string>

#include "layout/feed.h"

namespace holdfast::inline v1::openclaw {

struct SessionWindow {
  SessionFacts facts;
  std::string leaf;  // the end of the active branch, if openclaw's own index is up to date
};

Result<SessionWindow> read_window(Feed& feed, const Place& database, const std::string& id);

}  // namespace holdfast::inline v1::openclaw
