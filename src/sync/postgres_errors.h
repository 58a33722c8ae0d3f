// What a PostgreSQL server or libpq says, as an error that tells people what to do. Thread-safety: pure functions.
#pragma once

#include "sync/pq_connection.h"

namespace holdfast::inline v1 {

Error connect_error(const PqFailure& failure, const PostgresAddress& address);
// Of a statement on the tables of a remote.
Error statement_error(const PqFailure& failure, const PostgresAddress& address);

bool is_missing_table(const PqFailure& failure);
// Another transaction was in the way; the same again may work.
bool is_conflict(const PqFailure& failure);

// The tables are not there, or are those of an older version.
Error not_migrated(const PostgresAddress& address, std::string_view what);

}  // namespace holdfast::inline v1
