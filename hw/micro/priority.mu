// Priority inheritance: melanion/model/waiting.py. When the waiters of a mutex change, its level may; then the priority of its owner, and where the owner stands; when
// the owner itself waits for a mutex, that is the next link. A chain has no cycle: a lock that would close one is refused. The first link is done
// in the step in which the waiters change, each further one in a step of job `link`, so that others are served between them. Till it ends, no other
// command changes the order in which tasks wait (`held_back` of machine.yaml), and a core runs another task only when that is above all of the chain.
// r says what goes on behind the link; p, q, t, u are kept.

// The waiters of mutex `object` have changed: its level is the priority of the first one, or its ceiling. y: the new level.
chain_level:
        waits.look(object); read ceiling[object]
        read mutex[object]
        y = M@ceiling; read mutex_level[object]
        subject <- M@mutex; test M@mutex.owned
        = device.top - y; if not flag goto chain_end
        if not carry: y = device.top
        = M@mutex_level - y; read task[subject]
        level = M@mutex_level; test zero
        if flag goto chain_end
        z = M@task & 0xFF; waits.remove(held, loaded, object)
        = y - z
        mutex_level[object], level = y; if carry goto chain_not_above
// It is above the owner's priority, which becomes the same.
        waits.tail(held, loaded, object); test M@task.dormant
        x, level = M@task.0 is y; object <- M; if flag goto chain_end; test M@task.due
// The priority of the subject becomes that of x, and of `level`; M is its record, `object` what it waits for; the flag: it is due.
chain_move:
        z = M@task & (WAIT | SUSPENDED); if flag goto chain_move_due; test M@task.in_list
chain_move_2:
        = z; if flag goto chain_move_waiter; test apart
        if flag goto chain_written; test zero
        if not flag goto chain_written; test runs
        x = x &~ STALE; ready.remove(M); if flag goto chain_move_running
        ready.tail(loaded)
chain_written:
        task[subject] = x; note sets_prio
chain_changed:
        r = r | CHANGED
        = r; test result.by_unlock
chain_end_2:
        = r; if flag goto hand_over_2; test result.by_wait
        = r; if flag goto wait_ended; test result.by_priority
        if flag: = r; done E_OK; test result.by_delete
        = r; if flag goto mutex_delete_3; test result.by_link
        if not flag: = r; end; test result.changed
        if flag: = r; report inherit; test result.goes_on
        if not flag: job.end(link)
        end
// Nothing has changed.
chain_end:
        = r; goto chain_end_2 after next
        = r; test result.by_unlock
chain_move_due:
        due.remove(M)
        due.tail(loaded); goto chain_move_2 after next
        test M@task.in_list
chain_move_running:                                  // it had lost its turn: the first of its new priority
        ready.head(loaded); goto chain_written
// It stands in the waits of an object. Of a mutex: its owner is the next link, in a step of job `link`.
chain_move_waiter:
        = x + MUTEX_IS_LAST; waits.remove(object, M, subject); device link_level
        task[subject] = x; note sets_prio; waits.tail(object, loaded, subject); test result.exists
        system[linked] = zero.2 is object; if flag goto chain_changed
        r = r | (CHANGED | GOES_ON)
        = r; test result.by_link
        if not flag: job.start(link)
        = r; goto chain_end_2 after next
        = r; test result.by_unlock

at job link:
        objects only; read system[linked]; goto link_2 after next
        r = BY_LINK
link_2:
        object <- M
        device kind(3); goto chain_level

chain_not_above:
        waits.tail(held, loaded, object)
// The held list of the subject has changed, or its base priority.
chain_owner:
        waits.look(held); read base[subject]
        read task[subject]
        w = M@base
        = device.top - w
        if not carry: w = device.top
        z = M@task & 0xFF; test M@task.dormant
        = z ^ w; if flag goto chain_end
        test zero
        x, level = M@task.0 is w; object <- M; if flag goto chain_end
        goto chain_move after next
        test M@task.due

// ---- ends of waits ---------------------------------------------------------------------------------------------------

// A task has left the waits of mutex `object` (wait.mu).
left_mutex:
        r = BY_WAIT; device kind(3); goto chain_level

// ---- task_set_priority -----------------------------------------------------------------------------------------------

at command task_set_priority:
        p = argument; goto set_priority_2 after next
        = argument - levels
set_priority_2:
        waits.look(held); if carry goto refuse_parameter; test M.exists
        if not flag: done E_NOEXS; test M.dormant
        if flag: done E_OBJ
        base[subject] = p
        = device.top - p
        if not carry: p = device.top
        x, level = M.0 is p; object <- M; test M.due
        z = M & (WAIT | SUSPENDED); if flag goto set_priority_due; test M.in_list
set_priority_3:
        = z; if flag goto set_priority_of_waiter; test apart
        if flag goto set_priority_of_running; test zero
        if not flag goto set_priority_written
        x = x &~ STALE; ready.remove(M)
        ready.tail(loaded)
set_priority_written:
        task[subject] = x; note sets_prio            // it waits for nothing: the dispatch line is down until this step has ended
        done E_OK
set_priority_due:
        due.remove(M)
        due.tail(loaded); goto set_priority_3 after next
        test M.in_list
set_priority_of_waiter:
        r = BY_PRIORITY; goto chain_move_waiter
set_priority_of_running:                             // behind the others of its new priority
        x = x &~ STALE; ready.tail(loaded)
        task[subject] = x; note requeues sets_prio
        done E_OK
