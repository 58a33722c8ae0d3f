// store.*: operations on whole stores.
#include <algorithm>
#include <map>

#include "api/call.h"
#include "api/dry_run.h"
#include "api/find_session.h"
#include "api/remedies.h"
#include "api/tables.h"
#include "rules/queue/queue.h"
#include "rules/runs/repair_records.h"
#include "store/engine.h"
#include "store/record_findings.h"
#include "store/repair.h"
#include "store/store_metrics.h"
#include "transfer/rescue_session_file.h"
#include "transfer/verify.h"

namespace holdfast::inline v1 {
namespace {

struct Sizes {
  std::size_t sessions = 0;
  std::uint64_t bytes = 0;
  std::vector<Finding> findings;
  std::string updated_at = {};  // of the newest session
  std::uint64_t damage = 0;     // sessions with framing damage
};

Result<Sizes> measure(const Call& call, Store& store) {
  HOLDFAST_LET(list, store.list(call.context));
  Sizes sizes{list.total, 0, std::move(list.findings)};
  for (const Session& session : list.sessions) {
    sizes.bytes += session.bytes;
    sizes.damage += session.damage > 0 ? 1 : 0;
    sizes.updated_at = std::max(sizes.updated_at, session.updated_at);
  }
  return sizes;
}

// `daemon` is what the files of the agent's daemon contain.
void write_store(JsonWriter& json, const Store& store, const Sizes& sizes, std::string_view daemon = "{}") {
  json.begin_object().key("layout").string(store.layout_name());
  json.key("root").string(std::string_view(store.name()).substr(store.layout_name().size() + 1));
  json.key("sessions").uint64(sizes.sessions).key("bytes").uint64(sizes.bytes).key("updated_at");
  sizes.updated_at.empty() ? json.null() : json.string(sizes.updated_at);
  json.key("damage").uint64(sizes.damage);
  if (daemon != "{}") json.key("daemon").raw(daemon);
  json.end_object();
}

Result<std::string> answer_store(const Call& call, Store& store, std::string_view daemon = "{}") {
  HOLDFAST_LET(sizes, measure(call, store));
  JsonWriter json = begin_answer();
  json.key("name").string(store.name()).key("store");
  write_store(json, store, sizes, daemon);
  write_findings(json, "findings", sizes.findings);
  return json.end_object().take();
}

Result<std::string> info(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(daemon, daemon_files(call.context, *store));
  return answer_store(call, *store, daemon);
}

// In some layouts a new store is just an empty directory; its side folder marks it as a store.
Result<std::string> create(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(engine, engine_of(*store));
  const std::shared_ptr<Root>& root = engine->roots().first();
  HOLDFAST_TRY(root->ensure_directory(root->options().side));
  return answer_store(call, *store);
}

Result<std::string> list(Call& call) {
  const Page page = page_of(call);
  std::vector<StoreOptions> meant;
  if (auto found = call.stores.meant(call.text("store"), {}, Use::read)) meant = std::move(*found);
  JsonWriter json = begin_answer();
  json.key("stores").begin_array();
  std::vector<Finding> findings;
  std::size_t shown = 0;
  for (std::size_t i = page.skip; i < meant.size() && shown < page.limit; ++i, ++shown) {
    auto store = call.stores.open(call.context, meant[i], Use::read);
    auto sizes = store ? measure(call, **store) : fail(store.error());
    HOLDFAST_TRY(call.context.check());
    if (!sizes && call.has("store")) return fail(std::move(sizes).error());  // the call named this store
    if (sizes) {
      write_store(json, **store, *sizes);
      const auto closed =
          std::ranges::find(sizes->findings, std::string(code_name(Code::permission_denied)), &Finding::kind);
      if (closed != sizes->findings.end())
        findings.push_back({.file = store_name(meant[i]),
                            .kind = closed->kind,
                            .consequence = "counted without what may not be read: " + closed->file});
    } else {
      findings.push_back({.file = store_name(meant[i]),
                          .kind = std::string(code_name(sizes.error().code)),
                          .consequence = "this store is not listed: " + sizes.error().message});
    }
  }
  json.end_array();
  write_page(json, page, shown, meant.size());
  write_findings(json, "findings", findings);
  return json.end_object().take();
}

Result<std::string> findings(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(sizes, measure(call, *store));
  HOLDFAST_LET(engine, engine_of(*store));
  HOLDFAST_LET(records, record_findings(call.context, *engine));
  for (RecordFinding& one : records.found) {
    const bool known = std::ranges::find(sizes.findings, one.found.file, &Finding::file) != sizes.findings.end();
    if (!known) sizes.findings.push_back(std::move(one.found));
  }
  JsonWriter json = begin_answer();
  json.key("name").string(store->name());
  write_findings(json, "findings", sizes.findings);
  return json.end_object().take();
}

Result<std::string> metrics(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(depth, queue_depth(call.context, *store));
  HOLDFAST_LET(text, store_metrics(*store, depth));
  JsonWriter json = begin_answer();
  json.key("name").string(store->name()).key("format").string("prometheus").key("text").string(text);
  return json.end_object().take();
}

Result<std::string> repair(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(repaired, repair_store(call.context, *store, {.unowned_runs = call.flag("unowned_runs")}));
  HOLDFAST_LET(sizes, measure(call, *store));
  for (Finding& finding : sizes.findings) repaired.findings.push_back(std::move(finding));
  JsonWriter json = begin_answer();
  json.key("name").string(store->name());
  for (const std::string_view count : {"failed_runs", "failed_sessions", "migrated_missions", "indexes"})
    json.key(count).uint64(repaired.counts[std::string(count)]);
  write_findings(json, "findings", repaired.findings);
  return json.end_object().take();
}

void write_found(JsonWriter& json, std::string_view key, std::span<const VerifyFinding> all) {
  json.key(key).begin_array();
  for (const VerifyFinding& each : all) {
    json.begin_object().key("store").string(each.store).key("session");
    each.session.empty() ? json.null() : json.string(each.session);
    json.key("file").string(each.found.file).key("offset").uint64(each.found.offset);
    json.key("length").uint64(each.found.length).key("kind").string(each.found.kind);
    json.key("consequence").string(each.found.consequence).key("salvaged").uint64(each.found.salvaged).end_object();
  }
  json.end_array();
}

// Verifies every store that the call refers to; reports one that cannot be opened as damage.
Result<VerifyReport> verify_meant(const Call& call) {
  VerifyReport report;
  auto stores = call.stores.meant(call.text("store"), {}, Use::read);
  const std::string& archive = call.stores.settings().archive;
  if (!stores && stores.error().code == Code::not_found && !call.has("store") && !archive.empty() &&
      call.stores.settings().files->open_directory(archive, false))
    return fail(Code::not_found,
                "there are no agent sessions to check; run holdfast archive verify to check the archive");
  if (!stores) return fail(std::move(stores).error());
  const std::vector<StoreOptions>& meant = *stores;
  for (const StoreOptions& options : meant) {
    if (const auto& tell = call.stores.settings().progress)
      tell("checking " + store_name(options) + ": " + std::to_string(report.sessions) + " sessions so far");
    auto store = call.stores.open(call.context, options, Use::read);
    if (!store && meant.size() == 1) return fail(std::move(store).error());
    if (store) {
      HOLDFAST_TRY(verify_store(call.context, **store, {}, report));
    } else if (store.error().code != Code::not_found) {
      const std::string_view kind = code_name(store.error().code);
      auto& list = is_unreadable_code(kind) ? report.unreadable : report.damage;
      list.push_back({store_name(options), {}, {}});
      list.back().found.kind = kind;
      list.back().found.consequence = "this store cannot be read: " + store.error().message;
    }
  }
  return report;
}

// Whether rescue would change the file with the finding: only then it helps. True if that cannot be determined.
class RescueHelps {
 public:
  explicit RescueHelps(const Call& call) : call_(call) {}

