#include "api/redact_captured.h"

#include "archive/captured_files.h"
#include "layout/layout.h"
#include "transfer/redacted_log.h"

namespace holdfast::inline v1 {

RedactSession redact_captured(const Call& call) {
  auto files = std::make_shared<std::unique_ptr<CapturedFiles>>();
  return
      [&call, files](const CaptureKey& key, const CapturedSession&, const RedactedNames& names) -> Result<std::string> {
        const std::string& path = call.stores.settings().archive;
        if (*files == nullptr) {
          FileSystem& real = *call.stores.settings().files;
          HOLDFAST_LET(archive, Archive::open(call.context, real, path));
          *files = std::make_unique<CapturedFiles>(real, path, std::move(archive));
        }
        (*files)->show(key.layout, key.store, {key.id});
        StoreOptions options{.layout = key.layout};
        options.roots[""] = CapturedFiles::path_of(path, key.layout, key.store);
        HOLDFAST_LET(store, Store::open(call.context, **files, options));
        HOLDFAST_LET(transcript, store->read(call.context, key.id));
        const Layout* const layout = find_layout(key.layout);
        RedactedLogOptions words{names.session, names.alias, {}, call.stores.settings().person};
        if (layout != nullptr) words.tools = layout->tool_names();
        return redacted_log(std::move(transcript), words);
      };
}

}  // namespace holdfast::inline v1
