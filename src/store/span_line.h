// Formats a span as one line of OTLP JSON (an ExportTraceServiceRequest), as
// the file exporters of OpenTelemetry do. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "store/observe.h"

namespace holdfast::inline v1 {

// All spans of a session are one trace, whichever process wrote them: the trace id and
// the id of the session's own span are hashes of the store's name and the session's id.
std::string trace_id(std::string_view store, std::string_view session);      // 32 hex digits
std::string session_span(std::string_view store, std::string_view session);  // 16 hex digits

// `span_id` is 16 hex digits for a step inside the session; the span called
// "session" has its own id and no parent.
std::string span_line(std::string_view store, const SpanNote& span, std::string_view span_id);

}  // namespace holdfast::inline v1
