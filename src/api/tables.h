// The parts of the table of operations: one function per noun, each in its own
// file, and single operations that have a file of their own.
#pragma once

#include <span>

#include "api/operation.h"

namespace holdfast::inline v1 {

std::span<const Operation> api_operations();
std::span<const Operation> session_operations();
std::span<const Operation> find_operations();
std::span<const Operation> export_operations();
std::span<const Operation> message_operations();
std::span<const Operation> store_operations();
std::span<const Operation> run_operations();
std::span<const Operation> mission_operations();
std::span<const Operation> project_operations();
std::span<const Operation> agent_operations();
std::span<const Operation> permission_operations();
std::span<const Operation> credential_operations();
std::span<const Operation> plan_operations();
std::span<const Operation> memory_operations();
std::span<const Operation> initiative_operations();
std::span<const Operation> phase_operations();
std::span<const Operation> history_operations();
std::span<const Operation> cache_operations();
std::span<const Operation> research_operations();
std::span<const Operation> settings_operations();
std::span<const Operation> spec_operations();
std::span<const Operation> record_operations();
std::span<const Operation> workflow_operations();
std::span<const Operation> queue_operations();
std::span<const Operation> upkeep_operations();
std::span<const Operation> thread_operations();
std::span<const Operation> tool_operations();
std::span<const Operation> trash_operations();
std::span<const Operation> archive_operations();
std::span<const Operation> hook_operations();
std::span<const Operation> archive_timer_operations();
std::span<const Operation> archive_upkeep_operations();
std::span<const Operation> remote_operations();
std::span<const Operation> sync_operations();
std::span<const Operation> machine_operations();
std::span<const Operation> header_operations();
std::span<const Operation> log_operations();
std::span<const Operation> entry_operations();

Operation list_sessions_operation();
Operation resume_session_operation();
Operation show_session_operation();
Operation follow_session_operation();
Operation rescue_session_operation();
Operation handoff_session_operation();
Operation mend_session_operation();
Operation start_session_operation();
Operation resumable_sessions_operation();
Operation prune_sessions_operation();
Operation doctor_operation();

}  // namespace holdfast::inline v1
