// A PostgreSQL database as remote: one schema a tenant, one statement a deed. docs/formats/sync.md.
// The tables are made by migrate_postgres and by nothing else. A new PostgresRemote connects when it is first asked
// something; while the server has no connection left it waits. TLS is verified for servers that are not on this
// machine.
#pragma once

#include <memory>
#include <optional>

#include "sync/pq_connection.h"
#include "sync/remote.h"

namespace holdfast::inline v1 {

// invalid_argument for an address that is none, or holds a password.
Result<std::unique_ptr<Remote>> open_postgres_remote(std::string_view url, const PostgresPatience& patience = {});

struct PostgresMigration {
  std::string schema;
  std::uint64_t from = 0;  // 0: there were no tables
  std::uint64_t to = 0;
};
// Makes or changes the tables; any number of times, by any number at once. newer_schema when they are newer.
Result<PostgresMigration> migrate_postgres(const Context& context, std::string_view url,
                                           const PostgresPatience& patience = {});

struct PostgresCheck {
  std::string place, server, role, schema;
  std::uint64_t version = 0;
  bool encrypted = false;            // the connection, by TLS
  bool read_only = false;            // so nothing can be published
  std::vector<std::string> missing;  // rights, as "INSERT on hf_chunk"
  // The same of the tables for search; nullopt: there are none.
  std::optional<std::vector<std::string>> missing_for_search = {};
  std::uint64_t streams = 0;
};
Result<PostgresCheck> check_postgres(const Context& context, std::string_view url,
                                     const PostgresPatience& patience = {});

}  // namespace holdfast::inline v1
