#include "sync/postgres_errors.h"

#include <algorithm>

#include "sync/postgres_sql.h"

namespace holdfast::inline v1 {
namespace {

struct Meaning {
  std::string_view state;  // the whole SQLSTATE, or its two-letter class
  std::string_view text;   // followed by the server's message
};

// The first match applies.
constexpr Meaning kMeanings[] = {
    {"25006", "the server is read-only (a standby, or default_transaction_read_only)"},
    {"53100", "the disk of the server is full"},
    {"53200", "the server is out of memory"},
    {"53300", "the server has no connection left"},
    {"57P03", "the server is starting up or shutting down"},
    {"28P01", "the server rejected the password; libpq looks for it in ~/.pgpass, service files and PGPASSWORD"},
    {"28000", "the server does not allow this role to connect"},
    {"3D000", "there is no such database on the server"},
    {"42501", "the role lacks a privilege there (see the grants in the guide to sync)"},
    {"57014", "the server took too long"},
    {"55P03", "another connection holds a lock on it"},
    {"40", "other connections got there first, on every attempt"},
    {"53", "the server lacks resources"},
    {"57", "the server ended the connection"},
    {"28", "the server does not allow this role to connect"},
};

std::string_view meaning_of(std::string_view state) {
  const auto* const found =
      std::ranges::find_if(kMeanings, [&](const Meaning& one) { return state.starts_with(one.state); });
  return found == std::end(kMeanings) ? "" : found->text;
}

Error explained(std::string_view what, const PqFailure& failure, const PostgresAddress& address) {
  std::string text(what);
  if (!failure.message.empty()) text.append(": ").append(failure.message);
  return {Code::sync_transport_failed, std::move(text), address.place, 0};
}

}  // namespace

Error connect_error(const PqFailure& failure, const PostgresAddress& address) {
  if (const auto meaning = meaning_of(failure.state); !meaning.empty()) return explained(meaning, failure, address);
  if (failure.message.contains("no password supplied")) return explained(meaning_of("28P01"), failure, address);
  Error error = explained("the server cannot be reached", failure, address);
  if (failure.message.contains("SSL") || failure.message.contains("certificate"))
    error.message +=
        " (a server on another machine must prove who it is: name its certificate authority with sslrootcert=FILE, or "
        "accept any server with the option --allow-insecure of holdfast remote add)";
  return error;
}

Error statement_error(const PqFailure& failure, const PostgresAddress& address) {
  if (is_missing_table(failure)) return not_migrated(address, "the Holdfast tables do not exist");
  if (const auto meaning = meaning_of(failure.state); !meaning.empty()) return explained(meaning, failure, address);
  return explained(
      failure.kind == PqFailure::Kind::refused ? "the server refuses" : "the connection to the server was lost",
      failure, address);
}

bool is_missing_table(const PqFailure& failure) {
  return failure.kind == PqFailure::Kind::refused &&
         (failure.state == "42P01" || failure.state == "3F000" || failure.state == "42703");
}

bool is_conflict(const PqFailure& failure) {
  return failure.kind == PqFailure::Kind::refused && (failure.state == "40001" || failure.state == "40P01");
}

Error not_migrated(const PostgresAddress& address, std::string_view what) {
  return {Code::sync_transport_failed,
          std::string(what) +
              ": run holdfast remote migrate with the name of the remote, or with its address if it is not added yet",
          address.place, 0};
}

Error newer_tables(const PostgresAddress& address, std::uint64_t oldest) {
  return {Code::sync_transport_failed,
          "the tables need a newer Holdfast: one that supports version " + std::to_string(oldest) +
              "; this one supports version " + std::to_string(postgres_sql::kVersion) +
              ", and leaves them as they are until it is updated",
          address.place, 0};
}

}  // namespace holdfast::inline v1
