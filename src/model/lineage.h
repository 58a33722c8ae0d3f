// Sessions that are copies of others without saying so: some agents fork or
// resume by copying messages into a new file. The ids of the copies show it.
#pragma once

#include <holdfast/session.h>

#include <span>

namespace holdfast::inline v1 {

// Of sessions of one store that begin with the same message, the one begun first
// is the origin and the others its forks; those that share only the first API
// response are resumed copies (the agent gave the messages new ids). A parent
// that a session names stays. Sessions without a Lineage are left alone.
void infer_parents(std::span<Session> sessions);

}  // namespace holdfast::inline v1
