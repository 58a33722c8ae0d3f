#include "model/block_read.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "model/text_document.h"
#include "text/base64.h"
#include "text/json_copy.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// One block that is being read from a caller's object.
struct Given {
  Members members;
  std::string type;
  Role role;
  std::vector<Block>& blocks;
  Members::More more = {};  // goes into extra
  bool foreign = false;     // from another API: its member "extra" is not ours

  std::string path(std::string_view name) const { return members.path(name); }
  // Keeps the spelling of the type if the kind does not imply it.
  void keep_type() { more.emplace_back("type", json_quoted(type)); }
  void add(Block block) {
    block.extra = members.rest(more, !foreign);
    blocks.push_back(std::move(block));
  }
  // Keeps a null under that name, which the model cannot store.
  static void keep_null(const Members& from, std::string_view name, Members::More& into) {
    if (from.look(name).is_null()) into.emplace_back(name, "null");
  }
};

void set_data(Given& given, std::string_view name, std::string_view text, Block& block) {
  auto bytes = from_base64(text);
  if (!bytes) return given.members.wrong(name, "is not base64 with padding and without line breaks");
  block.data = std::move(*bytes);
  block.bytes = block.data.size();
}

struct DataUrl {
  std::string media_type;
  std::string_view data;
};

// "data:image/png;base64,..."; others stay URLs.
std::optional<DataUrl> data_url(std::string_view url) {
  constexpr std::string_view kScheme = "data:", kCoding = ";base64,";
  if (!url.starts_with(kScheme)) return std::nullopt;
  const std::size_t coding = url.find(kCoding);
  if (coding == std::string_view::npos) return std::nullopt;
  const std::string_view type = url.substr(kScheme.size(), coding - kScheme.size());
  if (type.empty() || type.find_first_of(";,") != std::string_view::npos) return std::nullopt;
  return DataUrl{std::string(type), url.substr(coding + kCoding.size())};
}

// Returns true and takes the member `name` if it is a URL that contains the data itself.
bool take_data_url(Given& given, std::string_view name, Block& block) {
  const std::string url = given.members.look(name).as_string().value_or("");
  const auto parts = data_url(url);
  if (!parts) return false;
  given.members.take(name);
  block.media_type = parts->media_type;
  set_data(given, name, parts->data, block);
  return true;
}

void read_text(Given& given) {
  const bool ours = given.type == "text";
  const bool usual = given.type == (given.role == Role::assistant ? "output_text" : "input_text");
  if (!ours && !usual) given.keep_type();
  given.add({.kind = BlockKind::text, .text = given.members.text("text")});
}

void read_thinking(Given& given) {
  Block block{.kind = BlockKind::thinking};
  block.text = given.members.text(given.members.either("thinking", "text"));
  block.signature = given.members.nonempty_text("signature");
  given.add(std::move(block));
}

// OpenAI's has a summary in parts, which stays as it is; Vercel's has a text.
void read_reasoning(Given& given) {
  Block block{.kind = BlockKind::thinking};
  given.keep_type();
  if (given.members.has("text")) {
    block.text = given.members.text("text");
  } else if (given.members.look("summary").kind() == JsonKind::array) {
    block.text = text_of_output(given.members.look("summary"));
  }
  given.add(std::move(block));
}

void read_call(Given& given) {
  Block block{.kind = BlockKind::tool_call};
  Members& members = given.members;
  const bool vercel = given.type == "tool-call";
  if (vercel) given.keep_type();
  block.id = members.text(vercel ? "toolCallId" : "id");
  block.name = members.text(vercel ? "toolName" : "name");
  for (const std::string_view input : {"args", "input"})
    if (vercel || input == "input") Given::keep_null(members, input, given.more);
  block.json = members.json(vercel ? members.either("args", "input") : "input");
  if (block.json.empty()) block.json = "{}";
  given.add(std::move(block));
}

void read_function_call(Given& given) {
  Block block{.kind = BlockKind::tool_call};
  block.id = given.members.text("call_id");
  block.name = given.members.text("name");
  set_arguments(given.members.text("arguments"), block, given.more);
  given.add(std::move(block));
}

void read_result(Given& given) {
  Block block{.kind = BlockKind::tool_result};
  Members& members = given.members;
  if (given.type == "tool-result") {
    given.keep_type();
    block.id = members.text("toolCallId");
    for (const std::string_view output : {"result", "output"}) Given::keep_null(members, output, given.more);
    set_output(members.take(members.either("result", "output")), block);
  } else if (given.type == "function_call_output") {
    block.id = members.text("call_id");
    Given::keep_null(members, "output", given.more);
    set_output(members.take("output"), block);
  } else if (members.has("tool_use_id")) {
    block.id = members.text("tool_use_id");
    if (!members.has("content")) given.more.emplace_back("content", "null");  // absent, which differs from empty
    set_output(members.take("content"), block);
  } else {
    block.id = members.text("id");
    block.name = members.nonempty_text("name");
    Given::keep_null(members, "output", given.more);
    set_output(members.take("output"), block);
  }
  block.is_error = members.flag("is_error");
  members.take("spilled");  // only added by reading
  given.add(std::move(block));
}

