// Every statement on the tables for search; docs/formats/sync.md describes them. {} is the tenant's schema, quoted.
#pragma once

namespace holdfast::inline v1::projection_sql {

// The first version of the tables that has these.
inline constexpr int kSince = 2;

inline constexpr const char* kMakeIndexed =
    "CREATE TABLE IF NOT EXISTS {}.hf_indexed (device bytea NOT NULL CHECK (octet_length(device) = 16), epoch bigint "
    "NOT NULL CHECK (epoch > 0), seq bigint NOT NULL CHECK (seq >= 0), hash bytea NOT NULL, at text NOT NULL, left_out "
    "bigint NOT NULL, cut bigint NOT NULL DEFAULT 0, PRIMARY KEY (device, epoch))";
// Texts are sorted by bytes, as in all other lists.
inline constexpr const char* kMakeSession =
    "CREATE TABLE IF NOT EXISTS {}.hf_session (session bytea PRIMARY KEY CHECK (octet_length(session) = 16), device "
    "bytea NOT NULL CHECK (octet_length(device) = 16), epoch bigint NOT NULL CHECK (epoch > 0), layout text COLLATE "
    "\"C\" NOT NULL, store text COLLATE \"C\" NOT NULL, id text COLLATE \"C\" NOT NULL, number bigint NOT NULL, "
    "machine "
    "text COLLATE \"C\" NOT NULL, policy text COLLATE \"C\" NOT NULL, identity text COLLATE \"C\" NOT NULL, project "
    "text "
    "COLLATE \"C\" NOT NULL, updated_at text COLLATE \"C\" NOT NULL, status text COLLATE \"C\" NOT NULL, inner_part "
    "boolean NOT NULL, subagent boolean NOT NULL, part_of text COLLATE \"C\" NOT NULL, listed text NOT NULL, counted "
    "text NOT NULL, digest bytea NOT NULL, "
    "messages bigint NOT NULL DEFAULT 0, cut bigint NOT NULL DEFAULT 0)";
inline constexpr const char* kMakeSessionOrder =
    "CREATE INDEX IF NOT EXISTS hf_session_order ON {}.hf_session (updated_at DESC, id)";
inline constexpr const char* kMakeSessionNames =
    "CREATE INDEX IF NOT EXISTS hf_session_names ON {}.hf_session (device, layout, store, id, epoch)";
inline constexpr const char* kMakeMessage =
    "CREATE TABLE IF NOT EXISTS {}.hf_message (session bytea NOT NULL, ordinal bigint NOT NULL, same bigint NOT NULL, "
    "role text NOT NULL, kind text NOT NULL, at text NOT NULL, said text NOT NULL, thought text NOT NULL, tools text "
    "NOT NULL, cut boolean NOT NULL, hash bytea NOT NULL, words tsvector NOT NULL, PRIMARY KEY (session, ordinal))";
// The list of pending entries would be searched one by one, and grow without bound between two vacuums.
inline constexpr const char* kMakeMessageWords =
    "CREATE INDEX IF NOT EXISTS hf_message_words ON {}.hf_message USING gin (words) WITH (fastupdate = off)";

// ---- to index -------------------------------------------------------------

inline constexpr const char* kNow =
    "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')";
inline constexpr const char* kIndexed = "SELECT device, epoch, seq, hash, at, left_out FROM {}.hf_indexed";
// Includes streams that began anew.
inline constexpr const char* kGoneStreams =
    "SELECT device, epoch FROM {}.hf_indexed AS gone WHERE NOT EXISTS (SELECT FROM {}.hf_stream AS kept WHERE "
    "kept.device = gone.device AND kept.epoch = gone.epoch AND kept.seq >= gone.seq)";
inline constexpr const char* kDropGoneStream =
    "DELETE FROM {}.hf_indexed AS gone WHERE device = $1 AND epoch = $2 AND NOT EXISTS (SELECT FROM {}.hf_stream AS "
    "kept WHERE kept.device = gone.device AND kept.epoch = gone.epoch AND kept.seq >= gone.seq)";
inline constexpr const char* kDropStreams = "DELETE FROM {}.hf_indexed WHERE device = $1";
inline constexpr const char* kBeginStream =
    "INSERT INTO {}.hf_indexed (device, epoch, seq, hash, at, left_out) SELECT $1, $2, 0, ''::bytea, '', 0 WHERE "
    "EXISTS "
    "(SELECT FROM {}.hf_stream WHERE device = $1 AND epoch = $2) ON CONFLICT DO NOTHING";
// The sessions of the stream, or of all streams of the device.
#define HOLDFAST_SQL_KNOWN                                                                                           \
  "SELECT session, epoch, layout, store, id, number, digest, policy, identity, project, part_of FROM {}.hf_session " \
  "WHERE device = $1"
inline constexpr const char* kKnownOfDevice = HOLDFAST_SQL_KNOWN;
inline constexpr const char* kKnownOfStream = HOLDFAST_SQL_KNOWN " AND epoch = $2";
#undef HOLDFAST_SQL_KNOWN
inline constexpr const char* kShareStream = "SELECT seq FROM {}.hf_indexed WHERE device = $1 AND epoch = $2 FOR SHARE";
inline constexpr const char* kLockStream = "SELECT seq FROM {}.hf_indexed WHERE device = $1 AND epoch = $2 FOR UPDATE";
inline constexpr const char* kPutSession =
    "INSERT INTO {}.hf_session AS known (session, device, epoch, layout, store, id, number, machine, policy, identity, "
    "project, updated_at, status, inner_part, subagent, listed, counted, digest, part_of) VALUES ($1, $2, $3, $4, $5, "
    "$6, $7, "
    "$8, $9, $10, $11, $12, $13, $14 <> 0, $15 <> 0, $16, $17, $18, $19) ON CONFLICT (session) DO UPDATE SET number = "
    "$7, "
    "machine = $8, policy = $9, identity = $10, project = $11, updated_at = $12, status = $13, inner_part = $14 <> 0, "
    "subagent = $15 <> 0, listed = $16, counted = $17, digest = $18, part_of = $19 WHERE known.number <= $7";
inline constexpr const char* kHashes = "SELECT ordinal, hash FROM {}.hf_message WHERE session = $1 ORDER BY ordinal";
inline constexpr const char* kDropMessagesFrom = "DELETE FROM {}.hf_message WHERE session = $1 AND ordinal >= $2";
inline constexpr const char* kAddMessages =
    "INSERT INTO {}.hf_message (session, ordinal, same, role, kind, at, said, thought, tools, cut, hash, words) SELECT "
    "$1, new.ordinal, new.same, new.role, new.kind, new.at, new.said, new.thought, new.tools, new.cut <> 0, new.hash, "
    "setweight(to_tsvector('pg_catalog.simple', new.said_words), 'A') || "
    "setweight(to_tsvector('pg_catalog.simple', new.thought_words), 'B') || "
    "setweight(to_tsvector('pg_catalog.simple', new.tools_words), 'C') FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, "
    "$10, $11, $12, $13, $14) AS new(ordinal, same, role, kind, at, said, thought, tools, cut, hash, said_words, "
    "thought_words, tools_words)";
inline constexpr const char* kCountMessages =
    "UPDATE {}.hf_session SET messages = $2, cut = (SELECT count(*) FROM {}.hf_message WHERE session = $1 AND cut) "
    "WHERE session = $1";
// In one transaction, in this order: the first waits for a concurrent writer of the session, and the second
// sees what was written.
inline constexpr const char* kDropSession = "DELETE FROM {}.hf_session WHERE session = $1";
inline constexpr const char* kDropMessages = "DELETE FROM {}.hf_message WHERE session = $1";
inline constexpr const char* kAdvance =
    "UPDATE {}.hf_indexed SET seq = $3, hash = $4, at = $5, left_out = $6, cut = (SELECT coalesce(sum(cut), 0) FROM "
    "{}.hf_session WHERE device = $1 AND epoch = $2) WHERE device = $1 AND epoch = $2 AND seq <= $3";
inline constexpr const char* kStillCurrent =
    "UPDATE {}.hf_indexed SET at = $3 WHERE device = $1 AND epoch = $2 AND seq "
    "= $4 AND at < $3";

// ---- to ask ---------------------------------------------------------------

// How current the tables are: when a stream was last looked at, how many segments are not indexed, and what
// is missing.
inline constexpr const char* kState =
    "SELECT coalesce((SELECT max(at) FROM {}.hf_indexed), ''), coalesce((SELECT sum(head.seq - coalesce(done.seq, 0)) "
    "FROM {}.hf_stream AS head LEFT JOIN {}.hf_indexed AS done ON done.device = head.device AND done.epoch = "
    "head.epoch "
    "WHERE head.seq > coalesce(done.seq, 0) AND head.device <> ALL ($1)), 0)::bigint, coalesce((SELECT sum(left_out) "
    "FROM {}.hf_indexed), 0)::bigint, coalesce((SELECT sum(cut) FROM {}.hf_indexed), 0)::bigint";

// Which sessions match: 13 parameters, which projection_query.cc makes from a filter.
#define HOLDFAST_SQL_MEANT                                                                                             \
  " s.device <> ALL ($1) AND ($2 = '' OR s.layout = $2) AND ($3 = '' OR s.machine = $3 OR (length($3) >= 4 AND "       \
  "starts_with(encode(s.device, 'hex'), $3))) AND s.updated_at >= $4 AND ($5 = '' OR s.updated_at <= $5) AND ($6 = "   \
  "'' OR s.status = $6) AND ($7 <> 0 OR NOT s.subagent) AND ($8 <> 0 OR NOT s.inner_part) AND ($9 = '' OR "            \
  "starts_with(s.project || '/', $9) OR s.project = $9 OR ($10 <> '' AND (starts_with(s.project || '/', $10) OR "      \
  "s.project = $10)) OR ($11 <> '' AND (s.identity = $11 OR starts_with(s.identity, $12)))) AND ($13 = '' OR s.id = "  \
  "$13) AND NOT EXISTS (SELECT FROM {}.hf_session AS later WHERE later.device = s.device AND later.layout = s.layout " \
  "AND later.store = s.store AND later.id = s.id AND later.epoch > s.epoch)"

inline constexpr const char* kCountListed =
    "SELECT count(*), count(*) FILTER (WHERE $15 <> '' AND (s.updated_at > $14 OR (s.updated_at = $14 AND (s.id < $15 "
    "OR (s.id = $15 AND s.layout || ':' || s.store <= $16))))) FROM {}.hf_session AS s WHERE" HOLDFAST_SQL_MEANT;
inline constexpr const char* kListed =
    "SELECT s.listed, s.machine, s.counted FROM {}.hf_session AS s WHERE" HOLDFAST_SQL_MEANT
    " ORDER BY s.updated_at DESC, s.id, s.layout || ':' || s.store, s.session LIMIT $14 OFFSET $15";
inline constexpr const char* kCounted =
    "SELECT s.session, s.listed, s.inner_part::integer, s.counted FROM {}.hf_session AS s WHERE" HOLDFAST_SQL_MEANT
    " AND s.session > $14 ORDER BY s.session LIMIT $15";
inline constexpr const char* kIdsLike =
    "SELECT DISTINCT s.id FROM {}.hf_session AS s WHERE" HOLDFAST_SQL_MEANT " AND starts_with(s.id, $14) LIMIT 3";

// A word that the server splits matches if all its parts occur, in any place.
#define HOLDFAST_SQL_FOUND                                                                                          \
  " FROM {}.hf_message AS m JOIN {}.hf_session AS s ON s.session = m.session WHERE m.words @@ "                     \
  "regexp_replace(to_tsquery('pg_catalog.simple', $14)::text, '<(-|[0-9]+)>', '&', 'g')::tsquery AND ($15 = '' OR " \
  "m.kind = $15) AND" HOLDFAST_SQL_MEANT
inline constexpr const char* kCountFound =
    "SELECT count(DISTINCT (m.session, m.same)), count(DISTINCT m.session)" HOLDFAST_SQL_FOUND;
inline constexpr const char* kFound =
    "SELECT m.session, m.ordinal, m.same, m.role, m.at, m.said, m.thought, m.tools, s.id, s.layout, s.store, "
    "s.project, "
    "s.updated_at, s.machine" HOLDFAST_SQL_FOUND
    " AND ($16 = 0 OR s.updated_at < $17 OR (s.updated_at = $17 AND (s.id > $18 OR (s.id = $18 AND (m.session > $19 OR "
    "(m.session = $19 AND m.ordinal > $20)))))) ORDER BY s.updated_at DESC, s.id, m.session, m.ordinal LIMIT $21";
#undef HOLDFAST_SQL_FOUND
#undef HOLDFAST_SQL_MEANT

}  // namespace holdfast::inline v1::projection_sql
