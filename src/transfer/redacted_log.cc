#include "transfer/redacted_log.h"

#include <map>

#include "layout/holdfast/line.h"
#include "text/mask_paths.h"
#include "transfer/redacted_transcript.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestText = std::size_t{128} << 10;

// A path with a space in it is not one word: known paths are replaced before words are examined.
std::string masked(std::string text, const std::string& place) {
  for (std::size_t at = place.size() < 2 ? std::string::npos : text.find(place); at != std::string::npos;
       at = text.find(place, at + kMaskedPath.size()))
    text.replace(at, place.size(), kMaskedPath);
  text = without_paths(text);
  const std::string twice = std::string(kMaskedPath) + std::string(kMaskedPath);  // a known one and what follows it
  for (std::size_t at = text.find(twice); at != std::string::npos; at = text.find(twice, at))
    text.erase(at, kMaskedPath.size());
  if (text.size() <= kLongestText) return text;
  std::size_t end = kLongestText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  return text.substr(0, end) + " [left out]";
}

class RedactedLog {
 public:
  RedactedLog(const Transcript& transcript, std::string_view id) : transcript_(transcript), id_(id) {}

  std::string write() {
    std::string log = native::session_line(id_, {}, transcript_.session.created_at) + "\n";
    Changes none;
    for (const Message& message : transcript_.messages) {
      if (message.side || message.abandoned) continue;
      log += native::message_line(told(message), none) + "\n";
    }
    return log;
  }

 private:
  Message told(const Message& message) {
    Message own;
    own.parent = last_;
    own.id = last_ = "m" + std::to_string(++count_);
    own.role = message.role;
    own.origin = message.origin;
    own.timestamp = message.timestamp;
    own.model = without_paths(message.model);
    own.usage = message.usage;
    own.failed = message.failed;
    for (const Block& block : message.blocks) own.blocks.push_back(told(block, message.context.cwd));
    return own;
  }

  Block told(const Block& block, const std::string& cwd) {
    Block own;
    own.kind = block.kind;
    const auto text = [&](const std::string& said) { return masked(masked(said, transcript_.session.project), cwd); };
    switch (block.kind) {
      case BlockKind::text:
      case BlockKind::thinking: own.text = text(block.text); break;
      case BlockKind::tool_call:
        own.id = alias(block.id);
        own.name = without_paths(block.name);
        own.json = json_without_paths(block.json);
        if (own.json.empty() || own.json.size() > kLongestText) own.json = "{}";
        break;
      case BlockKind::tool_result:
        own.id = alias(block.id);
        own.is_error = block.is_error;
        own.text = block.text.empty() && !block.json.empty() ? "[left out]" : text(block.text);
        break;
      default: own.kind = BlockKind::text; own.text = "[" + std::string(block_kind_name(block.kind)) + " left out]";
    }
    return own;
  }

  std::string alias(const std::string& call) {
    return calls_.try_emplace(call, "c" + std::to_string(calls_.size() + 1)).first->second;
  }

  const Transcript& transcript_;
  std::string_view id_;
  std::string last_;
  std::size_t count_ = 0;
  std::map<std::string, std::string> calls_;
};

}  // namespace

std::string redacted_log(Transcript transcript, std::string_view id) {
  const std::string project = transcript.session.project;
  redact_transcript(transcript);
  transcript.session.project = project;  // to know it by
  return RedactedLog(transcript, id).write();
}

}  // namespace holdfast::inline v1
