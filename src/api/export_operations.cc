// session.export: a session as a document for other programs and people.
#include <algorithm>

#include "api/branch_warnings.h"
#include "api/call.h"
#include "api/dry_run.h"
#include "api/exported_lines.h"
#include "api/find_session.h"
#include "api/mask.h"
#include "api/new_file.h"
#include "api/notes.h"
#include "api/remedies.h"
#include "api/session_filter.h"
#include "api/session_text.h"
#include "api/tables.h"
#include "handoff/inline_media.h"
#include "layout/writable_layout.h"
#include "model/deduplicate_usage.h"
#include "model/model_json.h"
#include "store/engine.h"
#include "text/json_edit.h"
#include "text/json_text.h"
#include "text/sizes.h"
#include "transfer/atif_export.h"
#include "transfer/html_export.h"
#include "transfer/html_parts.h"
#include "transfer/import.h"
#include "transfer/redacted_transcript.h"
#include "transfer/share_page.h"

namespace holdfast::inline v1 {
namespace {

// The session as session.list returns it, and what else is needed to create a new one from it.
struct ExportedSession {
  const Transcript& transcript;
  std::string head;
};

Result<std::string> head_of(const Call& call, Store& store, const Session& session) {
  JsonWriter json;
  write_session(json, session);
  std::string head = json.take();
  const auto engine = engine_of(store);
  const WritableLayout* const writer = engine ? (*engine)->layout().writer() : nullptr;
  if (writer == nullptr) return head;
  DirectoryFeed feed(call.context, (*engine)->roots().directories());
  HOLDFAST_LET(ref, (*engine)->resolve(call.context, feed, session.id));
  const auto made = writer->creation_draft(feed, ref);
  if (!made) return head;  // an unreadable document is reported as damage
  for (const auto& [name, value] :
       {std::pair("model", &made->model), {"agent", &made->agent}, {"provider", &made->provider}}) {
    if (value->empty()) continue;
    HOLDFAST_LET(with, json_set(head, {JsonStep(name)}, json_quoted(*value)));
    head = std::move(with);
  }
  return head;
}

std::string as_json(const ExportedSession& session) {
  const Transcript& transcript = session.transcript;
  JsonWriter json = begin_answer();
  json.key("session").raw(session.head);
  json.key("messages").begin_array();
  for (const Message& message : transcript.messages) write_message(json, message, message.ordinal, MediaData::base64);
  json.end_array();
  write_findings(json, "damage", transcript.findings);
  return json.end_object().take() + "\n";
}

// The session on the first line, then one message per line.
std::string as_json_lines(const ExportedSession& session) {
  const Transcript& transcript = session.transcript;
  JsonWriter head = begin_answer();
  head.key("session").raw(session.head);
  write_findings(head, "damage", transcript.findings);
  std::string lines = head.end_object().take() + "\n";
  for (const Message& message : transcript.messages) {
    JsonWriter json;
    write_message(json, message, message.ordinal, MediaData::base64);
    lines += json.take() + "\n";
  }
  return lines;
}

Result<std::string> spelled(const Call& call, Store& store, const Transcript& transcript, std::string_view format) {
  if (format == "html") return session_html(transcript);
  if (format == "json" || format == "jsonl") {
    HOLDFAST_LET(head, head_of(call, store, transcript.session));
    const ExportedSession session{transcript, std::move(head)};
    return format == "json" ? as_json(session) : as_json_lines(session);
  }
  if (format == "atif")
    return export_atif(transcript,
                       {.version = call.text("atif_version") == "1.6" ? AtifVersion::v1_6 : AtifVersion::v1_7});
  return session_markdown(transcript);
}

}  // namespace

Result<std::string> exported_lines(const Call& call, Store& store, const Transcript& transcript) {
  return spelled(call, store, transcript, "jsonl");
}

namespace {

void write_masked(JsonWriter& json, const MaskedSecrets& masked) {
  std::uint64_t all = 0;
  for (const auto& [what, times] : masked) all += times;
  json.key("masked").uint64(all).key("masked_kinds").begin_object();
  for (const auto& [what, times] : masked) json.key(what).uint64(times);
  json.end_object().key("masked_words").string(masked_words(masked));
}

void write_damage(JsonWriter& json, const Transcript& transcript) {
  write_findings(json, "damage", transcript.findings);
  write_remedies(json, {transcript.session.layout, transcript.session.id}, transcript.findings);
}

// Reads the session with the images and documents inside records of other agents, which readers normally skip.
Result<Transcript> read_with_media(const Call& call, FoundSession& found, TranscriptQuery query) {
  query.data = query.raw = true;
  HOLDFAST_LET(transcript, found.store->read(call.context, found.session.id, query));
  for (Message& message : transcript.messages) {
    fill_media(message);
    message.raw.clear();
  }
  return transcript;
}

// Gives the session the title that the person chose for it.
void add_noted_title(const Call& call, Session& session) {
  const auto notes = Notes::read(call.context, call.stores.settings());
  apply_note(notes->of(session.layout, session.id), session);
}

// Writes the page to the named file, or returns it in the answer.
Result<std::string> share_session(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  TranscriptQuery query;
  query.branch = call.text("branch");
  HOLDFAST_LET(transcript, read_with_media(call, found, query));
  add_noted_title(call, transcript.session);
  const bool redact = call.flag("redact", true);
  if (redact) redact_transcript(transcript);
  MaskedSecrets masked;  // only in what the page shows, not in the whole session
  const auto note = [&](std::string_view told) {
    if (redact) masked = masked_in_page(told);
    // The title usually repeats a message; secrets that are only in the title count too.
    for (const auto& [what, times] : masked_in(redact ? session_name(transcript.session) : std::string()))
      masked.try_emplace(what, times);
    return masked.empty() ? std::string() : masked_words(masked);
  };
  const std::string page = share_page(transcript, {.tools = call.flag("tools", true),
                                                   .prompts = call.flag("prompts"),
                                                   .system = call.flag("system"),
                                                   .note = note});
  JsonWriter json = begin_answer();
  json.key("id").string(found.session.id).key("format").string("html");
  if (redact) write_masked(json, masked);
  write_damage(json, transcript);
  if (const std::string output = call.text("output"); !output.empty()) {
    HOLDFAST_TRY(write_new_file(*call.stores.settings().files, output, page));
    json.key("output").string(output).key("bytes").uint64(page.size());
  } else {
    json.key("text").string(page);
  }
  return json.end_object().take();
}

Result<std::string> export_session(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  TranscriptQuery query;
  query.branch = call.text("branch");
  const std::string format = call.has("format") ? call.text("format") : "md";
  HOLDFAST_LET(transcript, format == "md" ? found.store->read(call.context, found.session.id, query)
                                          : read_with_media(call, found, query));
  if (call.has("atif_version") && format != "atif")
    return fail(Code::invalid_argument, "session.export: atif_version is only for format atif");
  deduplicate_usage(transcript.messages);
  add_noted_title(call, transcript.session);
  const bool redact = call.flag("redact");
  const MaskedSecrets masked = redact ? redact_transcript(transcript) : MaskedSecrets();
  if (redact) mask(transcript);  // text attachments too
  HOLDFAST_LET(text, spelled(call, *found.store, transcript, format));
  OffBranch elsewhere;
  if (query.branch != "all") {
    HOLDFAST_LET(off, off_branch(call.context, *found.store, transcript));
    elsewhere = off;
  }
  JsonWriter json = begin_answer();
  json.key("id").string(found.session.id).key("format").string(format);
  const AtifLeftOut left = format == "atif" ? atif_left_out(transcript) : AtifLeftOut();
  json.key("left_out").uint64(elsewhere.own + elsewhere.aside + left.blocks);
  std::vector<std::string> words = omitted_branch_warnings(elsewhere);
  if (left.attachments > 0)
    words.push_back(counted(left.attachments, "attachment") + " of the session " +
                    (left.attachments == 1 ? "is" : "are") + " not in the trajectory");
  if (!words.empty()) json.key("warnings").strings(words);
  if (redact) write_masked(json, masked);
  write_damage(json, transcript);
  json.key("text").string(text);
  return json.end_object().take();
}

// An id that the store cannot hold is replaced by a new one; the old one is kept in the metadata.
Result<WholeSession> import_into(const Call& call, Store& store, ImportedSession& imported) {
  if (call.has("project")) imported.draft.project = call.project();
  auto made = import_session(call.context, store, imported);
  if (made || (made.error().code != Code::invalid_argument && made.error().code != Code::unsafe_path)) return made;
  imported.draft.id.clear();
  return import_session(call.context, store, imported);
}

Result<std::string> import_document(Call& call) {
  HOLDFAST_LET(imported, read_import(call.text("text")));
  HOLDFAST_LET(store, call.store());
  auto made = import_into(call, *store, imported);
  if (!made) return fail(std::move(made).error());
  HOLDFAST_LET(session, store->get(call.context, made->id));
  JsonWriter json = begin_answer();
  json.key("id").string(made->id).key("format").string(imported.format);
  std::vector<std::string> warnings = made->left_out;
  if (imported.abandoned > 0)
    warnings.push_back(counted(imported.abandoned, "message") +
                       " that the agent had taken back, by a rewind or a revert, " +
                       (imported.abandoned == 1 ? "is" : "are") + " part of the conversation now");
  if (!warnings.empty()) json.key("warnings").strings(warnings);
  json.key("kept_verbatim").uint64(kept_verbatim(imported.messages)).key("session");
  write_session(json, session);
  return json.end_object().take();
}

}  // namespace

Result<std::string> would_import(Call& call) {
  HOLDFAST_LET(imported, read_import(call.text("text")));
  return "create a session of " + counted(imported.messages.size(), "message") +
         (imported.draft.id.empty() ? "" : ", " + imported.draft.id);
}

Result<std::string> would_print(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  return "print session " + found.session.id + " of " + found.store->name() + " as " +
         (call.has("format") ? call.text("format") : "md");
}

Result<std::string> would_share(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  const std::string of = " a page of session " + found.session.id + " of " + found.store->name();
  const std::string output = call.text("output");
  if (output.empty()) return "print" + of;
  HOLDFAST_TRY(check_new_file(*call.stores.settings().files, output));
  return "write" + of + " to " + output;
}

std::span<const Operation> export_operations() {
  static const std::vector<Operation> all{
      {.method = "session.export",
       .help = "print a session as one document",
       .parameters =
           {{.name = "id", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .required = true, .positional = true},
            machine_parameter(),
            {.name = "format",
             .help = "md (default); html: one self-contained file; json or jsonl: everything, for import; atif: a "
                     "trajectory",
             .words = {"md", "html", "json", "jsonl", "atif"}},
            {.name = "atif_version", .help = "ATIF version of the trajectory (default 1.7)", .words = {"1.6", "1.7"}},
            {.name = "branch", .help = "last message of the branch to include, or all (default: the active branch)"},
            redact_parameter(),
            dry_run_parameter()},
       .result = "id:string format:md|html|json|jsonl|atif left_out:integer warnings?:string[] damage:finding[] "
                 "remedies?:string[] masked?:integer "
                 "masked_kinds?:object masked_words?:string text:string",
       .errors = {Code::not_found},
       .handler = export_session,
       .example = "export @last --format html > session.html",
       .command = "export"},
      {.method = "session.share",
       .help = "write a session as a web page to share: one HTML file, secrets masked, tool calls folded",
       .parameters =
           {{.name = "id", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .required = true, .positional = true},
            machine_parameter(),
            {.name = "output",
             .help = "write the page to this file, which must not exist yet",
             .path = true,
             .letter = 'o'},
            {.name = "prompts", .help = "include only your prompts", .type = ParamType::boolean},
            {.name = "tools",
             .help = "include tool calls, results and thinking, folded (default); --no-tools leaves them out",
             .type = ParamType::boolean},
            {.name = "system",
             .help = "include context that the agent added to the conversation",
             .type = ParamType::boolean},
            {.name = "redact",
             .help = "mask passwords, keys and tokens (default); --no-redact leaves them in",
             .type = ParamType::boolean},
            {.name = "branch", .help = "last message of the branch to include, or all (default: the active branch)"},
            dry_run_parameter()},
       .result = "id:string format:string masked?:integer masked_kinds?:object masked_words?:string "
                 "damage:finding[] remedies?:string[] output?:string bytes?:integer text?:string",
       .errors = {Code::not_found, Code::already_exists},
       .handler = share_session,
       .example = "share @last -o session.html",
       .command = "share"},
      {.method = "session.import",
       .help = "create a session from a document: a json or jsonl export, or an ATIF trajectory (1.0 to 1.8)",
       .use = Use::create,
       .parameters = {{.name = "text",
                       .help = "the document: FILE, or - for standard input",
                       .required = true,
                       .positional = true,
                       .file = true},
                      {.name = "project",
                       .help = "project directory of the session (default: as in the document)",
                       .path = true}},
       .result = "id:string format:json|jsonl|atif warnings?:string[] kept_verbatim:integer session:session",
       .errors = {Code::already_exists, Code::corrupt},
       .handler = import_document,
       .example = "import session.json",
       .command = "import"},
  };
  return all;
}

}  // namespace holdfast::inline v1
