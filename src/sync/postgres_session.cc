#include "sync/postgres_session.h"

#include <algorithm>

#include "sync/postgres_errors.h"
#include "sync/postgres_sql.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kTries = 8;
constexpr std::chrono::milliseconds kPause{5};

}  // namespace

std::string quoted_schema(std::string_view sql, std::string_view schema) {
  std::string name = "\"";
  for (const char c : schema) name.append(c == '"' ? 2 : 1, c);
  name += '"';
  std::string text(sql);
  for (std::size_t at = text.find("{}"); at != std::string::npos; at = text.find("{}", at + name.size()))
    text.replace(at, 2, name);
  return text;
}

std::string PostgresSession::in_schema(std::string_view sql) const { return quoted_schema(sql, schema_); }

Failure PostgresSession::failed(const Context& context, const PqFailure& failure) {
  if (failure.kind != PqFailure::Kind::refused) {
    disconnect();
    if (const auto stopped = context.check(); !stopped) return fail(stopped.error());
  }
  return fail(statement_error(failure, address_));
}

Result<PqConnection*> PostgresSession::connection(const Context& context) {
  if (connection_ && connection_->alive()) return connection_.get();
  disconnect();
  HOLDFAST_LET(connection, PqConnection::open(context, address_, patience_));
  connection_ = std::move(connection);
  return connection_.get();
}

Result<PqConnection*> PostgresSession::ready(const Context& context) {
  HOLDFAST_LET(connection, this->connection(context));
  if (schema_.empty()) HOLDFAST_TRY(find_tables(context));
  return connection;
}

Result<void> PostgresSession::find_tables(const Context& context) {
  std::string schema = address_.schema;
  if (schema.empty()) {
    const auto found = connection_->run(context, postgres_sql::kFindTables, PqParameters().text("hf_schema"));
    if (!found) return failed(context, found.error());
    if (found->rows.empty() || !pq_bytes(found->rows[0], 0, 63))
      return fail(not_migrated(address_, "the Holdfast tables do not exist"));
    schema = *found->rows[0][0];
  }
  const auto version = connection_->run(context, quoted_schema(postgres_sql::kTableVersion, schema));
  if (!version) return failed(context, version.error());
  const auto made = version->rows.empty() ? std::nullopt : pq_number(version->rows[0], 0);
  const auto oldest = version->rows.empty() ? std::nullopt : pq_number(version->rows[0], 1);
  if (!made || !oldest || *made < postgres_sql::kOldestVersion)
    return fail(not_migrated(address_, "the tables have an older version"));
  if (*oldest > postgres_sql::kVersion) return fail(newer_tables(address_, *oldest));
  schema_ = std::move(schema);
  version_ = *made;
  return {};
}

Result<PqAnswer> PostgresSession::read(const Context& context, std::string_view sql, const PqParameters& parameters,
                                       std::size_t limit) {
  for (int attempt = 1;; ++attempt) {
    HOLDFAST_LET(connection, ready(context));
    auto answer = connection->run(context, in_schema(sql), parameters, limit);
    if (answer) return std::move(*answer);
    const bool again = answer.error().kind == PqFailure::Kind::lost || is_conflict(answer.error());
    auto failure = failed(context, answer.error());
    HOLDFAST_TRY(context.check());
    if (!again || attempt == 2) return failure;
  }
}

Result<std::optional<std::uint64_t>> PostgresSession::change(const Context& context, std::string_view sql,
                                                             const PqParameters& parameters) {
  for (int attempt = 1;; ++attempt) {
    HOLDFAST_LET(connection, ready(context));
    const auto answer = connection->run(context, in_schema(sql), parameters);
    if (answer) return answer->changed;
    if (!answer.error().nothing_done()) {
      disconnect();
      return std::optional<std::uint64_t>();
    }
    auto failure = failed(context, answer.error());
    if (!is_conflict(answer.error()) || attempt == kTries) return failure;
    HOLDFAST_TRY(context.check());
    context.clock->sleep(kPause * attempt);
  }
}

Result<std::optional<std::uint64_t>> PostgresSession::change_all(const Context& context,
                                                                 std::span<const std::string_view> statements,
                                                                 const PqParameters& parameters) {
  for (int attempt = 1;; ++attempt) {
    HOLDFAST_LET(connection, ready(context));
    auto answer = connection->run(context, "BEGIN");
    for (const std::string_view sql : statements)
      if (answer) answer = connection->run(context, in_schema(sql), parameters);
    if (answer) answer = connection->run(context, "COMMIT");
    if (answer) return 0;
    if (answer.error().nothing_done()) (void)connection->run(context, "ROLLBACK");
    if (!answer.error().nothing_done()) {
      disconnect();
      return std::optional<std::uint64_t>();
    }
    auto failure = failed(context, answer.error());
    if (!is_conflict(answer.error()) || attempt == kTries) return failure;
    HOLDFAST_TRY(context.check());
    context.clock->sleep(kPause * attempt);
  }
}

}  // namespace holdfast::inline v1
