// Turns failures of a PostgreSQL server or libpq into errors that tell people what to do. Thread-safety: pure
// functions.
#pragma once

#include "sync/pq_connection.h"

namespace holdfast::inline v1 {

Error connect_error(const PqFailure& failure, const PostgresAddress& address);
// For a statement on the tables of a remote.
Error statement_error(const PqFailure& failure, const PostgresAddress& address);

bool is_missing_table(const PqFailure& failure);
// Another transaction interfered; a retry may succeed.
bool is_conflict(const PqFailure& failure);

// The tables do not exist, or have an older version.
Error not_migrated(const PostgresAddress& address, std::string_view what);
// The tables can only be used by a version that knows at least `oldest`. A failure of the remote and not of the store,
// like tables that are too old: nothing here is damaged.
Error newer_tables(const PostgresAddress& address, std::uint64_t oldest);

}  // namespace holdfast::inline v1
