#include "sync/charter.h"

#include <algorithm>

#include "base/hash.h"
#include "sync/remote.h"
#include "sync/seal.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kLetters = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr std::size_t kPhraseLetters = 28;
constexpr std::size_t kBits = 5;

// The 16 bytes and the first 12 bits of their hash.
std::string with_check(std::string_view secret) {
  const std::string hash = from_hex(sha256_hex(secret)).value_or("");
  std::string bytes(secret);
  bytes += hash[0];
  bytes += static_cast<char>(static_cast<unsigned char>(hash[1]) & 0xf0U);
  return bytes;
}

}  // namespace

std::string write_charter(const Charter& charter) {
  JsonWriter json;
  json.begin_object().key("holdfast_remote").int64(1).key("incompat").begin_array().end_array();
  json.key("id").string(charter.id).key("made_at").string(charter.made_at).key("encrypt").boolean(charter.encrypt);
  if (charter.encrypt) json.key("check").string(charter.check);
  return json.end_object().take() + "\n";
}

Result<Charter> read_charter(std::string_view text) {
  const auto bad = [](std::string_view why) {
    return fail(Code::corrupt, "the charter of the remote cannot be read: " + std::string(why));
  };
  if (text.size() > kMaxCharter || !check_json(text).ok()) return bad("it is not JSON");
  const JsonView json(text);
  const auto format = json.find("holdfast_remote").as_int64();
  if (!format) return bad("it is not Holdfast's");
  std::string features;
  for (const JsonItem& item : json.find("incompat").elements()) features += " " + item.value.as_string().value_or("?");
  if (*format > 1 || !features.empty())
    return fail(Code::sync_transport_failed,
                "the remote was made by a newer Holdfast" + (features.empty() ? "" : ":" + features));
  Charter charter{json.find("id").as_string().value_or(""), json.find("made_at").as_string().value_or(""),
                  json.find("encrypt").as_bool().value_or(false), json.find("check").as_string().value_or("")};
  if (!is_device_id(charter.id)) return bad("it has no id");
  if (charter.encrypt && !is_hash_name(charter.check)) return bad("it has no key check");
  return charter;
}

std::string recovery_phrase(std::string_view secret) {
  const std::string bytes = with_check(secret);
  std::string phrase;
  for (std::size_t letter = 0; letter < kPhraseLetters; ++letter) {
    unsigned value = 0;
    for (std::size_t bit = letter * kBits; bit < (letter + 1) * kBits; ++bit)
      value = value * 2 + ((static_cast<unsigned char>(bytes[bit / 8]) >> (7 - bit % 8)) & 1U);
    if (letter > 0 && letter % 4 == 0) phrase += '-';
    phrase += kLetters[value];
  }
  return phrase;
}

Result<std::string> read_recovery_phrase(std::string_view text) {
  std::string bytes((kPhraseLetters * kBits + 7) / 8, '\0');
  std::size_t bit = 0;
  for (char c : text) {
    if (c == '-' || c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    c = c == 'o' ? '0' : c == 'i' || c == 'l' ? '1' : c;
    const std::size_t value = kLetters.find(c);
    if (value == std::string_view::npos || bit >= kPhraseLetters * kBits)
      return fail(Code::invalid_argument, "not a recovery phrase, which has seven groups of four letters and digits");
    for (std::size_t i = 0; i < kBits; ++i, ++bit)
      if (((value >> (kBits - 1 - i)) & 1U) != 0)
        bytes[bit / 8] = static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) | (0x80U >> (bit % 8)));
  }
  if (bit != kPhraseLetters * kBits)
    return fail(Code::invalid_argument, "not a recovery phrase, which has seven groups of four letters and digits");
  std::string secret = bytes.substr(0, kPhraseBytes);
  if (with_check(secret) != bytes.substr(0, kPhraseBytes + 2))
    return fail(Code::invalid_argument, "a letter of the recovery phrase is wrong");
  return secret;
}

std::string remote_key(std::string_view secret, std::string_view remote) {
  return keyed_hash(secret, "holdfast remote key\n" + std::string(remote));
}

std::string key_check(std::string_view key, std::string_view remote) {
  return to_hex(keyed_hash(key, "holdfast key check\n" + std::string(remote)));
}

std::string key_id(std::string_view key, std::string_view remote) {
  return to_hex(keyed_hash(key, "holdfast key id\n" + std::string(remote))).substr(0, 32);
}

}  // namespace holdfast::inline v1
