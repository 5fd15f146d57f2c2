// Behind a dispatch or a claim, which are answered from registers in the cycle in which they begin.

at load dispatch:
        subject <- running; test device.took
        if flag: ready.remove(running)               // the task that runs now leaves its ready list
        goto dispatch_2 after next
        subject <- device.before; test device.preempted
dispatch_2:
        if flag: ready.head(before)                  // the one that ran goes to the head of its own
        t = 1; device settled; goto account after next
        test device.counted

// The running task of a core lost its turn, and is the first in turn again.
at job turn:
        subject <- running; device slice_fresh
        ready.remove(running); device reclaim; report turn; end

// The running task of a core has used its quantum, and another could take its turn.
at job slice:
        subject <- running
        read task[subject]
        ready.tail(running); device slice_fresh
        task[subject] = M &~ STALE; note requeues; report slice; end

at command dispatch_enable:
        device enable_dispatch; done E_OK
at command dispatch_disable:
        device disable_dispatch; done E_OK
