// The speed of the store, compared with the floor below it and with Node.
//
//   store_bench [--dir DIR] [--binary FILE] [--seconds 5] [--only append|resume|list|section|save|thread|crowd|node]
//               [--json FILE]
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>

#include "bench/jobs.h"
#include "bench/options.h"
#include "bench/places.h"
#include "bench/store_jobs.h"

int main(int count, char** arguments) {
  using namespace holdfast::bench;
  std::string base = std::filesystem::is_directory("build") ? "build" : ".";
  std::string only;
  std::string binary = "build/release/holdfast";
  std::string json;
  double seconds = 5;
  parse_options(count, arguments,
                {{"--dir", into(base)},
                 {"--binary", into(binary)},
                 {"--only", into(only)},
                 {"--json", into(json)},
                 {"--seconds", [&](const std::string& value) { seconds = std::atof(value.c_str()); }}});
  const auto wants = [&](std::string_view job) { return only.empty() || only == job; };
  Places places(base);
  std::vector<Group> groups;
  const auto add = [&](Group group) {
    print_group(group);
    groups.push_back(std::move(group));
  };
  if (wants("append")) add(store_append_job(places.disk(), seconds));
  if (wants("resume")) add(store_resume_job(places.disk()));
  if (wants("list")) add(store_list_job(places.disk()));
  if (wants("section")) add(store_section_job(places.disk()));
  if (wants("save")) add(store_save_job(places.disk()));
  if (wants("thread")) add(store_thread_job(places.disk()));
  if (wants("crowd")) add(store_crowd_job(places.disk(), std::filesystem::absolute(binary).string()));
  if (wants("node")) add(store_node_job(places.disk(), "bench/oas_like.mjs"));
  print_sum(groups);
  if (!json.empty()) write_json(json, groups, "store");
  return 0;
}
