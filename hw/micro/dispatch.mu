// Behind a dispatch or a claim, which are answered from registers in the cycle in which they begin.

at load dispatch:
        subject <- running; test device.took
        if flag: ready.remove(running)               // the task that runs now leaves its ready list
        x = device.stamp; goto account_dispatch after next
        subject <- device.before; read core_word[1 of core]; test device.preempted

// The running task of a core lost its turn, and is the first in turn again.
at job turn:
        subject <- running
        ready.remove(running); device reclaim; report turn; end

// The running task of a core has used its quantum, and another could take its turn.
at job slice:
        subject <- running
        read task[subject]
        ready.tail(running)
        task[subject] = M &~ STALE; note requeues; report slice; end

at command dispatch_enable:
        device enable_dispatch; done E_OK
at command dispatch_disable:
        device disable_dispatch; done E_OK
