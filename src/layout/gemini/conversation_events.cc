#include "layout/gemini/conversation_events.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "layout/gemini/chat_files.h"
#include "layout/spilled.h"

namespace holdfast::inline v1::gemini {
namespace {

class Teller {
 public:
  Teller(Feed& feed, const Telling& telling, std::set<std::string> answered, Events& events)
      : feed_(feed), telling_(telling), answered_(std::move(answered)), events_(events) {}

  Result<bool> tell(ChatMessage& chat) {
    switch (chat.kind) {
      case ChatKind::gemini: return answer(chat);
      case ChatKind::user: return user(chat);
      case ChatKind::notice:
      case ChatKind::other: break;
    }
    Message message = start(chat, Role::system, Origin::notice);
    message.blocks = std::move(chat.content);
    return events_.report(std::move(message));
  }

 private:
  static Message start(const ChatMessage& chat, Role role, Origin origin) {
    Message message;
    message.id = chat.id;
    message.role = role;
    message.origin = origin;
    message.timestamp = chat.timestamp;
    message.offset = chat.offset;
    message.abandoned = chat.abandoned;
    message.raw = chat.raw;
    return message;
  }

  Result<bool> user(ChatMessage& chat) {
    if (!chat.results.empty()) return results(start(chat, Role::tool, Origin::tool), chat);
    Origin origin = origin_of_text(chat.text());
    if (origin == Origin::typed && telling_.subagent && std::exchange(task_told_, true)) origin = Origin::injected;
    Message message = start(chat, Role::user, origin);
    message.blocks = std::move(chat.content);
    return events_.report(std::move(message));
  }

  Result<bool> results(Message message, ChatMessage& chat) {
    for (Block& block : chat.results) {
      HOLDFAST_TRY(follow(block));
      message.blocks.push_back(std::move(block));
    }
    for (Block& block : chat.content) message.blocks.push_back(std::move(block));
    return events_.report(std::move(message));
  }

  Result<bool> answer(ChatMessage& chat) {
    Message message = start(chat, Role::assistant, Origin::model);
    message.model = chat.model;
    message.usage = chat.tokens;
    message.blocks = std::move(chat.thoughts);
    for (Block& block : chat.content) message.blocks.push_back(std::move(block));
    chat.content.clear();
    for (ChatCall& call : chat.calls) {
      message.blocks.push_back(
          {.kind = BlockKind::tool_call, .id = call.id, .name = std::move(call.name), .json = std::move(call.input)});
      if (!call.result || answered_.contains(call.id)) continue;
      chat.results.push_back(std::move(*call.result));
      std::ranges::move(call.beside, std::back_inserter(chat.results));
    }
    if (!events_.report(std::move(message))) return false;
    if (chat.results.empty()) return true;
    // Results that no user message repeats (older versions, or killed before that).
    Message told = start(chat, Role::tool, Origin::tool);
    told.id.clear();
    return results(std::move(told), chat);
  }

  // A result over the limit names the file with the whole text.
  Result<void> follow(Block& block) {
    constexpr std::string_view kMark = "/tool-outputs/";
    const std::size_t at = std::string_view(block.text).substr(0, 1000).find(kMark);
    if (at == std::string_view::npos || telling_.outputs.empty()) return {};
    const std::size_t from = at + kMark.size();
    const std::string name = block.text.substr(from, block.text.find('\n', from) - from);
    if (name.empty() || name.find("..") != std::string::npos) return {};
    const std::string path = telling_.outputs + "/" + name;
    HOLDFAST_LET(stat, feed_.stat({kRoot, path}));
    if (!stat) {
      if (telling_.whole && block.text.find("For full output see: ") < at)
        feed_.complain({kRoot, path}, 0, "missing", "only the preview of a large tool result is shown");
      return {};
    }
    block.spilled = path;
    if (!telling_.whole) return {};
    read_spilled(feed_, {kRoot, ""}, path, block);
    return {};
  }

  Feed& feed_;
  const Telling& telling_;
  const std::set<std::string> answered_;
  Events& events_;
  bool task_told_ = false;
};

}  // namespace

Result<bool> tell(Feed& feed, Conversation& conversation, const Telling& telling, Events& events) {
  std::set<std::string> answered;
  for (const ChatMessage& chat : conversation.messages()) {
    for (const Block& block : chat.results) answered.insert(block.id);
  }
  Teller teller(feed, telling, std::move(answered), events);
  for (ChatMessage& chat : conversation.messages()) {
    HOLDFAST_LET(wanted, teller.tell(chat));
    if (!wanted) return false;
  }
  return true;
}

Pending pending_of(const std::vector<ChatMessage>& messages) {
  const auto last = std::find_if(messages.rbegin(), messages.rend(), [](const ChatMessage& message) {
    return !message.abandoned && message.kind != ChatKind::other;
  });
  if (last == messages.rend()) return Pending::none;
  if (last->kind == ChatKind::gemini) {
    const bool open = std::ranges::any_of(last->calls, [](const ChatCall& call) { return !call.result; });
    return open ? Pending::tool : Pending::none;
  }
  if (last->kind == ChatKind::notice) return Pending::none;
  if (!last->results.empty()) return Pending::answer;
  return origin_of_text(last->text()) == Origin::typed ? Pending::answer : Pending::none;
}

}  // namespace holdfast::inline v1::gemini
