// Arbitrary bytes as a text and as JSON, half of the time assembled from parts
// of secrets. What is hidden stays hidden: repeating it changes nothing, no
// finding overlaps another, JSON stays JSON, and no known place is left.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/mask_paths.h"
#include "text/redact_json.h"
#include "text/secrets.h"

namespace {

using namespace holdfast;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string text_of(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> parts{"AKIA",
                                              "ghp_",
                                              "sk-",
                                              "sk-ant-api03-",
                                              "AIza",
                                              "xoxb-",
                                              "eyJ",
                                              ".eyJ",
                                              "://",
                                              "user:",
                                              "@",
                                              "password",
                                              "TOKEN=",
                                              "api_key",
                                              "\": \"",
                                              "\"",
                                              "\\",
                                              "\\n",
                                              "\n",
                                              " ",
                                              "--",
                                              "-----BEGIN PRIVATE KEY-----",
                                              "-----END X-----",
                                              "Bearer ",
                                              "[redacted: ",
                                              "secret]",
                                              "]",
                                              "0123456789abcdef",
                                              "ABCDEFGHIJKLMNOP",
                                              "q7Xv9",
                                              "SK",
                                              "SG.",
                                              ":AA",
                                              "=",
                                              "-----END PRIVATE KEY-----",
                                              "MIIEvQIBADANBgkqhkiG9w0B\n",
                                              "Cookie: ",
                                              "auth",
                                              "dXNlcjpwdw==",
                                              "value",
                                              "<",
                                              ">",
                                              "</",
                                              "/",
                                              "\\ ",
                                              "(",
                                              ")",
                                              "‘",
                                              "/home/a b"};
  if (size == 0 || (data[0] & 1) == 0) return {reinterpret_cast<const char*>(data), size};
  std::string text;
  for (std::size_t i = 1; i < size; ++i) text += parts[data[i] % parts.size()];
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = text_of(data, size);
  std::size_t from = 0;
  for (const FoundSecret& secret : find_secrets(text)) {
    require(secret.at >= from && secret.length > 0 && secret.at + secret.length <= text.size());
    from = secret.at + secret.length;
  }
  if (const auto hidden = redacted(text)) require(!redacted(*hidden));

  std::string json = "{\"a\":[";
  append_json_string(json, text);
  json += "],\"env\":{\"SOME_KEY\":";
  append_json_string(json, text);
  json += "}}";
  for (const std::string& document : {json, text}) {
    const auto hidden = redacted_json(document);
    if (!hidden) continue;
    const JsonFault fault = check_json(without_bom(*hidden)).fault;
    require(fault == JsonFault::none || fault == JsonFault::bad_utf8);
    require(!redacted_json(*hidden));
  }

  const std::string places[] = {"/home/a b"};
  require(!without_paths(text, places).contains(places[0]));
  if (check_json(json).ok()) require(check_json(json_without_paths(json, places)).ok());
  return 0;
}
