// The tables for search of a PostgreSQL remote: what the streams say, as rows that a server can list, search and count.
// docs/formats/sync.md. Derived: whoever can read the streams can fill them again.
// Crash-safety: every change is a transaction that leaves whole sessions; whoever was interrupted goes on at the first
// session that differs. Two that index at once do no harm.
// Hostility: who asks gets what somebody wrote there; sizes are bounded, and nothing of it is more than text.
// Thread-safety: one thread an object.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "archive/capture.h"
#include "sync/postgres_session.h"
#include "sync/projected_message.h"

namespace holdfast::inline v1 {

struct ProjectedStream {
  StreamHead head = {};
  std::string at = {};         // when somebody last found it so
  std::uint64_t left_out = 0;  // sessions that could not be read
};

struct ProjectedSession {
  StreamId stream = {};
  CaptureKey session = {};
  std::string part_of = {};  // the id of the session whose op says how it is shared: this one, or what it is part of
  std::uint64_t number = 0;  // of that op
  std::string machine = {}, policy = {}, identity = {}, project = {}, updated_at = {}, status = {};
  bool inner = false, subagent = false;
  std::string listed = {}, counted = {};  // JSON objects

  std::string key() const;     // 16 bytes
  std::string digest() const;  // 8 bytes, of all but the number
};

// What is there of a session.
struct KnownSession {
  std::uint64_t epoch = 0;
  CaptureKey session = {};
  std::uint64_t number = 0;
  std::string digest = {}, policy = {}, identity = {}, project = {}, part_of = {};
};
using KnownSessions = std::map<std::string, KnownSession>;  // by key

// Gives the messages of a session to `take`, in their order.
using TakeProjected = std::function<Result<void>(ProjectedMessage message)>;
using TellProjected = std::function<Result<void>(const TakeProjected& take)>;

enum class PutOutcome {
  done,
  overtaken,  // somebody who has read more was first
  busy,       // somebody else is at it
};
struct PutCounts {
  std::uint64_t messages = 0;  // that were written
  std::uint64_t cut = 0;       // of them
};

// Which sessions are meant by those who ask; empty: no matter.
struct ProjectionFilter {
  std::vector<std::string> revoked = {};  // devices that are not believed
  std::string layout = {}, machine = {}, since = {}, until = {}, status = {};
  std::string project = {}, also_project = {}, identity = {};
  std::string id = {};
  bool subagents = true, inner = false;
};

struct ProjectionState {
  std::string at = {};         // when somebody last indexed; "": nobody has
  std::uint64_t behind = 0;    // segments that are not in it
  std::uint64_t left_out = 0;  // sessions
  std::uint64_t cut = 0;       // messages
};

struct ListedProjection {
  std::string listed, machine, counted;
};
// Behind that session of a list; empty: from its start.
struct ListedAfter {
  std::string updated_at = {}, id = {}, store = {};
};
struct ListedPage {
  std::uint64_t total = 0, skip = 0;
  std::vector<ListedProjection> rows = {};
};

// A message that has the words that were asked for.
struct FoundMessage {
  std::string key = {};
  std::uint64_t ordinal = 0, same = 0;
  std::string role = {}, at = {}, said = {}, thought = {}, tools = {};
  std::string id = {}, layout = {}, store = {}, project = {}, updated_at = {}, machine = {};
};
struct FoundCount {
  std::uint64_t hits = 0, sessions = 0;
};
struct WordsQuery {
  std::string words = {};  // words_query
  std::string kind = {};   // of what was said; "": any
};

class Projection {
 public:
  // Nothing is asked yet.
  static Result<Projection> open(std::string_view url, const PostgresPatience& patience = {});
  // Whether there are such tables.
  Result<bool> exists(const Context& context);
  // sync_transport_failed: there are none.
  Result<void> check(const Context& context);

  // ---- to index
  Result<std::string> now(const Context& context);
  Result<std::map<StreamId, ProjectedStream>> streams(const Context& context);
  Result<void> begin(const Context& context, const StreamId& stream);
  // Of one stream; of all of the device for epoch 0.
  Result<KnownSessions> known(const Context& context, const StreamId& stream);
  // `head`: how far the writer has read the stream. Without `tell` the messages stay.
  Result<PutOutcome> put(const Context& context, const ProjectedSession& session, const StreamHead& head,
                         const TellProjected& tell, PutCounts& counts);
  Result<void> remove(const Context& context, std::string_view key);
  // Everything of the stream is there, and what is not in `kept` goes. False: somebody who has read more was first.
  Result<bool> finish(const Context& context, const StreamId& stream, const ProjectedStream& now,
                      const std::set<std::string>& kept);
  // The stream is still as it was.
  Result<void> confirm(const Context& context, const StreamId& stream, const ProjectedStream& now);
  // Streams that the remote no longer has; how many sessions went.
  Result<std::uint64_t> remove_gone(const Context& context);
  // Everything of the device; how many sessions went.
  Result<std::uint64_t> remove_device(const Context& context, const std::string& device);

  // ---- to ask (projection_query.cc)
  Result<ProjectionState> state(const Context& context, const std::vector<std::string>& revoked);
  Result<ListedPage> list(const Context& context, const ProjectionFilter& filter, const ListedAfter& after,
                          std::uint64_t skip, std::uint64_t limit);
  // What every session adds to statistics, with its row.
  using TakeCounted = std::function<void(const std::string& listed, bool inner, const std::string& counted)>;
  Result<void> each_counted(const Context& context, const ProjectionFilter& filter, const TakeCounted& take);
  // Up to three ids that begin so.
  Result<std::vector<std::string>> ids_like(const Context& context, const ProjectionFilter& filter,
                                            std::string_view prefix);
  // The next ones behind `after` (nullptr: the first), sessions newest first; none: that was all.
  Result<std::vector<FoundMessage>> find(const Context& context, const WordsQuery& query,
                                         const ProjectionFilter& filter, const FoundMessage* after);
  Result<FoundCount> count(const Context& context, const WordsQuery& query, const ProjectionFilter& filter);

 private:
  explicit Projection(PostgresAddress address, const PostgresPatience& patience)
      : session_(std::make_unique<PostgresSession>(std::move(address), patience)) {}
  Failure corrupt(std::string_view what) const;
  Result<void> done(const Result<std::optional<std::uint64_t>>& changed) const;

  std::unique_ptr<PostgresSession> session_;
};

}  // namespace holdfast::inline v1
