#include <holdfast/append_log.h>
#include <holdfast/counter.h>
#include <holdfast/log_reader.h>

#include <algorithm>

#include "base/safe_name.h"
#include "disk/steps.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// A log of the numbers handed out: {"n":17}. The last one counts; a damaged
// line behind it may have held one more, so each is skipped over.
Result<std::uint64_t> next_number(const Context& context, std::shared_ptr<Root> root, std::string_view name,
                                  std::uint64_t floor) {
  const std::string path = root->side("counters", encode_name(name));
  LogOptions options;
  options.checksums = false;
  options.sync_interval = {};
  HOLDFAST_LET(log, AppendLog::open(context, root, path, options));
  std::uint64_t number = 0;
  const auto compose = [&](std::string_view) -> Result<std::string> {
    HOLDFAST_LET(tail, read_last(context, root->directory(), path, 1));
    std::uint64_t last = 0;
    if (!tail.records.empty())
      last = static_cast<std::uint64_t>(JsonView(tail.records.back().bytes).find("n").as_int64().value_or(0));
    number = std::max(floor, last + tail.damage.size() + 1);
    JsonWriter json;
    return json.begin_object().key("n").uint64(number).end_object().take();
  };
  HOLDFAST_TRY(log->append_after_last(context, compose,
                                      does(Step::counter_sync) ? Durability::power : Durability::process));
  return number;
}

}  // namespace holdfast::inline v1