void read_media(Given& given) {
  Block block{.kind = *block_kind_of(given.type)};
  Members& members = given.members;
  if (members.look("source").find("type").is_string("base64")) {
    Members source(members.take("source"), given.path("source"));
    source.take("type");
    block.media_type = source.text("media_type");
    const std::string data = source.text("data");
    set_data(given, "source.data", data, block);
    if (std::string rest = source.rest(); !rest.empty()) given.more.emplace_back("source", std::move(rest));
    members.take_over(source.check());
    return given.add(std::move(block));
  }
  block.media_type = members.text("media_type");
  if (block.kind == BlockKind::document && block.media_type.empty()) {
    // The text of a document stays in its source.
    const JsonView source = members.look("source");
    block.media_type = json_text(source, "media_type");
    if (block.media_type.empty() && !text_of_source(source).empty()) block.media_type = "text/plain";
  }
  if (members.has("data")) set_data(given, "data", members.text("data"), block);
  block.blob = members.nonempty_text("blob");
  if (!block.blob.empty() && !is_sha256_hex(block.blob))
    members.wrong("blob", "must be a SHA-256 in 64 hexadecimal digits");
  // Without the bytes themselves, their number is like any other member.
  if (!block.data.empty()) {
    if (const std::int64_t bytes = members.count("bytes"); bytes != 0 && bytes != std::ssize(block.data))
      members.wrong("bytes", "is not the number of bytes in data");
  } else if (!block.blob.empty()) {
    block.bytes = static_cast<std::uint64_t>(members.count("bytes"));
  }
  given.add(std::move(block));
}

void read_input_media(Given& given) {
  Members& members = given.members;
  if (given.type == "input_audio") {
    Block block{.kind = BlockKind::audio};
    Members audio(members.take("input_audio"), given.path("input_audio"));
    block.media_type = "audio/" + audio.text("format");
    const std::string data = audio.text("data");
    set_data(given, "input_audio.data", data, block);
    if (std::string rest = audio.rest(); !rest.empty()) given.more.emplace_back("input_audio", std::move(rest));
    members.take_over(audio.check());
    return given.add(std::move(block));
  }
  const bool image = given.type == "input_image";
  Block block{.kind = image ? BlockKind::image : BlockKind::document};
  // A URL, or the id of a file there, is kept in extra.
  take_data_url(given, image ? "image_url" : "file_data", block);
  given.add(std::move(block));
}

void read_file_part(Given& given) {
  Block block{.kind = BlockKind::document};
  given.keep_type();
  const bool data = take_data_url(given, "url", block);
  const std::string media_type = given.members.text("mediaType");
  if (data && !media_type.empty() && media_type != block.media_type)
    given.more.emplace_back("mediaType", json_quoted(media_type));
  if (!data) block.media_type = media_type;
  if (block.media_type.starts_with("image/")) block.kind = BlockKind::image;
  if (block.media_type.starts_with("audio/")) block.kind = BlockKind::audio;
  given.add(std::move(block));
}

// A tool of Vercel in one part: the call, and its result if there is one. Other
// members of the part (its state, …) stay with the call.
void read_tool_part(Given& given, Members& from, std::string name, std::string_view input, std::string_view output) {
  Block call{.kind = BlockKind::tool_call, .id = from.text("toolCallId"), .name = std::move(name)};
  Block result{.kind = BlockKind::tool_result, .id = call.id};
  Members::More nulls;
  Given::keep_null(from, input, nulls);
  call.json = from.json(input);
  if (call.json.empty()) call.json = "{}";
  const bool failed = from.has("errorText");
  const bool answered = failed || from.has(output);
  if (failed) {
    result.text = from.text("errorText");
    result.is_error = true;
  } else if (answered) {
    set_output(from.take(output), result);
  }
  given.keep_type();
  if (&from != &given.members) {
    if (std::string rest = from.rest(nulls, false); !rest.empty())
      given.more.emplace_back("toolInvocation", std::move(rest));
    given.members.take_over(from.check());
  } else {
    given.more.insert(given.more.end(), nulls.begin(), nulls.end());
  }
  given.add(std::move(call));
  if (answered) given.blocks.push_back(std::move(result));
}

