// session.mend: puts a repaired copy in place of a damaged session of an agent, and can undo that.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "api/call.h"
#include "api/find_session.h"
#include "api/rescued_json.h"
#include "api/tables.h"
#include "base/hash.h"
#include "disk/copies.h"
#include "disk/real_process.h"
#include "layout/session_rescue.h"
#include "store/engine.h"
#include "text/shell_word.h"
#include "text/sizes.h"
#include "transfer/installed_rescue.h"
#include "transfer/loadable_messages.h"
#include "transfer/rescue_session_file.h"
#include "transfer/verify.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kNotDamaged = "the session is not damaged";
constexpr std::uint64_t kLargest = std::uint64_t{512} << 20;

struct Damaged {
  Session session;
  std::shared_ptr<Store> store;
  FileStore* engine = nullptr;    // of the store
  bool whole = true;              // the session has one file
  std::vector<SessionRef> files;  // of the session, at least one
  SessionRef ref;                 // the one of `files` that is looked at
  std::string folder, name;       // of that file; the name is empty if it is in a database
};

// Looks at this file of the session. Fails with busy or unsupported if it cannot be replaced.
Result<void> look_at(Damaged& damaged, const SessionRef& file) {
  damaged.ref = file;
  const std::string path = damaged.engine->roots().directories().at(file.place.root)->path() + "/" + file.place.path;
  // A process that has the file open would keep writing to the file that is set aside.
  if (const auto pid = find_writing_process(path))
    return fail(Code::busy, "process " + std::to_string(*pid) + " has the session open for writing; end it first",
                path);
  const std::size_t slash = path.rfind('/');
  damaged.folder = path.substr(0, slash);
  damaged.name.clear();
  if (path.ends_with(".jsonl.zst"))
    return fail(Code::unsupported,
                "a compressed session cannot be repaired in place; run holdfast rescue " +
                    session_word(damaged.session.layout, damaged.session.id) +
                    " -o FILE to write a copy of what can be unpacked",
                path);
  if (path.ends_with(".jsonl") || path.ends_with(".json")) damaged.name = path.substr(slash + 1);
  return {};
}

// LAYOUT/ID@KEY of the session that this file belongs to: another file may have the same id.
Result<std::string> session_of_file(const Call& call, const std::string& path) {
  HOLDFAST_LET(stores, call.stores.meant(call.text("store"), {}, Use::read));
  for (const StoreOptions& options : stores) {
    const auto store = call.stores.open(call.context, options, Use::read);
    if (!store) continue;
    HOLDFAST_LET(engine, engine_of(**store));
    std::vector<Finding> findings;
    HOLDFAST_LET(refs, engine->find_all(call.context, findings));
    for (const SessionRef& ref : refs) {
      const auto root = engine->roots().directories().find(ref.place.root);
      if (root == engine->roots().directories().end()) continue;
      for (const SessionRef& file : files_to_rescue(engine->layout(), ref))
        if (root->second->path() + "/" + file.place.path == path)
          return options.layout + "/" + ref.id + "@" + ref.place.path;
    }
  }
  return fail(Code::not_found,
              "this file is not where an agent would find it; run holdfast rescue FILE -o COPY to write a copy", path);
}

