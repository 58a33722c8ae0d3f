// Chatter, an agent that does not exist: ~/.chatter/chats/NAME.jsonl. Read only.
#pragma once

#include "layout/layout.h"

namespace holdfast::inline v1 {

const Layout& chatter_layout();

namespace chatter {

const ToolDialect& tools();
const AgentHome& home();

}  // namespace chatter
}  // namespace holdfast::inline v1
