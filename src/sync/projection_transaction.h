// A transaction on the tables for search, and the messages of one session in it.
// Thread-safety: one thread per object. Lifetime: the PostgresSession must outlive the object.
#pragma once

#include <holdfast/context.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sync/projection.h"

namespace holdfast::inline v1 {

// Rolled back unless it is committed.
class ProjectionTransaction {
 public:
  static constexpr std::size_t kAnswer = std::size_t{1} << 20;  // bytes of one answer

  static Result<ProjectionTransaction> begin(const Context& context, PostgresSession& session);
  ProjectionTransaction(ProjectionTransaction&& other) noexcept
      : context_(other.context_),
        session_(other.session_),
        connection_(other.connection_),
        open_(std::exchange(other.open_, false)) {}
  ProjectionTransaction& operator=(ProjectionTransaction&&) = delete;
  ~ProjectionTransaction();

  Result<PqAnswer> run(std::string_view sql, const PqParameters& parameters = {}, std::size_t limit = kAnswer);
  // Returns false if the server cannot accept the values; everything else stays as it was.
  Result<bool> try_run(std::string_view sql, const PqParameters& parameters);
  Result<void> commit();
  // Whether the last statement failed because another transaction holds what it needs.
  bool was_blocked() const { return met_another_; }

 private:
  ProjectionTransaction(const Context& context, PostgresSession& session, PqConnection& connection)
      : context_(context), session_(session), connection_(&connection) {}
  std::expected<PqAnswer, PqFailure> ask(std::string_view sql, const PqParameters& parameters, std::size_t limit);
  Failure failed(const PqFailure& failure);

  const Context& context_;
  PostgresSession& session_;
  PqConnection* connection_;  // the session's, while the transaction is open
  bool open_ = true;
  bool met_another_ = false;
};

// Writes messages, beginning with the first that differs from the stored ones.
class ProjectedMessageWriter {
 public:
  // `there`: rows of ordinal and hash, in order.
  ProjectedMessageWriter(ProjectionTransaction& work, std::string key, std::vector<PqRow> there, PutCounts& counts)
      : work_(work), key_(std::move(key)), there_(std::move(there)), counts_(counts) {}

  Result<void> take(ProjectedMessage message);
  Result<void> end();

 private:
  struct Hashed {
    ProjectedMessage message;
    std::string hash;  // of the original message, even if the server accepts only a part
  };
  Result<void> drop_rest();
  Result<void> flush();
  Result<void> add(std::span<Hashed> messages);

  ProjectionTransaction& work_;
  const std::string key_;
  const std::vector<PqRow> there_;
  PutCounts& counts_;
  std::size_t same_ = 0;  // the number of leading messages that are already stored
  bool differs_ = false;
  std::uint64_t told_ = 0;
  std::vector<Hashed> batch_;
  std::size_t bytes_ = 0;
};

}  // namespace holdfast::inline v1
