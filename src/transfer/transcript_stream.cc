#include "transfer/transcript_stream.h"

#include "base/hash.h"
#include "store/streamed_branch.h"
#include "transfer/transcript_printer.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::int64_t kNeighbours = 3;
constexpr std::string_view kNotTheBranch =
    "\n(the text above is not the active branch: the session is damaged, or changed in the meantime)\n\n";

class BranchLookahead final : public Lookahead {
 public:
  explicit BranchLookahead(const BranchPlan& plan) : plan_(plan) {}
  std::size_t results(std::string_view id) const override { return plan_.map.tool_use(plan_.tools, id).results; }

 private:
  const BranchPlan& plan_;
};

// Forwards to a teller, and remembers how the session was introduced.
class TellingListener final : public BranchListener {
 public:
  TellingListener(TranscriptPrinter& teller, const TextStyle& style) : teller_(teller), style_(style) {}
  void begin(const Session& known) override {
    introduced = known;
    if (style_.head) teller_.head(known);
  }
  bool message(Message message) override { return teller_.take(std::move(message)); }

  std::optional<Session> introduced;

 private:
  TranscriptPrinter& teller_;
  const TextStyle& style_;
};

// A digest of the printed text, so that a second run does not print it again.
struct Said {
  Xxh3Stream hash;
  std::size_t bytes = 0;
};

// Prints the whole transcript after reading it first, without the part that was already printed.
void say_whole(const Transcript& transcript, const std::optional<Session>& introduced, const TextStyle& style,
               const Said& said, const TextSink& sink) {
  std::string text;
  const auto take = [&](std::string_view piece) {
    text += piece;
    return true;
  };
  TranscriptPrinter teller(style, take, [] { return nullptr; });
  if (style.head) teller.head(introduced.value_or(transcript.session));
  for (const Message& message : transcript.messages) teller.take(message);
  teller.end(transcript.session);
  Xxh3Stream again;
  again.add(std::string_view(text).substr(0, said.bytes));
  const bool same = text.size() >= said.bytes && again.hex() == said.hash.hex();
  if (!same) sink(kNotTheBranch);
  sink(std::string_view(text).substr(same ? said.bytes : 0));
}

bool is_kept(const BranchPlan& plan, std::int64_t number) {
  return number >= 0 && std::cmp_less(number, plan.kept.size()) && plan.kept[static_cast<std::size_t>(number)];
}

}  // namespace

Result<std::optional<StreamedTextResult>> stream_transcript(const Context& context, FileStore& store,
                                                            const SessionRef& ref, const TranscriptQuery& query,
                                                            const TextStyle& style, const TextSink& sink) {
  StreamedBranch branch(context, store, ref, query);
  if (style.at) {
    branch.need_only(*style.at - kNeighbours, *style.at + kNeighbours);
    if (const BranchPlan* plan = branch.sight(); plan != nullptr && !is_kept(*plan, *style.at)) return std::nullopt;
  }
  Said said;
  std::optional<BranchLookahead> sight;
  TranscriptPrinter teller(
      style,
      [&](std::string_view piece) {
        said.hash.add(piece);
        said.bytes += piece.size();
        return sink(piece);
      },
      [&]() -> const Lookahead* {
        if (const BranchPlan* plan = branch.sight()) return &sight.emplace(*plan);
        return nullptr;
      });
  TellingListener listener(teller, style);
  HOLDFAST_LET(end, branch.tell(listener));
  if (end == StreamedBranch::End::told) teller.end(branch.session());
  if (end != StreamedBranch::End::lost) return StreamedTextResult{branch.findings(), branch.off_branch()};
  HOLDFAST_LET(transcript, store.read(context, ref.name(), query));
  if (said.bytes == 0 && style.at && !has_message(transcript, *style.at)) return std::nullopt;
  say_whole(transcript, listener.introduced, style, said, sink);
  HOLDFAST_LET(off, off_branch(context, store, transcript));
  return StreamedTextResult{std::move(transcript.findings), off};
}

}  // namespace holdfast::inline v1
