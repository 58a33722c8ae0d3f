#include <cmath>

#include "demo/report.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

double rounded(double value, double steps) { return std::round(value * steps) / steps; }

void add_damage(JsonWriter& json, const std::vector<DemoDamage>& all) {
  json.key("damage").begin_array();
  for (const auto& damage : all) {
    json.begin_object().key("file").string(damage.file).key("offset").uint64(damage.offset);
    json.key("length").uint64(damage.length).key("kind").string(damage.kind).key("moved_to");
    damage.moved_to.empty() ? json.null() : json.string(damage.moved_to);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string report_json(const DemoReport& report) {
  const Findings& findings = report.findings;
  const Timing& timing = report.timing;
  JsonWriter json(JsonLayout::pretty);
  json.begin_object().key("schema_version").int64(1);
  json.key("directory").string(report.directory).key("kept").boolean(report.kept);
  json.key("file_system").string(report.file_system).key("writers").uint64(report.writers);
  json.key("seconds").number(rounded(report.storm.seconds, 1000));
  json.key("acknowledged").uint64(report.acknowledged).key("bytes").uint64(report.bytes);
  json.key("kills").uint64(report.storm.kills).key("kills_in_append").uint64(report.storm.kills_in_append);
  json.key("lost").uint64(findings.lost.size()).key("altered").uint64(findings.altered.size());
  json.key("records").uint64(findings.records).key("unacknowledged").uint64(findings.unacknowledged);
  json.key("documents").uint64(report.documents);
  json.key("lost_items").strings(findings.lost);
  json.key("altered_items").strings(findings.altered);
  add_damage(json, findings.damage);
  json.key("timing").begin_object().key("samples").uint64(timing.samples).key("bytes").uint64(timing.bytes);
  json.key("durable_message_p50_us").number(rounded(timing.holdfast_us, 100));
  json.key("raw_write_fdatasync_p50_us").number(rounded(timing.raw_us, 100));
  json.key("ratio").number(rounded(timing.ratio(), 1000)).end_object();
  return json.end_object().take() + "\n";
}

}  // namespace holdfast::inline v1
