#include "transfer/redacted_transcript.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "store/redactor.h"
#include "text/redact_json.h"
#include "text/secrets.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kBegin = "[redacted: ";

void count(std::string_view text, int by, std::map<std::string, std::int64_t>& counts) {
  for (std::size_t at = text.find(kBegin); at != std::string_view::npos; at = text.find(kBegin, at + 1)) {
    const std::size_t name = at + kBegin.size(), end = text.find(']', name);
    if (end != std::string_view::npos) counts[std::string(text.substr(name, end - name))] += by;
  }
}

void count(const Message& message, int by, std::map<std::string, std::int64_t>& counts) {
  for (const Block& block : message.blocks) {
    // The text of an unknown record is also in its JSON.
    if (block.kind != BlockKind::other) count(block.text, by, counts);
    for (const std::string* text : {&block.name, &block.json, &block.extra}) count(*text, by, counts);
    if (block.kind == BlockKind::tool_call) count(block.id, by, counts);
    if (block.media_type.starts_with("text/")) count(block.data, by, counts);
  }
  for (const std::string* text : {&message.extra, &message.model, &message.agent, &message.context.cwd})
    count(*text, by, counts);
}

// Hides secrets in ids of calls. Equal ids stay equal, and different ones different.
class CallIds {
 public:
  void hide(std::string& id) {
    const auto known = hidden_.find(id);
    if (known != hidden_.end()) {
      id = known->second;
    } else if (auto hidden = redacted(id)) {
      if (!hidden_.empty()) *hidden += " " + std::to_string(hidden_.size() + 1);
      id = hidden_[id] = std::move(*hidden);
    }
  }

 private:
  std::map<std::string, std::string, std::less<>> hidden_;
};

}  // namespace

MaskedSecrets redact_transcript(Transcript& transcript) {
  std::map<std::string, std::int64_t> counts;
  Session& session = transcript.session;
  // The messages repeat the title and the first prompt: masked here, but not counted twice.
  for (std::string* text :
       {&session.title, &session.first_prompt, &session.summary, &session.project, &session.git_branch})
    redact_in_place(*text);
  if (auto hidden = redacted_json(session.metadata)) session.metadata = std::move(*hidden);
  CallIds ids;
  for (Message& message : transcript.messages) {
    count(message, -1, counts);
    for (Block& block : message.blocks) {
      ids.hide(block.id);
      if (block.media_type.starts_with("text/")) redact_in_place(block.data);
    }
    message = redacted_message({true, true}, std::move(message));
    count(message, 1, counts);
  }
  for (Finding& finding : transcript.findings) redact_in_place(finding.consequence);
  MaskedSecrets masked;
  for (const auto& [what, times] : counts)
    if (times > 0) masked[what] = static_cast<std::uint64_t>(times);
  return masked;
}

MaskedSecrets masked_in(std::string_view text) {
  std::map<std::string, std::int64_t> counts;
  count(text, 1, counts);
  MaskedSecrets masked;
  for (const auto& [what, times] : counts) masked[what] = static_cast<std::uint64_t>(times);
  return masked;
}

MaskedSecrets masked_in_page(std::string_view html) {
  constexpr std::string_view kOpen = "<summary>", kClose = "</summary>", kEnd = "</details>";
  std::map<std::string, std::int64_t> counts;
  count(html, 1, counts);
  for (std::size_t at = html.find(kOpen); at != std::string_view::npos; at = html.find(kOpen, at + 1)) {
    const std::size_t close = html.find(kClose, at);
    if (close == std::string_view::npos) break;
    const std::size_t end = std::min({html.find(kOpen, close), html.find(kEnd, close), html.size()});
    std::map<std::string, std::int64_t> said, inside;
    count(html.substr(at, close - at), 1, said);
    count(html.substr(close, end - close), 1, inside);
    for (const auto& [what, times] : said) counts[what] -= std::min(times, inside[what]);
  }
  MaskedSecrets masked;
  for (const auto& [what, times] : counts)
    if (times > 0) masked[what] = static_cast<std::uint64_t>(times);
  return masked;
}

std::string masked_words(const MaskedSecrets& masked) {
  std::uint64_t all = 0;
  std::string kinds;
  for (const auto& [what, times] : masked) {
    all += times;
    kinds += (kinds.empty() ? "" : ", ") + what + (times == 1 ? "" : " (" + std::to_string(times) + ")");
  }
  if (all == 0) return "no secrets found";
  return counted(all, "secret") + " masked: " + kinds;
}

}  // namespace holdfast::inline v1
