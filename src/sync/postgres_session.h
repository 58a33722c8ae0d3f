// A connection to the tables of one tenant. Connects when needed, reconnects after a loss, and checks the
// version of the tables before using them. Thread-safety: one thread per object.
#pragma once

#include <memory>

#include "sync/pq_connection.h"
#include "sync/remote.h"

namespace holdfast::inline v1 {

class PostgresSession {
 public:
  PostgresSession(PostgresAddress address, PostgresTimeouts patience)
      : address_(std::move(address)), patience_(patience) {}

  const PostgresAddress& address() const { return address_; }
  const std::string& schema() const { return schema_; }  // valid once connected

  // Connects, whatever tables there are.
  Result<PqConnection*> connection(const Context& context);
  void disconnect() { connection_.reset(), schema_.clear(); }
  // Connects and checks that this program can use the tables; for callers with their own transactions.
  Result<PqConnection*> ready(const Context& context);
  std::uint64_t version() const { return version_; }  // of the tables; valid after ready()
  // Turns a failed statement into an error. Closes a lost connection.
  Failure failed(const Context& context, const PqFailure& failure);

  // Runs a statement that changes nothing; retries on a new connection if the first was lost.
  Result<PqAnswer> read(const Context& context, std::string_view sql, const PqParameters& parameters,
                        std::size_t limit);
  // Runs a statement that changes something. Returns the number of rows; nullopt if the outcome is unclear.
  Result<std::optional<std::uint64_t>> change(const Context& context, std::string_view sql,
                                              const PqParameters& parameters);
  // Runs several, all or none; nullopt if the outcome is unclear. The number of changed rows is not counted.
  Result<std::optional<std::uint64_t>> change_all(const Context& context, std::span<const std::string_view> statements,
                                                  const PqParameters& parameters);

  // The statement with the schema inserted.
  std::string in_schema(std::string_view sql) const;

 private:
  Result<void> find_tables(const Context& context);

  PostgresAddress address_;
  PostgresTimeouts patience_;
  std::unique_ptr<PqConnection> connection_;
  std::string schema_;         // empty until find_tables()
  std::uint64_t version_ = 0;  // of the tables there
};

std::string quoted_schema(std::string_view sql, std::string_view schema);

}  // namespace holdfast::inline v1