// Opens stores of other agents only to read; session.mend changes just the files of the session.
Result<Damaged> damaged_of(const Call& call) {
  const Call reading{call.context, *find_operation("session.get"), call.params, call.stores, true};
  std::string id = call.text("id");
  if (id.starts_with('/')) {
    HOLDFAST_LET(named, session_of_file(call, id));
    id = std::move(named);
  }
  HOLDFAST_LET(found, find_session(reading, id, Naming::sure_prefix));
  // The agent has no file to repair, and the archive is read-only.
  HOLDFAST_LET(engine, engine_of(*found.store));
  if (holds_copies(engine->roots().first()->file_system()))
    return fail(Code::unsupported, "this session is only in the archive; run holdfast restore " +
                                       session_word(found.session.layout, found.session.id) +
                                       " to bring it back to its agent");
  Damaged damaged{found.session, found.store, engine, true, {}, {}, {}, {}};
  const RootDirectories& roots = damaged.engine->roots().directories();
  DirectoryFeed feed(call.context, roots);
  HOLDFAST_LET(ref, damaged.engine->resolve(call.context, feed, found.session.id));
  damaged.files = files_to_rescue(engine->layout(), ref);
  damaged.whole = damaged.files.size() == 1;
  const Layout& layout = damaged.engine->layout();
  if (layout.writable())
    return fail(Code::unsupported,
                "Holdfast writes these sessions itself and skips damaged data; run holdfast rescue " +
                    session_word(found.session.layout, found.session.id) + " -o FILE to write a clean copy");
  if (found.session.status == Status::running)
    return fail(Code::busy, std::string(layout.agent()) + " is running this session; end it first");
  for (const SessionRef& file : damaged.files) {
    const std::string path = roots.at(file.place.root)->path() + "/" + file.place.path;
    if (path != call.text("id")) continue;
    damaged.files = {SessionRef(file)};
    break;
  }
  HOLDFAST_TRY(look_at(damaged, SessionRef(damaged.files[0])));
  return damaged;
}

struct Repaired {
  Rescued rescued;
  FileStat seen = {};  // of the file that was repaired
  std::size_t before = 0, now = 0;
  std::string nothing = {};  // why nothing is repaired; empty if something is
};

// The kinds of damage that `verify` reports for the session, or for this one of its files, each once.
Result<std::string> kinds_of_damage(const Call& call, const Damaged& damaged) {
  VerifyReport report;
  HOLDFAST_TRY(verify_store(call.context, *damaged.store, damaged.session.id, report));
  std::string kinds;
  std::set<std::string> told;
  for (const VerifyFinding& one : report.damage)
    if ((damaged.whole || one.found.file == damaged.ref.place.path) && told.insert(one.found.kind).second)
      kinds += (kinds.empty() ? "" : ", ") + one.found.kind;
  return kinds;
}

// Why what `verify` reports is no reason for a copy, if the copy would hold the same records.
std::string left_as_it_is(std::string_view whole, const std::string& kinds) {
  return "every record of the " + std::string(whole) +
         " is complete, and rescue repairs nothing else: what holdfast verify reports (" + kinds +
         ") stays as its agent left it";
}

// Returns why there is nothing to repair; empty if there is. A healthy file stays as it is, even if rescue would format
// it differently (line ends, repeated lines).
Result<std::string> nothing_to_repair(const Call& call, const Damaged& damaged, const Repaired& repaired, bool same) {
  if (!same && repaired.now > repaired.before) return std::string();
  HOLDFAST_LET(kinds, kinds_of_damage(call, damaged));
  if (kinds.empty()) return std::string(kNotDamaged);
  if (!same) return std::string();
  return left_as_it_is("file", kinds);
}

Result<Repaired> repaired_of(const Call& call, const Damaged& damaged, Directory& directory) {
  const Layout& layout = damaged.engine->layout();
  const RootDirectories& roots = damaged.engine->roots().directories();
  HOLDFAST_LET(seen, directory.stat(damaged.name));
  if (seen.kind != FileKind::file)
    return fail(Code::unsafe_path, "the session's file is not a plain file", damaged.folder + "/" + damaged.name);
  HOLDFAST_LET(rescued, rescue_session_file(call.context, roots, damaged.ref.place));
  DirectoryFeed feed(call.context, roots);
  HOLDFAST_LET(bytes, feed.document(damaged.ref.place, kLargest));
  if (!bytes) return fail(Code::not_found, "the session's file is gone", damaged.name);
  Repaired repaired{.rescued = std::move(rescued), .seen = seen};
  HOLDFAST_LET(before, loadable_messages(call.context, layout, damaged.ref, *bytes));
  HOLDFAST_LET(now, loadable_messages(call.context, layout, damaged.ref, repaired.rescued.bytes));
  // A message that comes twice is one message.
  repaired.before = repaired.rescued.repeated > 0 ? std::min(before, now) : before;
  repaired.now = now;
  HOLDFAST_LET(nothing, nothing_to_repair(call, damaged, repaired, repaired.rescued.bytes == *bytes));
  repaired.nothing = std::move(nothing);
  return repaired;
}