  bool operator()(const VerifyFinding& one) {
    const std::string& path = one.found.file;
    if (!path.ends_with(".jsonl") && !path.ends_with(".json")) return true;
    const auto [known, fresh] = known_.try_emplace({one.store, path}, true);
    if (fresh && known_.size() <= kMost) known->second = look(one);
    return known->second;
  }

 private:
  static constexpr std::size_t kMost = 100;  // files that are read again to find out

  bool look(const VerifyFinding& one) const {
    const auto options = parse_store_name(one.store);
    if (!options) return true;
    const auto store = call_.stores.open(call_.context, *options, Use::read);
    const auto engine = store ? engine_of(**store) : Result<FileStore*>(fail(store.error()));
    if (!engine || (*engine)->layout().writable()) return true;
    const RootDirectories& roots = (*engine)->roots().directories();
    DirectoryFeed feed(call_.context, roots);
    const auto ref = (*engine)->resolve(call_.context, feed, one.session);
    if (!ref) return true;
    const auto files = files_to_rescue((*engine)->layout(), *ref);
    const auto file = std::ranges::find(files, one.found.file, [](const SessionRef& each) { return each.place.path; });
    if (file == files.end()) return true;  // of another session: the history before a fork
    const auto bytes = feed.document(file->place, std::uint64_t{256} << 20);
    if (!bytes || !*bytes) return true;
    const auto rescued = rescue_session_file(call_.context, roots, file->place);
    if (!rescued) return rescued.error().code != Code::not_found;  // not a single record is whole
    return rescued->bytes != **bytes;
  }

