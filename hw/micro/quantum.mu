// Round robin: melanion/model/quantum.py. A slice is counted at ticks, for the running task of each core that has its turn. A quantum is kept as
// -(ticks << 16): added to a slice {ticks used 31:16, used up 0} it carries when the quantum is used up, and never when it is 0, which is none.

at command quantum_set:                              // argument {priority 23:16, ticks 15:0}
        y = argument; goto quantum_set_2 after next
        = y
quantum_set_2:
        r = device.swapped                           // {ticks, priority}
        x = r & 0xFFFF
        = x - levels
        p = r &~ 0xFFFF; if carry goto refuse_parameter
        p = zero - p
        quantum[r] = p; device limits_used; done E_OK

// The tick counts on core 0 and those behind it; flag: the core's running task goes on.
tick_core:
        subject <- running; if not flag goto tick_next after next
        read task[subject]; test device.last_core
        read slice[subject]
        task[subject] = M@task | STALE; read quantum[M]; test M@task.stale
        x = M@slice + 0x10000; if not flag goto tick_first
        if carry: x = x - 0x10000                    // the count stays at its maximum
tick_judge:
        = M@quantum + x
        if carry: x = x | 1; device slice_spent
        slice[subject] = x; test device.last_core
tick_next:
        device core_next; if not flag goto tick_core after next
        test device.goes_on
        end
tick_first:                                          // of a new slice
        x = 0x10000; goto tick_judge
