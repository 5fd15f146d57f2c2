// Rendezvous: rendezvous.py. Who comes first waits in the list of the semaphore, with its word in word[task]; who comes second wakes it. The
// semaphore's record says that it exists, nothing else: its units are not touched.

// x: record of the semaphore, p: the caller's word, w: its timeout, u: somebody waits.
at command rendezvous_meet:
        x = M; if flag goto meet_waited
        u = zero; read operand[caller]; goto meet_2 after next
        p = argument; test may_wait
meet_waited:
        u = 1; read operand[caller]; goto meet_2 after next
        p = argument; test may_wait
meet_2:
        w = M; if flag goto meet_3
        = w
        test zero
        if not flag goto refuse_context              // a handler, or dispatch is disabled: it may only poll
meet_3:
        = x
        = u; test zero
        if flag: done E_NOEXS; test zero
        if flag goto meet_wait; subject <- top

        read word[subject]
        read task[subject]
        y = M@word
        value[subject] = p; goto give_to_waiter_2 after next
        value[caller] = y                            // M is the record of the one that waits, as semaphore.mu wants it

meet_wait:
        = w
        read task[caller]; subject <- running; test zero
        if flag: done E_TMOUT
        x, level = M@task.2 is object; test device.listed
        word[subject] = p; if flag goto meet_listed
meet_enter:
        waits.tail(object, loaded, subject); = zero; note waits; done result, go on
        p = w
        task[subject] = x.3 | WAIT_SEMAPHORE; goto wait_ticks
meet_listed:                                         // it had lost its turn
        ready.remove(loaded); goto meet_enter
