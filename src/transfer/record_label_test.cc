#include "transfer/record_label.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(RecordLabel, NamesTypeAndSubtype) {
  EXPECT_EQ(record_label(R"({"attachment":{"type":"environment"},"type":"attachment"})"), "attachment: environment");
  EXPECT_EQ(record_label(R"({"type":"system","subtype":"ui_telemetry"})"), "system: ui_telemetry");
  EXPECT_EQ(record_label(R"({"type":"custom","customType":"a.b"})"), "custom: a.b");
  EXPECT_EQ(record_label(R"({"type":"event_msg","payload":{"type":"turn_aborted"}})"), "event_msg: turn_aborted");
  EXPECT_EQ(record_label(R"({"type":"model_change","modelId":"m"})"), "model_change");
  for (const char* const none : {"{}", "[1]", "null", "", R"({"type":7})"}) EXPECT_EQ(record_label(none), "record");
}

}  // namespace
}  // namespace holdfast::inline v1
