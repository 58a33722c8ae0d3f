// Rows of a SQLite database that belongs to another program and may be written
// by it right now (decision 30). Reading changes nothing: no byte, no time, no
// entry of the directory, no lock. Rows in a live write-ahead log are seen.
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

// Every row of one SELECT with `?` parameters, bound as text, until `take` says
// false. All rows are of one state of the database: they are collected first,
// thrown away when a writer changed that state meanwhile, and read again.
//
// Beside SQLite's own functions a statement may call zstd_text(X): the plain
// bytes of a compressed column, null when X is null or not whole.
//
// No database, an empty one, or no such table: no rows, and success.
// corrupt: not a database, or a damaged one; a view or a virtual table where a table should be; a
// question that does not come to an end. too_large: rows of over 1 GiB. schema_mismatch: no such column.
// permission_denied: tables that hold secrets (accounts, credentials, auth_*) are never
// read. busy: a writer left no quiet moment, or a transaction half done.
// invalid_argument: not exactly one SELECT.
// Lifetime: values are valid during the call of `take`.
Result<void> read_rows(const std::string& absolute_path, std::string_view select,
                       std::span<const std::string> parameters,
                       const std::function<bool(std::span<const RowValue>)>& take);

}  // namespace holdfast::inline v1
