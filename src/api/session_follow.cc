// session.follow: the last messages of a session, then new ones as they arrive.
#include <algorithm>

#include "api/call.h"
#include "api/find_session.h"
#include "api/large_session.h"
#include "api/mask.h"
#include "api/remedies.h"
#include "api/tables.h"
#include "find/session_cost.h"
#include "model/model_json.h"
#include "model/open_calls.h"
#include "store/message_pages.h"
#include "store/session_follower.h"
#include "transfer/tool_line.h"

namespace holdfast::inline v1 {
namespace {

// Whether the message is from a person, a model or its tools, and not an internal record of the agent.
bool is_said(const Message& message) {
  return message.origin == Origin::typed || message.origin == Origin::model || message.origin == Origin::tool ||
         message.origin == Origin::summary || message.failed ||
         (message.origin == Origin::notice && message.role != Role::system);
}

// Whether the message counts as one of the last N: results are shown with their call, and thinking alone is not shown.
bool counts(const Message& message) {
  const auto shows = [](const Block& block) {
    return block.kind != BlockKind::tool_result && block.kind != BlockKind::thinking &&
           (block.kind != BlockKind::other || !block.text.empty());
  };
  return is_said(message) && std::ranges::any_of(message.blocks, shows);
}

// Where the last `count` messages begin.
std::size_t begin_of_last(const std::vector<Followed>& all, std::size_t count) {
  std::size_t at = all.size();
  for (std::size_t n = all.size(); n > 0 && count > 0; --n) {
    if (all[n - 1].kind == Followed::Kind::restarted || !counts(all[n - 1].message)) continue;
    at = n - 1;
    --count;
  }
  return count > 0 ? 0 : at;
}

// Passes what was found to the receiver of the stream's items.
class ItemStreamer {
 public:
  ItemStreamer(const Call& call, bool live)
      : call_(call),
        live_(live),
        as_text_(call.text("format") == "text"),
        as_blocks_(call.text("format") == "blocks") {}

  // Returns false if the receiver wants no more.
  bool tell(std::vector<Followed> found) {
    for (Followed& one : found) {
      if (call_.flag("redact")) mask_all(one);
      switch (one.kind) {
        case Followed::Kind::message: ++messages_; [[fallthrough]];
        case Followed::Kind::changed:
          if (as_text_ || as_blocks_) {
            tell_added(std::move(one));
          } else {
            tell_message(one.kind == Followed::Kind::message ? "message" : "changed", one.message);
          }
          break;
        case Followed::Kind::restarted:
          tell_text();
          above_.reset();
          give(JsonWriter().begin_object().key("event").string("restarted").key("messages").uint64(one.messages));
          break;
      }
    }
    tell_text();
    return wanted_;
  }
  // Announces that the following items are from another session.
  bool tell_session(const Session& session) {
    above_.reset();
    calls_ = {};
    JsonWriter item;
    item.begin_object().key("event").string("session").key("session");
    write_session(item, session);
    give(item);
    return wanted_;
  }
  std::uint64_t messages() const { return messages_; }

 private:
  static void mask_all(Followed& one) {
    mask(one.message);
    Message added{.role = one.message.role, .blocks = std::move(one.added)};
    mask(added);
    one.added = std::move(added.blocks);
  }
  void give(JsonWriter& item) {
    if (wanted_) wanted_ = (*call_.items)(item.end_object().text());
  }
  void tell_message(std::string_view event, const Message& message) {
    JsonWriter item;
    item.begin_object().key("event").string(event).key("message");
    write_message(item, message, message.ordinal, MediaData::blob,
                  estimated_cost(message, call_.stores.settings().prices));
    give(item);
  }
  void tell_added(Followed one) {
    if (one.added.empty() || !is_said(one.message)) return;
    one.message.blocks = std::move(one.added);
    if (as_blocks_) return tell_message("message", one.message);
    if (live_) name_results(one.message);
    said_.messages.push_back(std::move(one.message));
  }
  // Names the call in results that arrive after their call was printed.
  void name_results(Message& message) {
    calls_.begin(message);
    for (Block& block : message.blocks) {
      if (block.kind == BlockKind::tool_call) {
        const std::string subject = tool_subject(block);
        calls_.call(block.id, block.name + (subject.empty() ? "" : " " + subject));
      }
      if (block.kind != BlockKind::tool_result) continue;
      if (auto call = calls_.result(block.id)) block.name = *std::move(call);
    }
  }
  void tell_text() {
    if (said_.messages.empty()) return;
    TextStyle style = text_style_of(call_);
    style.head = false;
    style.live = live_;
    style.under = above_;
    above_ = said_.messages.back().ordinal;
    JsonWriter item;
    item.begin_object().key("event").string("text").key("text").string(transcript_text(said_, style));
    give(item);
    said_.messages.clear();
  }