// Looks at the first file that can be repaired, else at the first that has damage, else at the first.
Result<Repaired> first_repair(const Call& call, Damaged& damaged) {
  std::optional<Repaired> told;
  SessionRef about;
  for (const SessionRef& file : damaged.files) {
    HOLDFAST_TRY(look_at(damaged, file));
    HOLDFAST_LET(directory, call.stores.settings().files->open_directory(damaged.folder, false));
    HOLDFAST_LET(repaired, repaired_of(call, damaged, *directory));
    if (repaired.nothing.empty()) return repaired;
    if (told && told->nothing != kNotDamaged) continue;
    if (told && repaired.nothing == kNotDamaged) continue;
    told = std::move(repaired);
    about = file;
  }
  HOLDFAST_TRY(look_at(damaged, about));
  return *std::move(told);
}

std::string gain(const Damaged& damaged, const Repaired& repaired, std::string_view now) {
  const std::string agent(damaged.engine->layout().agent()), all = counted(repaired.now, "message");
  if (repaired.before == repaired.now) return agent + " could load " + all + ", and still can";
  return agent + " could load " + std::to_string(repaired.before) + " of " + all + ", " + std::string(now) + " " +
         std::to_string(repaired.now);
}

std::string lost_in(const Rescued& rescued) {
  std::uint64_t bytes = 0;
  for (const RescueGap& gap : rescued.gone) bytes += gap.length;
  return rescued.gone.empty() ? std::string()
                              : "; " + counted(bytes, "byte") + (bytes == 1 ? " is" : " are") + " lost at " +
                                    counted(rescued.gone.size(), "place");
}

JsonWriter begin(const Damaged& damaged) {
  JsonWriter json = begin_answer();
  json.key("id").string(damaged.session.id).key("layout").string(damaged.session.layout);
  return json;
}

struct Importable {
  ImportableSession session;
  std::string nothing = {};  // why nothing is imported; empty if something is
};

// Returns why a copy of a session in a database would add nothing; empty if it would.
Result<std::string> nothing_to_import(const Call& call, const Damaged& damaged, const Rescued& rescued,
                                      const std::string& copy) {
  HOLDFAST_LET(kinds, kinds_of_damage(call, damaged));
  if (kinds.empty()) return std::string(kNotDamaged);
  const bool same = rescued.lost == 0 && rescued.headers == 0 && rescued.tools.restored == 0;
  if (same && !kinds.contains(code_name(Code::corrupt))) return left_as_it_is("session", kinds);
  DirectoryFeed feed(call.context, damaged.engine->roots().directories());
  if (!damaged.engine->resolve(call.context, feed, copy)) return std::string();
  return std::string(damaged.engine->layout().agent()) + " has what is left of it as session " + copy + " already";
}

// What is left of a session in a database, in the format that the agent's own import command takes.
Result<Importable> left_for_import(const Call& call, const Damaged& damaged) {
  const auto unsupported = [&] {
    return fail(Code::unsupported, "cannot install a copy for " + std::string(damaged.engine->layout().agent()) +
                                       "; run holdfast export " +
                                       session_word(damaged.session.layout, damaged.session.id) +
                                       " to print what can be read");
  };
  const SessionRescue* const rescue = damaged.engine->layout().rescue();
  if (rescue == nullptr) return unsupported();
  DirectoryFeed feed(call.context, damaged.engine->roots().directories());
  HOLDFAST_LET(rescued, rescue->rescue_rows(feed, damaged.ref.place, damaged.ref.id));
  if (!rescued) return unsupported();
  // The same rows make the same copy, which is imported once.
  auto form = rescue->as_importable(rescued->bytes, xxh3_64(rescued->bytes));
  if (!form) return unsupported();
  HOLDFAST_LET(nothing, nothing_to_import(call, damaged, *rescued, form->id));
  return Importable{*std::move(form), std::move(nothing)};
}

