#include "layout/claude_content.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "layout/encoded_size.h"
#include "layout/json_pick.h"
#include "layout/open_agent/spill.h"
#include "layout/unknown_content.h"
#include "model/block_read.h"
#include "model/text_document.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

bool flag(JsonCursor& at) { return at.skip().as_bool().value_or(false); }

// Bytes with a media type, or an address.
Block picture_of(JsonView source) {
  std::string media_type = text_of(source.find("media_type"));
  if (media_type.empty()) return referenced_image("source", source);
  Block picture{.kind = BlockKind::image, .media_type = std::move(media_type)};
  picture.bytes = encoded_size(source.find("data"));
  return picture;
}

// A document with a media type or a text. Its other members, like the title, are in `extra`, and so is the source of a
// text, which holds it (model/text_document.h); other bytes are only read if requested.
std::optional<Block> document_of(JsonView whole, JsonView source) {
  const std::string text = text_of_source(source);
  Block document{.kind = BlockKind::document, .media_type = text_of(source.find("media_type"))};
  if (document.media_type.empty() && text.empty()) return std::nullopt;
  if (document.media_type.empty()) document.media_type = "text/plain";
  document.bytes = text.empty() ? encoded_size(source.find("data")) : text.size();
  JsonWriter beside;
  beside.begin_object();
  for (const JsonItem& item : whole.fields())
    if (!item.key_is("type") && (!item.key_is("source") || !text.empty())) beside.key(item.key()).raw(item.value.raw());
  if (std::string extra = beside.end_object().take(); extra != "{}") document.extra = std::move(extra);
  return document;
}

// One part of a tool's output as text; pictures and documents become blocks of their own.
std::string part_in_words(JsonView part, std::vector<Block>& pictures) {
  const auto [type, text, source, title, url] = pick<5>(part, {"type", "text", "source", "title", "url"});
  if (text.kind() == JsonKind::string) return text_of(text);
  if (type.is_string("image")) {
    pictures.push_back(picture_of(source));
    return {};
  }
  if (type.is_string("document")) {
    if (std::string inside = text_of_source(source); !inside.empty()) return inside;
    if (auto document = document_of(part, source)) {
      pictures.push_back(std::move(*document));
      return {};
    }
  }
  if (type.is_string("web_search_result")) return text_of(title) + "\n" + text_of(url);
  return std::string(part.raw());
}

// The content of a tool_result: a text, or a list of parts.
std::string output_of(JsonCursor& at, std::vector<Block>& pictures) {
  if (at.kind() != JsonKind::array) return text_or_raw(at);
  std::string text;
  for (const JsonItem& item : at.skip().elements()) {
    const std::string words = part_in_words(item.value, pictures);
    if (!text.empty() && !words.empty()) text += '\n';
    text += words;
  }
  return text;
}

void read_output(JsonCursor& at, ContentOptions request, std::string& text, std::vector<Block>& pictures) {
  if (request.payloads || (request.previews && at.kind() == JsonKind::array)) {
    text = output_of(at, pictures);
    if (!request.payloads) pictures.clear();
    return;
  }
  const JsonView output = at.skip();
  if (request.previews && open_agent::may_be_preview(output.raw())) text = text_of(output);
}

// Tools that the API itself ran, or a server that it called, are reported like any other.
bool is_call(std::string_view type) {
  return type == "tool_use" || type == "server_tool_use" || type == "mcp_tool_use";
}
// The members of a call other than its input.
constexpr auto kCallMembers =
    std::to_array<std::string_view>({"type", "id", "name", "input", "cache_control", "caller", "server_name"});
// "web_search_tool_result", "mcp_tool_result", …
bool is_named_result(std::string_view type) { return type.ends_with("_tool_result"); }
bool is_result(std::string_view type) { return type == "tool_result" || is_named_result(type); }

// Reads everything in the block, as message.append would accept it.
std::optional<Block> read_all(JsonView whole) {
  std::vector<Block> blocks;
  const auto read = read_input_block(whole, {}, Role::user, UnknownBlocks::keep, blocks);
  if (!read || blocks.size() != 1) return std::nullopt;
  if (const JsonView beside = JsonView(blocks[0].extra).find(kBesideMembers); beside.kind() == JsonKind::object)
    blocks[0].extra = std::string(beside.raw());
  return std::move(blocks[0]);
}

