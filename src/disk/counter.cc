#include <holdfast/append_log.h>
#include <holdfast/counter.h>
#include <holdfast/log_reader.h>

#include <algorithm>

#include "base/safe_name.h"
#include "disk/steps.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLookBack = 16;             // enough that a damaged line does not hide the numbers before it
constexpr std::int64_t kHighest = INT64_MAX / 2;  // a larger number can only be damage

// The log contains the numbers handed out, ascending: {"n":17}. Each damaged or
// non-ascending line after the highest of the last few numbers may have been
// one more number, so one is skipped for each.
std::uint64_t number_after(const Tail& tail) {
  std::int64_t highest = 0;
  std::uint64_t from = 0;
  std::uint64_t strange = 0;
  for (const auto& record : tail.records) {
    const std::int64_t number = JsonView(record.bytes).find("n").as_int64().value_or(0);
    const bool rises = number > highest && number <= kHighest;
    strange = rises || !does(Step::counter_skip) ? 0 : strange + 1;
    if (rises) highest = number, from = record.offset + 1;
  }
  for (const auto& place : tail.damage) strange += place.offset >= from && does(Step::counter_skip) ? 1 : 0;
  return static_cast<std::uint64_t>(highest) + strange + 1;
}

}  // namespace

Result<std::uint64_t> next_number(const Context& context, std::shared_ptr<Root> root, std::string_view name,
                                  std::uint64_t floor) {
  const std::string path = root->side("counters", encode_name(name));
  LogOptions options;
  options.checksums = false;
  options.sync_interval = {};
  HOLDFAST_LET(log, AppendLog::open(context, root, path, options));
  std::uint64_t number = 0;
  const auto compose = [&](std::string_view) -> Result<std::string> {
    HOLDFAST_LET(tail, read_last(context, root->directory(), path, kLookBack));
    number = std::max(floor, number_after(tail));
    if (number > static_cast<std::uint64_t>(kHighest))
      return fail(Code::invalid_argument, "this counter cannot count that far", path);
    JsonWriter json;
    return json.begin_object().key("n").uint64(number).end_object().take();
  };
  HOLDFAST_TRY(
      log->append_after_last(context, compose, does(Step::counter_sync) ? Durability::power : Durability::process));
  return number;
}

}  // namespace holdfast::inline v1