Result<void> check_cache(const Call& call) {
  if (!call.stores.settings().cache.empty()) return {};
  return fail(Code::unsupported, "there is no cache directory to write the copy to");
}

// Writes a new file for the agent's own import command; the rows in the database stay as they are.
Result<std::string> for_import(Call& call, const Damaged& damaged) {
  const StoreSettings& settings = call.stores.settings();
  const std::string agent(damaged.engine->layout().agent());
  HOLDFAST_LET(left, left_for_import(call, damaged));
  const ImportableSession& form = left.session;
  if (!left.nothing.empty()) {
    JsonWriter json = begin(damaged);
    json.key("message").string(left.nothing + "; nothing was changed");
    json.key("file").string(damaged.folder + "/" + damaged.ref.place.path).key("kept").null();
    json.key("loaded_before").null().key("loaded_now").null();
    return json.key("import").null().end_object().take();
  }
  // A rehearsal has no cache (I-19); would_mend() checks the real one.
  if (call.flag("dry_run")) return begin(damaged).end_object().take();
  HOLDFAST_TRY(check_cache(call));
  HOLDFAST_LET(directory, settings.files->open_directory(settings.cache + "/rescued", true));
  const std::string name = form.id + ".json";
  // An earlier call may have written the same copy, or half of it.
  if (const auto removed = directory->remove(name); !removed && removed.error().code != Code::not_found)
    return fail(removed.error());
  HOLDFAST_LET(file, directory->open(name, OpenMode::create_update));
  HOLDFAST_TRY(file->write_at(0, form.bytes));
  HOLDFAST_TRY(file->sync());
  std::size_t messages = 0;
  for (const JsonItem& one : JsonView(form.bytes).find("messages").elements()) messages += one.value ? 1 : 0;
  JsonWriter json = begin(damaged);
  json.key("message").string(agent + " can import the " + std::to_string(messages) + " remaining messages as session " +
                             form.id + "; the damaged one is left as it is");
  json.key("file").string(directory->path() + "/" + name).key("kept").null();
  json.key("loaded_before").null().key("loaded_now").uint64(messages);
  json.key("import").begin_object().key("id").string(form.id).key("command").string(form.command);
  json.key("directory").string(damaged.session.project).key("store").string(damaged.session.store).end_object();
  return json.end_object().take();
}

// The files of the session after the one that is looked at. Nothing is to be done for those before it.
std::vector<SessionRef> files_after(const Damaged& damaged) {
  const auto here = std::ranges::find_if(
      damaged.files, [&](const SessionRef& file) { return file.place.path == damaged.ref.place.path; });
  return here == damaged.files.end() ? std::vector<SessionRef>() : std::vector(here + 1, damaged.files.end());
}

// Does the same for these files, and writes what was done as `more`. What was done stays done if one of them fails: a
// warning says so. `mend_one` adds the members about one file; none if there is nothing to do.
void do_others(Damaged damaged, const std::function<Result<void>(const Damaged& other, JsonWriter& one)>& mend_one,
               JsonWriter& json) {
  JsonWriter more;
  more.begin_array();
  bool any = false;
  std::vector<std::string> left;
  for (const SessionRef& file : files_after(damaged)) {
    auto done = look_at(damaged, file);
    JsonWriter one;
    one.begin_object();
    if (done) done = mend_one(damaged, one);
    const std::string answer = one.end_object().take();
    if (done && answer != "{}") {
      more.raw(answer);
      any = true;
    }
    if (!done)
      left.push_back(damaged.engine->roots().directories().at(file.place.root)->path() + "/" + file.place.path +
                     " is part of the session too, and was left as it is: " + done.error().message);
  }
  if (any) json.key("more").raw(more.end_array().take());
  if (!left.empty()) json.key("warnings").strings(left);
}

