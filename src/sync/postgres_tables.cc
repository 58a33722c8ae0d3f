#include <algorithm>

#include "sync/postgres_errors.h"
#include "sync/postgres_remote.h"
#include "sync/postgres_session.h"
#include "sync/postgres_sql.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kMigrationTries = 20;
constexpr std::chrono::milliseconds kPause{50};

// Whether two connections created the same table at once and the other one was first.
bool is_race(const PqFailure& failure) {
  constexpr std::string_view kStates[] = {"23505", "42P06", "42P07", "42710", "40001", "40P01", "XX000"};
  return failure.kind == PqFailure::Kind::refused &&
         std::find(std::begin(kStates), std::end(kStates), failure.state) != std::end(kStates);
}

// Returns 0 if there are no tables.
std::expected<std::uint64_t, PqFailure> version_of(const Context& context, PqConnection& connection,
                                                   const std::string& schema, std::uint64_t& oldest) {
  const auto found = connection.run(context, quoted_schema(postgres_sql::kTableVersion, schema));
  if (!found && is_missing_table(found.error())) return 0;
  if (!found) return std::unexpected(found.error());
  if (found->rows.empty()) return 0;
  oldest = pq_number(found->rows[0], 1).value_or(0);
  return pq_number(found->rows[0], 0).value_or(0);
}

std::expected<void, PqFailure> make_schema(const Context& context, PqConnection& connection,
                                           const std::string& schema) {
  const auto there = connection.run(context, postgres_sql::kHasSchema, PqParameters().text(schema));
  if (!there) return std::unexpected(there.error());
  if (!there->rows.empty() && pq_number(there->rows[0], 0).value_or(0) > 0) return {};
  const auto made = connection.run(context, quoted_schema(postgres_sql::kMakeSchema, schema));
  if (!made) return std::unexpected(made.error());
  return {};
}

std::expected<void, PqFailure> make_tables(const Context& context, PqConnection& connection, const std::string& schema,
                                           std::uint64_t from) {
  auto done = connection.run(context, "BEGIN");
  for (const auto& step : postgres_sql::kMigrations)
    if (done && static_cast<std::uint64_t>(step.version) > from)
      done = connection.run(context, quoted_schema(step.sql, schema));
  const PqParameters version = PqParameters().number(postgres_sql::kVersion).number(postgres_sql::kOldestVersion);
  if (done) done = connection.run(context, quoted_schema(postgres_sql::kSetVersion, schema), version);
  if (done) done = connection.run(context, "COMMIT");
  if (done) return {};
  if (done.error().kind == PqFailure::Kind::refused) (void)connection.run(context, "ROLLBACK");
  return std::unexpected(done.error());
}

}  // namespace

Result<PostgresMigration> migrate_postgres(const Context& context, std::string_view url,
                                           const PostgresTimeouts& patience) {
  HOLDFAST_LET(address, read_postgres_address(url));
  PostgresSession session(address, patience);
  for (int attempt = 1;; ++attempt) {
    HOLDFAST_LET(connection, session.connection(context));
    if (const auto set = connection->run(context, postgres_sql::kSettings); !set)
      return fail(statement_error(set.error(), address));
    std::string schema = address.schema;
    if (schema.empty()) {
      const auto current = connection->run(context, postgres_sql::kCurrentSchema);
      if (!current) return fail(statement_error(current.error(), address));
      if (current->rows.empty() || !pq_bytes(current->rows[0], 0, 63))
        return fail(Code::sync_transport_failed,
                    "no schema of the search path exists: name one with ?schema=NAME in the address", address.place);
      schema = *current->rows[0][0];
    }
    std::uint64_t oldest = 0;
    const auto from = version_of(context, *connection, schema, oldest);
    if (!from) return fail(statement_error(from.error(), address));
    if (oldest > postgres_sql::kVersion) return fail(newer_tables(address, oldest));
    if (*from >= postgres_sql::kVersion) return PostgresMigration{schema, *from, *from};
    auto made = make_schema(context, *connection, schema);
    if (made) made = make_tables(context, *connection, schema, *from);
    if (made) return PostgresMigration{schema, *from, postgres_sql::kVersion};
    if (!is_race(made.error()) || attempt == kMigrationTries) return fail(statement_error(made.error(), address));
    HOLDFAST_TRY(context.check());
    context.clock->sleep(kPause);
  }
}

Result<PostgresCheck> check_postgres(const Context& context, std::string_view url, const PostgresTimeouts& patience) {
  HOLDFAST_LET(address, read_postgres_address(url));
  PostgresSession session(address, patience);
  PostgresCheck check;
  check.place = address.place;
  HOLDFAST_LET(version, session.read(context, postgres_sql::kTableVersion, {}, 4096));
  HOLDFAST_LET(missing,
               session.read(context, postgres_sql::kMissingRights, PqParameters().text(session.schema()), 4096));
  check.schema = session.schema();
  check.version = version.rows.empty() ? 0 : pq_number(version.rows[0], 0).value_or(0);
  for (const PqRow& row : missing.rows) check.missing.push_back(pq_bytes(row, 0, 100).value_or("?"));
  if (session.version() >= projection_sql::kSince) {
    HOLDFAST_LET(lacking,
                 session.read(context, postgres_sql::kMissingSearchRights, PqParameters().text(check.schema), 4096));
    check.missing_for_search.emplace();
    for (const PqRow& row : lacking.rows) check.missing_for_search->push_back(pq_bytes(row, 0, 100).value_or("?"));
  }
  HOLDFAST_LET(server, session.read(context, postgres_sql::kServer, {}, 4096));
  if (server.rows.empty()) return fail(Code::corrupt, "the server does not describe itself", address.place);
  check.role = pq_bytes(server.rows[0], 0, 63).value_or("?");
  check.server = pq_bytes(server.rows[0], 1, 200).value_or("?");
  check.read_only = pq_number(server.rows[0], 2).value_or(0) != 0;
  check.streams = pq_number(server.rows[0], 3).value_or(0);
  HOLDFAST_LET(connection, session.connection(context));
  check.encrypted = connection->encrypted();
  return check;
}

}  // namespace holdfast::inline v1
