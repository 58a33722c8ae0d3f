# Generated from the table of operations by bindings/python/tools/stubs.py.
"""The operations of docs/api.md as types. There is no such module at run time: import it if TYPE_CHECKING."""

from typing import Any, Iterator, Literal, NotRequired, Protocol, TypedDict, overload

from . import Stream

ErrorCode = Literal["invalid_argument", "invalid_record", "unsafe_path", "not_found", "already_exists", "conflict", "busy", "corrupt", "serialization_failed", "newer_schema", "schema_mismatch", "unsupported", "network_file_system", "permission_denied", "disk_full", "read_only", "io_error", "durability_unknown", "poisoned", "unfinished", "too_large", "cancelled", "deadline_exceeded", "out_of_memory", "storage_unavailable", "atomic_write_failed", "schema_version_mismatch", "sync_transport_failed", "internal"]

class DryRun(TypedDict):
    schema_version: int
    dry_run: bool
    method: str
    would: str
    missed: NotRequired[bool]
    findings: NotRequired[list[Finding]]

class Counts(TypedDict):
    user: int
    assistant: int
    tool_calls: int
    tool_results: int
    records: int

class Usage(TypedDict):
    input: int
    output: int
    cache_read: int
    cache_write: int
    reasoning: NotRequired[int]
    cache_write_1h: NotRequired[int]
    reasoning_apart: NotRequired[int]

class Parent(TypedDict):
    id: str
    kind: Literal["fork", "resume", "subagent"]
    message: NotRequired[str]

class SessionName(TypedDict):
    layout: str
    id: str
    machine: NotRequired[str]

class Branch(TypedDict):
    machine: str | None
    layout: str
    id: str
    messages: int | None
    updated_at: str | None
    here: bool
    continues: NotRequired[bool]
    handed_off: NotRequired[bool]

class Session(TypedDict):
    id: str
    layout: str
    store: str
    path: str
    project: str | None
    title: str | None
    first_prompt: str | None
    status: Literal["running", "interrupted", "active", "complete", "failed", "stopped", "archived", "unknown"]
    created_at: str | None
    updated_at: str | None
    counts: Counts | None
    models: list[str]
    usage: Usage | None
    git_branch: str | None
    parent: Parent | None
    subagents: int
    bytes: int
    damage: int
    archived: NotRequired[bool]
    summary: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]
    cost: NotRequired[float | None]
    estimated_usd: NotRequired[float]
    starred: NotRequired[bool]
    tags: NotRequired[list[str]]
    machine: NotRequired[str]
    here: NotRequired[bool]
    depth: NotRequired[int]
    branches: NotRequired[list[Branch]]
    handed_off_from: NotRequired[SessionName]

class Block(TypedDict):
    type: Literal["text", "thinking", "tool_call", "tool_result", "image", "document", "audio", "other"]
    text: NotRequired[str]
    signature: NotRequired[str]
    id: NotRequired[str]
    name: NotRequired[str]
    input: NotRequired[Any]
    output: NotRequired[Any]
    is_error: NotRequired[bool]
    spilled: NotRequired[str]
    media_type: NotRequired[str]
    data: NotRequired[str]
    blob: NotRequired[str]
    bytes: NotRequired[int]
    raw: NotRequired[Any]
    extra: NotRequired[dict[str, Any]]

class Message(TypedDict):
    ordinal: int
    id: str | None
    parent: str | None
    role: Literal["user", "assistant", "tool", "system"]
    timestamp: str | None
    model: str | None
    stop_reason: str | None
    usage: Usage | None
    cost_usd: NotRequired[float]
    estimated_usd: NotRequired[float]
    blocks: list[Block]
    origin: NotRequired[str]
    response: NotRequired[str]
    agent: NotRequired[str]
    failed: NotRequired[bool]
    side: NotRequired[bool]
    abandoned: NotRequired[bool]
    raw: NotRequired[str]
    context: NotRequired[dict[str, Any]]
    extra: NotRequired[dict[str, Any]]

class GivenMessage(TypedDict):
    role: NotRequired[str]
    type: NotRequired[str]
    text: NotRequired[str]
    content: NotRequired[Any]
    blocks: NotRequired[list[dict[str, Any]]]
    parts: NotRequired[list[dict[str, Any]]]
    id: NotRequired[str]
    parent: NotRequired[str]
    timestamp: NotRequired[Any]
    model: NotRequired[str]
    stop_reason: NotRequired[str]
    usage: NotRequired[dict[str, Any]]
    cost_usd: NotRequired[float]
    response: NotRequired[str]
    agent: NotRequired[str]
    origin: NotRequired[str]
    failed: NotRequired[bool]
    side: NotRequired[bool]
    context: NotRequired[dict[str, Any]]
    extra: NotRequired[dict[str, Any]]

class GivenThread(TypedDict):
    id: NotRequired[str]
    title: NotRequired[str]
    project_path: NotRequired[str]
    projectPath: NotRequired[str]
    harness: NotRequired[str]
    model: NotRequired[str]
    created_at: NotRequired[Any]
    createdAt: NotRequired[Any]
    last_session_id: NotRequired[str]
    lastSessionId: NotRequired[str]
    state_snapshot: NotRequired[dict[str, Any]]
    stateSnapshot: NotRequired[dict[str, Any]]
    privacy: NotRequired[dict[str, Any]]
    metadata: NotRequired[GivenMetadata]

class GivenMetadata(TypedDict):
    tags: NotRequired[list[str]]
    pinned: NotRequired[bool]

class GivenAgent(TypedDict):
    id: str
    idle_prompt: NotRequired[str]
    idle_interval_secs: NotRequired[int]

class GivenInitiative(TypedDict):
    name: NotRequired[str]
    status: NotRequired[str]
    current_milestone: NotRequired[str]
    currentMilestone: NotRequired[str]
    progress: NotRequired[dict[str, Any]]
    checkpoints: NotRequired[list[dict[str, Any]]]
    next_action: NotRequired[str]
    nextAction: NotRequired[str]
    last_updated: NotRequired[str]
    lastUpdated: NotRequired[str]

class GivenPlanItem(TypedDict):
    title: str
    status: NotRequired[Literal["pending", "in_progress", "done", "skipped"]]
    description: NotRequired[str]
    depth: NotRequired[int]

class Finding(TypedDict):
    file: str
    offset: int
    length: int
    kind: str
    salvaged: int
    consequence: NotRequired[str]
    store: NotRequired[str]
    session: NotRequired[str | None]

class RescueRepair(TypedDict):
    kind: str
    count: int
    meaning: str

class RescueGap(TypedDict):
    offset: int
    length: int
    kind: str

class HandoffLine(TypedDict):
    kind: str
    count: int
    reason: NotRequired[str]

class Hit(TypedDict):
    session: str
    layout: str
    store: str
    project: str | None
    ordinal: int
    role: Literal["user", "assistant", "tool", "system"]
    timestamp: str | None
    snippet: str
    spans: list[Any]
    machine: NotRequired[str]

class StatsRow(TypedDict):
    key: NotRequired[str]
    title: NotRequired[str]
    agent: NotRequired[str]
    sessions: int
    messages: int
    prompts: int
    answers: int
    tool_calls: int
    tool_results: int
    usage: Usage
    cost: float | None
    cost_usd: NotRequired[float]
    estimated_usd: NotRequired[float]

class Store(TypedDict):
    layout: str
    root: str
    sessions: int
    bytes: int
    updated_at: str | None
    damage: int
    daemon: NotRequired[dict[str, Any]]

class Run(TypedDict):
    id: str
    run_id: str
    repo_path: str | None
    session_id: str | None
    agent_id: str
    agent_kind: NotRequired[str | None]
    parent_run_id: str | None
    status: Literal["running", "interrupted", "completed", "failed", "cancelled"]
    detail: str | None
    started_at: str | None
    ended_at: str | None

class Mission(TypedDict):
    id: str
    text: str
    created_at: str | None
    active: bool
    agents: list[dict[str, Any]]

class Project(TypedDict):
    id: str
    path: str
    name: str | None
    added_at: str | None

class Plan(TypedDict):
    id: str
    summary: str
    status: Literal["planned", "approved", "executing", "completed"]
    origin: Literal["user_requested", "model_managed"]
    items: list[PlanItem]

class PlanItem(TypedDict):
    title: str
    status: Literal["pending", "in_progress", "done", "skipped"]
    description: NotRequired[str]
    depth: int

class Workflow(TypedDict):
    session: str
    module: str
    phase: str
    step: str
    step_number: int
    progress: int
    written: dict[str, Any]
    component: str | None
    complete: bool
    paused: str | None
    created_at: str
    updated_at: str
    models_used: list[str]
    tasks: list[dict[str, Any]]
    resources: dict[str, Any]
    last_commit: str | None

class Metrics(TypedDict):
    session: str
    cumulative_input_tokens: int
    cumulative_output_tokens: int
    premium_request_count: int
    iteration_count: int
    iterations: list[dict[str, Any]]

class Task(TypedDict):
    id: str
    name: str
    state: str
    type: str
    path: list[str]
    children: int

class Resumable(TypedDict):
    id: str
    module: str
    phase: str
    step: str
    component: str | None
    updated_at: str
    latest: bool

class MovedSession(TypedDict):
    id: str
    project: str
    path: str

class ScrubbedSession(TypedDict):
    id: str
    secrets: int

class LeftSession(TypedDict):
    id: str
    reason: str

class EntrySession(TypedDict):
    session: str
    mtime: int

class EntrySummary(TypedDict):
    session: str
    mtime: int
    summary: Any

class DailyLog(TypedDict):
    name: str
    bytes: int
    updated_at: str

class Prompt(TypedDict):
    display: str
    pasted: dict[str, Any]
    timestamp: str
    project: str
    session: str

class QueueItem(TypedDict):
    id: str
    entity: Literal["thread", "session", "message"]
    entity_id: str
    op: Literal["upsert", "delete"]
    payload_hash: str
    attempts: int
    next_attempt_at: str
    created_at: str
    status: Literal["pending", "failed"]
    owner: NotRequired[str]

class Record(TypedDict):
    id: NotRequired[str]

class Specification(TypedDict):
    module: str
    path: str
    name: str
    description: str
    title: str
    sections: list[SpecSection]
    criteria: int
    ticked: int
    missing: list[str]

class SpecSection(TypedDict):
    header: str
    level: int
    offset: int
    bytes: int
    hash: str

class Research(TypedDict):
    module: str
    topic: str
    path: str
    title: str
    spec_section: str
    missing: list[str]
    text: NotRequired[str]

class Drift(TypedDict):
    known: bool
    specification: str
    sections: list[DriftedSection]

class DriftedSection(TypedDict):
    header: str
    previous_hash: str | None
    current_hash: str | None
    is_new: bool
    is_removed: bool

class LayerSource(TypedDict):
    name: str
    there: bool
    fields: dict[str, Any]
    fault: NotRequired[str]

class Thread(TypedDict):
    id: str
    title: str
    created_at: str
    updated_at: str
    project_path: str
    harness: NotRequired[str | None]
    model: NotRequired[str | None]
    last_session_id: str | None
    state_snapshot: dict[str, Any] | None
    privacy: dict[str, Any]
    metadata: dict[str, Any]
    schema_version: NotRequired[int]

class ThreadRow(TypedDict):
    id: str
    title: str
    updated_at: str
    project_path: str
    harness: str
    model: str
    pinned: bool
    state: str | None
    pending_tool_calls: int

class MaestroThread(TypedDict):
    id: str
    title: str
    createdAt: str
    updatedAt: str
    projectPath: str
    harness: NotRequired[str | None]
    model: NotRequired[str | None]
    lastSessionId: str | None
    stateSnapshot: dict[str, Any] | None
    privacy: dict[str, Any]
    metadata: dict[str, Any]
    schemaVersion: NotRequired[int]

class MaestroThreadRow(TypedDict):
    id: str
    title: str
    updatedAt: str
    projectPath: str
    harness: str
    model: str
    pinned: bool
    state: str | None
    pendingToolCalls: int

class MaestroSession(TypedDict):
    schemaVersion: NotRequired[int]
    id: str
    threadId: str
    status: str
    startedAt: str
    endedAt: str | None
    workspaceRoot: str
    agent: dict[str, Any]
    toolRuns: list[Any]

class MaestroMessage(TypedDict):
    schemaVersion: int
    id: str
    threadId: str
    sessionId: str
    role: Literal["user", "assistant", "tool", "system"]
    content: str
    createdAt: str
    toolCallId: str | None
    blocks: NotRequired[list[Any]]

class ToolRun(TypedDict):
    run_id: str
    tool: str
    status: str

class ExaminedStore(TypedDict):
    layout: str
    root: str
    writable: bool
    sessions: int
    bytes: int
    running: int
    interrupted: int
    damaged: int
    newest: str | None
    oldest: str | None
    mode: str
    file_system: str
    free_bytes: int
    leases: int
    holders: list[LeaseHolder]
    unfinished: int
    poison: int
    set_aside: int
    deletes_after_days: int | None

class LeaseHolder(TypedDict):
    name: str
    alive: bool
    pid: int
    since: str | None

class Problem(TypedDict):
    kind: Literal["note", "damage", "unavailable"]
    where: str | None
    message: str

class HelloResult(TypedDict):
    schema_version: int
    version: str
    api_version: int
    features: list[str]
    methods: list[str]

