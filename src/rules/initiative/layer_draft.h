// One event of a workflow over both layers: the state files (layer 1) and
// MEMORY.md (layer 2), read and changed together, written as one commit (W12).
// What is missing in a layout (WORKFLOW-STATUS.yaml in a native store) is left out.
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

// The seed's words, to the letter.
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

  // The document as this draft has it by now; nullopt when there is none.
  Result<std::optional<std::string>> bytes(std::string_view kind, std::string_view id = {});
  // The same in the model's names. corrupt names the file.
  Result<std::optional<std::string>> record(std::string_view kind, std::string_view id = {});
  Result<Place> place(std::string_view kind, std::string_view id = {});

  Result<void> put(std::string_view kind, std::string_view id, std::string bytes);
  // Sets the fields of a document, or makes it with them; all other bytes stay.
  Result<void> patch(std::string_view kind, std::string_view id, std::string_view fields_json);
  Result<void> remove(std::string_view kind, std::string_view id = {});
  // Any other file that goes with the event.
  void remove_file(Place place) { others_.remove(std::move(place)); }

  // Changes MEMORY.md; when it is not available the event goes on without (W09).
  Result<void> remember(const std::function<std::string(std::string_view memory)>& edit);
  bool memory_missed() const { return memory_missed_; }
  // Its text; nullopt when there is none or it cannot be read.
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

// `plan` may be asked several times (somebody was faster, or MEMORY.md refuses),
// so it must set all that it tells its caller anew each time. When MEMORY.md
// cannot be written the event is written without it, with the warning. When the
// state files cannot be written either: kept in memory with the warning where the
// store was opened so, else an error that begins with the warning.
using LayerPlan = std::function<Result<void>(LayerDraft& draft)>;
Result<LayerOutcome> write_layers(const Context& context, Store& store, std::string_view project,
                                  const LayerPlan& plan);

// Lets `look` see both layers as they are now; nothing is written.
Result<void> read_layers(const Context& context, Store& store, std::string_view project, const LayerPlan& look);

}  // namespace holdfast::inline v1
