// The waiters of a deleted object leave one by one, each in a step of its own, with E_DLT. One object at a time: a delete that would begin a second one waits.

// x: kind of the object in bits 25:24. The object no longer exists.
start_drain:
        system[drained] = x.2 is object
        job.start(drain)
        done E_OK

at job drain:
        objects only; read system[drained]; goto drain_2 after next
        t = (E_DLT & 0xFF000000)
drain_2:
        object <- M
        waits.look(object)
        test waiter
        if not flag goto drain_end; subject <- top
        read task[subject]
        pass
        test M.due
        if flag: due.remove(M)
        goto end_wait
drain_end:
        job.end(drain); end