class ApiVersionResult(TypedDict):
    schema_version: int
    version: str
    api_version: int

class EventsSubscribeResult(TypedDict):
    schema_version: int
    subscribed: bool

class SessionCreateResult(TypedDict):
    schema_version: int
    id: str
    session: Session
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionGetResult(TypedDict):
    schema_version: int
    id: str
    session: Session
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionListResult(TypedDict):
    schema_version: int
    sessions: list[Session]
    total: int
    next: int | None
    remote: NotRequired[dict[str, Any]]
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class SessionUpdateResult(TypedDict):
    schema_version: int
    id: str
    session: Session
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionResumeResult(TypedDict):
    schema_version: int
    id: str
    owner: Literal["none", "this", "other"]
    session: Session
    messages: list[Message]
    damage: list[Finding]
    workflow: NotRequired[Workflow]
    hint: NotRequired[str]
    drift: NotRequired[Drift]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionEndResult(TypedDict):
    schema_version: int
    id: str
    session: Session
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionDeleteResult(TypedDict):
    schema_version: int
    id: str
    deleted: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionForkResult(TypedDict):
    schema_version: int
    id: str
    session: Session
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionShowResult(TypedDict):
    schema_version: int
    session: NotRequired[Session]
    messages: NotRequired[list[Message]]
    workflow: NotRequired[Workflow]
    metrics: NotRequired[Metrics]
    cost: NotRequired[dict[str, Any]]
    damage: NotRequired[list[Finding]]
    remedies: NotRequired[list[str]]
    format: NotRequired[Literal["md", "json", "yaml", "text", "html"]]
    text: NotRequired[str]
    other_branches: NotRequired[list[Branch]]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionFollowItem(TypedDict):
    event: Literal["message", "changed", "restarted", "session", "text"]
    message: NotRequired[Message]
    messages: NotRequired[int]
    session: NotRequired[Session]
    text: NotRequired[str]

class SessionRescueResult(TypedDict):
    schema_version: int
    output: str
    records: int
    salvaged: int
    repeated: int
    linked: int
    headers: int
    lost_rows: NotRequired[int]
    bytes: int
    repaired: list[RescueRepair]
    gone: list[RescueGap]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

SessionHandoffResult = TypedDict("SessionHandoffResult", {"schema_version": int, "to": NotRequired[str], "written": NotRequired[bool], "id": NotRequired[str | None], "store": NotRequired[str | None], "project": NotRequired[str], "title": NotRequired[str | None], "turns": NotRequired[int], "tokens_estimated": NotRequired[int], "file": NotRequired[str | None], "import": NotRequired[list[str]], "resume": NotRequired[list[str]], "directory": NotRequired[str | None], "environment": NotRequired[dict[str, Any]], "carried": NotRequired[list[HandoffLine]], "changed": NotRequired[list[HandoffLine]], "left_behind": NotRequired[list[HandoffLine]], "format": NotRequired[str], "text": NotRequired[str], "output": NotRequired[str], "bytes": NotRequired[int], "warnings": NotRequired[list[str]], "findings": NotRequired[list[Finding]]})

SessionMendResult = TypedDict("SessionMendResult", {"schema_version": int, "id": str, "layout": str, "message": str, "file": str, "kept": str | None, "loaded_before": int | None, "loaded_now": int | None, "rescued": NotRequired[dict[str, Any]], "more": NotRequired[list[dict[str, Any]]], "import": dict[str, Any] | None, "warnings": NotRequired[list[str]], "findings": NotRequired[list[Finding]]})

class SessionStartResult(TypedDict):
    schema_version: int
    id: str
    resumed: bool
    hint: str
    workflow: Workflow
    metrics: Metrics
    drift: Drift
    warnings: list[str]
    pruned: list[str]
    findings: list[Finding]

