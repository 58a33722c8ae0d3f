// A connection to the tables of one tenant: made when it is needed, made again when it was lost, and never used before
// the version of the tables is known.
// Thread-safety: one thread an object.
#pragma once

#include <memory>

#include "sync/pq_connection.h"
#include "sync/remote.h"

namespace holdfast::inline v1 {

class PostgresSession {
 public:
  PostgresSession(PostgresAddress address, PostgresPatience patience)
      : address_(std::move(address)), patience_(patience) {}

  const PostgresAddress& address() const { return address_; }
  const std::string& schema() const { return schema_; }  // once connected

  // Connected, whatever tables there are.
  Result<PqConnection*> connection(const Context& context);
  void disconnect() { connection_.reset(), schema_.clear(); }
  // The same with tables that this program can use, for those who make transactions of their own.
  Result<PqConnection*> ready(const Context& context);
  std::uint64_t version() const { return version_; }  // of the tables; once it is ready
  // What came of a statement there. A connection that is lost is given up.
  Failure failed(const Context& context, const PqFailure& failure);

  // A statement that changes nothing; again on a new connection when the first was lost.
  Result<PqAnswer> read(const Context& context, std::string_view sql, const PqParameters& parameters,
                        std::size_t limit);
  // One that does: how many rows; nullopt: unclear.
  Result<std::optional<std::uint64_t>> change(const Context& context, std::string_view sql,
                                              const PqParameters& parameters);
  // Several, all or none; nullopt: unclear. What they change is not counted.
  Result<std::optional<std::uint64_t>> change_all(const Context& context, std::span<const std::string_view> statements,
                                                  const PqParameters& parameters);

  // With the schema in its place.
  std::string in_schema(std::string_view sql) const;

 private:
  Result<void> find_tables(const Context& context);

  PostgresAddress address_;
  PostgresPatience patience_;
  std::unique_ptr<PqConnection> connection_;
  std::string schema_;         // empty: not looked for yet
  std::uint64_t version_ = 0;  // of the tables there
};

std::string quoted_schema(std::string_view sql, std::string_view schema);

}  // namespace holdfast::inline v1
