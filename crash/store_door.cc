#include "store_door.h"

#include "api/dispatch.h"
#include "api/stores.h"
#include "layout/layout.h"
#include "text/json_write.h"

namespace holdfast::lab {

// A clock that advances by a millisecond per look, so a seed always gives the same
// result, and later things have later times.
class LibraryDoor::LabClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override {
    static std::atomic<std::int64_t> latest{1'800'000'000'000};
    return std::chrono::system_clock::time_point(std::chrono::milliseconds(++latest));
  }
  std::chrono::steady_clock::time_point ticks() const override { return system_clock().ticks() + skipped_.load(); }
  void sleep(std::chrono::nanoseconds time) const override {
    if (!hurried)
      system_clock().sleep(time);
    else
      skipped_ = skipped_.load() + std::chrono::seconds(1);
  }

  std::atomic<bool> hurried = false;

 private:
  mutable std::atomic<std::chrono::nanoseconds> skipped_{std::chrono::nanoseconds(0)};
};

StoreSettings settings_for(FileSystem& files, const std::string& layout, const std::string& top, bool keep) {
  StoreSettings all;
  all.files = &files;
  all.home.layout = layout;
  for (const RootName& root : find_layout(layout)->roots()) {
    const bool first = all.home.roots.empty();
    all.home.roots.emplace(root.name, first ? top : top + "-" + std::string(root.name));
  }
  all.home.create = true;
  all.defaults = {all.home};
  all.keep = keep;
  return all;
}

LibraryDoor::LibraryDoor(FileSystem& files, const std::string& layout, const std::string& top, bool keep)
    : clock_(std::make_unique<LabClock>()), stores_(std::make_unique<Stores>(settings_for(files, layout, top, keep))) {}

LibraryDoor::~LibraryDoor() = default;

Result<std::string> LibraryDoor::call(std::string_view method, const std::string& params) {
  Context context;
  context.clock = clock_.get();
  return dispatch(context, *stores_, method, params);
}

void LibraryDoor::hurry() { clock_->hurried = true; }

Result<void> LibraryDoor::close() { return stores_->close({}); }

std::string params(std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
  JsonWriter json;
  json.begin_object();
  for (const auto& [name, value] : fields) {
    json.key(name);
    if (value.starts_with('\x01'))
      json.raw(value.substr(1));
    else
      json.string(value);
  }
  return json.end_object().take();
}

}  // namespace holdfast::lab
