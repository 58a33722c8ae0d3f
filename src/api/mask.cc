#include "api/mask.h"

#include <optional>
#include <string_view>

#include "base/ascii.h"
#include "store/redactor.h"
#include "text/base64.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/redact_json.h"
#include "text/secrets.h"
#include "transfer/redacted_transcript.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kShortest = 16;  // shortest base64 that can hold a secret

bool is_text(std::string_view bytes) { return !bytes.substr(0, 8000).contains('\0'); }

// Decodes text that is base64 as a whole: of either alphabet, with line breaks, or without padding.
std::optional<std::string> decoded(std::string_view text) {
  std::string digits;
  for (const char c : text.substr(0, text.find_last_not_of("=\r\n") + 1)) {
    if (c == '\n' || c == '\r') continue;
    if (!is_ascii_alnum(c) && !std::string_view("+/-_").contains(c)) return std::nullopt;
    digits += c == '-' ? '+' : c == '_' ? '/' : c;
  }
  if (digits.size() < kShortest) return std::nullopt;
  digits.append((4 - digits.size() % 4) % 4, '=');
  return from_base64(digits);
}

// If the string is base64 of text with a secret, alone or as a data: URL, returns it without the secret.
std::optional<std::string> hidden_base64(std::string_view text) {
  constexpr std::string_view kAddress = ";base64,";
  const std::size_t at = text.starts_with("data:") ? text.find(kAddress) : std::string_view::npos;
  const std::size_t from = at == std::string_view::npos ? 0 : at + kAddress.size();
  const auto bytes = decoded(text.substr(from));
  if (!bytes || !is_text(*bytes)) return std::nullopt;
  const auto hidden = redacted(*bytes);
  if (!hidden) return std::nullopt;
  return std::string(text.substr(0, from)) + base64(*hidden);
}

// Replaces every such string in valid JSON.
std::string without_base64(std::string json) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = json.find('"'); at != std::string::npos; at = json.find('"', at)) {
    const std::size_t end = json_value_end(json, at);
    if (end == std::string_view::npos) break;
    const std::string_view token = std::string_view(json).substr(at, end - at);
    if (token.size() >= kShortest + 2) {
      const auto text = decode_json_string(token);
      if (const auto hidden = text ? hidden_base64(*text) : std::nullopt) {
        out.append(json, from, at - from);
        append_json_string(out, *hidden);
        from = end;
      }
    }
    at = end;
  }
  return from == 0 ? json : std::move(out.append(json, from));
}

// Masks what redacted_message leaves.
void mask_stored(Message& message) {
  for (Block& block : message.blocks) block.data = masked_bytes(std::move(block.data));
  if (check_json(message.raw).ok())
    message.raw = masked(std::move(message.raw));
  else
    redact_in_place(message.raw);
}

}  // namespace

std::string masked(std::string json) {
  if (auto hidden = redacted_json(json)) json = *std::move(hidden);
  return without_base64(std::move(json));
}

Parameter redact_parameter() {
  return {.name = "redact", .help = "mask passwords, keys and tokens", .type = ParamType::boolean};
}

std::string masked_bytes(std::string bytes) {
  if (is_text(bytes)) redact_in_place(bytes);
  return bytes;
}

void mask(Message& message) {
  mask_stored(message);
  for (Block& block : message.blocks) redact_in_place(block.id);
  message = redacted_message({true, true}, std::move(message));
}

void mask(Transcript& transcript) {
  redact_transcript(transcript);
  for (Message& message : transcript.messages) mask_stored(message);
}

}  // namespace holdfast::inline v1
