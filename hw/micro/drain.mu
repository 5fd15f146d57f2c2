// The waiters of a deleted object leave one by one with E_DLT: the first in the step of the delete, which is answered then and says what is due;
// each further one in a step of its own. One object at a time: a delete that would begin a second one waits.

// x: kind of the object in bits 25:24. The object no longer exists, and somebody waits for it.
start_drain:
        system[drained] = x.2 is object; waits.look(object)
        job.start(drain); subject <- top
        t = (E_DLT & 0xFF000000 | ANSWERS); read task[subject]; report command; goto drain_3 after next
        pass

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
// The subject, whose record is M, is the first waiter. An object that is no longer there changes no priority.
drain_3:
        test M.due
        if flag: due.remove(M)
        goto end_wait_3 after next
        waits.remove(object, M, subject); test M.suspended
drain_end:
        job.end(drain); end