// Returns true if it is one of Vercel's.
bool read_vercel(Given& given) {
  constexpr std::string_view kTool = "tool-";
  if (given.type == "file") {
    read_file_part(given);
  } else if (given.type == "dynamic-tool") {
    std::string name = given.members.text("toolName");
    read_tool_part(given, given.members, std::move(name), "input", "output");
  } else if (given.type == "tool-invocation" && given.members.has("toolInvocation")) {
    Members invocation(given.members.take("toolInvocation"), given.path("toolInvocation"));
    std::string name = invocation.text("toolName");
    read_tool_part(given, invocation, std::move(name), "args", "result");
  } else if (given.type.starts_with(kTool) && given.members.has("toolCallId")) {
    read_tool_part(given, given.members, given.type.substr(kTool.size()), "input", "output");
  } else {
    return false;
  }
  return true;
}

using Read = void (*)(Given&);
constexpr std::pair<std::string_view, Read> kReaders[] = {
    {"text", read_text},
    {"input_text", read_text},
    {"output_text", read_text},
    {"thinking", read_thinking},
    {"reasoning", read_reasoning},
    {"tool_call", read_call},
    {"tool_use", read_call},
    {"tool-call", read_call},
    {"function_call", read_function_call},
    {"tool_result", read_result},
    {"tool-result", read_result},
    {"function_call_output", read_result},
    {"image", read_media},
    {"document", read_media},
    {"audio", read_media},
    {"input_image", read_input_media},
    {"input_file", read_input_media},
    {"input_audio", read_input_media},
};

}  // namespace

Result<void> read_input_block(JsonView json, std::string where, Role role, UnknownBlocks unknown,
                              std::vector<Block>& blocks) {
  Given given{Members(json, std::move(where)), {}, role, blocks};
  given.type = given.members.text("type");
  HOLDFAST_TRY(given.members.check());
  given.foreign = given.type != "other" && (unknown == UnknownBlocks::keep || !block_kind_of(given.type));
  const auto known = std::ranges::find(kReaders, given.type, &std::pair<std::string_view, Read>::first);
  if (known != std::end(kReaders)) {
    known->second(given);
  } else if (given.type == "other" && given.members.look("raw")) {
    // Any value, even null.
    Block block{.kind = BlockKind::other, .json = compact_json(given.members.look("raw"))};
    given.members.take("raw");
    given.add(std::move(block));
  } else if (!read_vercel(given)) {
    if (unknown == UnknownBlocks::refuse || given.type.empty())
      return fail(Code::invalid_argument, given.path("type") + " is not a known block type: \"" + given.type +
                                              "\"; give any other block as {\"type\":\"other\",\"raw\":…}");
    blocks.push_back({.kind = BlockKind::other, .json = compact_json(json)});
  }
  return given.members.check();
}

std::optional<Role> role_of_item(std::string_view type) {
  if (type == "function_call" || type == "reasoning") return Role::assistant;
  if (type == "function_call_output") return Role::tool;
  // What runs at OpenAI, or what OpenAI asked the program to run: kept verbatim.
  constexpr auto kAssistant = std::to_array<std::string_view>(
      {"apply_patch_call", "code_interpreter_call", "compaction", "computer_call", "custom_tool_call",
       "file_search_call", "image_generation_call", "local_shell_call", "mcp_approval_request", "mcp_call",
       "mcp_list_tools", "shell_call", "web_search_call"});
  constexpr auto kTool =
      std::to_array<std::string_view>({"apply_patch_call_output", "computer_call_output", "custom_tool_call_output",
                                       "local_shell_call_output", "shell_call_output"});
  if (std::ranges::find(kAssistant, type) != kAssistant.end()) return Role::assistant;
  if (std::ranges::find(kTool, type) != kTool.end()) return Role::tool;
  if (type == "mcp_approval_response") return Role::user;
  return std::nullopt;
}

void set_arguments(const std::string& arguments, Block& call, Members::More& more) {
  const bool object = check_json(arguments).ok() && JsonView(arguments).kind() == JsonKind::object;
  call.json = object ? compact_json(JsonView(arguments)) : json_quoted(arguments);
  if (object && call.json != arguments) more.emplace_back("arguments", json_quoted(arguments));
}

std::string text_of_output(JsonView output) {
  if (output.kind() == JsonKind::string) return output.as_string().value_or("");
  if (!output || output.kind() != JsonKind::array) return compact_json(output);
  std::string text;
  for (const JsonItem& item : output.elements()) {
    const JsonView part = item.value.find("text");
    if (part.kind() != JsonKind::string) return compact_json(output);
    text += (text.empty() ? "" : "\n") + part.as_string().value_or("");
  }
  return text;
}

void set_output(JsonView output, Block& block) {
  if (!output || output.is_null()) return;
  block.text = text_of_output(output);
  // An unpaired surrogate, where a tool cut its output, is kept as it was written.
  if (output.kind() != JsonKind::string || !json_string_is_text(output.raw())) block.json = compact_json(output);
}

}  // namespace holdfast::inline v1