  const Call& call_;
  std::map<std::pair<std::string, std::string>, bool> known_;
};

// Writes remedies for damage, and for secrets, which are only notes. Findings without a session get none.
void write_remedies(JsonWriter& json, const Call& call, const VerifyReport& report) {
  Remedies remedies;
  RescueHelps helps(call);
  const auto add = [&](const VerifyFinding& one) {
    const std::string layout = one.store.substr(0, one.store.find(':'));
    if (!one.session.empty() && (one.found.kind == "secret_in_header" || helps(one)))
      remedies.add({layout, one.session}, one.found);
  };
  for (const VerifyFinding& one : report.damage) add(one);
  for (const VerifyFinding& one : report.notes)
    if (one.found.kind == "secret_in_header") add(one);
  remedies.write(json);
}

Result<std::string> verify(Call& call) {
  VerifyReport report;
  if (call.has("id")) {
    HOLDFAST_LET(found, find_session(call, call.text("id")));
    HOLDFAST_TRY(verify_store(call.context, *found.store, found.session.id, report));
  } else {
    HOLDFAST_LET(all, verify_meant(call));
    report = std::move(all);
  }
  const Page page = page_of(call);
  const std::size_t from = std::min(page.skip, report.damage.size());
  const std::size_t shown = std::min(page.limit, report.damage.size() - from);
  JsonWriter json = begin_answer();
  json.key("sessions").uint64(report.sessions).key("files").uint64(report.files);
  json.key("records").uint64(report.records).key("bytes").uint64(report.bytes);
  write_found(json, "damage", std::span(report.damage).subspan(from, shown));
  write_page(json, page, shown, report.damage.size());
  write_found(json, "unreadable", report.unreadable);
  write_found(json, "notes", std::span(report.notes).first(std::min(page.limit, report.notes.size())));
  json.key("notes_total").uint64(report.notes.size());
  write_remedies(json, call, report);
  return json.end_object().take();
}

Result<std::string> reindex(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(engine, engine_of(*store));
  HOLDFAST_LET(indexes, engine->rebuild_indexes(call.context));
  JsonWriter json = begin_answer();
  return json.key("name").string(store->name()).key("indexes").uint64(indexes).end_object().take();
}

constexpr std::string_view kStoreResult = "name:string store:store findings:finding[]";

}  // namespace

Result<std::string> would_make_store(Call& call) {
  HOLDFAST_LET(meant, call.stores.meant(call.text("store"), {}, Use::create));
  const auto store = call.stores.open(call.context, meant.front(), Use::read);
  if (store) return "do nothing: there is a store " + (*store)->name();
  if (store.error().code != Code::not_found) return fail(store.error());
  return "create the store " + store_name(meant.front());
}

std::span<const Operation> store_operations() {
  static const std::vector<Operation> all{
      {.method = "store.create",
       .help = "create a store if there is none yet",
       .use = Use::create,
       .result = kStoreResult,
       .handler = create,
       .example = "store create --store holdfast:/srv/sessions"},
      {.method = "store.info",
       .help = "show what a store holds",
       .result = kStoreResult,
       .handler = info,
       .example = "store info"},
      {.method = "store.list",
       .help = "list the stores on this machine",
       .parameters = {limit_parameter(), skip_parameter()},
       .result = "stores:store[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .example = "stores",
       .command = "stores"},
      {.method = "store.repair",
       .help = "repair what a crash left behind: finish commits, close runs of dead owners, rebuild indexes",
       .use = Use::write,
       .parameters = {{.name = "unowned_runs",
                       .help = "also close runs that never had an owner",
                       .type = ParamType::boolean}},
       .result = "name:string failed_runs:integer failed_sessions:integer migrated_missions:integer indexes:integer "
                 "findings:finding[]",
       .handler = repair,
       .example = "store repair"},
      {.method = "store.metrics",
       .help = "print timings and counters of a store for Prometheus; recorded if the setting metrics is on",
       .result = "name:string format:string text:string",
       .handler = metrics,
       .example = "store metrics"},
      {.method = "store.verify",
       .help = "check every session and report damage; reads everything once, changes nothing",
       .parameters = {{.name = "id",
                       .help = "only this session: an id, a prefix of one, @last, or LAYOUT/ID",
                       .positional = true},
                      limit_parameter(),
                      skip_parameter()},
       .result = "sessions:integer files:integer records:integer bytes:integer damage:finding[] total:integer "
                 "next:integer? unreadable:finding[] notes:finding[] notes_total:integer "
                 "remedies?:string[]",
       .handler = verify,
       .example = "verify",
       .command = "verify"},
      {.method = "store.reindex",
       .help = "rebuild the index files of the layout, and nothing else",
       .use = Use::write,
       .result = "name:string indexes:integer",
       .handler = reindex,
       .aliases = {"rebuild_index"},
       .example = "store reindex"},
      {.method = "store.findings",
       .help = "list damage and oddities in a store; changes nothing",
       .result = "name:string findings:finding[]",
       .handler = findings,
       .example = "store findings --json"},
      doctor_operation(),
  };
  return all;
}

}  // namespace holdfast::inline v1
