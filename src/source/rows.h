// Reads rows of a SQLite database that belongs to another program, which may write
// to it at the same time (decision 30). Reading changes nothing: no byte, no time,
// no directory entry, no lock. Includes rows in a live write-ahead log.
// Thread-safety: any thread.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace holdfast::inline v1 {

// One value of a row: null, integer, double or text (blobs arrive as their bytes).
using RowValue = std::variant<std::monostate, std::int64_t, double, std::string_view>;

// Passes every row of one SELECT with `?` parameters, bound as text, to `take` until
// it returns false. All rows are from one state of the database: they are collected
// first, and discarded and read again if a writer changed the database meanwhile.
//
// Besides SQLite's own functions a statement may call zstd_text(X): the plain
// bytes of a compressed column, null if X is null or incomplete.
//
// If there is no database, an empty one, or no such table: success without rows.
// If pages of the schema are damaged, every statement fails with corrupt, except those that say NOT INDEXED: they
// read what is left, and find the tables that the schema names before the first damaged page.
// The same holds for a file that is shorter than its header says; a page that is cut is damaged.
// Errors: corrupt: not a database, or a damaged one; a view or a virtual table in place of a table, or a
// computed column in place of a stored one; a query that does not end. too_large: rows that take over
// 1 GiB, or far more memory than the database has bytes (docs/formats/readers.md). SQLite counts memory for the
// whole process: what a host that shares it takes during the query counts too. schema_mismatch: no such column.
// unsafe_path: the database, its log or its journal is not a plain file.
// permission_denied: the table holds secrets (accounts, credentials, auth_*), which are
// never read. busy: a writer changed the database during every attempt.
// storage_unavailable: a writer without a write-ahead log left a transaction unfinished, so that the database is half
// changed. invalid_argument: not exactly one SELECT.
// Lifetime: values are valid only during the call of `take`.
Result<void> read_rows(const std::string& absolute_path, std::string_view select,
                       std::span<const std::string> parameters,
                       const std::function<bool(std::span<const RowValue>)>& take);

}  // namespace holdfast::inline v1
