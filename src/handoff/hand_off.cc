#include "handoff/hand_off.h"

#include <algorithm>

#include "base/utf8.h"
#include "handoff/atomic_file_creator.h"
#include "handoff/turn_adapter.h"
#include "index/directory_feed.h"
#include "store/whole_session.h"
#include "text/json_write.h"
#include "text/secrets.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

// Holdfast's own layouts can hold everything.
constexpr NewSessionTraits kOwn = {.thinks = true,
                                   .any_arguments = true,
                                   .result_images = true,
                                   .any_media = true,
                                   .citations = true,
                                   .summaries = true};

// The first line of the prompt.
std::string title_of_prompt(std::string_view prompt) {
  constexpr std::size_t kLongest = 100;
  prompt.remove_prefix(std::min(prompt.find_first_not_of(" \t\r\n"), prompt.size()));
  prompt = prompt.substr(0, prompt.find_first_of("\r\n"));
  std::size_t end = std::min(prompt.size(), kLongest);
  while (end > 0 && end < prompt.size() && is_utf8_tail(prompt[end])) --end;
  return std::string(prompt.substr(0, end));
}

Message message_of(const Turn& turn) {
  Message message;
  message.role = turn.role;
  message.origin = turn.summary ? Origin::summary : usual_origin(turn.role);
  message.timestamp = turn.time;
  message.model = turn.role == Role::assistant ? turn.model : std::string();
  message.blocks = turn.blocks;
  return message;
}

Message results_of(const Turn& turn) {
  Message message;
  message.role = Role::tool;
  message.origin = Origin::tool;
  message.timestamp = turn.results_time();
  for (std::size_t n = 0; n < turn.results.size(); ++n) {
    message.blocks.push_back(turn.results[n]);
    for (const CarriedTurn::Picture& picture : turn.pictures)
      if (picture.result == n) message.blocks.push_back(picture.image);
  }
  return message;
}

// Passes on the turns starting at `first`, each as soon as all its results have arrived.
class Carrier final : public TurnSink {
 public:
  Carrier(const CarriedPart& part, const std::function<void(Turn)>& take) : part_(part), take_(take) {}
  bool is_whole(std::size_t number, const Turn& turn) override {
    return number < part_.first || !knows(number) ||
           std::ranges::count(turn.answered, true) >= std::ptrdiff_t{part_.survey.turns[number].answers};
  }
  void take(std::size_t number, Turn turn) override {
    changed_ = changed_ || !knows(number);
    last_ = number + 1;
    if (number >= part_.first) take_(std::move(turn));
  }
  void take_late(std::size_t number, const Block& /*block*/) override { changed_ = changed_ || number >= part_.first; }
  // Whether the turns are the same as in the survey.
  bool is_as_surveyed() const { return !changed_ && last_ == part_.survey.turns.size(); }

 private:
  bool knows(std::size_t number) const { return number < part_.survey.turns.size(); }

  const CarriedPart& part_;
  const std::function<void(Turn)>& take_;
  std::size_t last_ = 0;
  bool changed_ = false;
};

// Collects the facts about all turns.
Result<void> survey(RereadableSession& session, bool aside, const CutOptions& options, Survey& into) {
  for (;;) {
    into = {};
    Surveyor surveyor(into, options);
    HandoffReport unused;
    TurnBuilder gatherer(surveyor, unused, {.aside = aside});
    HOLDFAST_LET(told, session.tell([&](Message message) {
      (message.side ? into.has_side : into.has_main) = true;
      ++into.messages;
      gatherer.take(std::move(message));
    }));
    gatherer.end();
    if (told) return {};
  }
}

}  // namespace

