// A connection to a PostgreSQL server that never blocks longer than its caller allows: every wait checks the
// context, and a server that is silent for too long counts as lost. Whatever the server sends is bounded
// before it is kept. Thread-safety: one thread per object.
#pragma once

#include <holdfast/context.h>

#include <chrono>
#include <expected>
#include <memory>

#include "sync/postgres_address.h"
#include "sync/pq_values.h"

namespace holdfast::inline v1 {

struct PostgresTimeouts {
  std::chrono::milliseconds connect = std::chrono::seconds(30);  // until the server answers at all
  std::chrono::milliseconds free = std::chrono::minutes(5);      // while it is full or starting up
  std::chrono::milliseconds silence = std::chrono::seconds(60);  // during a statement
};

// Why a statement has no answer.
struct PqFailure {
  enum class Kind {
    refused,   // the server refused; nothing was done
    not_sent,  // nothing was done
    lost,      // unknown whether it was done
    stopped,   // by the context; unknown whether it was done
  };
  Kind kind = Kind::lost;
  std::string state = {};    // the SQLSTATE, if the server gave one
  std::string message = {};  // one clean line, for people

  bool nothing_done() const { return kind == Kind::refused || kind == Kind::not_sent; }
};

struct PqAnswer {
  std::vector<PqRow> rows;
  std::uint64_t changed = 0;
};

class PqConnection {
 public:
  // Waits while the server has no free connection or is starting.
  static Result<std::unique_ptr<PqConnection>> open(const Context& context, const PostgresAddress& address,
                                                    const PostgresTimeouts& patience);
  PqConnection(const PqConnection&) = delete;
  PqConnection& operator=(const PqConnection&) = delete;
  ~PqConnection();

  // Whether the connection looks alive, without asking the server.
  bool alive() const;
  bool encrypted() const { return pq_.ssl_in_use(connection_) != 0; }

  // Runs one statement, in its own transaction unless one is open; one round trip. The answer is binary and at most
  // `limit` bytes long.
  std::expected<PqAnswer, PqFailure> run(const Context& context, const std::string& sql,
                                         const PqParameters& parameters = {}, std::size_t limit = 1U << 20U);

 private:
  PqConnection(const PqLibrary& pq, pg_conn* connection, const PostgresTimeouts& patience)
      : pq_(pq), connection_(connection), patience_(patience) {}

  enum class Wait { ready, silent, stopped };
  Wait wait_for(const Context& context, bool reading, bool writing, std::chrono::milliseconds longest) const;
  std::expected<void, PqFailure> connect(const Context& context);
  // The answer to one statement, as it arrives.
  struct Intake {
    PqAnswer answer;
    std::size_t room = 0;
    std::optional<PqFailure> failure = {};
  };
  bool take_results(Intake& intake) const;  // returns true if the answer is complete
  void take(pg_result* result, Intake& intake) const;
  PqFailure lost(PqFailure::Kind kind, std::string_view what) const;
  std::string said() const;

  const PqLibrary& pq_;
  pg_conn* connection_;
  PostgresTimeouts patience_;
};

}  // namespace holdfast::inline v1
