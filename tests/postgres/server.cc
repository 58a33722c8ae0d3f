#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "sync/postgres_remote.h"
#include "tests/postgres/server_testing.h"

namespace holdfast::inline v1 {
namespace fs = std::filesystem;
namespace {

int free_port() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  ::close(listener);
  return ntohs(address.sin_port);
}

}  // namespace

std::string PostgresServer::programs() {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", none))
    if (fs::exists(version.path() / "bin/initdb")) found.push_back((version.path() / "bin/").string());
  return found.empty() ? "" : *std::ranges::max_element(found);
}

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

PostgresServer::PostgresServer() : port_(free_port()) {
  char name[] = "/tmp/holdfast_pg_XXXXXX";
  EXPECT_NE(::mkdtemp(name), nullptr);
  directory_ = name;
  if (::geteuid() == 0) {  // initdb refuses root
    as_user_ = "setpriv --reuid=postgres --regid=postgres --clear-groups env HOME=" + directory_ + " ";
    run("chown postgres:postgres " + directory_, false);
  }
  run(programs() + "initdb -N -D " + directory_ +
      "/data -U app --auth=trust -E UTF8 --locale=C.UTF-8 --wal-segsize=1 && echo 'host all secret 127.0.0.1/32 "
      "scram-sha-256' | cat - " +
      directory_ + "/data/pg_hba.conf > " + directory_ + "/hba && cp " + directory_ + "/hba " + directory_ +
      "/data/pg_hba.conf");
  start();
  sql("CREATE ROLE device LOGIN");
}

PostgresServer::~PostgresServer() {
  stop("immediate");
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

std::string PostgresServer::run(const std::string& command, bool as_owner) const {
  // Quoted once for the shell of popen, once for that of the other user.
  std::string quoted = "'";
  for (const char c : command) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  quoted += "'";
  const std::string all = "cd / && " + (as_owner ? as_user_ : "") + "sh -c " + quoted + " 2>&1";
  FILE* out = ::popen(all.c_str(), "re");
  std::string text;
  char buffer[4096];
  for (std::size_t count = 0; (count = ::fread(buffer, 1, sizeof buffer, out)) > 0;) text.append(buffer, count);
  EXPECT_EQ(::pclose(out), 0) << command << "\n" << text;
  return text;
}

void PostgresServer::start(const std::string& settings) {
  // fsync matters if the machine crashes, not if only the server does.
  run(programs() + "pg_ctl -D " + directory_ + "/data -w -t 60 -l " + directory_ + "/log -o \"-p " +
      std::to_string(port_) + " -c listen_addresses=* -c unix_socket_directories=" + directory_ +
      " -c fsync=off -c shared_buffers=16MB -c log_statement=ddl " + settings + "\" start > /dev/null");
  running_ = true;
}

void PostgresServer::stop(const std::string& mode) {
  if (!running_) return;
  running_ = false;
  run(programs() + "pg_ctl -D " + directory_ + "/data -w -t 60 -m " + mode + " stop");
}

std::string PostgresServer::sql(const std::string& statements) const {
  std::string text =
      run(programs() + "psql -X -q -v ON_ERROR_STOP=1 -h " + directory_ + " -p " + std::to_string(port_) +
          " -U app -d postgres -At <<'END_OF_SQL'\n" + statements + ";\nEND_OF_SQL\n");
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string PostgresServer::url(const std::string& schema, const std::string& role) const {
  return "postgres:///postgres?host=" + directory_ + "&port=" + std::to_string(port_) + "&user=" + role +
         (schema.empty() ? "" : "&schema=" + schema);
}

std::string PostgresServer::tcp_url(const std::string& schema, const std::string& role, int port) const {
  return "postgresql://" + role + "@127.0.0.1:" + std::to_string(port == 0 ? port_ : port) +
         "/postgres?schema=" + schema;
}

std::string PostgresServer::new_schema() {
  std::string schema = "tenant_" + std::to_string(++schemas_);
  const auto made = migrate_postgres({}, url(schema));
  EXPECT_TRUE(made) << made.error().text();
  grant(schema, "device");
  return schema;
}

// docs/guides/sync.md says the same.
void PostgresServer::grant(const std::string& schema, const std::string& role) const {
  sql("GRANT USAGE ON SCHEMA " + schema + " TO " + role + "; GRANT SELECT ON " + schema + ".hf_schema TO " + role +
      "; GRANT SELECT, INSERT ON " + schema + ".hf_charter TO " + role + "; GRANT SELECT, INSERT, UPDATE, DELETE ON " +
      schema + ".hf_stream, " + schema + ".hf_segment TO " + role + "; GRANT SELECT, INSERT, DELETE ON " + schema +
      ".hf_chunk TO " + role);
}

void PostgresServer::grant_search(const std::string& schema, const std::string& role) const {
  sql("GRANT USAGE ON SCHEMA " + schema + " TO " + role + "; GRANT SELECT ON " + schema + ".hf_schema, " + schema +
      ".hf_charter, " + schema + ".hf_stream, " + schema + ".hf_indexed, " + schema + ".hf_session, " + schema +
      ".hf_message TO " + role);
}

void PostgresServer::grant_index(const std::string& schema, const std::string& role) const {
  sql("GRANT SELECT, INSERT, UPDATE, DELETE ON " + schema + ".hf_indexed, " + schema + ".hf_session TO " + role +
      "; GRANT SELECT, INSERT, DELETE ON " + schema + ".hf_message TO " + role);
}

}  // namespace holdfast::inline v1
