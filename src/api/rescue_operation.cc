// session.rescue: a clean copy of a damaged log, beside the original's reach.
#include "api/call.h"
#include "api/find_session.h"
#include "api/tables.h"
#include "store/engine.h"
#include "transfer/rescue.h"

namespace holdfast::inline v1 {
namespace {

struct SplitPath {
  std::string folder, name;
};

SplitPath split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

// A new file, durable when this returns; never in place of another.
Result<void> write_new(FileSystem& files, const std::string& path, std::string_view bytes) {
  const SplitPath target = split(path);
  HOLDFAST_LET(directory, files.open_directory(target.folder, false));
  HOLDFAST_LET(file, directory->open(target.name, OpenMode::create_update));
  auto written = file->write_at(0, bytes);
  if (written) written = file->sync();
  if (written) written = directory->sync_directory("");
  if (!written) (void)directory->remove(target.name);
  return written;
}

Result<Rescued> rescue_file(Call& call, const std::string& path) {
  const SplitPath source = split(path);
  HOLDFAST_LET(directory, call.stores.settings().files->open_directory(source.folder, false));
  const RootDirectories roots{{"folder", directory.get()}};
  DirectoryFeed feed(call.context, roots);
  return rescue_log(feed, {"folder", source.name});
}

Result<Rescued> rescue_id(Call& call, const std::string& id) {
  HOLDFAST_LET(found, find_session(call, id));
  HOLDFAST_LET(engine, engine_of(*found.store));
  DirectoryFeed feed(call.context, engine->roots().directories());
  HOLDFAST_LET(ref, engine->resolve(call.context, feed, found.session.id));
  DirectoryFeed reading(call.context, engine->roots().directories());
  return rescue_log(reading, ref.place);
}

Result<std::string> rescue(Call& call) {
  const std::string target = call.text("output");
  const std::string what = call.text("id");
  HOLDFAST_LET(rescued, what.starts_with('/') ? rescue_file(call, what) : rescue_id(call, what));
  HOLDFAST_TRY(write_new(*call.stores.settings().files, target, rescued.bytes));
  JsonWriter json = begin_answer();
  json.key("output").string(target).key("records").uint64(rescued.records).key("salvaged").uint64(rescued.salvaged);
  json.key("repeated").uint64(rescued.repeated).key("linked").uint64(rescued.linked);
  json.key("headers").uint64(rescued.headers).key("bytes").uint64(rescued.bytes.size());
  return json.end_object().take();
}

}  // namespace

Operation rescue_session_operation() {
  return {.method = "session.rescue",
          .help = "a clean copy of a damaged log that its agent can load; the original is only read",
          .parameters = {{.name = "id",
                          .help = "an id, a prefix, @last, LAYOUT/ID, or the absolute path of a .jsonl file",
                          .required = true,
                          .positional = true,
                          .or_file = true},
                         {.name = "output", .help = "the new file", .required = true, .path = true}},
          .result =
              "output:string records:integer salvaged:integer repeated:integer linked:integer headers:integer "
              "bytes:integer",
          .errors = {Code::not_found, Code::unsupported, Code::already_exists},
          .handler = rescue,
          .example = "rescue 7772ed23 --output clean.jsonl",
          .command = "rescue"};
}

}  // namespace holdfast::inline v1
