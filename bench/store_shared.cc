#include "bench/jobs.h"
#include "bench/store_jobs.h"

namespace holdfast::bench {

std::shared_ptr<Store> open_store(const std::string& layout, const std::string& directory, const std::string& cache) {
  StoreOptions options;
  options.layout = layout;
  options.roots[""] = directory;
  options.write = true;
  options.create = true;
  options.cache = cache;
  return need(Store::open({}, real_file_system(), options));
}

Message sample_message(std::uint64_t number, bool answer) {
  Message message;
  message.role = answer ? Role::assistant : Role::user;
  message.origin = answer ? Origin::model : Origin::typed;
  if (answer) {
    message.model = "some-model-1";
    message.stop_reason = "end_turn";
    message.usage = Usage{.input = 1200, .output = 340};
  }
  message.blocks.push_back({.kind = BlockKind::text, .text = std::to_string(number) + " " + std::string(700, 'x')});
  return message;
}

}  // namespace holdfast::bench
