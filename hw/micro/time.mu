// Time: ticks, timeouts of waits, alarm timers (melanion/model/time.py, timer.py).

at job tick:
        read register[time_high]; goto tick_2 after next
        now, register[time_low] = now + 1; device publish
tick_2:
        = now; device core(0); if carry goto tick_wraps
        = M@register; report tick; subject <- running; read system[claim_limit]; test device.goes_on   // the low word is the result of the word before
tick_3:
        read task[subject]; if not flag goto tick_claims
        system[claims_left] = M@system; device claims_free; read slice[subject]
// The tick counts for the core's running task, which has its turn, before the first quantum is set, too (quantum.mu).
tick_count:
        task[subject] = M@task | STALE; read quantum[M]; test M@task.stale
        x = M@slice + 0x10000; if not flag goto tick_first
        if carry: x = x - 0x10000                    // the count stays at its maximum
tick_judge:
        = M@quantum + x
        if carry: device slice_spent; test device.last_core
        slice[subject] = x; if flag goto idle
tick_core:
        device core_next
        subject <- running; test device.goes_on
        read task[subject]; if not flag goto tick_no_turn
        goto tick_count after next
        read slice[subject]
tick_first:                                          // of a new slice
        x = 0x10000; goto tick_judge
tick_no_turn:
        test device.last_core
        if not flag goto tick_core
        end
tick_claims:                                         // nobody has a turn on core 0
        read system[claim_limit]
        pass
        system[claims_left] = M@system; device claims_free; goto tick_no_turn
tick_wraps:
        read register[time_high]
        = now
        register[time_high] = M@register + 1; report tick; goto tick_3 after next
        subject <- running; read system[claim_limit]; test device.goes_on

at command tick_set:
        x = size.tick_minimum; test no_argument
        if flag goto ticks_end; read system[claim_limit]
        goto tick_set_2 after next
        = argument - x
tick_set_2:
        if not carry goto refuse_parameter
        register[tick_cycles] = argument
        = argument; device tick_set; done E_OK
ticks_end:                                           // without ticks, claims have no limit; it begins anew with the next
        register[tick_cycles] = zero
        = zero; device tick_set; done E_OK, go on
        system[claims_left] = M; device claims_free; end
