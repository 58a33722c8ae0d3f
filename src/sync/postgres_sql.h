// Every statement of the PostgreSQL remote; docs/formats/sync.md describes the tables. {} is the tenant's
// schema, quoted. Each change is one statement, and so one short transaction and one round trip.
#pragma once

#include <string_view>

#include "sync/projection_sql.h"

namespace holdfast::inline v1::postgres_sql {

// The version of the tables that this program creates, and the oldest that it can sync with. 2: tables for search.
inline constexpr int kVersion = 2;
inline constexpr int kOldestVersion = 1;

// ---- a connection ---------------------------------------------------------

// A commit survives a crash of the server; waiting for the lock of a vanished client ends.
#define HOLDFAST_SQL_SETTINGS                                                                                 \
  "set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'local' ELSE " \
  "current_setting('synchronous_commit') END, false), set_config('lock_timeout', '20s', false), "             \
  "set_config('idle_in_transaction_session_timeout', '60s', false)"
inline constexpr const char* kSettings = "SELECT " HOLDFAST_SQL_SETTINGS;
// The schema with that table: the given one, or the first in the search path.
inline constexpr const char* kFindTables =
    "SELECT n.nspname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = "
    "to_regclass($1)";
// With the settings, because whoever asks for the version goes on to use the tables.
inline constexpr const char* kTableVersion =
    "SELECT version::bigint, oldest_reader::bigint, " HOLDFAST_SQL_SETTINGS " FROM {}.hf_schema";
#undef HOLDFAST_SQL_SETTINGS

// ---- charter --------------------------------------------------------------

inline constexpr const char* kReadCharter = "SELECT charter FROM {}.hf_charter";
inline constexpr const char* kFound = "INSERT INTO {}.hf_charter (charter) VALUES ($1) ON CONFLICT DO NOTHING";

// ---- streams --------------------------------------------------------------

inline constexpr const char* kHeads = "SELECT device, epoch, seq, hash FROM {}.hf_stream ORDER BY device, epoch";
// The head row decides: whoever moves it from the expected value may add the segments.
#define HOLDFAST_SQL_SEGMENTS                                                                    \
  " INSERT INTO {}.hf_segment (device, epoch, seq, hash, header, body) "                         \
  "SELECT $1, $2, new.seq, new.hash, new.header, new.body FROM head, unnest($5, $6, $7, $8) AS " \
  "new(seq, hash, header, body)"
inline constexpr const char* kBegin =
    "WITH head AS (INSERT INTO {}.hf_stream (device, epoch, seq, hash) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING "
    "RETURNING 1)" HOLDFAST_SQL_SEGMENTS;
inline constexpr const char* kExtend =
    "WITH head AS (UPDATE {}.hf_stream SET seq = $3, hash = $4 WHERE device = $1 AND epoch = $2 AND seq = $9 AND hash "
    "= $10 RETURNING 1)" HOLDFAST_SQL_SEGMENTS;
#undef HOLDFAST_SQL_SEGMENTS
// As many as fit into one answer, at least one; sizes are computed without reading the large columns.
inline constexpr const char* kReadAfter =
    "WITH sized AS (SELECT seq, sum(octet_length(header) + coalesce(octet_length(body), 0)) OVER (ORDER BY seq) AS "
    "total FROM (SELECT seq, header, body FROM {}.hf_segment WHERE device = $1 AND epoch = $2 AND seq > $3 ORDER BY "
    "seq "
    "LIMIT 4096) AS next) SELECT seq, hash, header, body FROM {}.hf_segment WHERE device = $1 AND epoch = $2 AND seq > "
    "$3 AND seq <= (SELECT max(seq) FROM sized WHERE total <= $4 OR seq = $3 + 1) ORDER BY seq";
inline constexpr const char* kEraseBodies =
    "UPDATE {}.hf_segment SET body = NULL WHERE device = $1 AND epoch = $2 AND seq = ANY ($3) AND body IS NOT NULL";

// ---- chunks ---------------------------------------------------------------

inline constexpr const char* kStoreChunks =
    "INSERT INTO {}.hf_chunk (device, name, bytes) SELECT $1, new.name, new.bytes FROM unnest($2, $3) AS new(name, "
    "bytes) ON CONFLICT DO NOTHING";
inline constexpr const char* kReadChunks = "SELECT name, bytes FROM {}.hf_chunk WHERE device = $1 AND name = ANY ($2)";
inline constexpr const char* kEraseChunks = "DELETE FROM {}.hf_chunk WHERE device = $1 AND name = ANY ($2)";

// ---- who may write --------------------------------------------------------

// Why nothing can be published; NULL if the server accepts changes and the role has the rights without which no device
// can publish.
inline constexpr const char* kWhyReadOnly =
    "SELECT CASE WHEN pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean THEN "
    "'the server accepts no changes' ELSE (SELECT 'the role lacks ' || string_agg(needed.privilege || ' on ' || "
    "needed.name, ', ') FROM (VALUES ('hf_stream', 'INSERT'), ('hf_stream', 'UPDATE'), ('hf_segment', 'INSERT'), "
    "('hf_chunk', 'INSERT')) AS needed(name, privilege) WHERE NOT has_table_privilege(format('%I.%I', $1, "
    "needed.name), needed.privilege)) END";

// ---- a device goes --------------------------------------------------------

inline constexpr const char* kEraseSomeChunks =
    "DELETE FROM {}.hf_chunk WHERE device = $1 AND name IN (SELECT name FROM {}.hf_chunk WHERE device = $1 LIMIT 1000)";
// In one transaction, in this order: a concurrent publisher commits before the first statement or loses, and
// a stream that begins anew after it keeps its segments.
inline constexpr const char* kEraseStreams = "DELETE FROM {}.hf_stream WHERE device = $1";
inline constexpr const char* kEraseSegments =
    "DELETE FROM {}.hf_segment AS gone WHERE device = $1 AND NOT EXISTS (SELECT FROM {}.hf_stream AS kept WHERE "
    "kept.device = gone.device AND kept.epoch = gone.epoch)";

// ---- remote migrate -------------------------------------------------------

struct Migration {
  int version;      // version of the tables afterwards
  const char* sql;  // one statement; must be idempotent
};
// Append only: the rows of a released version never change.
inline constexpr Migration kMigrations[] = {
    {1,
     "CREATE TABLE IF NOT EXISTS {}.hf_schema (one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT "
     "NULL, oldest_reader integer NOT NULL)"},
    {1,
     "CREATE TABLE IF NOT EXISTS {}.hf_charter (one boolean PRIMARY KEY DEFAULT true CHECK (one), charter bytea NOT "
     "NULL CHECK (octet_length(charter) <= 4096))"},
    {1,
     "CREATE TABLE IF NOT EXISTS {}.hf_stream (device bytea NOT NULL CHECK (octet_length(device) = 16), epoch bigint "
     "NOT NULL CHECK (epoch > 0), seq bigint NOT NULL CHECK (seq > 0), hash bytea NOT NULL CHECK (octet_length(hash) = "
     "32), PRIMARY KEY (device, epoch)) WITH (fillfactor = 50)"},
    {1,
     "CREATE TABLE IF NOT EXISTS {}.hf_segment (device bytea NOT NULL, epoch bigint NOT NULL, seq bigint NOT NULL "
     "CHECK "
     "(seq > 0), hash bytea NOT NULL CHECK (octet_length(hash) = 32), header bytea NOT NULL CHECK "
     "(octet_length(header) <= 1024), body bytea CHECK (octet_length(body) <= 1048576), PRIMARY KEY (device, epoch, "
     "seq))"},
    {1, "ALTER TABLE {}.hf_segment ALTER COLUMN body SET STORAGE EXTERNAL"},
    {1,
     "CREATE TABLE IF NOT EXISTS {}.hf_chunk (device bytea NOT NULL, name bytea NOT NULL CHECK (octet_length(name) = "
     "32), bytes bytea NOT NULL CHECK (octet_length(bytes) <= 1056768), PRIMARY KEY (device, name))"},
    {1, "ALTER TABLE {}.hf_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL"},
    {2, projection_sql::kMakeIndexed},
    {2, projection_sql::kMakeSession},
    {2, projection_sql::kMakeSessionOrder},
    {2, projection_sql::kMakeSessionNames},
    {2, projection_sql::kMakeMessage},
    {2, projection_sql::kMakeMessageWords},
};
inline constexpr const char* kSetVersion =
    "INSERT INTO {}.hf_schema (version, oldest_reader) VALUES ($1, $2) ON CONFLICT (one) DO UPDATE SET version = $1, "
    "oldest_reader = $2";
inline constexpr const char* kCurrentSchema = "SELECT current_schema()::text";
inline constexpr const char* kHasSchema = "SELECT count(*) FROM pg_namespace WHERE nspname = $1";
inline constexpr const char* kMakeSchema = "CREATE SCHEMA {}";

// ---- remote check ---------------------------------------------------------

inline constexpr const char* kServer =
    "SELECT current_user::text, current_setting('server_version'), (pg_is_in_recovery() OR "
    "current_setting('transaction_read_only')::boolean)::integer, (SELECT count(*) FROM {}.hf_stream)";
// The rights that a device needs and the role lacks, one per row.
inline constexpr const char* kMissingRights =
    "SELECT needed.privilege || ' on ' || needed.name FROM (VALUES ('hf_schema', 'SELECT'), ('hf_charter', 'SELECT'), "
    "('hf_charter', 'INSERT'), ('hf_stream', 'SELECT'), ('hf_stream', 'INSERT'), ('hf_stream', 'UPDATE'), "
    "('hf_stream', 'DELETE'), ('hf_segment', 'SELECT'), ('hf_segment', 'INSERT'), ('hf_segment', 'UPDATE'), "
    "('hf_segment', 'DELETE'), ('hf_chunk', 'SELECT'), ('hf_chunk', 'INSERT'), ('hf_chunk', 'DELETE')) AS needed(name, "
    "privilege) WHERE NOT has_table_privilege(format('%I.%I', $1, needed.name), needed.privilege)";
// The same for remote index; queries need only SELECT.
inline constexpr const char* kMissingSearchRights =
    "SELECT needed.privilege || ' on ' || needed.name FROM (SELECT name, privilege FROM unnest(ARRAY['hf_indexed', "
    "'hf_session', 'hf_message']) AS name, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege) AS "
    "needed WHERE NOT (needed.name = 'hf_message' AND needed.privilege = 'UPDATE') AND NOT "
    "has_table_privilege(format('%I.%I', $1, needed.name), needed.privilege)";

}  // namespace holdfast::inline v1::postgres_sql