Result<CarriedPart> carried_part(RereadableSession& session, const CutOptions& options) {
  CarriedPart part;
  HOLDFAST_TRY(survey(session, true, options, part.survey));
  part.aside = part.survey.has_main;
  // The transcript of a sub-agent is its own conversation.
  if (!part.aside) HOLDFAST_TRY(survey(session, false, options, part.survey));
  part.head = head_of(session.session());
  part.head.model = part.survey.model;
  const OffBranch off = session.off_branch();
  note(part.report.left_behind, kOtherBranches,
       "only the active branch is carried over; run holdfast show " +
           session_word(session.session().layout, session.session().id) + " --branch all to show them",
       off.own);
  // Sub-agents inside the session itself are counted by their messages.
  if (!part.survey.has_side && session.session().subagents > 0)
    note(part.report.left_behind, "sub-agents",
         "their answers are the results of their calls; each transcript can be handed off by its own id",
         static_cast<std::uint64_t>(session.session().subagents));
  else
    note(part.report.left_behind, kOfSubAgents, kWhySubAgents, off.aside);
  note(part.report.left_behind, "damaged places",
       "what could be read of them is carried; the warnings name them and say what is lost", session.findings().size());
  note(part.report.left_behind, "incomplete records at the end",
       "the last line of the session is not complete; it may still be being written", session.ends_in_part() ? 1 : 0);
  HOLDFAST_LET(first, cut(part.survey, options, part.report));
  part.first = first;
  if (first < part.survey.turns.size() && !part.survey.turns[first].time.empty())
    part.head.began = part.survey.turns[first].time;
  return part;
}

Result<void> visit_turns(RereadableSession& session, const CarriedPart& part, HandoffReport& report,
                         const std::function<void(Turn)>& take) {
  Carrier carrier(part, take);
  TurnBuilder gatherer(
      carrier, report,
      {.aside = part.aside, .began = head_of(session.session()).began, .first = part.first, .made_results = true});
  HOLDFAST_LET(told, session.tell([&](Message message) { gatherer.take(std::move(message)); }));
  gatherer.end();
  if (told && carrier.is_as_surveyed()) return {};
  return fail(Code::conflict, "the session was changed while it was read; try again", session.session().path);
}

namespace {

Result<HandoffPlan> plan_once(RereadableSession& session, const Layout& to, const HandoffOptions& options) {
  if (to.new_sessions() == nullptr && !to.traits().owns_logs) return to.cannot("sessions of other agents");
  HOLDFAST_LET(part, carried_part(session, options.cut));
  if (part.first == part.survey.turns.size())
    return fail(Code::invalid_argument, "there is nothing to carry over: the session is empty", session.session().path);
  part.summary_first = part.survey.turns[part.first].summary;
  if (!options.title.empty()) part.head.title = options.title;
  // Agents show a session without a title by its first text.
  if (part.summary_first && part.head.title.empty()) {
    part.head.title = title_of_prompt(session.session().first_prompt);
    part.titled = !part.head.title.empty();
  }
  if (!options.project.empty()) part.head.project = options.project;
  if (!part.head.project.starts_with('/'))
    return fail(Code::invalid_argument,
                "the session does not say which directory it worked in; name one with --project");
  for (std::string* const text : {&part.head.title, &part.head.git_branch, &part.head.model}) {
    auto hidden = options.redact ? redacted(*text) : std::nullopt;
    if (!hidden) continue;
    *text = std::move(*hidden);
    note(part.report.changed, "texts with secrets", "placeholders replace the secrets");
  }
  return HandoffPlan{.to = to, .options = options, .part = std::move(part)};
}

// The least that can be carried, if the next agent's form of it fits. Else names the number of tokens that suffices.
Result<HandoffPlan> plan_least(RereadableSession& session, const Layout& to, const HandoffOptions& options) {
  HandoffOptions least = options;
  least.cut.fit = 0;
  least.cut.least = true;
  HOLDFAST_LET(plan, plan_once(session, to, least));
  HOLDFAST_LET(tried, hand_on(session, plan, [](const Turn&) -> Result<void> { return {}; }));
  if (tried.tokens <= options.cut.fit) return plan;
  return fail(Code::too_large, "the last turn alone is about " + std::to_string(tried.tokens) + " tokens");
}

}  // namespace

Result<HandoffPlan> plan_handoff(RereadableSession& session, const Layout& to, const HandoffOptions& options) {
  HandoffOptions tighter = options;
  for (;;) {
    auto plan = plan_once(session, to, tighter);
    if (!plan && plan.error().code == Code::too_large) return plan_least(session, to, options);
    if (!plan || options.cut.fit == 0) return plan;
    // What the next agent needs in addition, such as results that never arrived, is known only once it is made.
    HOLDFAST_LET(tried, hand_on(session, *plan, [](const Turn&) -> Result<void> { return {}; }));
    if (tried.tokens <= options.cut.fit) return plan;
    const std::uint64_t over = tried.tokens - options.cut.fit;
    tighter.cut.fit = tighter.cut.fit > over ? tighter.cut.fit - over : 1;
    if (tighter.cut.fit == 1 && plan->options.cut.fit == 1) return plan_least(session, to, options);
  }
}

