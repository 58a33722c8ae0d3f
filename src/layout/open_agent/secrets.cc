#include "layout/open_agent/secrets.h"

#include <algorithm>
#include <array>

#include "layout/secret_members.h"

namespace holdfast::inline v1::open_agent {
namespace {

constexpr std::array<std::string_view, 9> kParts = {"key",   "token",         "secret", "password",  "passwd",
                                                    "oauth", "authorization", "cookie", "credential"};

bool suspect(std::string_view key) {
  std::string name(key);
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (name == "env" || name == "auth" || name == "bearer") return true;
  return std::ranges::any_of(kParts, [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

}  // namespace

std::vector<std::vector<std::string>> secrets_in(JsonView object) { return secret_members(object, suspect); }

Result<std::string> without_secrets(std::string_view object) {
  return without_members(object, secrets_in(JsonView(object)));
}

}  // namespace holdfast::inline v1::open_agent
