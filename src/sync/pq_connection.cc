#include "sync/pq_connection.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include <algorithm>
#include <charconv>
#include <random>

#include "sync/postgres_errors.h"
#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::chrono::milliseconds kSlice{100};  // how long a cancellation may go unnoticed
constexpr std::chrono::milliseconds kFirstPause{20}, kLongestPause{2000};
constexpr std::size_t kLongestMessage = 400;

// The SQLSTATE in "FATAL:  53300: sorry, too many clients already", which libpq writes in verbose mode. While
// connecting, there is no other way to get it.
std::string state_in(std::string_view message) {
  for (std::size_t at = message.find(":  "); at != std::string_view::npos; at = message.find(":  ", at + 1)) {
    const std::string_view state = message.substr(at + 3, 5);
    if (state.size() == 5 && message.substr(at + 8, 2) == ": " &&
        std::ranges::all_of(state, [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); }))
      return std::string(state);
  }
  return {};
}

std::string one_line(std::string_view message) {
  std::string kept;
  for (std::size_t from = 0; from < message.size();) {
    const std::size_t end = std::min(message.find('\n', from), message.size());
    const std::string_view line = message.substr(from, end - from);
    if (!line.empty() && !line.starts_with("LOCATION: ")) kept.append(kept.empty() ? "" : " ").append(line);
    from = end + 1;
  }
  return clean_for_terminal(kept, {.one_line = true, .max_bytes = kLongestMessage});
}

bool is_momentary(const PqFailure& failure) {
  constexpr std::string_view kStates[] = {"53300", "57P03"};  // too many connections; starting up or recovering
  return std::ranges::find(kStates, failure.state) != std::end(kStates) ||
         failure.message.contains(::strerror(EAGAIN));  // the queue of a local socket is full
}

}  // namespace

PqConnection::~PqConnection() { pq_.finish(connection_); }

std::string PqConnection::said() const {
  std::string message = pq_.error_message(connection_);
  // libpq names hosts, roles and databases. If it ever quotes a password, hide it.
  if (const char* secret = pq_.pass(connection_); secret != nullptr && *secret != '\0')
    for (std::size_t at = message.find(secret); at != std::string::npos; at = message.find(secret, at + 3))
      message.replace(at, ::strlen(secret), "***");
  return message;
}

PqFailure PqConnection::lost(PqFailure::Kind kind, std::string_view what) const {
  const std::string message = said();
  return {kind, state_in(message), message.empty() ? std::string(what) : one_line(message)};
}

Result<std::unique_ptr<PqConnection>> PqConnection::open(const Context& context, const PostgresAddress& address,
                                                         const PostgresTimeouts& patience) {
  HOLDFAST_LET(pq, pq_library());
  HOLDFAST_LET(elsewhere, names_another_machine(*pq, address));
  bool verify = elsewhere && !address.allow_insecure;
  const auto begin_connection = [&] {
    // After the address, so nothing in it, the environment or a service file overrides them.
    const char* const keywords[] = {"dbname", "client_encoding", "fallback_application_name",
                                    verify ? "sslmode" : nullptr, nullptr};
    const char* const values[] = {address.libpq.c_str(), "UTF8", "holdfast", verify ? "verify-full" : nullptr, nullptr};
    return pq->connect_start_params(keywords, values, 1);
  };
  std::minstd_rand random(static_cast<unsigned>(context.clock->ticks().time_since_epoch().count()) ^
                          static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(&elsewhere)));
  const auto first_try = context.clock->ticks();
  for (auto pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    HOLDFAST_TRY(context.check());
    pg_conn* begun = begin_connection();
    // Nothing has been sent to another machine yet.
    if (begun != nullptr && !verify && !address.allow_insecure && !is_on_this_machine(*pq, begun)) {
      pq->finish(begun);
      verify = true;
      begun = begin_connection();
    }
    if (begun == nullptr) return fail(Code::out_of_memory, "not enough memory for a connection");
    std::unique_ptr<PqConnection> connection(new PqConnection(*pq, begun, patience));
    const auto connected = connection->connect(context);
    if (connected) return connection;
    if (connected.error().kind == PqFailure::Kind::stopped) HOLDFAST_TRY(context.check());
    if (!is_momentary(connected.error()) || context.clock->ticks() - first_try >= patience.free)
      return fail(connect_error(connected.error(), address));
    connection.reset();
    auto rest = pause / 2 + std::chrono::milliseconds(random() % static_cast<unsigned>(pause.count()));
    for (; rest.count() > 0; rest -= kSlice) {
      HOLDFAST_TRY(context.check());
      context.clock->sleep(std::min(rest, kSlice));
    }
  }
}

std::expected<void, PqFailure> PqConnection::connect(const Context& context) {
  pq_.set_error_verbosity(connection_, kPqVerbose);
  pq_.set_notice_processor(connection_, [](void*, const char*) {}, nullptr);  // libpq's default prints
  const auto until = context.clock->ticks() + patience_.connect;
  constexpr int kBad = 1, kWriting = 2;
  for (int next = pq_.status(connection_) == kBad ? kPqPollFailed : kWriting; next != kPqPollReady;) {
    if (next == kPqPollFailed) return std::unexpected(lost(PqFailure::Kind::not_sent, "cannot connect"));
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - context.clock->ticks());
    const Wait waited = wait_for(context, next == kPqPollReading, next != kPqPollReading, left);
    if (waited == Wait::stopped) return std::unexpected(PqFailure{PqFailure::Kind::stopped, {}, "stopped"});
    if (waited == Wait::silent)
      return std::unexpected(PqFailure{PqFailure::Kind::not_sent, {}, "the server does not answer"});
    next = pq_.connect_poll(connection_);
  }
  if (pq_.set_nonblocking(connection_, 1) != 0) return std::unexpected(lost(PqFailure::Kind::not_sent, "no socket"));
  return {};
}

