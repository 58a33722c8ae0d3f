// What T15 compares: stores of one session each, how to start a writer of each, and what is in the store afterwards.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "storm_wire.h"

namespace holdfast::lab {

enum class Peer { ours, rewrite, append, rename, sqlite_normal, sqlite_full };

struct PeerName {
  Peer peer;
  std::string_view title;
  bool syncs;  // promises to survive a power cut
};
// Those that can run here: Node and SQLite may be missing.
std::vector<PeerName> available_peers();

// The command that starts a writer on `directory`. It continues what is there
// and prints the number of each message that it was promised, one per line.
std::vector<std::string> peer_command(Peer peer, const std::string& program, const std::string& directory);

struct PeerView {
  std::set<std::uint64_t> messages;  // complete ones
  bool damaged = false;              // something in the store cannot be read
  std::string why;
};
// Opens the store as its own program would.
PeerView read_peer_store(Peer peer, const std::string& directory);

// {"n":17,"text":"abcdefghij..."}: the same for all.
std::string peer_message(std::uint64_t number);

// Roles of storm_child.
int role_peer_ours(const Job& job);
int role_peer_sqlite(const Job& job);  // job.shared: synchronous=FULL

}  // namespace holdfast::lab
