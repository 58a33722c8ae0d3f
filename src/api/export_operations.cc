// session.export: a session as a document for other programs and people.
#include "api/call.h"
#include "api/find_session.h"
#include "api/session_text.h"
#include "api/tables.h"
#include "model/model_json.h"
#include "transfer/atif_export.h"
#include "transfer/html_export.h"
#include "transfer/import.h"

namespace holdfast::inline v1 {
namespace {

std::string as_json(const Transcript& transcript) {
  JsonWriter json = begin_answer();
  json.key("session");
  write_session(json, transcript.session);
  json.key("messages").begin_array();
  for (const Message& message : transcript.messages) write_message(json, message, message.ordinal, MediaData::base64);
  json.end_array();
  write_findings(json, "damage", transcript.findings);
  return json.end_object().take() + "\n";
}

// The session on the first line, a message on each other.
std::string as_json_lines(const Transcript& transcript) {
  JsonWriter head = begin_answer();
  head.key("session");
  write_session(head, transcript.session);
  write_findings(head, "damage", transcript.findings);
  std::string lines = head.end_object().take() + "\n";
  for (const Message& message : transcript.messages) {
    JsonWriter json;
    write_message(json, message, message.ordinal, MediaData::base64);
    lines += json.take() + "\n";
  }
  return lines;
}

Result<std::string> spelled(const Transcript& transcript, std::string_view format) {
  if (format == "html") return session_html(transcript);
  if (format == "json") return as_json(transcript);
  if (format == "jsonl") return as_json_lines(transcript);
  if (format == "atif") return export_atif(transcript);
  return session_markdown(transcript);
}

Result<std::string> export_session(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  TranscriptQuery query;
  query.branch = call.text("branch");
  const std::string format = call.has("format") ? call.text("format") : "md";
  query.data = format == "json" || format == "jsonl" || format == "html";
  HOLDFAST_LET(transcript, found.store->read(call.context, found.session.id, query));
  HOLDFAST_LET(text, spelled(transcript, format));
  JsonWriter json = begin_answer();
  json.key("id").string(found.session.id).key("format").string(format);
  json.key("left_out").uint64(format == "atif" ? atif_left_out(transcript) : 0);
  write_findings(json, "damage", transcript.findings);
  json.key("text").string(text);
  return json.end_object().take();
}

// An id that the store cannot hold is given up for a new one; the old one stays in the metadata.
Result<std::string> import_document(Call& call) {
  HOLDFAST_LET(imported, read_import(call.text("text")));
  HOLDFAST_LET(store, call.store());
  if (call.has("project")) imported.draft.project = call.project();
  auto id = import_session(call.context, *store, imported);
  if (!id && (id.error().code == Code::invalid_argument || id.error().code == Code::unsafe_path)) {
    imported.draft.id.clear();
    id = import_session(call.context, *store, imported);
  }
  if (!id) return fail(std::move(id).error());
  HOLDFAST_LET(session, store->get(call.context, *id));
  JsonWriter json = begin_answer();
  json.key("id").string(*id).key("format").string(imported.format);
  json.key("kept_verbatim").uint64(kept_verbatim(imported.messages)).key("session");
  write_session(json, session);
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> export_operations() {
  static const std::vector<Operation> all{
      {.method = "session.export",
       .help = "a session as one document",
       .parameters =
           {{.name = "id", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .required = true, .positional = true},
            {.name = "format",
             .help = "md (default); html: one file that stands alone; json or jsonl: everything that is "
                     "known; atif: a trajectory",
             .words = {"md", "html", "json", "jsonl", "atif"}},
            {.name = "branch", .help = "the leaf of a branch, or all; default: the active one"}},
       .result = "id:string format:md|html|json|jsonl|atif left_out:integer damage:finding[] text:string",
       .errors = {Code::not_found},
       .handler = export_session,
       .example = "export @last --format html > session.html",
       .command = "export"},
      {.method = "session.import",
       .help = "make a session of a document; what export writes as json or jsonl, or an ATIF trajectory 1.0 to 1.8",
       .use = Use::create,
       .parameters = {{.name = "text",
                       .help = "the document: FILE, or - for standard input",
                       .required = true,
                       .positional = true,
                       .file = true},
                      {.name = "project", .help = "directory that it belongs to; default: what it says", .path = true}},
       .result = "id:string format:json|jsonl|atif kept_verbatim:integer session:session",
       .errors = {Code::already_exists, Code::corrupt},
       .handler = import_document,
       .example = "import session.json",
       .command = "import"},
  };
  return all;
}

}  // namespace holdfast::inline v1