class SessionResumableResult(TypedDict):
    schema_version: int
    sessions: list[Resumable]
    total: int
    next: int | None
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionPruneResult(TypedDict):
    schema_version: int
    retention: int
    pruned: list[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionSearchResult(TypedDict):
    schema_version: int
    query: str
    hits: list[Hit]
    sessions: int | None
    total: int | None
    truncated: bool
    next: int | None
    remote: NotRequired[dict[str, Any]]
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class SessionStatsResult(TypedDict):
    schema_version: int
    by: str
    rows: list[StatsRow]
    total: StatsRow
    remote: NotRequired[dict[str, Any]]
    findings: list[Finding]
    warnings: NotRequired[list[str]]
    format: NotRequired[str]
    text: NotRequired[str]

class SessionExportResult(TypedDict):
    schema_version: int
    id: str
    format: Literal["md", "html", "json", "jsonl", "atif"]
    left_out: int
    warnings: NotRequired[list[str]]
    damage: list[Finding]
    remedies: NotRequired[list[str]]
    masked: NotRequired[int]
    masked_kinds: NotRequired[dict[str, Any]]
    masked_words: NotRequired[str]
    text: str
    findings: NotRequired[list[Finding]]

class SessionShareResult(TypedDict):
    schema_version: int
    id: str
    format: str
    masked: NotRequired[int]
    masked_kinds: NotRequired[dict[str, Any]]
    masked_words: NotRequired[str]
    damage: list[Finding]
    remedies: NotRequired[list[str]]
    output: NotRequired[str]
    bytes: NotRequired[int]
    text: NotRequired[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionImportResult(TypedDict):
    schema_version: int
    id: str
    format: Literal["json", "jsonl", "atif"]
    warnings: NotRequired[list[str]]
    kept_verbatim: int
    session: Session
    findings: NotRequired[list[Finding]]

class MessageAppendResult(TypedDict):
    schema_version: int
    id: str
    session: str
    offset: int
    end: int
    durability: Literal["power", "process", "none"]
    appended: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class MessageListResult(TypedDict):
    schema_version: int
    session: NotRequired[str]
    thread: NotRequired[str]
    messages: NotRequired[list[Message]]
    items: NotRequired[list[Any]]
    sessions: NotRequired[list[str]]
    total: int
    next: int | None
    damage: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class MessageMediaResult(TypedDict):
    schema_version: int
    session: str
    media_type: str
    bytes: int
    data: str
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class StoreCreateResult(TypedDict):
    schema_version: int
    name: str
    store: Store
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class StoreInfoResult(TypedDict):
    schema_version: int
    name: str
    store: Store
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class StoreListResult(TypedDict):
    schema_version: int
    stores: list[Store]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class StoreRepairResult(TypedDict):
    schema_version: int
    name: str
    failed_runs: int
    failed_sessions: int
    migrated_missions: int
    indexes: int
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class StoreMetricsResult(TypedDict):
    schema_version: int
    name: str
    format: str
    text: str
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class StoreVerifyResult(TypedDict):
    schema_version: int
    sessions: int
    files: int
    records: int
    bytes: int
    damage: list[Finding]
    total: int
    next: int | None
    unreadable: list[Finding]
    notes: list[Finding]
    notes_total: int
    remedies: NotRequired[list[str]]
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class StoreReindexResult(TypedDict):
    schema_version: int
    name: str
    indexes: int
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class StoreFindingsResult(TypedDict):
    schema_version: int
    name: str
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class StoreDoctorResult(TypedDict):
    schema_version: int
    version: str
    system: str
    cache: str
    settings: list[str]
    stores: list[ExaminedStore]
    problems: list[Problem]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class RunStartResult(TypedDict):
    schema_version: int
    run: Run
    owner: Literal["none", "this"]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class RunFinishResult(TypedDict):
    schema_version: int
    run: Run
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class RunGetResult(TypedDict):
    schema_version: int
    run: Run
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class RunListResult(TypedDict):
    schema_version: int
    runs: list[Run]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class RunChildrenResult(TypedDict):
    schema_version: int
    runs: list[Run]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class RunCancelResult(TypedDict):
    schema_version: int
    cancelled: int
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class MissionSetResult(TypedDict):
    schema_version: int
    mission: Mission
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class MissionGetResult(TypedDict):
    schema_version: int
    mission: Mission
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class MissionClearResult(TypedDict):
    schema_version: int
    cleared: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class MissionListResult(TypedDict):
    schema_version: int
    missions: list[Mission]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class ProjectAddResult(TypedDict):
    schema_version: int
    project: Project
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ProjectListResult(TypedDict):
    schema_version: int
    projects: list[Project]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class ProjectGetResult(TypedDict):
    schema_version: int
    project: Project
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ProjectRemoveResult(TypedDict):
    schema_version: int
    project: str
    deleted: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class AgentListResult(TypedDict):
    schema_version: int
    agents: list[Record]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class AgentGetResult(TypedDict):
    schema_version: int
    override: Record
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class AgentSetResult(TypedDict):
    schema_version: int
    override: Record
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class AgentRemoveResult(TypedDict):
    schema_version: int
    id: str
    deleted: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SkillListResult(TypedDict):
    schema_version: int
    skills: list[Record]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class PermissionAllowResult(TypedDict):
    schema_version: int
    tool: str
    allowed: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class PermissionListResult(TypedDict):
    schema_version: int
    tools: list[str]
    total: int
    next: int | None
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class PermissionRevokeResult(TypedDict):
    schema_version: int
    tool: str
    allowed: bool
    was_allowed: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class CredentialSetResult(TypedDict):
    schema_version: int
    id: str
    api_key: str
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class CredentialGetResult(TypedDict):
    schema_version: int
    id: str
    api_key: str
    source: str
    file: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class CredentialListResult(TypedDict):
    schema_version: int
    credentials: list[Record]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class CredentialRemoveResult(TypedDict):
    schema_version: int
    id: str
    deleted: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class PlanPutResult(TypedDict):
    schema_version: int
    plan: Plan
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class PlanGetResult(TypedDict):
    schema_version: int
    plan: Plan
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class PlanListResult(TypedDict):
    schema_version: int
    plans: list[Plan]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class PlanUpdateResult(TypedDict):
    schema_version: int
    plan: Plan
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class PlanTickResult(TypedDict):
    schema_version: int
    plan: Plan
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class MemoryGetResult(TypedDict):
    schema_version: int
    memory: Record
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class MemoryPutResult(TypedDict):
    schema_version: int
    memory: Record
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class MemoryListResult(TypedDict):
    schema_version: int
    memories: list[Record]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class MemoryLearnResult(TypedDict):
    schema_version: int
    persisted: bool
    warnings: list[str]
    findings: NotRequired[list[Finding]]

class WorkflowGetResult(TypedDict):
    schema_version: int
    session: str
    workflow: Workflow
    metrics: Metrics
    ticked: int
    pruned: list[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class WorkflowAdvanceResult(TypedDict):
    schema_version: int
    session: str
    workflow: Workflow
    metrics: Metrics
    ticked: int
    pruned: list[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class WorkflowPauseResult(TypedDict):
    schema_version: int
    session: str
    workflow: Workflow
    metrics: Metrics
    ticked: int
    pruned: list[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class WorkflowCompleteResult(TypedDict):
    schema_version: int
    session: str
    workflow: Workflow
    metrics: Metrics
    ticked: int
    pruned: list[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class TaskSetResult(TypedDict):
    schema_version: int
    session: str
    workflow: Workflow
    metrics: Metrics
    ticked: int
    pruned: list[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class TaskAddResult(TypedDict):
    schema_version: int
    session: str
    workflow: Workflow
    metrics: Metrics
    ticked: int
    pruned: list[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class TaskListResult(TypedDict):
    schema_version: int
    session: str
    tasks: list[Task]
    total: int
    next: int | None
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class MetricsRecordResult(TypedDict):
    schema_version: int
    session: str
    workflow: Workflow
    metrics: Metrics
    ticked: int
    pruned: list[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class MetricsGetResult(TypedDict):
    schema_version: int
    session: str
    workflow: Workflow
    metrics: Metrics
    ticked: int
    pruned: list[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class WorkflowPhaseResult(TypedDict):
    schema_version: int
    line: str
    state: dict[str, Any]
    persisted: bool
    warnings: list[str]
    findings: NotRequired[list[Finding]]

class WorkflowStateResult(TypedDict):
    schema_version: int
    workflow: dict[str, Any]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class InterviewRecordResult(TypedDict):
    schema_version: int
    interview: Record
    persisted: bool
    warnings: list[str]
    findings: NotRequired[list[Finding]]

class InterviewGetResult(TypedDict):
    schema_version: int
    interview: dict[str, Any]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class InterviewClearResult(TypedDict):
    schema_version: int
    cleared: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class DelegationRecordResult(TypedDict):
    schema_version: int
    line: str
    persisted: bool
    warnings: list[str]
    findings: NotRequired[list[Finding]]

class DelegationListResult(TypedDict):
    schema_version: int
    delegations: list[str]
    total: int
    next: int | None
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class InitiativeCreateResult(TypedDict):
    schema_version: int
    initiative: Record
    revision: str
    persisted: bool
    warnings: list[str]
    findings: NotRequired[list[Finding]]

class InitiativeGetResult(TypedDict):
    schema_version: int
    source: str
    initiative: Record
    enriched: dict[str, Any]
    sources: list[LayerSource]
    stale: list[str]
    active: list[str]
    warnings: list[str]
    revision: str
    findings: NotRequired[list[Finding]]

class InitiativeResumeResult(TypedDict):
    schema_version: int
    source: str
    initiative: Record
    enriched: dict[str, Any]
    sources: list[LayerSource]
    stale: list[str]
    active: list[str]
    warnings: list[str]
    revision: str
    corrections: list[str]
    persisted: bool
    findings: NotRequired[list[Finding]]

class InitiativeStartResult(TypedDict):
    schema_version: int
    initiative: Record
    revision: str
    persisted: bool
    warnings: list[str]
    findings: NotRequired[list[Finding]]

class InitiativeTaskResult(TypedDict):
    schema_version: int
    initiative: Record
    revision: str
    persisted: bool
    warnings: list[str]
    findings: NotRequired[list[Finding]]

class InitiativeMilestoneResult(TypedDict):
    schema_version: int
    initiative: Record
    revision: str
    persisted: bool
    warnings: list[str]
    findings: NotRequired[list[Finding]]

class InitiativeStatusResult(TypedDict):
    schema_version: int
    initiative: Record
    revision: str
    persisted: bool
    warnings: list[str]
    findings: NotRequired[list[Finding]]

class InitiativeUpdateResult(TypedDict):
    schema_version: int
    initiative: Record
    revision: str
    persisted: bool
    warnings: list[str]
    findings: NotRequired[list[Finding]]

class InitiativeArchiveResult(TypedDict):
    schema_version: int
    name: str
    path: str
    summary: str
    line: str
    persisted: bool
    warnings: list[str]
    findings: NotRequired[list[Finding]]

class InitiativeContextResult(TypedDict):
    schema_version: int
    initiative: Record
    source: str
    warnings: list[str]
    active: list[str]
    workflow: dict[str, Any] | None
    interview: dict[str, Any] | None
    delegations: list[str]
    learnings: list[str]
    text: str
    findings: NotRequired[list[Finding]]

class HistoryAppendResult(TypedDict):
    schema_version: int
    durability: str
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class HistoryListResult(TypedDict):
    schema_version: int
    prompts: list[Prompt]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class CacheSectionResult(TypedDict):
    schema_version: int
    path: str
    header: str
    level: int
    content: str
    cached: bool
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class CacheAssessmentResult(TypedDict):
    schema_version: int
    hit: bool
    content: str | None
    cached_at: str | None
    state: str
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class CacheAssessResult(TypedDict):
    schema_version: int
    hit: bool
    content: str | None
    cached_at: str | None
    state: str
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class ResearchAddResult(TypedDict):
    schema_version: int
    research: Research
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ResearchGetResult(TypedDict):
    schema_version: int
    research: Research
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ResearchListResult(TypedDict):
    schema_version: int
    research: list[Research]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class SpecListResult(TypedDict):
    schema_version: int
    specifications: list[Specification]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class SpecGetResult(TypedDict):
    schema_version: int
    specification: Specification
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SpecDriftResult(TypedDict):
    schema_version: int
    drift: Drift
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class StoreSettingsResult(TypedDict):
    schema_version: int
    name: str
    settings: dict[str, Any]
    sources: dict[str, Any]
    file: str | None
    places: list[str]
    config: dict[str, Any]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class StoreConfigureResult(TypedDict):
    schema_version: int
    name: str
    settings: dict[str, Any]
    sources: dict[str, Any]
    file: str | None
    places: list[str]
    config: dict[str, Any]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class RecordGetResult(TypedDict):
    schema_version: int
    record: Record
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class RecordListResult(TypedDict):
    schema_version: int
    records: list[Record]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class RecordPutResult(TypedDict):
    schema_version: int
    record: Record
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class RecordDeleteResult(TypedDict):
    schema_version: int
    id: str
    deleted: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class QueueListResult(TypedDict):
    schema_version: int
    items: list[QueueItem]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class QueueStatusResult(TypedDict):
    schema_version: int
    enabled: bool
    depth: int
    pending: int
    due: int
    failed: int
    next_attempt_at: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class QueueInitResult(TypedDict):
    schema_version: int
    directory: str
    created: bool

class QueueRunResult(TypedDict):
    schema_version: int
    sent: int
    failed: int
    given_up: int
    withheld: int
    gone: int
    busy: int
    reason: str | None
    waiting: int
    next_attempt_at: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class QueueReceiveResult(TypedDict):
    schema_version: int
    parcels: int
    changes: int
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class QueueRetryResult(TypedDict):
    schema_version: int
    retried: int
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class QueueRemoveResult(TypedDict):
    schema_version: int
    id: str
    deleted: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionCompactResult(TypedDict):
    schema_version: int
    id: str
    boundary: str
    summary: str
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionClearResult(TypedDict):
    schema_version: int
    id: str
    cleared: int
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ConfigGetResult(TypedDict):
    schema_version: int
    config: dict[str, Any]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ConfigSetResult(TypedDict):
    schema_version: int
    config: dict[str, Any]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ThreadListResult(TypedDict):
    schema_version: int
    threads: list[ThreadRow]
    total: int
    next: int | None
    findings: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]

class ThreadGetResult(TypedDict):
    schema_version: int
    thread: Thread
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class ThreadCreateResult(TypedDict):
    schema_version: int
    thread: Thread
    created: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ThreadSaveResult(TypedDict):
    schema_version: int
    thread: Thread
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class ThreadDeleteResult(TypedDict):
    schema_version: int
    id: str
    deleted: bool
    sessions: int
    messages: int
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ThreadResumeResult(TypedDict):
    schema_version: int
    thread: Thread
    session: str
    new_session: bool
    owner: Literal["none", "this"]
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class ToolStartResult(TypedDict):
    schema_version: int
    session: str
    run: ToolRun
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ToolFinishResult(TypedDict):
    schema_version: int
    session: str
    run: ToolRun
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ToolListResult(TypedDict):
    schema_version: int
    session: str
    runs: list[ToolRun]
    total: int
    next: int | None
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionTrashResult(TypedDict):
    schema_version: int
    id: str
    store: str
    trashed: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

SessionRestoreResult = TypedDict("SessionRestoreResult", {"schema_version": int, "id": str, "session": NotRequired[Session], "store": NotRequired[str], "from": NotRequired[str], "was_in": NotRequired[str], "captured_at": NotRequired[str], "written": NotRequired[int], "memory": NotRequired[int], "already_there": NotRequired[int], "files": NotRequired[list[str]], "import_file": NotRequired[str], "next": NotRequired[str], "findings": NotRequired[list[Finding]], "warnings": NotRequired[list[str]]})

class SessionTrashedResult(TypedDict):
    schema_version: int
    trashed: list[dict[str, Any]]
    total: int
    next: int | None
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class StorePruneResult(TypedDict):
    schema_version: int
    done: list[dict[str, Any]]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ArchiveRunResult(TypedDict):
    schema_version: int
    archive: str
    busy: bool
    note: NotRequired[str]
    sessions: NotRequired[int]
    captured: NotRequired[int]
    excluded: NotRequired[int]
    files: NotRequired[int]
    bytes: NotRequired[int]
    added_bytes: NotRequired[int]
    healed: NotRequired[int]
    missed: NotRequired[bool]
    out_of_space: NotRequired[bool]
    no_room: NotRequired[int]
    forgotten: NotRequired[int]
    gone: NotRequired[int]
    free_bytes: NotRequired[int]
    min_free: NotRequired[int]
    left_out: NotRequired[list[dict[str, Any]]]
    findings: NotRequired[list[Finding]]
    warnings: NotRequired[list[str]]

class ArchiveWatchItem(TypedDict):
    at: str
    captured: int
    added_bytes: int
    out_of_space: bool
    findings: list[Finding]

class ArchiveStatusResult(TypedDict):
    schema_version: int
    archive: str
    exists: bool
    timer: bool
    since: NotRequired[str]
    last_capture: NotRequired[str]
    captures: NotRequired[int]
    last_run: NotRequired[dict[str, Any]]
    sessions: int
    files: int
    only_in_archive: int
    bytes: int
    packed_bytes: int
    free_bytes: NotRequired[int]
    min_free: NotRequired[int]
    exclude: list[str]
    left_out: list[dict[str, Any]]
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class ArchiveVersionsResult(TypedDict):
    schema_version: int
    id: str
    layout: str
    store: str
    versions: list[dict[str, Any]]
    total: int
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class ArchiveVerifyResult(TypedDict):
    schema_version: int
    sessions: int
    files: int
    bytes: int
    chunks: int
    unreferenced: int
    broken_sessions: int
    total: int
    damage: list[Finding]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionForgetResult(TypedDict):
    schema_version: int
    forgotten: list[dict[str, Any]]
    holed: list[dict[str, Any]]
    kept_out: list[dict[str, Any]]
    notes: list[dict[str, Any]]
    of_machines: list[dict[str, Any]]
    lines: int
    packs_rewritten: int
    files_removed: int
    still_there: list[dict[str, Any]]
    unreadable: list[dict[str, Any]]
    looked_at: dict[str, Any]
    out_of_reach: list[str]
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class ArchivePruneResult(TypedDict):
    schema_version: int
    removed: list[dict[str, Any]]
    bytes_before: int
    bytes_after: int
    missed: bool
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class ArchiveCompactResult(TypedDict):
    schema_version: int
    bytes_before: int
    bytes_after: int
    packs_rewritten: int
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class ArchiveEnableResult(TypedDict):
    schema_version: int
    enabled: bool
    timer: NotRequired[str]
    next: NotRequired[str]

class ArchiveDisableResult(TypedDict):
    schema_version: int
    enabled: bool
    timer: NotRequired[str]
    next: NotRequired[str]

class HooksInstallResult(TypedDict):
    schema_version: int
    agent: str
    file: str
    changed: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class HooksUninstallResult(TypedDict):
    schema_version: int
    agent: str
    file: str
    changed: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class HooksRunResult(TypedDict):
    schema_version: int
    format: str
    text: str
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class HooksTextResult(TypedDict):
    schema_version: int
    format: str
    text: str

class SessionStarResult(TypedDict):
    schema_version: int
    id: str
    session: Session
    changed: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionTagResult(TypedDict):
    schema_version: int
    id: str
    session: Session
    changed: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionRenameResult(TypedDict):
    schema_version: int
    id: str
    session: Session
    changed: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class McpInstallResult(TypedDict):
    schema_version: int
    agent: str
    file: str
    changed: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class McpUninstallResult(TypedDict):
    schema_version: int
    agent: str
    file: str
    changed: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class RemoteAddResult(TypedDict):
    schema_version: int
    name: str
    url: str
    id: str
    machine: str
    device: str
    encrypted: bool
    made: bool
    recovery_phrase: NotRequired[str]
    note: str
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class RemoteListResult(TypedDict):
    schema_version: int
    remotes: list[dict[str, Any]]
    total: int
    next: int | None
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class RemoteCheckResult(TypedDict):
    schema_version: int
    name: str
    place: str
    reachable: bool
    encrypted: bool
    server: NotRequired[str]
    role: NotRequired[str]
    schema: NotRequired[str]
    tls: NotRequired[bool]
    read_only: NotRequired[bool]
    missing_rights: NotRequired[list[str]]
    missing_index_rights: NotRequired[list[str]]
    streams: list[dict[str, Any]]
    checked_segments: int
    checked_chunks: int
    damaged: int
    note: NotRequired[str]
    findings: list[Finding]
    warnings: NotRequired[list[str]]

RemoteMigrateResult = TypedDict("RemoteMigrateResult", {"schema_version": int, "schema": str, "from": int, "to": int, "note": str, "warnings": NotRequired[list[str]], "findings": NotRequired[list[Finding]]})

class RemoteIndexResult(TypedDict):
    schema_version: int
    remote: str
    indexed_at: str
    sessions: int
    messages: int
    cut: int
    removed: int
    left_out: int
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class RemoteRemoveResult(TypedDict):
    schema_version: int
    removed: str
    erased: bool
    note: NotRequired[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

RemoteShareResult = TypedDict("RemoteShareResult", {"schema_version": int, "project": str, "identity": str, "with": str, "policy": str, "note": str, "warnings": NotRequired[list[str]], "findings": NotRequired[list[Finding]]})

RemoteUnshareResult = TypedDict("RemoteUnshareResult", {"schema_version": int, "project": str, "with": str, "note": str, "warnings": NotRequired[list[str]], "findings": NotRequired[list[Finding]]})

class RemotePairResult(TypedDict):
    schema_version: int
    machine: str
    device: str
    code: str
    paired: bool
    note: str
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class RemoteTrustResult(TypedDict):
    schema_version: int
    device: str
    machine: str
    trust: str
    note: str
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class RemoteRevokeResult(TypedDict):
    schema_version: int
    device: str
    machine: str
    trust: str
    had_read: list[dict[str, Any]]
    readers: NotRequired[list[str]]
    recovery_phrase: NotRequired[str]
    note: str
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SyncRunResult(TypedDict):
    schema_version: int
    remotes: list[dict[str, Any]]
    failed: bool
    findings: list[Finding]
    warnings: NotRequired[list[str]]

class SyncWatchItem(TypedDict):
    at: str
    remote: str
    event: str
    sent: NotRequired[dict[str, Any]]
    received: NotRequired[dict[str, Any]]
    new_machines: NotRequired[list[str]]
    already_read_by: NotRequired[list[str]]
    error: NotRequired[str]
    findings: NotRequired[list[Finding]]

class SyncStatusResult(TypedDict):
    schema_version: int
    remotes: list[dict[str, Any]]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class MachineListResult(TypedDict):
    schema_version: int
    machines: list[dict[str, Any]]
    total: int
    next: int | None
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionRegroupResult(TypedDict):
    schema_version: int
    moved: list[MovedSession]
    left: list[LeftSession]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class SessionScrubResult(TypedDict):
    schema_version: int
    scrubbed: list[ScrubbedSession]
    left: list[LeftSession]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class LogAppendResult(TypedDict):
    schema_version: int
    name: str
    pruned: list[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class LogListResult(TypedDict):
    schema_version: int
    logs: list[DailyLog]
    total: int
    next: int | None
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class LogShowResult(TypedDict):
    schema_version: int
    name: str
    format: str
    text: str
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class LogPruneResult(TypedDict):
    schema_version: int
    pruned: list[str]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class EntryAppendResult(TypedDict):
    schema_version: int
    applied: bool
    appended: int
    duplicates: int
    total: int
    version: str
    mtime: int
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class EntryReplaceResult(TypedDict):
    schema_version: int
    applied: bool
    appended: int
    duplicates: int
    total: int
    version: str
    mtime: int
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class EntryLoadResult(TypedDict):
    schema_version: int
    exists: bool
    entries: list[dict[str, Any]]
    total: int
    version: str
    mtime: int
    summary: NotRequired[Any]
    damage: list[Finding]
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class EntryListResult(TypedDict):
    schema_version: int
    sessions: list[EntrySession]
    total: int
    next: int | None
    damage: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class EntryStreamsResult(TypedDict):
    schema_version: int
    streams: list[str]
    total: int
    next: int | None
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class EntrySummariesResult(TypedDict):
    schema_version: int
    summaries: list[EntrySummary]
    total: int
    next: int | None
    damage: list[Finding]
    next_cursor: str | None
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class EntryDeleteResult(TypedDict):
    schema_version: int
    deleted: bool
    warnings: NotRequired[list[str]]
    findings: NotRequired[list[Finding]]

class Call(Protocol):
    @overload
    def __call__(self, _0: Literal["hello"], /, *, api_version: int | None = ..., client: str | None = ...) -> HelloResult:
        'identify the server; the first message of every rpc connection'
    @overload
    def __call__(self, _0: Literal["api.version"], /) -> ApiVersionResult:
        'show the versions of Holdfast and its API'
    @overload
    def __call__(self, _0: Literal["events.subscribe"], /) -> EventsSubscribeResult:
        'send what happens in open stores as notifications: {"method":"event"}'
    @overload
    def __call__(self, _0: Literal["session.create"], /, *, id: str | None = ..., thread: str | None = ..., project: str | None = ..., title: str | None = ..., first_prompt: str | None = ..., model: str | None = ..., provider: str | None = ..., agent: str | None = ..., git_branch: str | None = ..., parent: str | None = ..., parent_kind: Literal["fork", "resume", "subagent"] | None = ..., config: dict[str, Any] | None = ..., metadata: dict[str, Any] | None = ..., lease: bool | None = ..., owner: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionCreateResult:
        'create a session'
    @overload
    def __call__(self, _0: Literal["session.get"], /, *, id: str, machine: str | None = ..., store: str | None = ...) -> SessionGetResult:
        "show a session's details"
    @overload
    def __call__(self, _0: Literal["session.list"], /, *, agent: str | None = ..., project: str | None = ..., since: str | None = ..., until: str | None = ..., status: Literal["running", "interrupted", "active", "complete", "failed", "stopped", "archived", "unknown"] | None = ..., archived: bool | None = ..., layout: str | None = ..., machine: str | None = ..., remote: str | None = ..., subagents: bool | None = ..., all: bool | None = ..., long: bool | None = ..., starred: bool | None = ..., tree: bool | None = ..., tag: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> SessionListResult:
        'list sessions, newest first'
    @overload
    def __call__(self, _0: Literal["session.update"], /, *, id: str, title: str | None = ..., summary: str | None = ..., model: str | None = ..., status: Literal["active", "complete", "failed", "stopped"] | None = ..., leaf: str | None = ..., metadata: dict[str, Any] | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionUpdateResult:
        'change title, summary, model, status, leaf or metadata'
    @overload
    def __call__(self, _0: Literal["session.resume"], /, *, id: str | None = ..., last: int | None = ..., takeover: bool | None = ..., owner: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionResumeResult:
        'continue a session: return it with its last messages, and hold its lease as long as the caller lives'
    @overload
    def __call__(self, _0: Literal["session.end"], /, *, id: str, status: Literal["complete", "completed", "failed", "stopped"] | None = ..., summary: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionEndResult:
        'end a session and release its lease'
    @overload
    def __call__(self, _0: Literal["session.delete"], /, *, id: str, store: str | None = ..., dry_run: bool | None = ...) -> SessionDeleteResult:
        'delete a session with everything in it'
    @overload
    def __call__(self, _0: Literal["session.fork"], /, *, id: str, message: str | None = ..., title: str | None = ..., model: str | None = ..., metadata: dict[str, Any] | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionForkResult:
        'create a session that continues from a message of another'
    @overload
    def __call__(self, _0: Literal["session.show"], /, *, id: str | None = ..., machine: str | None = ..., format: Literal["md", "json", "yaml", "text", "html"] | None = ..., tools: bool | None = ..., thinking: bool | None = ..., context: bool | None = ..., at: int | None = ..., width: int | None = ..., colour: bool | None = ..., raw: bool | None = ..., branch: str | None = ..., redact: bool | None = ..., settings: dict[str, Any] | None = ..., stream: bool | None = ..., store: str | None = ...) -> SessionShowResult:
        'print a session; for a workflow, its state'
    @overload
    def __call__(self, _0: Literal["session.rescue"], /, *, id: str, output: str, dry_run: bool | None = ..., store: str | None = ...) -> SessionRescueResult:
        'repair a damaged session: write a copy that its agent can load; the original is not changed'
    @overload
    def __call__(self, _0: Literal["session.handoff"], /, *, id: str, machine: str | None = ..., to: Literal["holdfast", "claude-code", "codex", "gemini", "qwen", "copilot", "pi", "opencode"] | None = ..., brief: bool | None = ..., project: str | None = ..., last: int | None = ..., fit: int | None = ..., tools: Literal["map", "keep"] | None = ..., redact: bool | None = ..., output: str | None = ..., dry_run: bool | None = ..., store: str | None = ..., **more: Any) -> SessionHandoffResult:
        'continue a session in another agent: create a new session for that agent, with messages, tool calls and results'
    @overload
    def __call__(self, _0: Literal["session.mend"], /, *, id: str, undo: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionMendResult:
        'put a repaired copy of a damaged session where its agent finds it; the damaged file is kept'
    @overload
    def __call__(self, _0: Literal["session.start"], /, *, module: str | None = ..., resume: str | None = ..., no_resume: bool | None = ..., project: str | None = ..., model: str | None = ..., keep: int | None = ..., settings: dict[str, Any] | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionStartResult:
        'start work on a module: continue its session or create a new one'
    @overload
    def __call__(self, _0: Literal["session.resumable"], /, *, module: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> SessionResumableResult:
        'list sessions that can be continued: incomplete and readable, newest first'
    @overload
    def __call__(self, _0: Literal["session.prune"], /, *, keep: int | None = ..., settings: dict[str, Any] | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionPruneResult:
        'delete completed sessions beyond a limit, the oldest first'
    @overload
    def __call__(self, _0: Literal["session.search"], /, *, words: list[str], regex: bool | None = ..., case: bool | None = ..., session: str | None = ..., limit: int | None = ..., skip: int | None = ..., count: bool | None = ..., redact: bool | None = ..., agent: str | None = ..., project: str | None = ..., since: str | None = ..., until: str | None = ..., status: Literal["running", "interrupted", "active", "complete", "failed", "stopped", "archived", "unknown"] | None = ..., archived: bool | None = ..., layout: str | None = ..., machine: str | None = ..., remote: str | None = ..., subagents: bool | None = ..., stream: bool | None = ..., cursor: str | None = ..., store: str | None = ..., **more: Any) -> SessionSearchResult:
        'search messages, newest first; all words must be in the same message'
    @overload
    def __call__(self, _0: Literal["session.stats"], /, *, by: Literal["day", "week", "month", "session", "model", "project", "agent"] | None = ..., csv: bool | None = ..., agent: str | None = ..., project: str | None = ..., since: str | None = ..., until: str | None = ..., status: Literal["running", "interrupted", "active", "complete", "failed", "stopped", "archived", "unknown"] | None = ..., archived: bool | None = ..., layout: str | None = ..., machine: str | None = ..., remote: str | None = ..., subagents: bool | None = ..., store: str | None = ...) -> SessionStatsResult:
        'show messages, tokens and cost; each answer counts once, days are in local time'
    @overload
    def __call__(self, _0: Literal["session.export"], /, *, id: str, machine: str | None = ..., format: Literal["md", "html", "json", "jsonl", "atif"] | None = ..., atif_version: Literal["1.6", "1.7"] | None = ..., branch: str | None = ..., redact: bool | None = ..., dry_run: bool | None = ..., store: str | None = ...) -> SessionExportResult:
        'print a session as one document'
    @overload
    def __call__(self, _0: Literal["session.share"], /, *, id: str, machine: str | None = ..., output: str | None = ..., prompts: bool | None = ..., tools: bool | None = ..., system: bool | None = ..., redact: bool | None = ..., branch: str | None = ..., dry_run: bool | None = ..., store: str | None = ...) -> SessionShareResult:
        'write a session as a web page to share: one HTML file, secrets masked, tool calls folded'
    @overload
    def __call__(self, _0: Literal["session.import"], /, *, text: str, project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionImportResult:
        'create a session from a document: a json or jsonl export, or an ATIF trajectory (1.0 to 1.8)'
    @overload
    def __call__(self, _0: Literal["message.append"], /, *, session: str | None = ..., text: str | None = ..., role: Literal["user", "assistant", "tool", "system"] | None = ..., message: GivenMessage | None = ..., raw: dict[str, Any] | None = ..., durability: Literal["power", "process", "none"] | None = ..., if_exists: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> MessageAppendResult:
        'add a message to a session; it is durable when the call returns'
    @overload
    def __call__(self, _0: Literal["message.list"], /, *, session: str | None = ..., thread: str | None = ..., machine: str | None = ..., last: int | None = ..., at: int | None = ..., branch: str | None = ..., history: bool | None = ..., data: bool | None = ..., from_agent: str | None = ..., redact: bool | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ..., **more: Any) -> MessageListResult:
        'list the messages of a session, or of a thread, in order'
    @overload
    def __call__(self, _0: Literal["message.media"], /, *, session: str, machine: str | None = ..., message: int | None = ..., block: int | None = ..., name: str | None = ..., branch: str | None = ..., redact: bool | None = ..., store: str | None = ...) -> MessageMediaResult:
        'return the bytes of one image, document or recording of a session, in base64'
    @overload
    def __call__(self, _0: Literal["store.create"], /, *, store: str | None = ..., dry_run: bool | None = ...) -> StoreCreateResult:
        'create a store if there is none yet'
    @overload
    def __call__(self, _0: Literal["store.info"], /, *, store: str | None = ...) -> StoreInfoResult:
        'show what a store holds'
    @overload
    def __call__(self, _0: Literal["store.list"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> StoreListResult:
        'list the stores on this machine'
    @overload
    def __call__(self, _0: Literal["store.repair"], /, *, unowned_runs: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> StoreRepairResult:
        'repair what a crash left behind: finish commits, close runs of dead owners, rebuild indexes'
    @overload
    def __call__(self, _0: Literal["store.metrics"], /, *, store: str | None = ...) -> StoreMetricsResult:
        'print timings and counters of a store for Prometheus; recorded if the setting metrics is on'
    @overload
    def __call__(self, _0: Literal["store.verify"], /, *, id: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> StoreVerifyResult:
        'check every session and report damage; reads everything once, changes nothing'
    @overload
    def __call__(self, _0: Literal["store.reindex"], /, *, store: str | None = ..., dry_run: bool | None = ...) -> StoreReindexResult:
        'rebuild the index files of the layout, and nothing else'
    @overload
    def __call__(self, _0: Literal["store.findings"], /, *, store: str | None = ...) -> StoreFindingsResult:
        'list damage and oddities in a store; changes nothing'
    @overload
    def __call__(self, _0: Literal["store.doctor"], /, *, store: str | None = ...) -> StoreDoctorResult:
        'check every store and report problems; reads everything once, changes nothing'
    @overload
    def __call__(self, _0: Literal["run.start"], /, *, project: str, agent: str, agent_kind: str | None = ..., session: str | None = ..., parent: str | None = ..., detail: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> RunStartResult:
        'record that an agent started to work; the run belongs to the caller, or its owner, until it ends'
    @overload
    def __call__(self, _0: Literal["run.finish"], /, *, id: str, project: str, status: Literal["completed", "failed", "cancelled", "running"] | None = ..., detail: str | None = ..., ended_at: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> RunFinishResult:
        'record how a run ended; while its owner lives, only the owner can'
    @overload
    def __call__(self, _0: Literal["run.get"], /, *, id: str, project: str, store: str | None = ...) -> RunGetResult:
        'show a run'
    @overload
    def __call__(self, _0: Literal["run.list"], /, *, project: str | None = ..., session: str | None = ..., agent: str | None = ..., parent: str | None = ..., status: Literal["running", "interrupted", "completed", "failed", "cancelled"] | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> RunListResult:
        'list runs, newest first'
    @overload
    def __call__(self, _0: Literal["run.children"], /, *, id: str, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> RunChildrenResult:
        'list what a run started, oldest first'
    @overload
    def __call__(self, _0: Literal["run.cancel"], /, *, id: str, project: str, store: str | None = ..., dry_run: bool | None = ...) -> RunCancelResult:
        'cancel a run and everything it started that is still running'
    @overload
    def __call__(self, _0: Literal["mission.set"], /, *, text: str, project: str, agents: list[GivenAgent] | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> MissionSetResult:
        'set the mission of a project; the previous one stays in the history'
    @overload
    def __call__(self, _0: Literal["mission.get"], /, *, project: str, store: str | None = ...) -> MissionGetResult:
        'show the active mission of a project'
    @overload
    def __call__(self, _0: Literal["mission.clear"], /, *, project: str, store: str | None = ..., dry_run: bool | None = ...) -> MissionClearResult:
        'end the active mission of a project; it stays in the history'
    @overload
    def __call__(self, _0: Literal["mission.list"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> MissionListResult:
        'list the missions of a project, newest first'
    @overload
    def __call__(self, _0: Literal["project.add"], /, *, project: str, name: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> ProjectAddResult:
        'register a project; a known project gets the given name and is otherwise unchanged'
    @overload
    def __call__(self, _0: Literal["project.list"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> ProjectListResult:
        'list the projects of a store, newest first'
    @overload
    def __call__(self, _0: Literal["project.get"], /, *, project: str, store: str | None = ...) -> ProjectGetResult:
        'show a project'
    @overload
    def __call__(self, _0: Literal["project.remove"], /, *, project: str, store: str | None = ..., dry_run: bool | None = ...) -> ProjectRemoveResult:
        'delete a project with its sessions, runs and missions'
    @overload
    def __call__(self, _0: Literal["agent.list"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> AgentListResult:
        'list the agents of a store'
    @overload
    def __call__(self, _0: Literal["agent.get"], /, *, id: str, project: str, store: str | None = ...) -> AgentGetResult:
        'show what a project overrides for an agent'
    @overload
    def __call__(self, _0: Literal["agent.set"], /, *, id: str, project: str, idle_prompt: str | None = ..., idle_interval_secs: int | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> AgentSetResult:
        'override settings of an agent in a project; the rest stays'
    @overload
    def __call__(self, _0: Literal["agent.remove"], /, *, id: str, project: str, store: str | None = ..., dry_run: bool | None = ...) -> AgentRemoveResult:
        "delete a project's overrides for an agent"
    @overload
    def __call__(self, _0: Literal["skill.list"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> SkillListResult:
        'list the skills of a store'
    @overload
    def __call__(self, _0: Literal["permission.allow"], /, *, tool: str, project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> PermissionAllowResult:
        'allow a tool to run without asking'
    @overload
    def __call__(self, _0: Literal["permission.list"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> PermissionListResult:
        'list the tools that are allowed'
    @overload
    def __call__(self, _0: Literal["permission.revoke"], /, *, tool: str, project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> PermissionRevokeResult:
        'revoke the permission of a tool'
    @overload
    def __call__(self, _0: Literal["credential.set"], /, *, id: str, api_key: str, store: str | None = ..., dry_run: bool | None = ...) -> CredentialSetResult:
        'store a key; it is never shown again'
    @overload
    def __call__(self, _0: Literal["credential.get"], /, *, id: str, store: str | None = ...) -> CredentialGetResult:
        'show where the key of a model comes from (the configuration, this store or the environment), never the key itself'
    @overload
    def __call__(self, _0: Literal["credential.list"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> CredentialListResult:
        'list the stored keys by id, without the keys themselves'
    @overload
    def __call__(self, _0: Literal["credential.remove"], /, *, id: str, store: str | None = ..., dry_run: bool | None = ...) -> CredentialRemoveResult:
        'delete a key'
    @overload
    def __call__(self, _0: Literal["plan.put"], /, *, summary: str | None = ..., id: str | None = ..., body: str | None = ..., append: bool | None = ..., items: list[str | GivenPlanItem] | None = ..., status: Literal["planned", "approved", "executing", "completed"] | None = ..., origin: Literal["user_requested", "model_managed"] | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> PlanPutResult:
        'write a new plan without replacing another, or the text of a plan under its id'
    @overload
    def __call__(self, _0: Literal["plan.get"], /, *, id: str | None = ..., project: str | None = ..., store: str | None = ...) -> PlanGetResult:
        'show a plan (default: the one to continue)'
    @overload
    def __call__(self, _0: Literal["plan.list"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> PlanListResult:
        'list plans'
    @overload
    def __call__(self, _0: Literal["plan.update"], /, *, id: str, status: Literal["planned", "approved", "executing", "completed"] | None = ..., items: list[str | GivenPlanItem] | None = ..., done: bool | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> PlanUpdateResult:
        "change a plan's status or items; all other text stays"
    @overload
    def __call__(self, _0: Literal["plan.tick"], /, *, id: str, item: str, number: int | None = ..., status: Literal["pending", "in_progress", "done", "skipped"] | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> PlanTickResult:
        'tick an item of a plan'
    @overload
    def __call__(self, _0: Literal["memory.get"], /, *, id: str | None = ..., project: str | None = ..., store: str | None = ...) -> MemoryGetResult:
        "show a text stored for a project's agents"
    @overload
    def __call__(self, _0: Literal["memory.put"], /, *, id: str | None = ..., body: str, project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> MemoryPutResult:
        'store a text; replaces the one with the same name'
    @overload
    def __call__(self, _0: Literal["memory.list"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> MemoryListResult:
        'list the texts of a project, by name'
    @overload
    def __call__(self, _0: Literal["memory.learn"], /, *, text: str, heading: str | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> MemoryLearnResult:
        'add a learning, a pattern or a preference to MEMORY.md, once'
    @overload
    def __call__(self, _0: Literal["workflow.get"], /, *, session: str, store: str | None = ...) -> WorkflowGetResult:
        'show the state of a workflow session: step, tasks, counts'
    @overload
    def __call__(self, _0: Literal["workflow.advance"], /, *, session: str, trigger: str, component: str | None = ..., commit: str | None = ..., model: str | None = ..., resources: dict[str, Any] | None = ..., input_tokens: int | None = ..., output_tokens: int | None = ..., context_window: int | None = ..., premium: bool | None = ..., history: bool | None = ..., settings: dict[str, Any] | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> WorkflowAdvanceResult:
        'fire the trigger that ends a step; triggers of other steps are refused'
    @overload
    def __call__(self, _0: Literal["workflow.pause"], /, *, session: str, component: str | None = ..., commit: str | None = ..., model: str | None = ..., resources: dict[str, Any] | None = ..., input_tokens: int | None = ..., output_tokens: int | None = ..., context_window: int | None = ..., premium: bool | None = ..., history: bool | None = ..., settings: dict[str, Any] | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> WorkflowPauseResult:
        'save the state because the user stops or switches to something else'
    @overload
    def __call__(self, _0: Literal["workflow.complete"], /, *, session: str, component: str | None = ..., commit: str | None = ..., model: str | None = ..., resources: dict[str, Any] | None = ..., input_tokens: int | None = ..., output_tokens: int | None = ..., context_window: int | None = ..., premium: bool | None = ..., history: bool | None = ..., settings: dict[str, Any] | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> WorkflowCompleteResult:
        'fire the trigger ModuleComplete: the module and its session are complete'
    @overload
    def __call__(self, _0: Literal["task.set"], /, *, session: str, task: str, state: Literal["Pending", "InProgress", "Complete", "Failed", "pending", "in_progress", "complete", "failed"], trigger: str | None = ..., component: str | None = ..., commit: str | None = ..., model: str | None = ..., resources: dict[str, Any] | None = ..., input_tokens: int | None = ..., output_tokens: int | None = ..., context_window: int | None = ..., premium: bool | None = ..., history: bool | None = ..., settings: dict[str, Any] | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> TaskSetResult:
        'change the state of a task; its parents and its checkbox in the plan are updated'
    @overload
    def __call__(self, _0: Literal["task.add"], /, *, session: str, id: str, name: str | None = ..., parent: str | None = ..., type: Literal["module", "component", "task", "subtask"] | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> TaskAddResult:
        'add a task below another; levels: module, component, task, subtask'
    @overload
    def __call__(self, _0: Literal["task.list"], /, *, session: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> TaskListResult:
        'list the tasks of a session, each followed by its subtasks'
    @overload
    def __call__(self, _0: Literal["metrics.record"], /, *, session: str, component: str | None = ..., commit: str | None = ..., model: str | None = ..., resources: dict[str, Any] | None = ..., input_tokens: int | None = ..., output_tokens: int | None = ..., context_window: int | None = ..., premium: bool | None = ..., history: bool | None = ..., settings: dict[str, Any] | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> MetricsRecordResult:
        'count the tokens of an iteration'
    @overload
    def __call__(self, _0: Literal["metrics.get"], /, *, session: str, store: str | None = ...) -> MetricsGetResult:
        'show what a session has used'
    @overload
    def __call__(self, _0: Literal["workflow.phase"], /, *, next: str, completed: str | None = ..., workflow: str | None = ..., context: str | None = ..., outcome: str | None = ..., learning: str | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> WorkflowPhaseResult:
        'end a phase of a workflow and start the next; git-commit and x-archive end the workflow'
    @overload
    def __call__(self, _0: Literal["workflow.state"], /, *, project: str | None = ..., store: str | None = ...) -> WorkflowStateResult:
        'show the state of a workflow; it expires after 24 hours'
    @overload
    def __call__(self, _0: Literal["interview.record"], /, *, skill: str, confidence: dict[str, Any] | None = ..., weights: dict[str, Any] | None = ..., questions_asked: int | None = ..., bypassed: bool | None = ..., skipped: bool | None = ..., skip_reason: str | None = ..., learning: str | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> InterviewRecordResult:
        'record how confident a skill is that it understood the request'
    @overload
    def __call__(self, _0: Literal["interview.get"], /, *, skill: str | None = ..., project: str | None = ..., store: str | None = ...) -> InterviewGetResult:
        'show current interviews, the baseline of the next one, and how many questions it may ask'
    @overload
    def __call__(self, _0: Literal["interview.clear"], /, *, project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> InterviewClearResult:
        'clear the interviews once they have served their purpose'
    @overload
    def __call__(self, _0: Literal["delegation.record"], /, *, agent: str, task: str, outcome: str | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> DelegationRecordResult:
        'record in MEMORY.md that work was delegated to another agent'
    @overload
    def __call__(self, _0: Literal["delegation.list"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> DelegationListResult:
        'list delegated work'
    @overload
    def __call__(self, _0: Literal["initiative.create"], /, *, name: str, milestones: list[str] | None = ..., force: bool | None = ..., project: str | None = ..., revision: str | None = ..., next_action: str | None = ..., learning: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> InitiativeCreateResult:
        'start an initiative: state file and WORKFLOW-STATUS.yaml'
    @overload
    def __call__(self, _0: Literal["initiative.get"], /, *, project: str | None = ..., context: dict[str, Any] | None = ..., store: str | None = ...) -> InitiativeGetResult:
        'show the initiative, which source it was read from and what the others add'
    @overload
    def __call__(self, _0: Literal["initiative.resume"], /, *, project: str | None = ..., context: dict[str, Any] | None = ..., checkpoint: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> InitiativeResumeResult:
        'show the initiative at the start of a session, and correct files that disagree'
    @overload
    def __call__(self, _0: Literal["initiative.start"], /, *, milestone: str, project: str | None = ..., revision: str | None = ..., next_action: str | None = ..., learning: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> InitiativeStartResult:
        'start a milestone'
    @overload
    def __call__(self, _0: Literal["initiative.task"], /, *, task: str, project: str | None = ..., revision: str | None = ..., next_action: str | None = ..., learning: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> InitiativeTaskResult:
        'record a finished task of the current milestone'
    @overload
    def __call__(self, _0: Literal["initiative.milestone"], /, *, milestone: str | None = ..., next: str | None = ..., notes: str | None = ..., project: str | None = ..., revision: str | None = ..., next_action: str | None = ..., learning: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> InitiativeMilestoneResult:
        'finish a milestone; the next one becomes current'
    @overload
    def __call__(self, _0: Literal["initiative.status"], /, *, status: Literal["created", "in_progress", "blocked", "completed", "archived"], project: str | None = ..., revision: str | None = ..., next_action: str | None = ..., learning: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> InitiativeStatusResult:
        'change the status; only valid transitions are allowed'
    @overload
    def __call__(self, _0: Literal["initiative.update"], /, *, fields: GivenInitiative, project: str | None = ..., revision: str | None = ..., next_action: str | None = ..., learning: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> InitiativeUpdateResult:
        'set fields of the initiative; all others stay'
    @overload
    def __call__(self, _0: Literal["initiative.archive"], /, *, outcome: str | None = ..., workflow: str | None = ..., summary: str | None = ..., project: str | None = ..., revision: str | None = ..., next_action: str | None = ..., learning: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> InitiativeArchiveResult:
        'keep a summary of a completed initiative, remove its folder and state'
    @overload
    def __call__(self, _0: Literal["initiative.context"], /, *, project: str | None = ..., store: str | None = ...) -> InitiativeContextResult:
        'show everything known about the workflow'
    @overload
    def __call__(self, _0: Literal["history.append"], /, *, display: str, session: str | None = ..., project: str | None = ..., pasted: dict[str, Any] | None = ..., timestamp: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> HistoryAppendResult:
        'record a prompt'
    @overload
    def __call__(self, _0: Literal["history.list"], /, *, project: str | None = ..., session: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> HistoryListResult:
        'list recorded prompts, newest first'
    @overload
    def __call__(self, _0: Literal["cache.section"], /, *, header: str, module: str | None = ..., path: str | None = ..., subtree: bool | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> CacheSectionResult:
        'print a section of a Markdown file, cached while the file is unchanged'
    @overload
    def __call__(self, _0: Literal["cache.assessment"], /, *, scope: str, paths: list[str] | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> CacheAssessmentResult:
        'show what was found about a part of the project, while no file there has changed'
    @overload
    def __call__(self, _0: Literal["cache.assess"], /, *, scope: str, content: str, paths: list[str] | None = ..., state: str | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> CacheAssessResult:
        'store what was found; with `state`, only if nothing has changed since'
    @overload
    def __call__(self, _0: Literal["research.add"], /, *, module: str, topic: str, summary: str | None = ..., findings: str | None = ..., sources: str | None = ..., relevance: str | None = ..., section: str | None = ..., body: str | None = ..., replace: bool | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> ResearchAddResult:
        "write a research note and its line in the module's RESEARCH.md"
    @overload
    def __call__(self, _0: Literal["research.get"], /, *, module: str, topic: str, project: str | None = ..., store: str | None = ...) -> ResearchGetResult:
        'show a research note'
    @overload
    def __call__(self, _0: Literal["research.list"], /, *, module: str | None = ..., project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> ResearchListResult:
        'list the research notes of a module, or of all'
    @overload
    def __call__(self, _0: Literal["spec.list"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> SpecListResult:
        'list the specifications of a project, their sections and what is missing'
    @overload
    def __call__(self, _0: Literal["spec.get"], /, *, module: str, project: str | None = ..., store: str | None = ...) -> SpecGetResult:
        'show a specification: name, description, title, sections with their hashes, criteria'
    @overload
    def __call__(self, _0: Literal["spec.drift"], /, *, module: str, session: str, project: str | None = ..., store: str | None = ...) -> SpecDriftResult:
        'list sections that changed since a session was last saved'
    @overload
    def __call__(self, _0: Literal["store.settings"], /, *, settings: dict[str, Any] | None = ..., store: str | None = ...) -> StoreSettingsResult:
        'show the settings of a store, where each comes from, and its own configuration, without keys'
    @overload
    def __call__(self, _0: Literal["store.configure"], /, *, settings: dict[str, Any], store: str | None = ..., dry_run: bool | None = ...) -> StoreConfigureResult:
        "change the store's own configuration; everything else in the file stays"
    @overload
    def __call__(self, _0: Literal["record.get"], /, *, kind: str, id: str | None = ..., project: str | None = ..., store: str | None = ...) -> RecordGetResult:
        'show a document stored with the sessions'
    @overload
    def __call__(self, _0: Literal["record.list"], /, *, kind: str, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> RecordListResult:
        'list the documents of a kind, by id'
    @overload
    def __call__(self, _0: Literal["record.put"], /, *, kind: str, id: str | None = ..., project: str | None = ..., record: dict[str, Any], new: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> RecordPutResult:
        'create a document or change fields of it; null removes a field, all others stay'
    @overload
    def __call__(self, _0: Literal["record.delete"], /, *, kind: str, id: str | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> RecordDeleteResult:
        'delete a document'
    @overload
    def __call__(self, _0: Literal["queue.list"], /, *, status: Literal["pending", "failed"] | None = ..., entity: Literal["thread", "session", "message"] | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> QueueListResult:
        'list changes waiting to be sent, oldest first'
    @overload
    def __call__(self, _0: Literal["queue.status"], /, *, store: str | None = ...) -> QueueStatusResult:
        'show whether the queue is on, how long it is and when it is sent next'
    @overload
    def __call__(self, _0: Literal["queue.init"], /, *, directory: str | None = ..., dry_run: bool | None = ...) -> QueueInitResult:
        'prepare a directory for queue run, which sends only to prepared directories'
    @overload
    def __call__(self, _0: Literal["queue.run"], /, *, directory: str | None = ..., limit: int | None = ..., redact: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> QueueRunResult:
        'send what is due, once'
    @overload
    def __call__(self, _0: Literal["queue.receive"], /, *, directory: str | None = ..., origin: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> QueueReceiveResult:
        'receive what other stores sent to a directory'
    @overload
    def __call__(self, _0: Literal["queue.retry"], /, *, id: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> QueueRetryResult:
        'try failed items again'
    @overload
    def __call__(self, _0: Literal["queue.remove"], /, *, id: str, store: str | None = ..., dry_run: bool | None = ...) -> QueueRemoveResult:
        'remove an item from the queue without sending it'
    @overload
    def __call__(self, _0: Literal["session.compact"], /, *, id: str, summary: str, trigger: Literal["manual", "auto"] | None = ..., pre_tokens: int | None = ..., model: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionCompactResult:
        'replace the messages so far with a summary; the originals are kept'
    @overload
    def __call__(self, _0: Literal["session.clear"], /, *, id: str, store: str | None = ..., dry_run: bool | None = ...) -> SessionClearResult:
        'empty a session; its old log is kept'
    @overload
    def __call__(self, _0: Literal["config.get"], /, *, store: str | None = ...) -> ConfigGetResult:
        'show the configuration inside a store, without its keys and passwords'
    @overload
    def __call__(self, _0: Literal["config.set"], /, *, values: dict[str, Any], store: str | None = ..., dry_run: bool | None = ...) -> ConfigSetResult:
        'set keys of the configuration inside a store; comments stay'
    @overload
    def __call__(self, _0: Literal["thread.list"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> ThreadListResult:
        'list threads: pinned ones first, then the newest'
    @overload
    def __call__(self, _0: Literal["thread.get"], /, *, id: str, store: str | None = ...) -> ThreadGetResult:
        'show a thread'
    @overload
    def __call__(self, _0: Literal["thread.create"], /, *, project: str | None = ..., title: str | None = ..., harness: str | None = ..., model: str | None = ..., id: str | None = ..., privacy: dict[str, Any] | None = ..., metadata: GivenMetadata | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> ThreadCreateResult:
        'get the thread of a project; creates one if there is none'
    @overload
    def __call__(self, _0: Literal["thread.save"], /, *, thread: GivenThread, store: str | None = ..., dry_run: bool | None = ...) -> ThreadSaveResult:
        'create or change a thread; fields that are not given are kept'
    @overload
    def __call__(self, _0: Literal["thread.delete"], /, *, id: str, store: str | None = ..., dry_run: bool | None = ...) -> ThreadDeleteResult:
        'delete a thread with its sessions and messages'
    @overload
    def __call__(self, _0: Literal["thread.resume"], /, *, id: str, harness: str | None = ..., config: dict[str, Any] | None = ..., takeover: bool | None = ..., owner: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> ThreadResumeResult:
        'continue a thread: its last session if that has not ended, else a new one'
    @overload
    def __call__(self, _0: Literal["tool.start"], /, *, session: str, tool: str, run_id: str | None = ..., status: Literal["Succeeded", "Failed", "Canceled"] | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> ToolStartResult:
        'record that a tool is running or, with a status, that it has run'
    @overload
    def __call__(self, _0: Literal["tool.finish"], /, *, session: str, run_id: str, status: Literal["Succeeded", "Failed", "Canceled"], store: str | None = ..., dry_run: bool | None = ...) -> ToolFinishResult:
        'record how a tool run ended; can be done only once'
    @overload
    def __call__(self, _0: Literal["tool.list"], /, *, session: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> ToolListResult:
        'list the tool runs of a session: finished runs in the order they ended, then the others'
    @overload
    def __call__(self, _0: Literal["session.trash"], /, *, id: str, store: str | None = ..., dry_run: bool | None = ...) -> SessionTrashResult:
        'move a Holdfast session to the trash; restore it with holdfast restore'
    @overload
    def __call__(self, _0: Literal["session.restore"], /, *, id: str, to: str | None = ..., as_of: str | None = ..., project: str | None = ..., memory: bool | None = ..., exact_times: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionRestoreResult:
        'restore a session from the trash or the archive, to the place where its agent finds it'
    @overload
    def __call__(self, _0: Literal["session.trashed"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> SessionTrashedResult:
        'list the trash, newest first'
    @overload
    def __call__(self, _0: Literal["store.prune"], /, *, keep: int | None = ..., trash_days: int | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> StorePruneResult:
        'remove old Holdfast sessions: completed ones go to the trash, old trash is deleted'
    @overload
    def __call__(self, _0: Literal["archive.run"], /, *, store: str | None = ..., dry_run: bool | None = ...) -> ArchiveRunResult:
        'copy new and changed sessions of every agent into the archive'
    @overload
    def __call__(self, _0: Literal["archive.status"], /, *, store: str | None = ...) -> ArchiveStatusResult:
        'show what the archive contains, and what it cannot capture yet'
    @overload
    def __call__(self, _0: Literal["archive.versions"], /, *, id: str, store: str | None = ...) -> ArchiveVersionsResult:
        'list the archived versions of a session, oldest first; restore one with holdfast restore --as-of'
    @overload
    def __call__(self, _0: Literal["archive.verify"], /, *, store: str | None = ...) -> ArchiveVerifyResult:
        'read everything in the archive and check every hash'
    @overload
    def __call__(self, _0: Literal["session.forget"], /, *, id: str | None = ..., match: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionForgetResult:
        'remove sessions from the archive for good, or only lines that contain a text, and never capture them again'
    @overload
    def __call__(self, _0: Literal["archive.prune"], /, *, keep_days: int | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> ArchivePruneResult:
        'remove archived sessions that are older than archive.keep_days and were deleted by their agents'
    @overload
    def __call__(self, _0: Literal["archive.compact"], /, *, drop_unnamed: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> ArchiveCompactResult:
        'merge small pieces of growing files and drop unreferenced data'
    @overload
    def __call__(self, _0: Literal["archive.enable"], /, *, dry_run: bool | None = ...) -> ArchiveEnableResult:
        'capture every 15 minutes with a systemd timer, starting at the next login; print the command to start it now, or a crontab line if there is no systemd'
    @overload
    def __call__(self, _0: Literal["archive.disable"], /, *, dry_run: bool | None = ...) -> ArchiveDisableResult:
        'turn the systemd timer off; the archive is kept'
    @overload
    def __call__(self, _0: Literal["hooks.install"], /, *, agent: Literal["claude-code"], project: str | None = ..., program: str | None = ..., capture: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> HooksInstallResult:
        "make an agent start its sessions with the state of the project's workflow"
    @overload
    def __call__(self, _0: Literal["hooks.uninstall"], /, *, agent: Literal["claude-code"], project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> HooksUninstallResult:
        "remove the hooks from an agent's settings"
    @overload
    def __call__(self, _0: Literal["hooks.run"], /, *, agent: Literal["claude-code"], project: str, capture: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> HooksRunResult:
        "print the state of a project's workflow, or nothing if there is none; this is what the hook runs"
    @overload
    def __call__(self, _0: Literal["hooks.text"], /, *, agent: Literal["claude-code"]) -> HooksTextResult:
        'print instructions for an agent that explain the commands'
    @overload
    def __call__(self, _0: Literal["session.star"], /, *, id: str, remove: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionStarResult:
        "mark a session of any agent with a star, in Holdfast's own files"
    @overload
    def __call__(self, _0: Literal["session.tag"], /, *, id: str, tags: list[str], remove: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionTagResult:
        "tag a session of any agent, in Holdfast's own files"
    @overload
    def __call__(self, _0: Literal["session.rename"], /, *, id: str, title: str, store: str | None = ..., dry_run: bool | None = ...) -> SessionRenameResult:
        "give a session of any agent a title, in Holdfast's own files"
    @overload
    def __call__(self, _0: Literal["mcp.install"], /, *, agent: str, store: str | None = ..., dry_run: bool | None = ...) -> McpInstallResult:
        "add holdfast mcp to an agent's settings; everything else there stays"
    @overload
    def __call__(self, _0: Literal["mcp.uninstall"], /, *, agent: str, store: str | None = ..., dry_run: bool | None = ...) -> McpUninstallResult:
        "remove holdfast mcp from an agent's settings"
    @overload
    def __call__(self, _0: Literal["remote.add"], /, *, name: str, url: str, encrypt: bool | None = ..., recover: str | None = ..., allow_insecure: bool | None = ..., store: str | None = ..., dry_run: bool | None = ..., **more: Any) -> RemoteAddResult:
        'add a remote, a place where your machines share sessions'
    @overload
    def __call__(self, _0: Literal["remote.list"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> RemoteListResult:
        'list remotes, what is shared with each, and the devices seen there'
    @overload
    def __call__(self, _0: Literal["remote.check"], /, *, name: str, store: str | None = ..., dry_run: bool | None = ...) -> RemoteCheckResult:
        'check that a remote can be reached, and that everything this machine published there is undamaged'
    @overload
    def __call__(self, _0: Literal["remote.migrate"], /, *, name: str, allow_insecure: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> RemoteMigrateResult:
        'create or update the tables of a PostgreSQL remote'
    @overload
    def __call__(self, _0: Literal["remote.index"], /, *, name: str, store: str | None = ..., dry_run: bool | None = ...) -> RemoteIndexResult:
        'make the sessions that this machine can read on a PostgreSQL remote searchable there'
    @overload
    def __call__(self, _0: Literal["remote.remove"], /, *, name: str, erase: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> RemoteRemoveResult:
        'forget a remote and the sessions of other machines that came from it'
    @overload
    def __call__(self, _0: Literal["remote.share"], /, *, project: str, policy: Literal["full", "redacted"] | None = ..., store: str | None = ..., dry_run: bool | None = ..., **more: Any) -> RemoteShareResult:
        'share the sessions of a project through a remote, from the next sync on'
    @overload
    def __call__(self, _0: Literal["remote.unshare"], /, *, project: str, store: str | None = ..., dry_run: bool | None = ..., **more: Any) -> RemoteUnshareResult:
        'stop sharing a project; the next sync erases what was shared'
    @overload
    def __call__(self, _0: Literal["remote.pair"], /, *, name: str, device: str, code: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> RemotePairResult:
        'trust another device as your own, after comparing a code on both devices'
    @overload
    def __call__(self, _0: Literal["remote.trust"], /, *, name: str, device: str, store: str | None = ..., dry_run: bool | None = ...) -> RemoteTrustResult:
        'trust a device as your own: what is forgotten there is forgotten here too'
    @overload
    def __call__(self, _0: Literal["remote.revoke"], /, *, name: str, device: str, store: str | None = ..., dry_run: bool | None = ...) -> RemoteRevokeResult:
        'stop reading from a device; on an encrypted remote, also keep it from reading anything new'
    @overload
    def __call__(self, _0: Literal["sync.run"], /, *, name: str | None = ..., fetch: str | None = ..., no_capture: bool | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SyncRunResult:
        'exchange shared sessions with your other machines'
    @overload
    def __call__(self, _0: Literal["sync.status"], /, *, store: str | None = ...) -> SyncStatusResult:
        'show what is shared with whom, and what is here from other machines'
    @overload
    def __call__(self, _0: Literal["machine.list"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> MachineListResult:
        'list the other machines that share sessions, and how many of their sessions are here'
    @overload
    def __call__(self, _0: Literal["session.regroup"], /, *, id: str | None = ..., project: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionRegroupResult:
        'move a session from the flat folder into the folder of its project'
    @overload
    def __call__(self, _0: Literal["session.scrub"], /, *, id: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> SessionScrubResult:
        'remove secrets that an older program left in the header of a session'
    @overload
    def __call__(self, _0: Literal["log.append"], /, *, text: str, store: str | None = ..., dry_run: bool | None = ...) -> LogAppendResult:
        "add a line to today's log; logs older than 7 days are deleted"
    @overload
    def __call__(self, _0: Literal["log.list"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> LogListResult:
        'list the daily logs of a store, newest first'
    @overload
    def __call__(self, _0: Literal["log.show"], /, *, day: str | None = ..., store: str | None = ...) -> LogShowResult:
        'show the log of a day'
    @overload
    def __call__(self, _0: Literal["log.prune"], /, *, days: int | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> LogPruneResult:
        'delete old daily logs'
    @overload
    def __call__(self, _0: Literal["entry.append"], /, *, project: str, session: str, stream: str | None = ..., entries: list[Any], operation_id: str | None = ..., summary: Any | None = ..., after: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> EntryAppendResult:
        'add JSON objects to a stream, verbatim, in one commit; objects whose uuid already exists are skipped'
    @overload
    def __call__(self, _0: Literal["entry.replace"], /, *, project: str, session: str, stream: str | None = ..., expected: list[Any], entries: list[Any], operation_id: str | None = ..., summary: Any | None = ..., after: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> EntryReplaceResult:
        'replace the last objects of a stream, if they are still the last'
    @overload
    def __call__(self, _0: Literal["entry.load"], /, *, project: str, session: str, stream: str | None = ..., count: int | None = ..., last: int | None = ..., store: str | None = ..., **more: Any) -> EntryLoadResult:
        'return the objects of a stream, in order'
    @overload
    def __call__(self, _0: Literal["entry.list"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> EntryListResult:
        'list the sessions of a project that have a main stream, newest first'
    @overload
    def __call__(self, _0: Literal["entry.streams"], /, *, project: str, session: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> EntryStreamsResult:
        'list the streams of a session, except the main one'
    @overload
    def __call__(self, _0: Literal["entry.summaries"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> EntrySummariesResult:
        "list the summaries of a project's sessions, newest first"
    @overload
    def __call__(self, _0: Literal["entry.delete"], /, *, project: str, session: str, stream: str | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> EntryDeleteResult:
        'delete a stream for good; deleting the main stream deletes all streams of the session'

class Pages(Protocol):
    @overload
    def __call__(self, _0: Literal["session.list"], _1: Literal["sessions"], /, *, agent: str | None = ..., project: str | None = ..., since: str | None = ..., until: str | None = ..., status: Literal["running", "interrupted", "active", "complete", "failed", "stopped", "archived", "unknown"] | None = ..., archived: bool | None = ..., layout: str | None = ..., machine: str | None = ..., remote: str | None = ..., subagents: bool | None = ..., all: bool | None = ..., long: bool | None = ..., starred: bool | None = ..., tree: bool | None = ..., tag: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Session]:
        'list sessions, newest first'
    @overload
    def __call__(self, _0: Literal["session.list"], _1: Literal["findings"], /, *, agent: str | None = ..., project: str | None = ..., since: str | None = ..., until: str | None = ..., status: Literal["running", "interrupted", "active", "complete", "failed", "stopped", "archived", "unknown"] | None = ..., archived: bool | None = ..., layout: str | None = ..., machine: str | None = ..., remote: str | None = ..., subagents: bool | None = ..., all: bool | None = ..., long: bool | None = ..., starred: bool | None = ..., tree: bool | None = ..., tag: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list sessions, newest first'
    @overload
    def __call__(self, _0: Literal["session.list"], _1: Literal["warnings"], /, *, agent: str | None = ..., project: str | None = ..., since: str | None = ..., until: str | None = ..., status: Literal["running", "interrupted", "active", "complete", "failed", "stopped", "archived", "unknown"] | None = ..., archived: bool | None = ..., layout: str | None = ..., machine: str | None = ..., remote: str | None = ..., subagents: bool | None = ..., all: bool | None = ..., long: bool | None = ..., starred: bool | None = ..., tree: bool | None = ..., tag: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list sessions, newest first'
    @overload
    def __call__(self, _0: Literal["session.resumable"], _1: Literal["sessions"], /, *, module: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Resumable]:
        'list sessions that can be continued: incomplete and readable, newest first'
    @overload
    def __call__(self, _0: Literal["session.resumable"], _1: Literal["warnings"], /, *, module: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list sessions that can be continued: incomplete and readable, newest first'
    @overload
    def __call__(self, _0: Literal["session.resumable"], _1: Literal["findings"], /, *, module: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list sessions that can be continued: incomplete and readable, newest first'
    @overload
    def __call__(self, _0: Literal["session.search"], _1: Literal["hits"], /, *, words: list[str], regex: bool | None = ..., case: bool | None = ..., session: str | None = ..., limit: int | None = ..., skip: int | None = ..., count: bool | None = ..., redact: bool | None = ..., agent: str | None = ..., project: str | None = ..., since: str | None = ..., until: str | None = ..., status: Literal["running", "interrupted", "active", "complete", "failed", "stopped", "archived", "unknown"] | None = ..., archived: bool | None = ..., layout: str | None = ..., machine: str | None = ..., remote: str | None = ..., subagents: bool | None = ..., stream: bool | None = ..., cursor: str | None = ..., store: str | None = ..., **more: Any) -> Iterator[Hit]:
        'search messages, newest first; all words must be in the same message'
    @overload
    def __call__(self, _0: Literal["session.search"], _1: Literal["findings"], /, *, words: list[str], regex: bool | None = ..., case: bool | None = ..., session: str | None = ..., limit: int | None = ..., skip: int | None = ..., count: bool | None = ..., redact: bool | None = ..., agent: str | None = ..., project: str | None = ..., since: str | None = ..., until: str | None = ..., status: Literal["running", "interrupted", "active", "complete", "failed", "stopped", "archived", "unknown"] | None = ..., archived: bool | None = ..., layout: str | None = ..., machine: str | None = ..., remote: str | None = ..., subagents: bool | None = ..., stream: bool | None = ..., cursor: str | None = ..., store: str | None = ..., **more: Any) -> Iterator[Finding]:
        'search messages, newest first; all words must be in the same message'
    @overload
    def __call__(self, _0: Literal["session.search"], _1: Literal["warnings"], /, *, words: list[str], regex: bool | None = ..., case: bool | None = ..., session: str | None = ..., limit: int | None = ..., skip: int | None = ..., count: bool | None = ..., redact: bool | None = ..., agent: str | None = ..., project: str | None = ..., since: str | None = ..., until: str | None = ..., status: Literal["running", "interrupted", "active", "complete", "failed", "stopped", "archived", "unknown"] | None = ..., archived: bool | None = ..., layout: str | None = ..., machine: str | None = ..., remote: str | None = ..., subagents: bool | None = ..., stream: bool | None = ..., cursor: str | None = ..., store: str | None = ..., **more: Any) -> Iterator[str]:
        'search messages, newest first; all words must be in the same message'
    @overload
    def __call__(self, _0: Literal["message.list"], _1: Literal["messages"], /, *, session: str | None = ..., thread: str | None = ..., machine: str | None = ..., last: int | None = ..., at: int | None = ..., branch: str | None = ..., history: bool | None = ..., data: bool | None = ..., from_agent: str | None = ..., redact: bool | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ..., **more: Any) -> Iterator[Message]:
        'list the messages of a session, or of a thread, in order'
    @overload
    def __call__(self, _0: Literal["message.list"], _1: Literal["items"], /, *, session: str | None = ..., thread: str | None = ..., machine: str | None = ..., last: int | None = ..., at: int | None = ..., branch: str | None = ..., history: bool | None = ..., data: bool | None = ..., from_agent: str | None = ..., redact: bool | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ..., **more: Any) -> Iterator[Any]:
        'list the messages of a session, or of a thread, in order'
    @overload
    def __call__(self, _0: Literal["message.list"], _1: Literal["sessions"], /, *, session: str | None = ..., thread: str | None = ..., machine: str | None = ..., last: int | None = ..., at: int | None = ..., branch: str | None = ..., history: bool | None = ..., data: bool | None = ..., from_agent: str | None = ..., redact: bool | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ..., **more: Any) -> Iterator[str]:
        'list the messages of a session, or of a thread, in order'
    @overload
    def __call__(self, _0: Literal["message.list"], _1: Literal["damage"], /, *, session: str | None = ..., thread: str | None = ..., machine: str | None = ..., last: int | None = ..., at: int | None = ..., branch: str | None = ..., history: bool | None = ..., data: bool | None = ..., from_agent: str | None = ..., redact: bool | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ..., **more: Any) -> Iterator[Finding]:
        'list the messages of a session, or of a thread, in order'
    @overload
    def __call__(self, _0: Literal["message.list"], _1: Literal["warnings"], /, *, session: str | None = ..., thread: str | None = ..., machine: str | None = ..., last: int | None = ..., at: int | None = ..., branch: str | None = ..., history: bool | None = ..., data: bool | None = ..., from_agent: str | None = ..., redact: bool | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ..., **more: Any) -> Iterator[str]:
        'list the messages of a session, or of a thread, in order'
    @overload
    def __call__(self, _0: Literal["message.list"], _1: Literal["findings"], /, *, session: str | None = ..., thread: str | None = ..., machine: str | None = ..., last: int | None = ..., at: int | None = ..., branch: str | None = ..., history: bool | None = ..., data: bool | None = ..., from_agent: str | None = ..., redact: bool | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ..., **more: Any) -> Iterator[Finding]:
        'list the messages of a session, or of a thread, in order'
    @overload
    def __call__(self, _0: Literal["store.list"], _1: Literal["stores"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Store]:
        'list the stores on this machine'
    @overload
    def __call__(self, _0: Literal["store.list"], _1: Literal["findings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the stores on this machine'
    @overload
    def __call__(self, _0: Literal["store.list"], _1: Literal["warnings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the stores on this machine'
    @overload
    def __call__(self, _0: Literal["store.verify"], _1: Literal["damage"], /, *, id: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'check every session and report damage; reads everything once, changes nothing'
    @overload
    def __call__(self, _0: Literal["store.verify"], _1: Literal["unreadable"], /, *, id: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'check every session and report damage; reads everything once, changes nothing'
    @overload
    def __call__(self, _0: Literal["store.verify"], _1: Literal["notes"], /, *, id: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'check every session and report damage; reads everything once, changes nothing'
    @overload
    def __call__(self, _0: Literal["store.verify"], _1: Literal["remedies"], /, *, id: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'check every session and report damage; reads everything once, changes nothing'
    @overload
    def __call__(self, _0: Literal["store.verify"], _1: Literal["warnings"], /, *, id: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'check every session and report damage; reads everything once, changes nothing'
    @overload
    def __call__(self, _0: Literal["store.verify"], _1: Literal["findings"], /, *, id: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'check every session and report damage; reads everything once, changes nothing'
    @overload
    def __call__(self, _0: Literal["run.list"], _1: Literal["runs"], /, *, project: str | None = ..., session: str | None = ..., agent: str | None = ..., parent: str | None = ..., status: Literal["running", "interrupted", "completed", "failed", "cancelled"] | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Run]:
        'list runs, newest first'
    @overload
    def __call__(self, _0: Literal["run.list"], _1: Literal["findings"], /, *, project: str | None = ..., session: str | None = ..., agent: str | None = ..., parent: str | None = ..., status: Literal["running", "interrupted", "completed", "failed", "cancelled"] | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list runs, newest first'
    @overload
    def __call__(self, _0: Literal["run.list"], _1: Literal["warnings"], /, *, project: str | None = ..., session: str | None = ..., agent: str | None = ..., parent: str | None = ..., status: Literal["running", "interrupted", "completed", "failed", "cancelled"] | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list runs, newest first'
    @overload
    def __call__(self, _0: Literal["run.children"], _1: Literal["runs"], /, *, id: str, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Run]:
        'list what a run started, oldest first'
    @overload
    def __call__(self, _0: Literal["run.children"], _1: Literal["findings"], /, *, id: str, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list what a run started, oldest first'
    @overload
    def __call__(self, _0: Literal["run.children"], _1: Literal["warnings"], /, *, id: str, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list what a run started, oldest first'
    @overload
    def __call__(self, _0: Literal["mission.list"], _1: Literal["missions"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Mission]:
        'list the missions of a project, newest first'
    @overload
    def __call__(self, _0: Literal["mission.list"], _1: Literal["findings"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the missions of a project, newest first'
    @overload
    def __call__(self, _0: Literal["mission.list"], _1: Literal["warnings"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the missions of a project, newest first'
    @overload
    def __call__(self, _0: Literal["project.list"], _1: Literal["projects"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Project]:
        'list the projects of a store, newest first'
    @overload
    def __call__(self, _0: Literal["project.list"], _1: Literal["findings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the projects of a store, newest first'
    @overload
    def __call__(self, _0: Literal["project.list"], _1: Literal["warnings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the projects of a store, newest first'
    @overload
    def __call__(self, _0: Literal["agent.list"], _1: Literal["agents"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Record]:
        'list the agents of a store'
    @overload
    def __call__(self, _0: Literal["agent.list"], _1: Literal["findings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the agents of a store'
    @overload
    def __call__(self, _0: Literal["agent.list"], _1: Literal["warnings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the agents of a store'
    @overload
    def __call__(self, _0: Literal["skill.list"], _1: Literal["skills"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Record]:
        'list the skills of a store'
    @overload
    def __call__(self, _0: Literal["skill.list"], _1: Literal["findings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the skills of a store'
    @overload
    def __call__(self, _0: Literal["skill.list"], _1: Literal["warnings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the skills of a store'
    @overload
    def __call__(self, _0: Literal["permission.list"], _1: Literal["tools"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the tools that are allowed'
    @overload
    def __call__(self, _0: Literal["permission.list"], _1: Literal["warnings"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the tools that are allowed'
    @overload
    def __call__(self, _0: Literal["permission.list"], _1: Literal["findings"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the tools that are allowed'
    @overload
    def __call__(self, _0: Literal["credential.list"], _1: Literal["credentials"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Record]:
        'list the stored keys by id, without the keys themselves'
    @overload
    def __call__(self, _0: Literal["credential.list"], _1: Literal["findings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the stored keys by id, without the keys themselves'
    @overload
    def __call__(self, _0: Literal["credential.list"], _1: Literal["warnings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the stored keys by id, without the keys themselves'
    @overload
    def __call__(self, _0: Literal["plan.list"], _1: Literal["plans"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Plan]:
        'list plans'
    @overload
    def __call__(self, _0: Literal["plan.list"], _1: Literal["findings"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list plans'
    @overload
    def __call__(self, _0: Literal["plan.list"], _1: Literal["warnings"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list plans'
    @overload
    def __call__(self, _0: Literal["memory.list"], _1: Literal["memories"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Record]:
        'list the texts of a project, by name'
    @overload
    def __call__(self, _0: Literal["memory.list"], _1: Literal["findings"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the texts of a project, by name'
    @overload
    def __call__(self, _0: Literal["memory.list"], _1: Literal["warnings"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the texts of a project, by name'
    @overload
    def __call__(self, _0: Literal["task.list"], _1: Literal["tasks"], /, *, session: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Task]:
        'list the tasks of a session, each followed by its subtasks'
    @overload
    def __call__(self, _0: Literal["task.list"], _1: Literal["warnings"], /, *, session: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the tasks of a session, each followed by its subtasks'
    @overload
    def __call__(self, _0: Literal["task.list"], _1: Literal["findings"], /, *, session: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the tasks of a session, each followed by its subtasks'
    @overload
    def __call__(self, _0: Literal["delegation.list"], _1: Literal["delegations"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list delegated work'
    @overload
    def __call__(self, _0: Literal["delegation.list"], _1: Literal["warnings"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list delegated work'
    @overload
    def __call__(self, _0: Literal["delegation.list"], _1: Literal["findings"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list delegated work'
    @overload
    def __call__(self, _0: Literal["history.list"], _1: Literal["prompts"], /, *, project: str | None = ..., session: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Prompt]:
        'list recorded prompts, newest first'
    @overload
    def __call__(self, _0: Literal["history.list"], _1: Literal["findings"], /, *, project: str | None = ..., session: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list recorded prompts, newest first'
    @overload
    def __call__(self, _0: Literal["history.list"], _1: Literal["warnings"], /, *, project: str | None = ..., session: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list recorded prompts, newest first'
    @overload
    def __call__(self, _0: Literal["research.list"], _1: Literal["research"], /, *, module: str | None = ..., project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Research]:
        'list the research notes of a module, or of all'
    @overload
    def __call__(self, _0: Literal["research.list"], _1: Literal["findings"], /, *, module: str | None = ..., project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the research notes of a module, or of all'
    @overload
    def __call__(self, _0: Literal["research.list"], _1: Literal["warnings"], /, *, module: str | None = ..., project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the research notes of a module, or of all'
    @overload
    def __call__(self, _0: Literal["spec.list"], _1: Literal["specifications"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Specification]:
        'list the specifications of a project, their sections and what is missing'
    @overload
    def __call__(self, _0: Literal["spec.list"], _1: Literal["findings"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the specifications of a project, their sections and what is missing'
    @overload
    def __call__(self, _0: Literal["spec.list"], _1: Literal["warnings"], /, *, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the specifications of a project, their sections and what is missing'
    @overload
    def __call__(self, _0: Literal["record.list"], _1: Literal["records"], /, *, kind: str, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Record]:
        'list the documents of a kind, by id'
    @overload
    def __call__(self, _0: Literal["record.list"], _1: Literal["findings"], /, *, kind: str, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the documents of a kind, by id'
    @overload
    def __call__(self, _0: Literal["record.list"], _1: Literal["warnings"], /, *, kind: str, project: str | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the documents of a kind, by id'
    @overload
    def __call__(self, _0: Literal["queue.list"], _1: Literal["items"], /, *, status: Literal["pending", "failed"] | None = ..., entity: Literal["thread", "session", "message"] | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[QueueItem]:
        'list changes waiting to be sent, oldest first'
    @overload
    def __call__(self, _0: Literal["queue.list"], _1: Literal["findings"], /, *, status: Literal["pending", "failed"] | None = ..., entity: Literal["thread", "session", "message"] | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list changes waiting to be sent, oldest first'
    @overload
    def __call__(self, _0: Literal["queue.list"], _1: Literal["warnings"], /, *, status: Literal["pending", "failed"] | None = ..., entity: Literal["thread", "session", "message"] | None = ..., limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list changes waiting to be sent, oldest first'
    @overload
    def __call__(self, _0: Literal["thread.list"], _1: Literal["threads"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[ThreadRow]:
        'list threads: pinned ones first, then the newest'
    @overload
    def __call__(self, _0: Literal["thread.list"], _1: Literal["findings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list threads: pinned ones first, then the newest'
    @overload
    def __call__(self, _0: Literal["thread.list"], _1: Literal["warnings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list threads: pinned ones first, then the newest'
    @overload
    def __call__(self, _0: Literal["tool.list"], _1: Literal["runs"], /, *, session: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[ToolRun]:
        'list the tool runs of a session: finished runs in the order they ended, then the others'
    @overload
    def __call__(self, _0: Literal["tool.list"], _1: Literal["warnings"], /, *, session: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the tool runs of a session: finished runs in the order they ended, then the others'
    @overload
    def __call__(self, _0: Literal["tool.list"], _1: Literal["findings"], /, *, session: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the tool runs of a session: finished runs in the order they ended, then the others'
    @overload
    def __call__(self, _0: Literal["session.trashed"], _1: Literal["trashed"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[dict[str, Any]]:
        'list the trash, newest first'
    @overload
    def __call__(self, _0: Literal["session.trashed"], _1: Literal["warnings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the trash, newest first'
    @overload
    def __call__(self, _0: Literal["session.trashed"], _1: Literal["findings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the trash, newest first'
    @overload
    def __call__(self, _0: Literal["remote.list"], _1: Literal["remotes"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[dict[str, Any]]:
        'list remotes, what is shared with each, and the devices seen there'
    @overload
    def __call__(self, _0: Literal["remote.list"], _1: Literal["warnings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list remotes, what is shared with each, and the devices seen there'
    @overload
    def __call__(self, _0: Literal["remote.list"], _1: Literal["findings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list remotes, what is shared with each, and the devices seen there'
    @overload
    def __call__(self, _0: Literal["machine.list"], _1: Literal["machines"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[dict[str, Any]]:
        'list the other machines that share sessions, and how many of their sessions are here'
    @overload
    def __call__(self, _0: Literal["machine.list"], _1: Literal["warnings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the other machines that share sessions, and how many of their sessions are here'
    @overload
    def __call__(self, _0: Literal["machine.list"], _1: Literal["findings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the other machines that share sessions, and how many of their sessions are here'
    @overload
    def __call__(self, _0: Literal["log.list"], _1: Literal["logs"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[DailyLog]:
        'list the daily logs of a store, newest first'
    @overload
    def __call__(self, _0: Literal["log.list"], _1: Literal["warnings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the daily logs of a store, newest first'
    @overload
    def __call__(self, _0: Literal["log.list"], _1: Literal["findings"], /, *, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the daily logs of a store, newest first'
    @overload
    def __call__(self, _0: Literal["entry.list"], _1: Literal["sessions"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[EntrySession]:
        'list the sessions of a project that have a main stream, newest first'
    @overload
    def __call__(self, _0: Literal["entry.list"], _1: Literal["damage"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the sessions of a project that have a main stream, newest first'
    @overload
    def __call__(self, _0: Literal["entry.list"], _1: Literal["warnings"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the sessions of a project that have a main stream, newest first'
    @overload
    def __call__(self, _0: Literal["entry.list"], _1: Literal["findings"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the sessions of a project that have a main stream, newest first'
    @overload
    def __call__(self, _0: Literal["entry.streams"], _1: Literal["streams"], /, *, project: str, session: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the streams of a session, except the main one'
    @overload
    def __call__(self, _0: Literal["entry.streams"], _1: Literal["warnings"], /, *, project: str, session: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        'list the streams of a session, except the main one'
    @overload
    def __call__(self, _0: Literal["entry.streams"], _1: Literal["findings"], /, *, project: str, session: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        'list the streams of a session, except the main one'
    @overload
    def __call__(self, _0: Literal["entry.summaries"], _1: Literal["summaries"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[EntrySummary]:
        "list the summaries of a project's sessions, newest first"
    @overload
    def __call__(self, _0: Literal["entry.summaries"], _1: Literal["damage"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        "list the summaries of a project's sessions, newest first"
    @overload
    def __call__(self, _0: Literal["entry.summaries"], _1: Literal["warnings"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[str]:
        "list the summaries of a project's sessions, newest first"
    @overload
    def __call__(self, _0: Literal["entry.summaries"], _1: Literal["findings"], /, *, project: str, limit: int | None = ..., skip: int | None = ..., cursor: str | None = ..., store: str | None = ...) -> Iterator[Finding]:
        "list the summaries of a project's sessions, newest first"

class Streams(Protocol):
    @overload
    def __call__(self, _0: Literal["session.follow"], /, *, id: str | None = ..., last: int | None = ..., follow: bool | None = ..., format: Literal["json", "text", "blocks"] | None = ..., width: int | None = ..., colour: bool | None = ..., redact: bool | None = ..., store: str | None = ...) -> Stream[SessionFollowItem]:
        'stream the last messages of a session, then each new one, until cancelled or the session is removed'
    @overload
    def __call__(self, _0: Literal["archive.watch"], /, *, store: str | None = ..., dry_run: bool | None = ...) -> Stream[ArchiveWatchItem]:
        'capture sessions as their files change, until stopped'
    @overload
    def __call__(self, _0: Literal["sync.watch"], /, *, name: str | None = ..., fetch: str | None = ..., every: int | None = ..., store: str | None = ..., dry_run: bool | None = ...) -> Stream[SyncWatchItem]:
        'keep syncing until stopped: send shared sessions as they change, and check for new ones from others'