// Looks at the first file beside which a damaged one is kept, if there is one.
Result<void> look_at_kept(const Call& call, Damaged& damaged) {
  const Damaged first = damaged;
  for (const SessionRef& file : first.files) {
    HOLDFAST_TRY(look_at(damaged, file));
    if (damaged.name.empty()) return {};
    HOLDFAST_LET(directory, call.stores.settings().files->open_directory(damaged.folder, false));
    if (kept_damaged(*directory, damaged.name)) return {};
  }
  damaged = first;
  return {};
}

Result<void> undo_one(const Call& call, const Damaged& damaged, JsonWriter& json) {
  HOLDFAST_LET(directory, call.stores.settings().files->open_directory(damaged.folder, false));
  HOLDFAST_LET(done, undo_rescue(*directory, damaged.name));
  json.key("message").string("the damaged file is back");
  json.key("file").string(damaged.folder + "/" + done.name).key("kept").string(damaged.folder + "/" + done.kept);
  json.key("loaded_before").null().key("loaded_now").null();
  return {};
}

Result<std::string> undo(const Call& call, Damaged& damaged) {
  HOLDFAST_TRY(look_at_kept(call, damaged));
  if (damaged.name.empty())
    return fail(Code::unsupported, "the damaged session was not changed; delete the imported one in " +
                                       std::string(damaged.engine->layout().agent()) + " itself");
  JsonWriter json = begin(damaged);
  HOLDFAST_TRY(undo_one(call, damaged, json));
  const auto undo_other = [&](const Damaged& other, JsonWriter& one) -> Result<void> {
    HOLDFAST_LET(directory, call.stores.settings().files->open_directory(other.folder, false));
    if (!kept_damaged(*directory, other.name)) return {};
    return undo_one(call, other, one);
  };
  do_others(damaged, undo_other, json);
  return json.key("import").null().end_object().take();
}

Result<void> install_one(const Call& call, const Damaged& damaged, const Repaired& repaired, JsonWriter& json) {
  HOLDFAST_LET(directory, call.stores.settings().files->open_directory(damaged.folder, false));
  HOLDFAST_LET(done, install_rescue(*directory, damaged.name, repaired.rescued.bytes, repaired.seen));
  json.key("message").string(gain(damaged, repaired, "now"));
  json.key("file").string(damaged.folder + "/" + done.name).key("kept").string(damaged.folder + "/" + done.kept);
  json.key("loaded_before").uint64(repaired.before).key("loaded_now").uint64(repaired.now);
  write_rescued(json.key("rescued").begin_object(), repaired.rescued);
  json.end_object();
  return {};
}

// Each damaged file of the session is kept beside its own copy.
Result<std::string> mend(Call& call) {
  HOLDFAST_LET(damaged, damaged_of(call));
  if (call.flag("undo")) return undo(call, damaged);
  if (damaged.name.empty()) return for_import(call, damaged);
  HOLDFAST_LET(repaired, first_repair(call, damaged));
  JsonWriter json = begin(damaged);
  if (!repaired.nothing.empty()) {
    json.key("message").string(repaired.nothing + "; nothing was changed");
    json.key("file").string(damaged.folder + "/" + damaged.name).key("kept").null();
    json.key("loaded_before").uint64(repaired.before).key("loaded_now").uint64(repaired.before);
    return json.key("import").null().end_object().take();
  }
  HOLDFAST_TRY(install_one(call, damaged, repaired, json));
  repaired = {};
  const auto install_other = [&](const Damaged& other, JsonWriter& one) -> Result<void> {
    HOLDFAST_LET(directory, call.stores.settings().files->open_directory(other.folder, false));
    HOLDFAST_LET(also, repaired_of(call, other, *directory));
    if (!also.nothing.empty()) return {};
    return install_one(call, other, also, one);
  };
  do_others(damaged, install_other, json);
  return json.key("import").null().end_object().take();
}