Result<HandoffResult> hand_on(RereadableSession& session, const HandoffPlan& plan,
                              const std::function<Result<void>(Turn)>& take) {
  const NewSessions* const power = plan.to.new_sessions();
  AdapterOptions wanted{.traits = power != nullptr ? power->traits() : kOwn};
  wanted.redact = plan.options.redact;
  const Layout* const from = find_layout(session.session().layout);
  if (from != nullptr && from->new_sessions() != nullptr)
    wanted.source_inferred_origin = from->new_sessions()->traits().inferred_origin;
  if (plan.options.map_tools && from != nullptr) {
    wanted.from = from->tool_names();
    wanted.to = plan.to.tool_names();
  }
  HandoffResult done{.report = plan.part.report};
  Result<void> taken;
  TurnAdapter tailor(wanted, done.report, [&](Turn turn) {
    ++done.turns;
    done.tokens += tokens_in(turn);
    if (taken) taken = take(std::move(turn));
  });
  HOLDFAST_TRY(visit_turns(session, plan.part, done.report, [&](Turn turn) { tailor.take(std::move(turn)); }));
  CarriedHead had = plan.part.head;
  if (plan.part.titled) had.title.clear();
  tailor.end(had);
  HOLDFAST_TRY(taken);
  return done;
}

namespace {

Result<std::unique_ptr<SessionFormatter>> begin_spelling(const Context& context, FileSystem& files, Directory& root,
                                                         const HandoffPlan& plan) {
  const Moment moment{.now = context.clock->now(), .entropy = [from = &files] { return from->entropy(); }};
  const RootDirectories roots{{std::string(plan.to.roots()[0].name), &root}};
  DirectoryFeed feed(context, roots);
  return plan.to.new_sessions()->begin(feed, plan.part.head, moment);
}

}  // namespace

Result<WrittenHandoff> write_handoff(const Context& context, FileSystem& files, Directory& root,
                                     RereadableSession& session, const HandoffPlan& plan) {
  const NewSessions& power = *plan.to.new_sessions();
  HOLDFAST_LET(spelling, begin_spelling(context, files, root, plan));
  const std::string path = spelling->path();
  HOLDFAST_LET(out, AtomicFileCreator::begin(files, root, path));
  std::string piece;
  spelling->begin(piece);
  const auto write = [&](const Turn& turn) -> Result<void> {
    spelling->turn(turn, piece);
    if (piece.size() < kPiece) return {};
    HOLDFAST_TRY(out.write(piece));
    piece.clear();
    return context.check();
  };
  HOLDFAST_LET(carried, hand_on(session, plan, write));
  spelling->end(piece);
  HOLDFAST_TRY(out.write(piece));
  HOLDFAST_TRY(out.finish());
  return WrittenHandoff{.id = spelling->id(),
                        .file = path,
                        .import_command = std::string(power.traits().import_command),
                        .carried = std::move(carried)};
}

Result<WrittenHandoff> store_handoff(const Context& context, Store& store, RereadableSession& session,
                                     const HandoffPlan& plan) {
  const CarriedHead& head = plan.part.head;
  SessionDraft draft;
  draft.project = head.project;
  draft.title = head.title;
  draft.git_branch = head.git_branch;
  draft.model = head.model;
  JsonWriter origin;
  origin.begin_object().key("handed_off_from").begin_object();
  origin.key("layout").string(session.session().layout).key("id").string(session.session().id);
  draft.metadata = origin.end_object().end_object().take();
  std::vector<Message> messages;
  const auto keep = [&](const Turn& turn) -> Result<void> {
    messages.push_back(message_of(turn));
    if (!turn.results.empty()) messages.push_back(results_of(turn));
    return {};
  };
  HOLDFAST_LET(carried, hand_on(session, plan, keep));
  HOLDFAST_LET(made, create_whole(context, store, draft, {}, messages));
  return WrittenHandoff{.id = std::move(made.id), .carried = std::move(carried)};
}

}  // namespace holdfast::inline v1
