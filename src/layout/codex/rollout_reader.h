// Reads the records of one thread, file after file, and reports them as messages.
//
// The items of one API response (reasoning, messages, calls) are separate records,
// followed by its token counts. A message therefore waits in a queue until its counts
// or the next item arrive. Every stored assistant message is one Message; calls join
// the message before them, or form a message of their own with Origin::tool.
// One thread per object.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "layout/codex/item.h"
#include "layout/codex/rollout_meta.h"
#include "layout/feed.h"
#include "model/events.h"

namespace holdfast::inline v1::codex {

// Prefixes that the reader adds to texts of the log.
inline constexpr std::array<std::string_view, 1> kOwnPhrases = {"turn aborted: "};

class RolloutReader {
 public:
  // With `raw`, messages carry their records; without `whole`, only what counting needs
  // of them. `thread` is the session's own id: headers of other threads, replayed by
  // old forks, do not apply to it.
  RolloutReader(Events& events, std::string thread, bool raw, bool whole = true);

  // Starts the next file of the thread. A rewind abandoned everything at or after `left`.
  void begin_file(std::optional<Position> left);
  // Returns false if the events want no more.
  bool take(const FeedRecord& record);
  // The state that a later reader needs to continue after the records taken so far;
  // nullopt while something waits for records that may still come.
  std::optional<std::string> rest();
  void go_on(std::string_view state);
  // Reports what still waits, at the end of the last file. Returns false like take().
  bool finish();

  // Facts from the headers and from the turns, for the session as a whole.
  SessionFacts facts() const;

 private:
  struct Line {
    const FeedRecord& record;
    std::string_view timestamp;  // token of the JSON string
    std::int64_t ordinal;
    std::string_view copied;  // the payload and what follows it, which are the same in a copy
  };
  struct Waiting {
    Message message;
    bool has_answer = false;
    std::string name = {};  // of its first item
  };

  struct EventFields {
    JsonView type, total, message, reason, last, images, local_images, item;
  };
  struct FigureFields {
    JsonView response, total;
    Usage usage;
  };
  // Each reads and consumes a payload.
  static EventFields read_event(JsonCursor& payload);
  static FigureFields read_figures(JsonCursor& payload);

  bool flush();
  void meta(JsonView payload);
  void turn_context(JsonView payload);
  void event(const Line& line, const EventFields& fields);
  void item(const Line& line, Item item, JsonView metadata);
  void compacted(const Line& line, JsonView payload);
  void unknown(const Line& line);
  void unknown(const Line& line, Item item);
  void usage_record(const Line& line, const FigureFields& fields);
  void token_count(JsonView written, JsonView last);
  const Usage& total();

  void prompt(const Line& line, Item item);
  void told_prompt(const Line& line, const ToldPrompt& prompt);
  void typed(Message& message);
  bool is_told_of(std::uint64_t text, bool typed);
  void answer(const Line& line, Item item, bool summary);
  void reasoning_or_call(const Line& line, Item item);
  void result(const Line& line, Item item);
  void notice(const Line& line, std::string text);

  Message& start(const Line& line, Role role, Origin origin);
  Waiting& open_response(const Line& line);
  void end_untold_turn();
  void add_usage(const Usage& usage);
  void note_spawn(const Block& result);
  void note_agents(std::string_view record);

  Events& events_;
  const std::string thread_;
  const bool raw_, whole_;
  std::optional<Position> left_;
  bool wanted_ = true;

  std::vector<Waiting> queue_;
  // The response that is still growing.
  struct Open {
    std::size_t number = 0;  // in queue_
    bool result = false;     // a result came after it
  };
  std::optional<Open> open_;
  std::optional<Usage> carried_;  // token counts that arrived before their message

  std::string model_, cwd_, version_, branch_, policy_;
  SessionFacts facts_;
  bool have_meta_ = false;
  // The thread whose history the items belong to, and how many there were since its header: the same for the history
  // of a parent that an old fork repeats as in the parent's own file.
  std::string root_;
  std::uint64_t items_ = 0;
  bool base_known_ = true;          // running totals start at zero in this file
  bool has_usage_records_ = false;  // in this file
  Usage total_;                     // the last total; read it through total()
  std::string total_bytes_;         // the last total as written
  bool total_unread_ = false;       // total_bytes_ is newer than total_
  bool turns_told_ = false, turn_open_ = false, abort_shown_ = false;
  std::set<std::string> open_calls_, spawn_calls_, agents_;

  // An event repeats each prompt, right after its item. If the item is lost, the event is the prompt.
  struct Prompt {
    std::uint64_t text = 0;  // its hash
    bool typed = false;
  };
  static constexpr std::size_t kMostUntold = 64;
  std::vector<Prompt> untold_;          // of this turn, whose event has not come; the oldest first
  std::optional<std::uint64_t> told_;   // the last in queue_ is from an event, and its item may still come: its text
  std::optional<std::uint64_t> heard_;  // the text of the last event, if no message and no turn came after it
  // A review runs in a thread of its own, whose events, prompt included, are written to this one, too.
  bool in_review_ = false;
};

}  // namespace holdfast::inline v1::codex
