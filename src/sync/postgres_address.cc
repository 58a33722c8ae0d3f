#include "sync/postgres_address.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "text/percent.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kSchemes[] = {"postgres://", "postgresql://"};
constexpr std::size_t kMaxAddress = 4096;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool is_schema_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !name.empty() && name.size() <= 63 && letter(name[0]) && !name.starts_with("pg_") &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

Failure password_refused() {
  return fail(
      Code::invalid_argument,
      "an address must not contain a password: it would be stored and shown. Put it into ~/.pgpass (mode 0600) or a "
      "service file (?service=NAME), where libpq finds it, or into the variable PGPASSWORD");
}

bool is_local(std::string_view host) {
  if (host.empty() || host.starts_with('/') || host.starts_with('@')) return true;  // a local socket
  if (host == "localhost" || host == "::1") return true;
  const auto parts = split(host, '.');
  return parts.size() == 4 && parts[0] == "127" && std::ranges::all_of(parts, [](std::string_view part) {
           return !part.empty() && part.size() <= 3 &&
                  std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
         });
}

using Options = std::unique_ptr<PqOption, void (*)(PqOption*)>;

std::string value_of(const Options& options, std::string_view keyword) {
  for (const PqOption* option = options.get(); option->keyword != nullptr; ++option)
    if (keyword == option->keyword) return option->value == nullptr ? "" : option->value;
  return "";
}

bool all_local(const Options& options) {
  const std::string address = value_of(options, "hostaddr"), host = value_of(options, "host");
  return std::ranges::all_of(split(address.empty() ? host : address, ','), is_local);
}

}  // namespace

bool is_postgres_address(std::string_view url) {
  return std::ranges::any_of(kSchemes, [&](std::string_view scheme) { return url.starts_with(scheme); });
}

Result<PostgresAddress> read_postgres_address(std::string_view url) {
  if (!is_postgres_address(url) || url.size() > kMaxAddress || url.contains('\0'))
    return fail(Code::invalid_argument,
                "the address of a PostgreSQL remote must begin with postgres:// or postgresql://");
  const std::size_t begin = url.find("://") + 3, question = std::min(url.find('?', begin), url.size());
  const std::string_view front = url.substr(0, question),
                         authority = front.substr(begin, front.find('/', begin) - begin);
  if (const std::size_t at = authority.find('@'); at != std::string_view::npos && authority.substr(0, at).contains(':'))
    return password_refused();
  PostgresAddress address{.libpq = std::string(front), .schema = {}, .place = std::string(front)};
  char separator = '?', shown_separator = '?';
  for (const std::string_view parameter : split(url.substr(std::min(question + 1, url.size())), '&')) {
    if (parameter.empty()) continue;
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string key = percent_decoded(parameter.substr(0, equals));
    const std::string_view value = parameter.substr(std::min(equals + 1, parameter.size()));
    if (key == "password" || key == "sslpassword") return password_refused();
    if (key == "schema" && !is_schema_name(value))
      return fail(
          Code::invalid_argument,
          "the name of a schema may have at most 63 lower-case letters, digits and _, and must not begin with pg_");
    if (key == "allow_insecure" && value != "true")
      return fail(Code::invalid_argument, "allow_insecure can only be true");
    if (key == "schema") address.schema = value;
    if (key == "allow_insecure") address.allow_insecure = true;
    if (key == "schema" || key == "service" || key == "host" || key == "port" || key == "dbname") {
      address.place.append(1, shown_separator).append(parameter);
      shown_separator = '&';
    }
    if (key == "schema" || key == "allow_insecure") continue;
    address.libpq.append(1, separator).append(parameter);
    separator = '&';
  }
  return address;
}

Result<bool> names_another_machine(const PqLibrary& pq, const PostgresAddress& address) {
  char* complaint = nullptr;
  const Options given(pq.conninfo_parse(address.libpq.c_str(), &complaint), pq.conninfo_free);
  if (complaint != nullptr) pq.freemem(complaint);  // the message quotes the address
  if (given == nullptr)
    return fail(Code::invalid_argument, "libpq does not understand the address, or a parameter in it", address.place);
  if (!value_of(given, "password").empty() || !value_of(given, "sslpassword").empty()) return password_refused();
  return !all_local(given);
}

bool is_on_this_machine(const PqLibrary& pq, pg_conn* begun) {
  const Options all(pq.conninfo(begun), pq.conninfo_free);
  return all != nullptr && all_local(all);
}

}  // namespace holdfast::inline v1
