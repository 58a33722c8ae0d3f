#include "rules/initiative/layer_draft.h"

#include "layout/change.h"
#include "layout/record_shape.h"
#include "store/record_codec.h"
#include "store/record_lookup.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{64} << 20;

// Whether MEMORY.md can be written: its directory exists, and it is a plain file that
// its owner may write, or does not exist yet.
bool memory_is_open(const FileStore& files) {
  const RecordShape* shape = files.layout().shape("memory");
  if (shape == nullptr) return false;
  const auto root = files.roots().root(shape->root);
  if (!root) return false;
  if (shape->many()) return true;
  const auto stat = (*root)->directory().stat(shape->path);
  if (!stat) return stat.error().code == Code::not_found;
  return stat->kind == FileKind::file && (stat->mode & 0200) != 0;
}

}  // namespace

LayerDraft::LayerDraft(const Context& context, const FileStore& files, DirectoryFeed& feed, std::string project,
                       bool memory_open)
    : context_(context), files_(files), feed_(feed), project_(std::move(project)), memory_open_(memory_open) {}

bool LayerDraft::holds(std::string_view kind) const { return files_.layout().shape(kind) != nullptr; }

Result<LayerDraft::Entry*> LayerDraft::entry(std::string_view kind, std::string_view id) {
  HOLDFAST_LET(shape, shape_of_kind(files_.layout(), kind));
  for (const auto& known : entries_) {
    if (known->shape == shape && known->id == id) return known.get();
  }
  const RecordKey key{std::string(kind), project_, std::string(id)};
  HOLDFAST_LET(place, place_of_record(files_.layout(), feed_, *shape, key));
  HOLDFAST_LET(bytes, feed_.document(place, kLimit));
  const bool there = bytes.has_value();
  entries_.push_back(std::make_unique<Entry>(Entry{std::move(place), shape, std::string(id), there, std::move(bytes)}));
  return entries_.back().get();
}

Result<std::optional<std::string>> LayerDraft::bytes(std::string_view kind, std::string_view id) {
  HOLDFAST_LET(found, entry(kind, id));
  return found->bytes;
}

Result<std::optional<std::string>> LayerDraft::record(std::string_view kind, std::string_view id) {
  HOLDFAST_LET(found, entry(kind, id));
  if (!found->bytes) return std::nullopt;
  auto record = read_record(*found->shape, id, *found->bytes);
  if (!record) return fail(record.error().code, record.error().message, found->place.path);
  return std::move(*record);
}

Result<Place> LayerDraft::place(std::string_view kind, std::string_view id) {
  HOLDFAST_LET(found, entry(kind, id));
  return found->place;
}

Result<void> LayerDraft::put(std::string_view kind, std::string_view id, std::string bytes) {
  HOLDFAST_LET(found, entry(kind, id));
  found->bytes = std::move(bytes);
  return {};
}

Result<void> LayerDraft::patch(std::string_view kind, std::string_view id, std::string_view fields_json) {
  HOLDFAST_LET(found, entry(kind, id));
  auto bytes = found->bytes ? patch_record(*found->shape, *found->bytes, JsonView(fields_json))
                            : format_record(*found->shape, id, JsonView(fields_json));
  if (!bytes) return fail(bytes.error().code, bytes.error().message, found->place.path);
  found->bytes = std::move(*bytes);
  return {};
}

Result<void> LayerDraft::remove(std::string_view kind, std::string_view id) {
  HOLDFAST_LET(found, entry(kind, id));
  found->bytes.reset();
  return {};
}

std::string LayerDraft::memory_id() const {
  const RecordShape* shape = files_.layout().shape("memory");
  return shape != nullptr && shape->many() ? "MEMORY" : "";
}

Result<void> LayerDraft::remember(const std::function<std::string(std::string_view)>& edit) {
  if (!memory_open_) {
    memory_missed_ = true;
    return {};
  }
  HOLDFAST_LET(found, entry("memory", memory_id()));
  const std::string before = found->bytes.value_or("");
  std::string after = edit(before);
  if (after != before) found->bytes = std::move(after);
  return {};
}

std::optional<std::string> LayerDraft::memory() {
  if (!holds("memory")) return std::nullopt;
  auto text = bytes("memory", memory_id());
  return text ? std::move(*text) : std::nullopt;
}

Result<Changes> LayerDraft::take() {
  Changes changes;
  for (const auto& one : entries_) {
    if (one->bytes && one->shape->source) {
      changes.put_source(one->place, *one->bytes);
    } else if (one->bytes) {
      changes.put(one->place, *one->bytes);
    } else if (one->there) {
      changes.remove(one->place);
    }
  }
  changes.add(std::move(others_));
  return changes;
}

Result<LayerOutcome> write_layers(const Context& context, Store& store, std::string_view project,
                                  const LayerPlan& plan) {
  HOLDFAST_LET(files, engine_of(store));
  bool missed = false;
  const auto planner = [&](bool memory_open) {
    return [&, memory_open](DirectoryFeed& feed) -> Result<Changes> {
      LayerDraft draft(context, *files, feed, std::string(project), memory_open);
      HOLDFAST_TRY(plan(draft));
      missed = draft.memory_missed();
      const auto look = [&](const RecordKey& key) { return find_records(context, files->layout(), feed, key); };
      Edits edits;
      if (!project.empty() && draft.holds("project")) HOLDFAST_TRY(ensure_project(context, look, project, edits));
      HOLDFAST_LET(changes, draft.take());
      for (const RecordEdit& edit : edits) {
        const RecordShape* shape = files->layout().shape(edit.key.kind);
        HOLDFAST_LET(place, place_of_record(files->layout(), feed, *shape, edit.key));
        HOLDFAST_LET(bytes, format_record(*shape, edit.key.id, JsonView(edit.json)));
        changes.put(std::move(place), std::move(bytes));
      }
      return changes;
    };
  };
  LayerOutcome outcome;
  const bool open = memory_is_open(*files);
  auto done = files->change(context, planner(open));
  if (!done && open && is_unwritable(done.error().code)) {
    if (auto without = files->change(context, planner(false)); without) done = std::move(without);
  }
  if (!done && is_unwritable(done.error().code)) {
    auto kept = files->change_or_keep(context, planner(true));
    if (!kept) {
      Error error = std::move(kept).error();
      if (files->layout().traits().continues_unsaved)
        error.message = std::string(kStateUnwritable) + ": " + error.message;
      return fail(std::move(error));
    }
    outcome.persisted = *kept;
    done = {};
    missed = false;
  }
  if (!done) return fail(std::move(done).error());
  if (!outcome.persisted) outcome.warnings.emplace_back(kStateUnwritable);
  if (missed) outcome.warnings.emplace_back(kMemoryUnavailable);
  return outcome;
}

Result<void> read_layers(const Context& context, Store& store, std::string_view project, const LayerPlan& look) {
  HOLDFAST_LET(files, engine_of(store));
  DirectoryFeed feed(context, files->roots().directories());
  feed.overlay_files(files->unwritten());
  LayerDraft draft(context, *files, feed, std::string(project), true);
  return look(draft);
}

}  // namespace holdfast::inline v1
