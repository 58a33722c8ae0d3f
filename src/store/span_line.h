// A span as one line of OTLP JSON (an ExportTraceServiceRequest), as the file
// exporters of OpenTelemetry write it. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "store/observe.h"

namespace holdfast::inline v1 {

// All spans of a session are one trace, whichever process wrote them: its id and
// that of the session's own span are hashes of the store's name and the session's id.
std::string trace_id(std::string_view store, std::string_view session);      // 32 hex digits
std::string session_span(std::string_view store, std::string_view session);  // 16 hex digits

// `span_id`: 16 hex digits of a step inside the session; the span called
// "session" has its own and no parent.
std::string span_line(std::string_view store, const SpanNote& span, std::string_view span_id);

}  // namespace holdfast::inline v1
