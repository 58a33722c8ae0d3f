#include "sync/projection_transaction.h"

#include <algorithm>

#include "sync/postgres_errors.h"
#include "sync/projection_sql.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{2} << 20;  // plus one message
constexpr std::size_t kBatchMessages = 500;

// Whether the server cannot accept the values, regardless of other clients: invalid bytes, or too many.
bool is_fault(const PqFailure& failure) {
  return failure.kind == PqFailure::Kind::refused &&
         (failure.state.starts_with("22") || failure.state.starts_with("54"));
}

bool is_busy(const PqFailure& failure) {
  return is_conflict(failure) || (failure.kind == PqFailure::Kind::refused && failure.state == "55P03");
}

}  // namespace

Result<ProjectionTransaction> ProjectionTransaction::begin(const Context& context, PostgresSession& session) {
  HOLDFAST_LET(connection, session.ready(context));
  if (const auto begun = connection->run(context, "BEGIN"); !begun) return session.failed(context, begun.error());
  return ProjectionTransaction(context, session, *connection);
}

ProjectionTransaction::~ProjectionTransaction() {
  // If the context is stopped nothing can be sent; closing the connection also rolls back.
  if (open_ && !connection_->run(context_, "ROLLBACK")) session_.disconnect();
}

// Must use this connection: a new one would not know the transaction.
std::expected<PqAnswer, PqFailure> ProjectionTransaction::ask(std::string_view sql, const PqParameters& parameters,
                                                              std::size_t limit) {
  if (!open_) return std::unexpected(PqFailure{PqFailure::Kind::not_sent, {}, "the transaction has ended"});
  return connection_->run(context_, session_.in_schema(sql), parameters, limit);
}

Failure ProjectionTransaction::failed(const PqFailure& failure) {
  met_another_ = is_busy(failure);
  if (failure.kind != PqFailure::Kind::refused) open_ = false;
  return session_.failed(context_, failure);
}

Result<PqAnswer> ProjectionTransaction::run(std::string_view sql, const PqParameters& parameters, std::size_t limit) {
  auto answer = ask(sql, parameters, limit);
  if (!answer) return failed(answer.error());
  return std::move(*answer);
}

Result<bool> ProjectionTransaction::try_run(std::string_view sql, const PqParameters& parameters) {
  HOLDFAST_TRY(run("SAVEPOINT before"));
  const auto answer = ask(sql, parameters, kAnswer);
  if (answer) return true;
  if (!is_fault(answer.error())) return failed(answer.error());
  HOLDFAST_TRY(run("ROLLBACK TO SAVEPOINT before"));
  return false;
}

Result<void> ProjectionTransaction::commit() {
  HOLDFAST_TRY(run("COMMIT"));
  open_ = false;
  return {};
}

Result<void> ProjectedMessageWriter::take(ProjectedMessage message) {
  ++told_;
  std::string hash = message.hash();
  if (!differs_ && same_ < there_.size() && pq_number(there_[same_], 0) == message.ordinal &&
      pq_bytes(there_[same_], 1, 8) == hash) {
    ++same_;
    return {};
  }
  HOLDFAST_TRY(drop_rest());
  bytes_ += message.size();
  batch_.push_back({std::move(message), std::move(hash)});
  if (bytes_ < kBatchBytes && batch_.size() < kBatchMessages) return {};
  return flush();
}

Result<void> ProjectedMessageWriter::end() {
  HOLDFAST_TRY(drop_rest());
  HOLDFAST_TRY(flush());
  HOLDFAST_TRY(work_.run(projection_sql::kCountMessages, PqParameters().bytes(key_).number(told_)));
  return {};
}

Result<void> ProjectedMessageWriter::drop_rest() {
  if (std::exchange(differs_, true) || same_ == there_.size()) return {};
  const std::uint64_t from = pq_number(there_[same_], 0).value_or(0);
  HOLDFAST_TRY(work_.run(projection_sql::kDropMessagesFrom, PqParameters().bytes(key_).number(from)));
  return {};
}

Result<void> ProjectedMessageWriter::flush() {
  HOLDFAST_TRY(add(batch_));
  for (const Hashed& one : batch_) counts_.cut += one.message.cut ? 1 : 0;
  counts_.messages += batch_.size();
  batch_.clear();
  bytes_ = 0;
  return {};
}

Result<void> ProjectedMessageWriter::add(std::span<Hashed> messages) {
  if (messages.empty()) return {};
  std::vector<std::uint64_t> ordinals, same, cut;
  std::vector<std::string_view> roles, kinds, times, said, thought, tools, hashes, said_words, thought_words,
      tools_words;
  for (const auto& [message, hash] : messages) {
    ordinals.push_back(message.ordinal);
    same.push_back(message.same);
    cut.push_back(message.cut ? 1 : 0);
    roles.push_back(message.role);
    kinds.push_back(message.kind);
    times.push_back(message.at);
    said.push_back(message.said.text);
    thought.push_back(message.thought.text);
    tools.push_back(message.tools.text);
    hashes.push_back(hash);
    said_words.push_back(message.said.words);
    thought_words.push_back(message.thought.words);
    tools_words.push_back(message.tools.words);
  }
  PqParameters rows;
  rows.bytes(key_).numbers(ordinals).numbers(same).texts(roles).texts(kinds).texts(times).texts(said).texts(thought);
  rows.texts(tools).numbers(cut).many_bytes(hashes).texts(said_words).texts(thought_words).texts(tools_words);
  HOLDFAST_LET(taken, work_.try_run(projection_sql::kAddMessages, rows));
  if (taken) return {};
  // The server rejects one of them; split the batch to store the others.
  if (messages.size() > 1) {
    HOLDFAST_TRY(add(messages.first(messages.size() / 2)));
    return add(messages.subspan(messages.size() / 2));
  }
  Hashed& one = messages.front();
  if (one.message.said.text.empty() && one.message.thought.text.empty() && one.message.tools.text.empty())
    return fail(Code::sync_transport_failed, "the server refuses a message even without its text");
  one.message.empty();
  return add(messages);
}

}  // namespace holdfast::inline v1
