#include "handoff/hand_off.h"

#include "handoff/create_only.h"
#include "handoff/suit.h"
#include "index/directory_feed.h"
#include "store/whole_session.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

// What Holdfast keeps itself can hold everything.
constexpr NewSessionTraits kOwn = {.thinks = true, .any_arguments = true, .result_images = true};

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
  message.timestamp = turn.time;
  for (std::size_t n = 0; n < turn.results.size(); ++n) {
    message.blocks.push_back(turn.results[n]);
    for (const CarriedTurn::Picture& picture : turn.pictures)
      if (picture.result == n) message.blocks.push_back(picture.image);
  }
  return message;
}

}  // namespace

Result<Conversation> prepare_handoff(const Transcript& transcript, const Layout& to, const HandoffOptions& options) {
  if (to.new_sessions() == nullptr && !to.traits().owns_logs) return to.cannot("sessions of other agents");
  Conversation conversation = conversation_of(transcript);
  HOLDFAST_TRY(cut(conversation, options.cut));
  if (conversation.turns.empty())
    return fail(Code::invalid_argument, "there is nothing to carry: the session says nothing", transcript.session.path);
  if (!options.project.empty()) conversation.head.project = options.project;
  if (!conversation.head.project.starts_with('/'))
    return fail(Code::invalid_argument, "the session names no directory that it worked in; --project names one");
  SuitOptions request{.traits = to.new_sessions() != nullptr ? to.new_sessions()->traits() : kOwn};
  request.redact = options.redact;
  const Layout* const from = find_layout(transcript.session.layout);
  if (options.map_tools && from != nullptr) {
    request.from = from->tool_names();
    request.to = to.tool_names();
  }
  suit(conversation, request);
  return conversation;
}

Result<NewlyWritten> write_handoff(const Context& context, FileSystem& files, Directory& root, const Layout& to,
                                   const Conversation& conversation) {
  const Moment moment{.now = context.clock->now(), .entropy = [&] { return files.entropy(); }};
  DirectoryFeed feed(context, {{std::string(to.roots()[0].name), &root}});
  HOLDFAST_LET(spelling, to.new_sessions()->begin(feed, conversation.head, moment));
  NewlyWritten written{.id = spelling->id()};
  written.import_command = to.new_sessions()->traits().import_command;
  const std::string path = spelling->path();
  HOLDFAST_LET(out, CreateOnly::begin(files, root, path));
  std::string piece;
  spelling->begin(piece);
  for (const Turn& turn : conversation.turns) {
    spelling->turn(turn, piece);
    if (piece.size() < kPiece) continue;
    HOLDFAST_TRY(out.write(piece));
    piece.clear();
    HOLDFAST_TRY(context.check());
  }
  spelling->end(piece);
  HOLDFAST_TRY(out.write(piece));
  HOLDFAST_TRY(out.finish());
  written.file = path;
  return written;
}

Result<std::string> store_handoff(const Context& context, Store& store, const Conversation& conversation,
                                  const Session& source) {
  SessionDraft draft;
  draft.project = conversation.head.project;
  draft.title = conversation.head.title;
  draft.git_branch = conversation.head.git_branch;
  draft.model = conversation.head.model;
  JsonWriter origin;
  origin.begin_object().key("handed_off_from").begin_object();
  origin.key("layout").string(source.layout).key("id").string(source.id).end_object().end_object();
  draft.metadata = origin.take();
  std::vector<Message> messages;
  for (const Turn& turn : conversation.turns) {
    messages.push_back(message_of(turn));
    if (!turn.results.empty()) messages.push_back(results_of(turn));
  }
  HOLDFAST_LET(made, create_whole(context, store, draft, {}, messages));
  return made.id;
}

}  // namespace holdfast::inline v1
