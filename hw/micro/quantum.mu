// Round robin: melanion/model/quantum.py. A slice is counted at ticks, for the running task of each core that has its turn.

at command quantum_set:                              // argument {priority 23:16, ticks 15:0}
        p = argument & 0xFFFF; goto quantum_set_2 after next
        q = argument &~ 0xFFFF
quantum_set_2:
        = q
        = q
        r = device.swapped
        = r - levels; device quanta_used
        if carry goto refuse_parameter
        quantum[r] = p; done E_OK

// q: cores that are left, times 256.
tick_slices:
        q = affinities - 0x100; device core(0)
tick_core:
        test device.goes_on
        u = zero; subject <- running; if not flag goto tick_next_core
        read task[subject]
        read slice[subject]
        w = M@task; test M@task.stale
        if flag: u = M@slice
        x = w & 0xFF
        read quantum[x]
        v = u & 0xFFFF
        v = v + 1
        z = M@quantum; goto tick_core_2 after next
        = v
tick_core_2:
        = z; test result.16
        if flag: v = 0xFFFF; test zero               // the count stays there
        u = u & 0x10000; if flag goto tick_counted   // no quantum
        = v - z
        if carry: u = 0x10000; device slice_spent
tick_counted:
        task[subject] = w | STALE
        slice[subject] = u | v
tick_next_core:
        q = q - 0x100
        = q; device core_next
        test zero
        if not flag goto tick_core
        end
