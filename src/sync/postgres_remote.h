// A PostgreSQL database as remote: one schema per tenant, one statement per operation. docs/formats/sync.md.
// Only migrate_postgres creates the tables. A PostgresRemote connects on first use, and waits while the
// server has no free connection. TLS is verified for servers on other machines.
#pragma once

#include <memory>
#include <optional>

#include "sync/pq_connection.h"
#include "sync/remote.h"

namespace holdfast::inline v1 {

// Fails with invalid_argument if the address is invalid or contains a password.
Result<std::unique_ptr<Remote>> open_postgres_remote(std::string_view url, const PostgresTimeouts& patience = {});

struct PostgresMigration {
  std::string schema;
  std::uint64_t from = 0;  // 0: there were no tables
  std::uint64_t to = 0;
};
// Creates or updates the tables. Idempotent and safe to run concurrently. Fails if only a newer version may use them.
Result<PostgresMigration> migrate_postgres(const Context& context, std::string_view url,
                                           const PostgresTimeouts& patience = {});

struct PostgresCheck {
  std::string place, server, role, schema;
  std::uint64_t version = 0;
  bool encrypted = false;            // the connection uses TLS
  bool read_only = false;            // nothing can be published
  std::vector<std::string> missing;  // missing rights, as "INSERT on hf_chunk"
  // Missing rights on the tables for search; nullopt if there are no such tables.
  std::optional<std::vector<std::string>> missing_for_search = {};
  std::uint64_t streams = 0;
};
Result<PostgresCheck> check_postgres(const Context& context, std::string_view url,
                                     const PostgresTimeouts& patience = {});

}  // namespace holdfast::inline v1
