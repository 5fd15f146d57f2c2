// Loads of registers: of most of them the store holds the word.

at load_plain:
        = M; done E_OK silently

at load running:        = device.running; done E_OK silently
at load operand:        = zero; done E_OK silently

at load longest_wait:
        read core_word[0 of core]
        pass
        = M; done E_OK silently

// The count of the program, and the edges that found their line pending since it was last added to: a counter of 16 bits that never stops.
at load lost_irqs:
        x = M; read system[lost_seen]; goto load_lost_irqs after next
        y = device.lost
load_lost_irqs:
        t = M.01 + y                                 // lost_seen: minus what was counted the last time
        x = x + t
        if carry: x = zero - 1                       // it stops at its maximum
        = x; done E_OK silently, go on
        register[lost_irqs] = x
        system[lost_seen] = zero.01 - y; end

at load value:
        read value[caller]
        pass
        = M; report value; done E_OK silently

at store operand:
        operand[caller] = argument; report operand; done E_OK silently

// Any word clears what the monitor has measured, and the counts of deadlines and budgets.
at store monitor:
        = zero; done E_OK silently, go on
        goto clear_monitor
clear_monitor:
        register[missed_deadlines] = zero
        register[budget_overruns] = zero
        core_word[0] = zero
        core_word[1] = zero
        core_word[2] = zero
        core_word[3] = zero
        register[latency_0] = zero
        register[latency_1] = zero
        register[latency_2] = zero
        register[latency_3] = zero
        register[latency_4] = zero
        register[latency_5] = zero
        register[latency_6] = zero
        register[latency_7] = zero
        register[latency_8] = zero
        register[latency_9] = zero
        register[latency_10] = zero
        register[latency_11] = zero
        register[latency_12] = zero
        register[latency_13] = zero
        register[latency_14] = zero
        register[latency_15] = zero
        end