// For a preview: "; the same for A and B", where the words come from `about`; nothing if they are all empty. A file
// that fails is reported when it is done.
std::string same_for_others(Damaged damaged, const std::function<Result<std::string>(const Damaged& other)>& about) {
  std::string all;
  for (const SessionRef& file : files_after(damaged)) {
    if (!look_at(damaged, file)) continue;
    const auto words = about(damaged);
    if (!words || words->empty()) continue;
    all += (all.empty() ? "; the same for " : " and ") + damaged.folder + "/" + damaged.name + *words;
  }
  return all;
}

Result<std::string> would_undo(const Call& call, Damaged& damaged) {
  HOLDFAST_TRY(look_at_kept(call, damaged));
  const auto kept_beside = [&](const Damaged& one) -> Result<std::string> {
    HOLDFAST_LET(directory, call.stores.settings().files->open_directory(one.folder, false));
    return kept_damaged(*directory, one.name);
  };
  HOLDFAST_LET(kept, kept_beside(damaged));
  const auto from = [&](const Damaged& other) -> Result<std::string> {
    HOLDFAST_LET(name, kept_beside(other));
    return " (" + name + ")";
  };
  return "put the damaged file " + kept + " back as " + damaged.folder + "/" + damaged.name +
         "; the repaired copy stays beside it" + same_for_others(damaged, from);
}

Result<std::string> would_mend(Call& call) {
  HOLDFAST_LET(damaged, damaged_of(call));
  const std::string agent(damaged.engine->layout().agent());
  if (damaged.name.empty()) {
    if (call.flag("undo")) return std::string("do nothing: the damaged session was never changed");
    HOLDFAST_LET(left, left_for_import(call, damaged));
    if (!left.nothing.empty()) return "do nothing: " + left.nothing;
    HOLDFAST_TRY(check_cache(call));
    return "write what is left of the session for " + agent + " to import as session " + left.session.id +
           "; the damaged one stays as it is";
  }
  if (call.flag("undo")) return would_undo(call, damaged);
  HOLDFAST_LET(repaired, first_repair(call, damaged));
  if (!repaired.nothing.empty()) return "do nothing: " + repaired.nothing;
  const auto words = [](const Damaged& one, const Repaired& its) {
    return " (" + gain(one, its, "then") + lost_in(its.rescued) + ")";
  };
  const std::string first = words(damaged, repaired);
  repaired = {};
  const auto also = [&](const Damaged& other) -> Result<std::string> {
    HOLDFAST_LET(directory, call.stores.settings().files->open_directory(other.folder, false));
    HOLDFAST_LET(its, repaired_of(call, other, *directory));
    return its.nothing.empty() ? words(other, its) : std::string();
  };
  return "put a repaired copy in the place of " + damaged.folder + "/" + damaged.name + first +
         " and keep the damaged file beside it" + same_for_others(damaged, also);
}

}  // namespace

Operation mend_session_operation() {
  return {.method = "session.mend",
          .help = "put a repaired copy of a damaged session where its agent finds it; the damaged file is kept",
          .use = Use::write,
          .parameters = {{.name = "id",
                          .help = "an id, a prefix of one, @last, LAYOUT/ID, or the path of the session's file",
                          .required = true,
                          .positional = true,
                          .or_file = true},
                         {.name = "undo", .help = "put the damaged file back", .type = ParamType::boolean}},
          .result =
              "id:string layout:string message:string file:string kept:string? loaded_before:integer? "
              "loaded_now:integer? rescued?:object more?:object[] import:object?",
          .errors = {Code::not_found, Code::unsupported, Code::conflict, Code::busy, Code::corrupt},
          .handler = mend,
          .preview = would_mend,
          .example = "session mend 7772ed23"};
}

}  // namespace holdfast::inline v1