  const Call& call_;
  const bool live_, as_text_, as_blocks_;
  bool wanted_ = true;
  std::uint64_t messages_ = 0;
  Transcript said_;                    // to be passed on as one text
  std::optional<std::int64_t> above_;  // the last message that was printed
  OpenCalls<std::string> calls_;       // what is printed of calls without their results
};

struct LastMessages {
  std::vector<Followed> found = {};
  std::vector<Finding> damage = {};  // of the whole session
};

// Reads only as much of the end of the session as contains `count` messages of people and models.
Result<LastMessages> last_of(const Call& call, const LocatedSession& session, std::size_t count) {
  constexpr std::size_t kMore = 16, kTimes = 4;
  PageQuery query;
  query.list = {.history = false, .branch = "all"};
  query.limit = SIZE_MAX;
  LastMessages last;
  std::vector<Followed>& found = last.found;
  for (query.last = count + kMore; count > 0; query.last *= kTimes) {
    HOLDFAST_LET(page, read_page(call.context, *session.files, session.ref.name(), query));
    found.clear();
    for (Message& message : page.messages) {
      std::vector<Block> blocks = message.blocks;
      found.push_back({Followed::Kind::message, std::move(message), std::move(blocks)});
    }
    const std::size_t begin = begin_of_last(found, count);
    const bool enough = begin > 0 || page.from == 0;
    if (!enough) continue;
    last.damage = std::move(page.findings);
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(begin));
    break;
  }
  return last;
}

// Follows one session. If the call names none, moves on to each session that begins later.
class Following {
 public:
  Following(Call& call, ItemStreamer& teller) : call_(call), teller_(teller), moves_(!call.has("id")) {}

  Result<std::string> run(LocatedSession session, std::size_t count) {
    HOLDFAST_LET(first, SessionFollower::open(call_.context, session.files, session.ref.name()));
    std::optional<SessionFollower> follower(std::move(first));
    if (moves_) began_ = began(*session.files, session.ref.name());
    HOLDFAST_LET(found, follower->look(call_.context, SIZE_MAX));
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(begin_of_last(found, count)));
    bool wanted = teller_.tell(std::move(found));
    while (wanted) {
      HOLDFAST_TRY(wait(*follower));
      auto more = follower->look(call_.context, 0);
      const bool gone = !more && more.error().code == Code::not_found;
      if (!more && !gone) return fail(std::move(more).error());
      HOLDFAST_TRY(note_gone(gone, follower->id()));
      if (more) wanted = teller_.tell(std::move(*more));
      HOLDFAST_LET(later, look_for_later(follower->id()));
      if (!later) continue;
      HOLDFAST_LET(next, SessionFollower::open(call_.context, later->files, later->ref.name()));
      follower.emplace(std::move(next));
      HOLDFAST_LET(begin, follower->look(call_.context, SIZE_MAX));
      wanted = wanted && teller_.tell(std::move(begin));
    }
    return follower->id();
  }

 private:
  using Ticks = std::chrono::steady_clock::duration;
  static constexpr Ticks kLook = std::chrono::milliseconds(700);  // minimum between two looks for later sessions
  static constexpr Ticks kGone = std::chrono::seconds(10);        // how long a session may be missing
  static constexpr int kShare = 10;                               // the pause is at least this many times a look

