// Alarm and cyclic timers: melanion/model/timer.py. One whose expiry has matched is noted, and its line rises with the tick; a cyclic one has its next expiry then.

at command timer_start:                              // the operand is the period
        p = argument; read operand[caller]; test no_argument
        if flag goto refuse_parameter
        goto timer_start_2 after next
        y = M | p
timer_start_2:                                       // neither is above 2^31 - 1
        x = M
        = y
        = x; test result.31
        = x; if flag goto refuse_parameter
        y = RUNNING; test zero
        if not flag: y = (RUNNING | PERIODIC)
        timer[object] = y; device timer_unnote
        period[object] = x
        = p + now; device timer_arm; done E_OK

at command timer_stop:
        test M.running
        if flag goto timer_stop_2; test device.noted
        if flag goto timer_stop_2
        done E_OBJ
timer_stop_2:
        timer[object] = zero; device timer_unnote
        device timer_drop; done E_OK

// Its expiry is the next tick.
found_timer:                                         // M: its record
        read period[object]; test M@timer.periodic
        if not flag goto found_once
        x = M@period + now
        = x + 1; device timer_arm
found_end:
        device timer_note
        device found_take; end
found_once:
        timer[object] = zero; device timer_drop; goto found_end
