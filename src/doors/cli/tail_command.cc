#include "doors/cli/tail_command.h"

#include <fmt/core.h>
#include <holdfast/watch.h>

#include "api/dispatch.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/terminal.h"
#include "model/model_json.h"
#include "text/json_write.h"
#include "transfer/transcript_text.h"

namespace holdfast::inline v1 {
namespace {

// Where the session is, as session.get says it.
struct Found {
  std::string id, store, folder;
};

Result<Found> look_up(const Context& context, Stores& stores, const TailSession& wish) {
  JsonWriter params;
  params.begin_object().key("id").string(wish.id);
  if (!wish.store.empty()) params.key("store").string(wish.store);
  HOLDFAST_LET(answer, dispatch(context, stores, "session.get", params.end_object().take()));
  const JsonView session = JsonView(answer).find("session");
  Found found{session.find("id").as_string().value_or(""), session.find("store").as_string().value_or(""), {}};
  const std::string path = session.find("path").as_string().value_or("");
  const std::size_t slash = path.rfind('/');
  found.folder = found.store.substr(found.store.find(':') + 1);
  if (slash != std::string::npos) found.folder += "/" + path.substr(0, slash);
  return found;
}

class Follower {
 public:
  Follower(std::shared_ptr<Store> store, std::string id, bool json, bool colour)
      : store_(std::move(store)), id_(std::move(id)), json_(json), colour_(colour) {}

  // Prints the last `count` messages, or what is new since the last call.
  Result<void> look(const Context& context, std::optional<std::size_t> count) {
    HOLDFAST_LET(transcript, store_->read(context, id_, {.history = false, .branch = "all"}));
    const std::size_t all = transcript.messages.size();
    if (all < shown_) {
      print_error(fmt::format("holdfast: the session was cut or rewritten; it has {} messages now\n", all));
      shown_ = all;
    }
    if (count) shown_ = all - std::min(all, *count);
    transcript.messages.erase(transcript.messages.begin(),
                              transcript.messages.begin() + static_cast<std::ptrdiff_t>(shown_));
    shown_ = all;
    return print(transcript);
  }

 private:
  Result<void> print(Transcript& transcript) const {
    if (transcript.messages.empty()) return {};
    std::string text;
    if (json_) {
      for (const Message& message : transcript.messages) {
        JsonWriter line;
        write_message(line, message, message.ordinal);
        text += line.take() + "\n";
      }
    } else {
      transcript.findings.clear();
      text = transcript_text(transcript, {.colour = colour_, .width = terminal_width(), .head = false});
    }
    return print_out(text, json_ ? Printed::json : Printed::text);
  }

  std::shared_ptr<Store> store_;
  std::string id_;
  bool json_, colour_;
  std::size_t shown_ = 0;
};

}  // namespace

Result<int> run_tail(const TailSession& wish, bool json, ColourChoice colour) {
  const Interrupts interrupts;
  Context context;
  context.stop = interrupts.token();
  HOLDFAST_LET(settings, default_stores(process_environment()));
  Stores stores(std::move(settings));
  HOLDFAST_LET(found, look_up(context, stores, wish));
  HOLDFAST_LET(options, store_named(found.store));
  HOLDFAST_LET(store, stores.open(context, options, Use::read));
  Follower follower(store, found.id, json, screen_for(colour, json).colour);
  // Watched before it is read: what is said in between is a change.
  HOLDFAST_LET(watch, Watch::create());
  if (wish.follow) HOLDFAST_TRY(watch.add(found.folder));
  HOLDFAST_TRY(follower.look(context, wish.count));
  while (wish.follow) {
    HOLDFAST_TRY(watch.wait(context));
    const auto looked = follower.look(context, std::nullopt);
    // Gone for a moment while somebody replaces it; the next change tells.
    if (!looked && looked.error().code != Code::not_found) return fail(looked.error());
  }
  return 0;
}

}  // namespace holdfast::inline v1