PqConnection::Wait PqConnection::wait_for(const Context& context, bool reading, bool writing,
                                          std::chrono::milliseconds longest) const {
  const auto until = context.clock->ticks() + longest;
  while (context.check()) {
    pollfd socket{pq_.socket(connection_), static_cast<short>((reading ? POLLIN : 0) | (writing ? POLLOUT : 0)), 0};
    const int ready = ::poll(&socket, 1, static_cast<int>(kSlice.count()));
    if (ready > 0 || (ready < 0 && errno != EINTR)) return Wait::ready;
    if (context.clock->ticks() >= until) return Wait::silent;
  }
  return Wait::stopped;
}

bool PqConnection::alive() const {
  if (pq_.status(connection_) != kPqConnected) return false;
  pollfd socket{pq_.socket(connection_), POLLIN, 0};
  if (::poll(&socket, 1, 0) <= 0) return true;
  // Between statements a server sends only a farewell or a notice of a changed setting.
  if ((socket.revents & (POLLERR | POLLHUP)) != 0) return false;
  return pq_.consume_input(connection_) == 1 && pq_.status(connection_) == kPqConnected && ::poll(&socket, 1, 0) <= 0;
}

std::expected<PqAnswer, PqFailure> PqConnection::run(const Context& context, const std::string& sql,
                                                     const PqParameters& parameters, std::size_t limit) {
  std::vector<const char*> values;
  std::vector<int> lengths;
  for (const std::string& value : parameters.values()) {
    values.push_back(value.data());
    lengths.push_back(static_cast<int>(value.size()));
  }
  const std::vector<int> binary(parameters.size(), 1);
  if (!context.check()) return std::unexpected(PqFailure{PqFailure::Kind::not_sent, {}, "stopped"});
  if (pq_.send_query_params(connection_, sql.c_str(), static_cast<int>(parameters.size()), parameters.types().data(),
                            values.data(), lengths.data(), binary.data(), 1) != 1)
    return std::unexpected(lost(PqFailure::Kind::lost, "cannot send"));  // a part may have been sent
  pq_.set_single_row_mode(connection_);
  Intake intake{.answer = {}, .room = limit};
  while (true) {
    const int unsent = pq_.flush(connection_);
    if (take_results(intake)) break;
    if (unsent < 0 || pq_.status(connection_) != kPqConnected)
      return std::unexpected(lost(PqFailure::Kind::lost, "the connection was lost"));
    const Wait waited = wait_for(context, true, unsent > 0, patience_.silence);
    if (waited == Wait::stopped) return std::unexpected(PqFailure{PqFailure::Kind::stopped, {}, "stopped"});
    if (waited == Wait::silent)
      return std::unexpected(PqFailure{PqFailure::Kind::lost, {}, "the server has stopped answering"});
    pq_.consume_input(connection_);  // if it fails, the next iteration sees why
  }
  if (intake.failure) return std::unexpected(std::move(*intake.failure));
  // A result that arrived before the server was ready for the next statement may still have been rolled back.
  if (pq_.status(connection_) != kPqConnected)
    return std::unexpected(lost(PqFailure::Kind::lost, "the connection was lost"));
  return std::move(intake.answer);
}

bool PqConnection::take_results(Intake& intake) const {
  while (pq_.is_busy(connection_) == 0) {
    pg_result* const result = pq_.get_result(connection_);
    if (result == nullptr) return true;
    take(result, intake);
    pq_.clear(result);
  }
  return false;
}

void PqConnection::take(pg_result* result, Intake& intake) const {
  const int status = pq_.result_status(result);
  if (status != kPqCommandDone && status != kPqRowsDone && status != kPqSingleRow) {
    const auto field = [&](int which) {
      const char* text = pq_.result_error_field(result, which);
      return std::string(text == nullptr ? "" : text);
    };
    // Without an SQLSTATE the error is libpq's own: the connection is lost. A server that reports FATAL or
    // PANIC ends the connection too, and may have committed by then.
    const bool refused = field(kPqSeverity) == "ERROR" && field(kPqSqlState).size() == 5;
    PqFailure failure{refused ? PqFailure::Kind::refused : PqFailure::Kind::lost, field(kPqSqlState),
                      one_line(field(kPqPrimaryText))};
    if (failure.message.empty()) failure.message = one_line(said());
    if (!intake.failure || !refused) intake.failure = std::move(failure);
    return;
  }
  std::uint64_t changed = 0;
  const std::string_view count = pq_.cmd_tuples(result);
  std::from_chars(count.data(), count.data() + count.size(), changed);
  if (status != kPqSingleRow) intake.answer.changed = changed;
  for (int row = 0; row < pq_.ntuples(result) && !intake.failure; ++row) {
    PqRow cells;
    for (int column = 0; column < pq_.nfields(result); ++column) {
      cells.emplace_back();
      if (pq_.getisnull(result, row, column) != 0) continue;
      const auto size = static_cast<std::size_t>(pq_.getlength(result, row, column));
      if (size > intake.room) {
        intake.failure = PqFailure{PqFailure::Kind::lost, {}, "the server sent more than it was asked for"};
        intake.answer.rows.clear();
        return;
      }
      intake.room -= size;
      cells.back().emplace(pq_.getvalue(result, row, column), size);
    }
    intake.answer.rows.push_back(std::move(cells));
  }
}

}  // namespace holdfast::inline v1
