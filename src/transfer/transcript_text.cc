#include "transfer/transcript_text.h"

#include <algorithm>
#include <map>

#include "transfer/transcript_printer.h"

namespace holdfast::inline v1 {
namespace {

class TranscriptLookahead final : public Lookahead {
 public:
  explicit TranscriptLookahead(const Transcript& transcript) {
    for (const Message& message : transcript.messages) {
      for (const Block& block : message.blocks) {
        if (block.kind == BlockKind::tool_result) ++results_[block.id];
      }
    }
  }
  std::size_t results(std::string_view id) const override {
    const auto found = results_.find(id);
    return found == results_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string_view, std::size_t> results_;
};

}  // namespace

bool has_message(const Transcript& transcript, std::int64_t number) {
  return std::ranges::find(transcript.messages, number, &Message::ordinal) != transcript.messages.end();
}

std::string transcript_text(const Transcript& transcript, const TextStyle& style) {
  std::string text;
  const TranscriptLookahead all(transcript);
  TranscriptPrinter teller(
      style,
      [&](std::string_view piece) {
        text += piece;
        return true;
      },
      [&] { return &all; });
  if (style.head) teller.head(transcript.session);
  for (const Message& message : transcript.messages) teller.take(message);
  teller.end(transcript.session);
  return text;
}

}  // namespace holdfast::inline v1
