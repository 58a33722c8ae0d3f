// A real PostgreSQL server in a temporary directory, run by a user without rights, reachable by a Unix socket and on
// loopback. Installed by `./dev postgres` and `./dev check`; without it these tests are skipped.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace holdfast::inline v1 {

class PostgresServer {
 public:
  // Where initdb and the others are; empty: not installed.
  static std::string programs();
  static PostgresServer& shared();  // one for all tests of the process

  PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer();

  int port() const { return port_; }
  const std::string& directory() const { return directory_; }

  void start(const std::string& settings = "");
  void stop(const std::string& mode);  // fast, immediate
  void restart(const std::string& settings) { stop("fast"), start(settings); }
  // As the owner of everything; what it answers, without the last newline.
  std::string sql(const std::string& statements) const;

  // Through the socket, as `role`.
  std::string url(const std::string& schema, const std::string& role = "app") const;
  std::string tcp_url(const std::string& schema, const std::string& role = "app", int port = 0) const;

  // A migrated schema of a new name, and a role that may do there what the guide grants.
  std::string new_schema();
  void grant(const std::string& schema, const std::string& role) const;
  // What remote index needs, or `ls`, `search` and `stats` with --remote.
  void grant_index(const std::string& schema, const std::string& role) const;
  void grant_search(const std::string& schema, const std::string& role) const;

 private:
  std::string run(const std::string& command, bool as_owner = true) const;

  std::string directory_, as_user_;
  int port_ = 0;
  int schemas_ = 0;
  bool running_ = false;
};

// Long runs, for ./dev postgres and ./dev check.
bool long_run();

}  // namespace holdfast::inline v1
