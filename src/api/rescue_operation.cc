// session.rescue: writes a clean copy of a damaged session to another place.
#include "api/call.h"
#include "api/dry_run.h"
#include "api/exported_lines.h"
#include "api/find_session.h"
#include "api/new_file.h"
#include "api/rescued_json.h"
#include "api/tables.h"
#include "layout/session_rescue.h"
#include "store/engine.h"
#include "text/shell_word.h"
#include "text/sizes.h"
#include "transfer/rescue.h"
#include "transfer/rescue_session_file.h"

namespace holdfast::inline v1 {
namespace {

Result<Rescued> rescue_file(Call& call, const std::string& path) {
  const SplitPath source = split_path(path);
  HOLDFAST_LET(directory, open_folder_for_file(*call.stores.settings().files, source.folder));
  HOLDFAST_TRY(directory->open(source.name, OpenMode::read));  // for an error that names the file as the caller did
  auto rescued = rescue_session_file(call.context, {{"folder", directory.get()}}, {"folder", source.name});
  if (!rescued && rescued.error().path == source.name) rescued.error().path = path;
  return rescued;
}

// Rescues the session from one of the layout's databases; nullopt if none of them has it.
Result<std::optional<Rescued>> rescue_from(Call& call, FileStore& engine, std::string_view id) {
  const SessionRescue& rescue = *engine.layout().rescue();
  DirectoryFeed feed(call.context, engine.roots().directories());
  const std::string root(engine.layout().roots()[0].name);
  HOLDFAST_LET(top, feed.list({root, ""}));
  for (const FeedEntry& entry : top) {
    if (entry.directory || !entry.name.ends_with(rescue.database_ending())) continue;
    auto rescued = rescue.rescue_rows(feed, {root, entry.name}, id);
    if (rescued && *rescued) return rescued;
  }
  return std::nullopt;
}

// A database too damaged to be listed may still have rows of the session.
Result<Rescued> rescue_unlisted(Call& call, const std::string& id, Error why) {
  const std::size_t slash = id.find('/');
  for (const Layout* layout : layouts()) {
    if (layout->rescue() == nullptr || layout->rescue()->database_ending().empty()) continue;
    const auto stores = call.stores.meant(call.text("store"), layout->name(), call.operation.use);
    if (!stores) continue;
    for (const StoreOptions& options : *stores) {
      if (options.layout != layout->name()) continue;
      auto store = call.stores.open(call.context, options, call.opening());
      if (!store) continue;
      HOLDFAST_LET(engine, engine_of(**store));
      HOLDFAST_LET(rescued, rescue_from(call, *engine, slash == std::string::npos ? id : id.substr(slash + 1)));
      if (rescued) return *std::move(rescued);
    }
  }
  return fail(std::move(why));
}

// For a session with one file per message: those that can be read, for `holdfast import`.
Result<Rescued> rescue_messages(const Call& call, const FoundSession& found) {
  HOLDFAST_LET(transcript, found.store->read(call.context, found.session.id, {.branch = "all"}));
  Rescued rescued;
  for (const Finding& one : transcript.findings) rescued.gone.push_back({one.offset, one.length, one.kind});
  transcript.findings.clear();
  HOLDFAST_LET(bytes, exported_lines(call, *found.store, transcript));
  rescued.bytes = std::move(bytes);
  rescued.records = transcript.messages.size();
  return rescued;
}

// `left` gets the paths of further files of the session: one copy cannot hold several files.
Result<Rescued> rescue_id(Call& call, const std::string& id, std::vector<std::string>& left) {
  bool ambiguous = false;
  auto found = find_session(call, id, Naming::prefix, &ambiguous);
  if (ambiguous) return fail(std::move(found).error());
  if (!found) return rescue_unlisted(call, id, std::move(found).error());
  HOLDFAST_LET(engine, engine_of(*found->store));
  const RootDirectories& roots = engine->roots().directories();
  DirectoryFeed feed(call.context, roots);
  HOLDFAST_LET(ref, engine->resolve(call.context, feed, found->session.id));
  if (engine->layout().message_files() != nullptr) return rescue_messages(call, *found);
  if (const SessionRescue* const rescue = engine->layout().rescue()) {
    HOLDFAST_LET(rescued, rescue->rescue_rows(feed, ref.place, ref.id));
    if (rescued) return *std::move(rescued);
  }
  HOLDFAST_LET(joined, rescue_joined(call.context, roots, engine->layout(), ref));
  if (joined) return *std::move(joined);
  for (const SessionRef& file : files_to_rescue(engine->layout(), ref)) {
    if (file.place.path != ref.place.path) left.push_back(roots.at(file.place.root)->path() + "/" + file.place.path);
  }
  return rescue_session_file(call.context, roots, ref.place);
}

Result<std::string> rescue(Call& call) {
  const std::string target = call.text("output");
  const std::string what = call.text("id");
  std::vector<std::string> left;
  HOLDFAST_LET(rescued, what.starts_with('/') ? rescue_file(call, what) : rescue_id(call, what, left));
  HOLDFAST_TRY(write_new_file(*call.stores.settings().files, target, rescued.bytes));
  JsonWriter json = begin_answer();
  write_rescued(json.key("output").string(target), rescued);
  std::vector<std::string> doubts;
  for (const RescueGap& gap : rescued.gone) {
    if (gap.kind != kUnconfirmedGap) continue;
    doubts.push_back("bytes " + std::to_string(gap.offset) + " to " + std::to_string(gap.offset + gap.length) +
                     " were unpacked from a damaged part of the file, and no checksum confirms them: what "
                     "the copy has from there may be wrong");
  }
  for (const std::string& path : left)
    doubts.push_back("the session continues in " + path + ", which is not in the copy; run holdfast rescue " +
                     shell_word(path) + " -o FILE to copy it");
  if (!doubts.empty()) json.key("warnings").strings(doubts);
  return json.end_object().take();
}

}  // namespace

Result<std::string> would_rescue(Call& call) {
  const std::string target = call.text("output"), what = call.text("id");
  std::vector<std::string> left;
  HOLDFAST_LET(rescued, what.starts_with('/') ? rescue_file(call, what) : rescue_id(call, what, left));
  HOLDFAST_TRY(check_new_file(*call.stores.settings().files, target));
  return "write a copy of " + what + " with " + counted(rescued.records, "record") + " to " + target;
}

Operation rescue_session_operation() {
  return {
      .method = "session.rescue",
      .help = "repair a damaged session: write a copy that its agent can load; the original is not changed",
      .parameters = {{.name = "id",
                      .help =
                          "an id, a prefix of one, @last, LAYOUT/ID, or the path of a .jsonl, .jsonl.zst or .json file",
                      .required = true,
                      .positional = true,
                      .or_file = true},
                     {.name = "output",
                      .help = "write the copy to this new file; --install repairs it in place instead",
                      .required = true,
                      .path = true,
                      .letter = 'o'},
                     dry_run_parameter()},
      .result =
          "output:string records:integer salvaged:integer repeated:integer linked:integer headers:integer "
          "lost_rows?:integer bytes:integer repaired:rescue_repair[] gone:rescue_gap[]",
      .errors = {Code::not_found, Code::unsupported, Code::already_exists, Code::corrupt},
      .handler = rescue,
      .example = "rescue 7772ed23 --install",
      .command = "rescue"};
}

}  // namespace holdfast::inline v1
