// The tables for search of a PostgreSQL remote: the content of the streams as rows that a server can list,
// search and count. docs/formats/sync.md. Derived: whoever can read the streams can fill them again.
// Crash-safety: every change is a transaction that leaves whole sessions; an interrupted run resumes at the
// first session that differs. Concurrent indexing is safe.
// Hostile input: readers get what somebody else wrote; sizes are bounded, and everything is treated as text.
// Thread-safety: one thread per object.
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
  std::string at = {};         // when an indexer last found this state
  std::uint64_t left_out = 0;  // sessions that could not be read
};

struct ProjectedSession {
  StreamId stream = {};
  CaptureKey session = {};
  std::string part_of = {};  // id of the session whose op decides how this one is shared: itself, or its parent
  std::uint64_t number = 0;  // of that op
  std::string machine = {}, policy = {}, identity = {}, project = {}, updated_at = {}, status = {};
  bool inner = false, subagent = false;
  std::string listed = {}, counted = {};  // JSON objects

  std::string key() const;     // 16 bytes
  std::string digest() const;  // 8 bytes, over everything except the number
};

// A session as the tables have it.
struct KnownSession {
  std::uint64_t epoch = 0;
  CaptureKey session = {};
  std::uint64_t number = 0;
  std::string digest = {}, policy = {}, identity = {}, project = {}, part_of = {};
};
using KnownSessions = std::map<std::string, KnownSession>;  // by key

// Passes the messages of a session to `take`, in order.
using ProjectedMessageSink = std::function<Result<void>(ProjectedMessage message)>;
using ProjectedMessageSource = std::function<Result<void>(const ProjectedMessageSink& take)>;

enum class PutOutcome {
  done,
  overtaken,  // an indexer that has read more was first
  busy,       // another indexer is writing
};
struct PutCounts {
  std::uint64_t messages = 0;  // written
  std::uint64_t cut = 0;       // how many of them were cut
};

// Which sessions a query is about; empty fields match all.
struct ProjectionFilter {
  std::vector<std::string> revoked = {};  // untrusted devices
  std::string layout = {}, machine = {}, since = {}, until = {}, status = {};
  std::string project = {}, also_project = {}, identity = {};
  std::string id = {};
  bool subagents = true, inner = false;
};

struct ProjectionState {
  std::string at = {};         // time of the last indexing; "" if never
  std::uint64_t behind = 0;    // segments that are not indexed
  std::uint64_t left_out = 0;  // sessions
  std::uint64_t cut = 0;       // messages
};

struct ListedProjection {
  std::string listed, machine, counted;
};
// The position after that session of a list; empty: the start.
struct ListedAfter {
  std::string updated_at = {}, id = {}, store = {};
};
struct ListedPage {
  std::uint64_t total = 0, skip = 0;
  std::vector<ListedProjection> rows = {};
};

// A message with the requested words.
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
  std::string kind = {};   // of the message; "" for any
};

class Projection {
 public:
  // Does not connect yet.
  static Result<Projection> open(std::string_view url, const PostgresTimeouts& patience = {});
  // Whether the tables exist.
  Result<bool> exists(const Context& context);
  // Fails with sync_transport_failed if the tables do not exist.
  Result<void> check(const Context& context);

  // ---- indexing
  Result<std::string> now(const Context& context);
  Result<std::map<StreamId, ProjectedStream>> streams(const Context& context);
  Result<void> begin(const Context& context, const StreamId& stream);
  // The sessions of one stream; of all streams of the device if the epoch is 0.
  Result<KnownSessions> known(const Context& context, const StreamId& stream);
  // `head` is how far the caller has read the stream. Without `tell`, the messages stay as they are.
  Result<PutOutcome> put(const Context& context, const ProjectedSession& session, const StreamHead& head,
                         const ProjectedMessageSource& tell, PutCounts& counts);
  Result<void> remove(const Context& context, std::string_view key);
  // Marks the stream as indexed up to `now` and removes sessions not in `kept`. False if an indexer that has read more
  // was first.
  Result<bool> finish(const Context& context, const StreamId& stream, const ProjectedStream& now,
                      const std::set<std::string>& kept);
  // Records that the stream is unchanged.
  Result<void> confirm(const Context& context, const StreamId& stream, const ProjectedStream& now);
  // Removes streams that the remote no longer has. Returns the number of removed sessions.
  Result<std::uint64_t> remove_gone(const Context& context);
  // Removes everything of the device. Returns the number of removed sessions.
  Result<std::uint64_t> remove_device(const Context& context, const std::string& device);

  // ---- queries (projection_query.cc)
  Result<ProjectionState> state(const Context& context, const std::vector<std::string>& revoked);
  Result<ListedPage> list(const Context& context, const ProjectionFilter& filter, const ListedAfter& after,
                          std::uint64_t skip, std::uint64_t limit);
  // Passes what each session adds to statistics, with its row.
  using TakeCounted = std::function<void(const std::string& listed, bool inner, const std::string& counted)>;
  Result<void> each_counted(const Context& context, const ProjectionFilter& filter, const TakeCounted& take);
  // Up to three ids with that prefix.
  Result<std::vector<std::string>> ids_like(const Context& context, const ProjectionFilter& filter,
                                            std::string_view prefix);
  // The next messages after `after` (nullptr: the first), newest sessions first; empty at the end.
  Result<std::vector<FoundMessage>> find(const Context& context, const WordsQuery& query,
                                         const ProjectionFilter& filter, const FoundMessage* after);
  Result<FoundCount> count(const Context& context, const WordsQuery& query, const ProjectionFilter& filter);

 private:
  explicit Projection(PostgresAddress address, const PostgresTimeouts& patience)
      : session_(std::make_unique<PostgresSession>(std::move(address), patience)) {}
  Failure corrupt(std::string_view what) const;
  Result<void> done(const Result<std::optional<std::uint64_t>>& changed) const;

  std::unique_ptr<PostgresSession> session_;
};

}  // namespace holdfast::inline v1
