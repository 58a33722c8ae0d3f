// The address of a PostgreSQL remote: what libpq accepts (postgres:// or postgresql://, including service=…),
// and two parameters of our own, schema=NAME and allow_insecure=true. It must not contain a password.
// Thread-safety: plain values.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "sync/pq_library.h"

namespace holdfast::inline v1 {

struct PostgresAddress {
  std::string libpq;            // without our parameters
  std::string schema;           // of the tenant; empty: the search path decides
  bool allow_insecure = false;  // do not verify a server on another machine
  std::string place;            // for people; never a credential
};

bool is_postgres_address(std::string_view url);

// Fails with invalid_argument. The error never repeats a part of the address that may contain a credential.
Result<PostgresAddress> read_postgres_address(std::string_view url);

// Whether it names a server on another machine. Fails with invalid_argument if libpq does not understand the address.
Result<bool> names_another_machine(const PqLibrary& pq, const PostgresAddress& address);
// Whether every server of a started connection, including settings from the environment and service files, is local.
bool is_on_this_machine(const PqLibrary& pq, pg_conn* begun);

}  // namespace holdfast::inline v1
