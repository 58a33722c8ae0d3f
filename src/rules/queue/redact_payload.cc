#include "rules/queue/redact_payload.h"

#include "base/hash.h"
#include "text/redact_json.h"
#include "text/secrets.h"

namespace holdfast::inline v1 {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

bool redact_payload(SyncPayload& payload) {
  bool hidden = false;
  if (auto masked = redacted_json(payload.bytes)) {
    payload.bytes = std::move(*masked);
    hidden = true;
  }
  for (auto& [path, text] : payload.attachments) {
    auto masked = redacted(text);
    if (!masked) continue;
    const std::string before = sha256_hex(text), after = sha256_hex(*masked);
    replace_all(payload.bytes, before, after);
    replace_all(path, before, after);
    replace_all(path, "/" + before.substr(0, 2) + "/", "/" + after.substr(0, 2) + "/");
    text = std::move(*masked);
    hidden = true;
  }
  return hidden;
}

}  // namespace holdfast::inline v1
