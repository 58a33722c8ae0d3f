// The command with which an agent goes on with one of its sessions.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// A word of a shell: as it is, or in quotes.
std::string shell_word(std::string_view text);

// Whether a text is one word of any shell as it stands: ASCII letters, digits and a few
// marks that mean nothing there, and no option. Only such text of others is printed where
// a shell may read it.
bool is_plain_word(std::string_view text);

// Of a session as session.list has it; in its project's directory where the agent looks
// for sessions by directory. Empty: none is known for this agent, or the id is
// no plain word, or what else stands in it could not be shown as it is.
std::string resume_command(JsonView session);

}  // namespace holdfast::inline v1
