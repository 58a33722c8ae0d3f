// The address of a PostgreSQL remote: what libpq takes (postgres:// or postgresql://, service=… included), and two
// parameters of our own, schema=NAME and allow_insecure=true. It holds no password: those have their places.
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
  bool allow_insecure = false;  // a server elsewhere need not prove who it is
  std::string place;            // for people; never a credential
};

bool is_postgres_address(std::string_view url);

// invalid_argument, which never repeats the address, where it can hold a credential.
Result<PostgresAddress> read_postgres_address(std::string_view url);

// Does it name a server on another machine? invalid_argument when libpq does not understand it.
Result<bool> names_another_machine(const PqLibrary& pq, const PostgresAddress& address);
// Of a connection that has begun, with what the environment and service files add: is every server on this machine?
bool is_on_this_machine(const PqLibrary& pq, pg_conn* begun);

}  // namespace holdfast::inline v1
