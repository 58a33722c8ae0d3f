#include "bench/table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "text/json_write.h"

namespace holdfast::bench {
namespace {

std::string number(double value) {
  if (std::isnan(value)) return "";
  return value < 10    ? fmt::format("{:.2f}", value)
         : value < 100 ? fmt::format("{:.1f}", value)
                       : fmt::format("{:.0f}", value);
}

std::string verdict(const Row& row) { return !row.met ? "" : *row.met ? "met" : "MISSED"; }

Row& compare(Row& row, const Row& base) {
  row.ratio = row.p50 / base.p50;
  row.against = base.name;
  return row;
}

void json_number(JsonWriter& json, std::string_view name, double value) {
  json.key(name).number(std::round(value * 10000) / 10000);  // NAN is written as null
}

}  // namespace

double percentile(std::vector<double>& samples, double share) {
  if (samples.empty()) return NAN;
  std::ranges::sort(samples);
  const auto last = samples.size() - 1;
  return samples[std::min(last, static_cast<std::size_t>(share * static_cast<double>(samples.size())))];
}

Row timing(std::string name, std::vector<double> samples) {
  Row row;
  row.name = std::move(name);
  row.p50 = percentile(samples, 0.5);
  row.p99 = percentile(samples, 0.99);
  row.unit = "us";
  return row;
}

Row& against(Row& row, const Row& base) { return compare(row, base); }

Row& at_most(Row& row, const Row& base, double most) {
  compare(row, base).goal = fmt::format("<= {:.2f} x", most);
  row.met = row.ratio <= most;
  return row;
}

Row& at_least(Row& row, const Row& base, double least) {
  compare(row, base).goal = fmt::format(">= {:.2f} x", least);
  row.met = row.ratio >= least;
  return row;
}

void print_group(const Group& group) {
  const int width = std::ranges::any_of(group.rows, [](const Row& row) { return !std::isnan(row.cpu_ms); }) ? 9 : 0;
  fmt::print("\n{}\n{:<44}{:>9}{:>9} {:<7}{:>{}}{:>7}  {:<11} {}\n", group.title, "", "p50", "p99", "",
             width > 0 ? "CPU ms" : "", width, "ratio", "goal", "");
  for (const auto& row : group.rows)
    fmt::print("  {:<42}{:>9}{:>9} {:<7}{:>{}}{:>7}  {:<11} {}\n", row.name, number(row.p50), number(row.p99), row.unit,
               number(row.cpu_ms), width, number(row.ratio), row.goal, verdict(row));
  std::fflush(stdout);
}

void print_sum(const std::vector<Group>& groups) {
  int met = 0;
  int missed = 0;
  for (const auto& group : groups)
    for (const auto& row : group.rows)
      if (row.met) ++(*row.met ? met : missed);
  fmt::print("\n{} goals met, {} missed\n", met, missed);
}

void write_json(const std::string& path, const std::vector<Group>& groups, const std::string& note) {
  JsonWriter json(JsonLayout::pretty);
  json.begin_object().key("schema_version").int64(1).key("note").string(note).key("groups").begin_array();
  for (const auto& group : groups) {
    json.begin_object().key("title").string(group.title).key("rows").begin_array();
    for (const auto& row : group.rows) {
      json.begin_object().key("name").string(row.name);
      json_number(json, "p50", row.p50);
      json_number(json, "p99", row.p99);
      json.key("unit").string(row.unit);
      if (!std::isnan(row.cpu_ms)) json_number(json, "cpu_ms", row.cpu_ms);
      json_number(json, "ratio", row.ratio);
      json.key("against").string(row.against).key("goal").string(row.goal).key("met");
      row.met ? json.boolean(*row.met) : json.null();
      json.end_object();
    }
    json.end_array().end_object();
  }
  std::ofstream out(path);
  out << json.end_array().end_object().text() << "\n";
  if (!out.flush()) stop("cannot write " + path);
}

void stop(const std::string& why) {
  fmt::print(stderr, "bench: {}\n", why);
  std::exit(1);
}

}  // namespace holdfast::bench
