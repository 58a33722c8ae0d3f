// One event of a workflow over both layers: the state files (layer 1) and MEMORY.md
// (layer 2), read and changed together, written as one commit (W12). Files that a
// layout does not have (WORKFLOW-STATUS.yaml in a native store) are left out.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/change.h"
#include "layout/record_shape.h"
#include "store/engine.h"

namespace holdfast::inline v1 {

// The exact words of the seed.
inline constexpr std::string_view kMemoryUnavailable = "Auto-memory unavailable — learnings will not persist";
inline constexpr std::string_view kStateUnwritable = "Cannot write state files — workflow state will not persist";

class LayerDraft {
 public:
  LayerDraft(const Context& context, const FileStore& files, DirectoryFeed& feed, std::string project,
             bool memory_open);

  const Context& context() const { return context_; }
  DirectoryFeed& feed() { return feed_; }
  const FileStore& files() const { return files_; }
  bool holds(std::string_view kind) const;

  // Returns the document as changed by this draft; nullopt if there is none.
  Result<std::optional<std::string>> bytes(std::string_view kind, std::string_view id = {});
  // The same in the model's names. A corrupt error names the file.
  Result<std::optional<std::string>> record(std::string_view kind, std::string_view id = {});
  Result<Place> place(std::string_view kind, std::string_view id = {});

  Result<void> put(std::string_view kind, std::string_view id, std::string bytes);
  // Sets fields of a document, or creates it with them; all other bytes stay.
  Result<void> patch(std::string_view kind, std::string_view id, std::string_view fields_json);
  Result<void> remove(std::string_view kind, std::string_view id = {});
  // Removes any other file as part of the event.
  void remove_file(Place place) { others_.remove(std::move(place)); }

  // Changes MEMORY.md; if it is unavailable, the event continues without it (W09).
  Result<void> remember(const std::function<std::string(std::string_view memory)>& edit);
  bool memory_missed() const { return memory_missed_; }
  // Returns the text of MEMORY.md; nullopt if it does not exist or cannot be read.
  std::optional<std::string> memory();

  Result<Changes> take();

 private:
  struct Entry {
    Place place;
    const RecordShape* shape = nullptr;
    std::string id;
    bool there = false;
    std::optional<std::string> bytes;
  };
  Result<Entry*> entry(std::string_view kind, std::string_view id);
  std::string memory_id() const;

  const Context& context_;
  const FileStore& files_;
  DirectoryFeed& feed_;
  std::string project_;
  bool memory_open_;
  bool memory_missed_ = false;
  std::vector<std::unique_ptr<Entry>> entries_;
  Changes others_;
};

struct LayerOutcome {
  bool persisted = true;              // false: in memory only (W10)
  std::vector<std::string> warnings;  // for people, in the seed's words
};

// `plan` may be called several times (after a conflict, or if MEMORY.md cannot be
// written), so it must set all its results anew each time. If MEMORY.md cannot be
// written, the event is written without it, with the warning. If the state files cannot
// be written either: the event is kept in memory with the warning if the store was
// opened for that, else the call fails with an error that begins with the warning.
using LayerPlan = std::function<Result<void>(LayerDraft& draft)>;
Result<LayerOutcome> write_layers(const Context& context, Store& store, std::string_view project,
                                  const LayerPlan& plan);

// Calls `look` with the current state of both layers; writes nothing.
Result<void> read_layers(const Context& context, Store& store, std::string_view project, const LayerPlan& look);

}  // namespace holdfast::inline v1
