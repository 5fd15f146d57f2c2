// Time: ticks, timeouts of waits, alarm timers (melanion/model/time.py, timer.py).

at job tick:
        read register[time_high]; goto tick_2 after next
        now, register[time_low] = now + 1; device publish
tick_2:
        = now; test zero
        = now; if flag goto tick_wraps
        = M; report tick                             // the low word is the result of the word before
tick_3:
        read system[claim_limit]; device claims_free
        goto tick_slices after next                  // ticks of slices count before the first quantum is set, too
        system[claims_left] = M
tick_wraps:
        = now
        register[time_high] = M + 1; report tick; goto tick_3

at command tick_set:
        x = device.tick_minimum; test no_argument
        if flag: = argument; device tick_set; done E_OK
        goto tick_set_2 after next
        = argument - x
tick_set_2:
        if not carry goto refuse_parameter
        = argument; device tick_set; done E_OK