  // A file is missing while it is being replaced, and a session in the trash may be restored. One that stays away
  // has nothing more to follow.
  Result<void> note_gone(bool gone, const std::string& id) {
    const auto now = call_.context.clock->ticks();
    if (!gone || !gone_since_) gone_since_ = gone ? std::optional(now) : std::nullopt;
    if (!gone || moves_ || now - *gone_since_ < kGone) return {};
    return fail(Code::not_found, "session " + id + " was removed while it was followed");
  }
  std::string began(FileStore& store, const std::string& id) const {
    const auto session = store.get(call_.context, id);
    return session ? session->created_at : std::string();
  }
  Result<void> wait(SessionFollower& follower) {
    if (!moves_) return follower.wait(call_.context);
    Context context = call_.context;
    const auto next = call_.context.clock->ticks() + pause_;
    context.deadline = call_.context.deadline ? std::min(*call_.context.deadline, next) : next;
    auto done = follower.wait(context);
    if (!done && done.error().code == Code::deadline_exceeded) return call_.context.check();
    return done;
  }
  Result<std::optional<LocatedSession>> look_for_later(const std::string& id) {
    const auto now = call_.context.clock->ticks();
    if (!moves_ || now < next_look_) return std::nullopt;
    const auto last = find_session(call_, "@last");
    const auto cost = call_.context.clock->ticks() - now;
    pause_ = std::max<Ticks>(kLook, cost * kShare);
    next_look_ = now + cost + pause_;
    if (!last || last->session.id == id || last->session.created_at <= began_) return std::nullopt;
    HOLDFAST_LET(found, locate_session(call_, last->session.layout + "/" + last->session.id));
    began_ = last->session.created_at;
    if (!teller_.tell_session(last->session)) return std::nullopt;
    return std::optional(std::move(found));
  }

  Call& call_;
  ItemStreamer& teller_;
  const bool moves_;
  std::string began_;
  Ticks pause_ = kLook;
  std::chrono::steady_clock::time_point next_look_ = {};
  std::optional<std::chrono::steady_clock::time_point> gone_since_;
};

Result<std::string> follow(Call& call) {
  const auto count = static_cast<std::size_t>(call.integer("last", 10));
  HOLDFAST_LET(session, locate_session(call, call.has("id") ? call.text("id") : "@last"));
  const bool live = call.flag("follow", true);
  ItemStreamer teller(call, live);
  std::string id = session.ref.name();
  const std::string layout(session.files->layout_name());
  std::vector<Finding> damage;
  if (!live) {
    HOLDFAST_LET(last, last_of(call, session, count));
    teller.tell(std::move(last.found));
    damage = std::move(last.damage);
  } else {
    HOLDFAST_LET(last, Following(call, teller).run(std::move(session), count));
    id = std::move(last);
  }
  JsonWriter json = begin_answer();
  json.key("session").string(id).key("messages").uint64(teller.messages());
  if (!live) {
    write_findings(json, "damage", damage);
    write_remedies(json, {layout, id}, damage);
  }
  return json.end_object().take();
}

}  // namespace

Operation follow_session_operation() {
  return {
      .method = "session.follow",
      .help = "stream the last messages of a session, then each new one, until cancelled or the session is removed",
      .parameters = {{.name = "id",
                      .help = "an id, a prefix of one, @last, or LAYOUT/ID; default: the latest, and then each that "
                              "begins later",
                      .positional = true},
                     {.name = "last",
                      .help = "start with the last N messages of people and models, with their tools (default 10)",
                      .type = ParamType::integer,
                      .least = 0},
                     {.name = "follow",
                      .help = "keep following (default); --no-follow stops after those",
                      .type = ParamType::boolean},
                     {.name = "format",
                      .help = "text: messages as text for a terminal; blocks: each block once, so that a message that "
                              "grows is sent again with what was added (default json)",
                      .words = {"json", "text", "blocks"}},
                     {.name = "width", .help = "text: columns (default 80)", .type = ParamType::integer, .least = 20},
                     {.name = "colour", .help = "text: with colours of a terminal", .type = ParamType::boolean},
                     redact_parameter()},
      .result = "session:string messages:integer damage?:finding[] remedies?:string[]",
      .handler = follow,
      .example = "session follow @last --last 3",
      .item =
          "event:message|changed|restarted|session|text message?:message messages?:integer session?:session "
          "text?:string"};
}

}  // namespace holdfast::inline v1
