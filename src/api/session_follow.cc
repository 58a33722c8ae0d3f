// session.follow: what a session says, and then what is said in it, as it comes.
#include "api/call.h"
#include "api/find_session.h"
#include "api/show_stream.h"
#include "api/tables.h"
#include "model/model_json.h"
#include "store/message_pages.h"
#include "store/session_follower.h"

namespace holdfast::inline v1 {
namespace {

// Gives what was found to whoever takes the stream's items.
class ItemTeller {
 public:
  explicit ItemTeller(const Call& call) : call_(call), as_text_(call.text("format") == "text") {}

  // False: nobody reads on.
  bool tell(std::vector<Followed> found) {
    Transcript said;  // what stands between two other items, for a text
    for (Followed& one : found) {
      switch (one.kind) {
        case Followed::Kind::message:
          ++messages_;
          if (as_text_)
            said.messages.push_back(std::move(one.message));
          else
            tell_message("message", one.message);
          break;
        case Followed::Kind::changed: tell_message("changed", one.message); break;
        case Followed::Kind::restarted:
          tell_text(said);
          give(JsonWriter().begin_object().key("event").string("restarted").key("messages").uint64(one.messages));
          break;
      }
    }
    tell_text(said);
    return wanted_;
  }
  std::uint64_t messages() const { return messages_; }

 private:
  void give(JsonWriter& item) {
    if (wanted_) wanted_ = (*call_.items)(item.end_object().text());
  }
  void tell_message(std::string_view event, const Message& message) {
    JsonWriter item;
    item.begin_object().key("event").string(event).key("message");
    write_message(item, message, message.ordinal);
    give(item);
  }
  void tell_text(Transcript& said) {
    if (said.messages.empty()) return;
    TextStyle style = text_style_of(call_);
    style.head = false;
    JsonWriter item;
    item.begin_object().key("event").string("text").key("text").string(transcript_text(said, style));
    give(item);
    said.messages.clear();
  }

  const Call& call_;
  const bool as_text_;
  bool wanted_ = true;
  std::uint64_t messages_ = 0;
};

// Only its end, at the cost of that.
Result<std::vector<Followed>> last_of(const Call& call, const LocatedSession& session, std::size_t count) {
  PageQuery query;
  query.list = {.history = false, .branch = "all"};
  query.last = count;
  query.limit = 0;
  HOLDFAST_LET(page, read_page(call.context, *session.files, session.ref.id, query));
  std::vector<Followed> found;
  for (Message& message : page.messages) {
    message.ordinal = static_cast<std::int64_t>(page.from + found.size());
    found.push_back({Followed::Kind::message, std::move(message)});
  }
  return found;
}

Result<std::string> follow(Call& call) {
  const auto count = static_cast<std::size_t>(call.integer("last", 10));
  HOLDFAST_LET(session, locate_session(call, call.has("id") ? call.text("id") : "@last"));
  ItemTeller teller(call);
  if (!call.flag("follow", true)) {
    HOLDFAST_LET(found, last_of(call, session, count));
    teller.tell(std::move(found));
  } else {
    HOLDFAST_LET(follower, SessionFollower::open(call.context, session.files, session.ref.id));
    HOLDFAST_LET(found, follower.look(call.context, count));
    bool wanted = teller.tell(std::move(found));
    while (wanted) {
      HOLDFAST_TRY(follower.wait(call.context));
      auto more = follower.look(call.context, 0);
      // Gone for a moment while somebody replaces it; the next change tells.
      if (!more && more.error().code == Code::not_found) continue;
      if (!more) return fail(std::move(more).error());
      wanted = teller.tell(std::move(*more));
    }
  }
  JsonWriter json = begin_answer();
  json.key("session").string(session.ref.id).key("messages").uint64(teller.messages());
  return json.end_object().take();
}

}  // namespace

Operation follow_session_operation() {
  return {
      .method = "session.follow",
      .help = "tell the last messages of a session, and then each one that is added, until it is cancelled",
      .parameters = {{.name = "id",
                      .help = "an id, a prefix of one, @last, or LAYOUT/ID; default: the latest",
                      .positional = true},
                     {.name = "last",
                      .help = "begin with the last so many messages; default 10",
                      .type = ParamType::integer,
                      .least = 0},
                     {.name = "follow", .help = "go on with what is added; default true", .type = ParamType::boolean},
                     {.name = "format",
                      .help = "text: messages as text for a terminal; default json",
                      .words = {"json", "text"}},
                     {.name = "width", .help = "text: columns; default 80", .type = ParamType::integer, .least = 20},
                     {.name = "colour", .help = "text: with colours of a terminal", .type = ParamType::boolean}},
      .result = "session:string messages:integer",
      .handler = follow,
      .example = "session follow @last --last 3",
      .item = "event:message|changed|restarted|text message?:message messages?:integer text?:string"};
}

}  // namespace holdfast::inline v1
