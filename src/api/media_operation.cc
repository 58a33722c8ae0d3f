// message.media: the bytes of one image, document or recording of a session.
#include "api/media_operation.h"

#include <algorithm>

#include "api/call.h"
#include "api/find_session.h"
#include "api/mask.h"
#include "api/session_filter.h"
#include "handoff/inline_media.h"
#include "model/text_document.h"
#include "store/file_store.h"
#include "text/base64.h"

namespace holdfast::inline v1 {
namespace {

bool is_media(const Block& block) {
  return block.kind == BlockKind::image || block.kind == BlockKind::document || block.kind == BlockKind::audio;
}

auto named_message(const Call& call, auto& messages) {
  return std::ranges::find(messages, call.integer("message", 0), &Message::ordinal);
}

// The block that the call names; nullptr if there is none.
const Block* named_block(const Call& call, const std::vector<Message>& messages) {
  if (!call.has("message")) {
    for (const Message& message : messages)
      for (const Block& block : message.blocks)
        if (is_media(block) && block.blob == call.text("name")) return &block;
    return nullptr;
  }
  const auto message = named_message(call, messages);
  const auto place = static_cast<std::size_t>(call.integer("block", 0));
  if (message == messages.end() || place >= message->blocks.size()) return nullptr;
  const Block& block = message->blocks[place];
  return is_media(block) ? &block : nullptr;
}

Result<std::string> media(Call& call) {
  if (call.has("message") == call.has("name"))
    return fail(Code::invalid_argument, "message.media takes a message and a block of it, or a name");
  HOLDFAST_LET(found, locate_session(call, call.text("session")));
  TranscriptQuery query;
  query.branch = call.text("branch");
  query.data = query.raw = true;
  HOLDFAST_LET(transcript, found.files->read(call.context, found.ref.name(), query));
  if (call.has("message")) {
    const auto message = named_message(call, transcript.messages);
    if (message != transcript.messages.end()) {
      fill_media(*message);
      std::ranges::for_each(message->blocks, take_source);
    }
  }
  const Block* const block = named_block(call, transcript.messages);
  if (block == nullptr) return fail(Code::not_found, "the session has no such attachment");
  if (block->data.empty()) return fail(Code::not_found, "the session does not hold the bytes of this attachment");
  const std::string data = call.flag("redact") ? masked_bytes(block->data) : block->data;
  JsonWriter json = begin_answer();
  json.key("session").string(found.ref.name()).key("media_type").string(block->media_type);
  json.key("bytes").uint64(data.size()).key("data").string(base64(data));
  return json.end_object().take();
}

}  // namespace

Operation media_operation() {
  return {.method = "message.media",
          .help = "return the bytes of one image, document or recording of a session, in base64",
          .parameters = {{.name = "session",
                          .help = "an id, a prefix of one, @last, or LAYOUT/ID",
                          .required = true,
                          .positional = true},
                         machine_parameter(),
                         {.name = "message",
                          .help = "ordinal of the message, as in `message.list`",
                          .type = ParamType::integer,
                          .least = 0},
                         {.name = "block",
                          .help = "number of the block in it (default 0)",
                          .type = ParamType::integer,
                          .least = 0},
                         {.name = "name", .help = "instead of both: the SHA-256 that `message.list` gives as its blob"},
                         {.name = "branch", .help = "last message of a branch, or all (default: the active branch)"},
                         redact_parameter()},
          .result = "session:string media_type:string bytes:integer data:string",
          .handler = media,
          .example = "message media @last --message 0 --block 1"};
}

}  // namespace holdfast::inline v1
