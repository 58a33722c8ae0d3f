// A real PostgreSQL server in a temporary directory, run by an unprivileged user, reachable through a Unix socket
// and on loopback. Installed by `./dev postgres` and `./dev check`; without it these tests are skipped.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace holdfast::inline v1 {

class PostgresServer {
 public:
  // The directory of initdb and the other programs, empty if not installed.
  static std::string programs();
  static PostgresServer& shared();  // one for all tests of the process

  PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer();

  int port() const { return port_; }
  const std::string& directory() const { return directory_; }

  void start(const std::string& settings = "");
  void stop(const std::string& mode);  // fast or immediate
  void restart(const std::string& settings) { stop("fast"), start(settings); }
  // Runs statements as the owner of everything; returns the output without the last newline.
  std::string sql(const std::string& statements) const;

  // Through the socket, as `role`.
  std::string url(const std::string& schema, const std::string& role = "app") const;
  std::string tcp_url(const std::string& schema, const std::string& role = "app", int port = 0) const;

  // Creates and migrates a schema, and gives the role `device` the rights of the guide; returns the schema's name.
  std::string new_schema();
  void grant(const std::string& schema, const std::string& role) const;
  // Grant what remote index needs, or what `ls`, `search` and `stats` need with --remote.
  void grant_index(const std::string& schema, const std::string& role) const;
  void grant_search(const std::string& schema, const std::string& role) const;

 private:
  std::string run(const std::string& command, bool as_owner = true) const;

  std::string directory_, as_user_;
  int port_ = 0;
  int schemas_ = 0;
  bool running_ = false;
};

// Whether this is a long run, as by ./dev postgres and ./dev check.
bool long_run();

}  // namespace holdfast::inline v1