// Most blocks have their type before the members that depend on it and are read in one
// pass; members that came before the type are read again.
Block read_block(JsonCursor& at, ContentOptions request, std::vector<Block>& pictures) {
  Block block;
  JsonCursor again = at;
  // Callers that ask for extras write such blocks themselves and want them back unchanged.
  const auto unknown = [&](JsonView value) {
    return request.extras ? Block{.kind = BlockKind::other, .json = std::string(value.raw())} : unknown_block(value);
  };
  if (!at.enter_object()) return unknown(at.skip());
  std::string_view key, type;
  JsonView source;
  bool filled = false, missed = false, odd = false;
  while (at.next_key(key)) {
    const bool matter = key == "text" || key == "thinking" || key == "input" || key == "content";
    if (key == "type") {
      type = at.word();
      odd = odd || type == "mcp_tool_use" || is_named_result(type);
    } else if (((key == "text" && type == "text") || (key == "thinking" && type == "thinking")) &&
               at.kind() == JsonKind::string) {
      if (request.texts)
        block.text = at.text();
      else
        at.skip();
      filled = true;
    } else if (key == "input" && is_call(type)) {
      const JsonView input = at.skip();
      if (request.payloads) block.json = input.raw();
      filled = true;
    } else if (key == "content" && is_result(type)) {
      odd = odd || at.kind() != JsonKind::string;
      read_output(at, request, block.text, pictures);
      filled = true;
    } else if (key == "id" || key == "tool_use_id") {
      block.id = at.text();
    } else if (key == "name") {
      block.name = at.text();
    } else if (key == "is_error") {
      block.is_error = flag(at);
    } else if (key == "source") {
      source = at.skip();
    } else {
      odd = true;
      missed = missed || (matter && type.empty());
      at.skip();
    }
  }
  if (request.extras && (odd || !filled)) {
    JsonCursor once_more = again;
    if (auto all = read_all(once_more.skip())) {
      pictures.clear();
      return std::move(*all);
    }
  }
  const JsonView whole = filled ? JsonView() : again.skip();
  if (type == "text" || type == "thinking") {
    block.kind = type == "text" ? BlockKind::text : BlockKind::thinking;
    const JsonView text = filled ? JsonView() : whole.find(type);
    if (!filled && missed) block.text = text_of(text);
    if (filled || (missed && text.kind() == JsonKind::string)) return block;
  } else if (is_call(type)) {
    block.kind = BlockKind::tool_call;
    if (!filled && (missed || request.payloads))
      block.json = input_or_others(whole.find("input"), whole, kCallMembers, "{}");
    if (block.json.empty()) block.json = "{}";
    return block;
  } else if (is_result(type)) {
    block.kind = BlockKind::tool_result;
    if (!filled && missed) {
      JsonCursor content(whole.find("content").raw());
      block.text = output_of(content, pictures);
    } else if (!filled && request.payloads) {
      block.text = output_or_object({}, whole, {"type", "tool_use_id", "is_error", "cache_control"});
    }
    return block;
  } else if (type == "image" && source) {
    return picture_of(source);
  } else if (type == "document" && source) {
    if (auto document = document_of(whole, source)) return std::move(*document);
  }
  return unknown(whole);
}

}  // namespace

std::string text_or_raw(JsonCursor& at) {
  return at.kind() == JsonKind::string ? at.text() : std::string(at.skip().raw());
}

std::optional<Usage> read_claude_usage(JsonCursor& at) {
  if (!at.enter_object()) {
    at.skip();
    return std::nullopt;
  }
  Usage usage;
  std::int64_t written = 0;  // the sum of the parts
  std::string_view key;
  while (at.next_key(key)) {
    std::int64_t* figure = nullptr;
    if (key == "input_tokens" || key == "inputTokens") figure = &usage.input;
    if (key == "output_tokens" || key == "outputTokens") figure = &usage.output;
    if (key == "cache_read_input_tokens" || key == "cacheReadInputTokens") figure = &usage.cache_read;
    if (key == "cache_creation_input_tokens" || key == "cacheCreationInputTokens") figure = &usage.cache_write;
    if (key == "reasoning_tokens" || key == "reasoningTokens") figure = &usage.reasoning;
    if (key == "reasoning_apart") figure = &usage.reasoning_apart;
    const JsonView value = at.skip();
    if (figure != nullptr) *figure = count_of(value);
    if (key != "cache_creation") continue;
    const auto [minutes, hour] = pick<2>(value, {"ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"});
    usage.cache_write_1h = count_of(hour);
    written = count_of(minutes) + usage.cache_write_1h;
  }
  usage.cache_write = std::max(usage.cache_write, written);
  return usage;
}

void read_claude_content(JsonCursor& at, std::vector<Block>& blocks, ContentOptions request) {
  if (at.kind() == JsonKind::string) {
    blocks.push_back({.kind = BlockKind::text});
    if (request.texts)
      blocks.back().text = at.text();
    else
      at.skip();
    return;
  }
  std::vector<Block> pictures;
  const auto add = [&] {
    blocks.push_back(read_block(at, request, pictures));
    std::ranges::move(pictures, std::back_inserter(blocks));
    pictures.clear();
  };
  if (at.enter_array()) {
    while (at.next_element()) add();
  } else if (at.kind() == JsonKind::object) {
    add();
  } else {
    append_unknown(at.skip(), blocks);
  }
}

}  // namespace holdfast::inline v1
