/* SPDX-License-Identifier: Apache-2.0 */
/* policies.c: time policies and the monitor, which not every kernel has. */
#include "calls.h"

enum { CLAIMS = 5 };

static mel_report_t report;

SHOT(limit, mel_claim_limit(CLAIMS))
SHOT(limit_wrong, mel_claim_limit(UINT32_MAX))
SHOT(quantum, mel_quantum_set(CALLER_PRIORITY, UINT16_MAX))
SHOT(quantum_wrong, mel_quantum_set(MEL_PRIORITIES, 1))
SHOT(deadline, mel_deadline_set(SUBJECT, LONG))
SHOT(deadline_bad, mel_deadline_set(BAD, LONG))
SHOT(deadline_self, mel_deadline_set(MEL_SELF, LONG))
SHOT(budget, mel_budget_set(SUBJECT, LONG))
SHOT(budget_bad, mel_budget_set(BAD, LONG))
SHOT(budget_self, mel_budget_set(MEL_SELF, 0))
SHOT(report_get, mel_report_get(&report))
SHOT(run_time, mel_monitor_run_time(SUBJECT, &word))
SHOT(run_time_bad, mel_monitor_run_time(BAD, &word))
SHOT(longest_wait, mel_monitor_longest_wait(&word))
SHOT(latency, mel_monitor_latency(CLAIMS, &word))
SHOT(latency_wrong, mel_monitor_latency(MEL_LATENCIES, &word))
SHOT(clear, mel_monitor_clear())

static const row_t rows[] = {
    STAYS(CALL_CLAIM_LIMIT, "any", nothing, 0, limit, MEL_E_OK),
    STAYS(CALL_CLAIM_LIMIT, "too many", nothing, 0, limit_wrong, MEL_E_PAR),
    STAYS(CALL_DEADLINE_SET, "ready", ready, 0, deadline, MEL_E_OK),
    STAYS(CALL_DEADLINE_SET, "the caller", nothing, 0, deadline_self, MEL_E_OK),
    STAYS(CALL_DEADLINE_SET, "dormant", dormant, 0, deadline, MEL_E_OBJ),
    REFUSED(CALL_DEADLINE_SET, deadline),
    STAYS(CALL_BUDGET_SET, "ready", ready, 0, budget, MEL_E_OK),
    STAYS(CALL_BUDGET_SET, "the caller", nothing, 0, budget_self, MEL_E_OK),
    STAYS(CALL_BUDGET_SET, "dormant", dormant, 0, budget, MEL_E_OBJ),
    REFUSED(CALL_BUDGET_SET, budget),
    STAYS(CALL_REPORT_GET, "any", nothing, 0, report_get, MEL_E_OK),
    STAYS(CALL_MONITOR_RUN_TIME, "ready", ready, 0, run_time, MEL_E_OK),
    REFUSED(CALL_MONITOR_RUN_TIME, run_time),
    STAYS(CALL_MONITOR_LONGEST_WAIT, "any", nothing, 0, longest_wait, MEL_E_OK),
    STAYS(CALL_MONITOR_LATENCY, "any", nothing, 0, latency, MEL_E_OK),
    STAYS(CALL_MONITOR_LATENCY, "no such bucket", nothing, 0, latency_wrong, MEL_E_PAR),
    STAYS(CALL_MONITOR_CLEAR, "any", nothing, 0, clear, MEL_E_OK),
};

static const row_t quantum_rows[] = {
    STAYS(CALL_QUANTUM_SET, "any", nothing, 0, quantum, MEL_E_OK),
    STAYS(CALL_QUANTUM_SET, "priority out of range", nothing, 0, quantum_wrong, MEL_E_PAR),
};

const table_t policy_table = TABLE(rows);
const table_t quantum_table = TABLE(quantum_rows);
