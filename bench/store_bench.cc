// The speed of the store, against the floor below it and against Node.
//
//   store_bench [--dir DIR] [--seconds 5] [--only append|resume|list|section|save|thread|node] [--json FILE]
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>

#include "bench/jobs.h"
#include "bench/places.h"
#include "bench/store_jobs.h"

int main(int count, char** arguments) {
  using namespace holdfast::bench;
  std::string base = std::filesystem::is_directory("build") ? "build" : ".";
  std::string only;
  std::string json;
  double seconds = 5;
  for (int at = 1; at + 1 < count; at += 2) {
    const std::string name = arguments[at];
    const std::string value = arguments[at + 1];
    if (name == "--dir")
      base = value;
    else if (name == "--seconds")
      seconds = std::atof(value.c_str());
    else if (name == "--only")
      only = value;
    else if (name == "--json")
      json = value;
    else
      stop("unknown option " + name);
  }
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
  if (wants("node")) add(store_node_job(places.disk(), "bench/oas_like.mjs"));
  print_sum(groups);
  if (!json.empty()) write_json(json, groups, "store");
  return 0;
}
