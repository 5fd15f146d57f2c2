// Time: ticks, timeouts of waits, alarm timers (melanion/model/time.py, timer.py).

at job tick:
        read register[time_high]; goto tick_2 after next
        now, register[time_low] = now + 1; device publish
tick_2:
        = now; read system[claim_limit]; if carry goto tick_wraps
        = M@register; device core(0); report tick    // the low word is the result of the word before
// Ticks of slices count before the first quantum is set, too.
tick_3:
        goto tick_core after next
        system[claims_left] = M@system; device claims_free; test device.goes_on
tick_wraps:
        read register[time_high]
        device core(0)
        = now; read system[claim_limit]
        register[time_high] = M@register + 1; report tick; goto tick_3

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
