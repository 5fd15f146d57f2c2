// Priority inheritance: melanion/model/waiting.py. When the waiters of a mutex change, its level may; then the priority of its owner, and where the owner stands; when
// the owner itself waits for a mutex, that is the next link. A chain has no cycle: a lock that would close one is refused.
// r says what goes on behind the chain; p, q, t, u are kept.

// The waiters of mutex `object` have changed.
chain_level:
        read mutex[object]; waits.look(object)
        read ceiling[object]
        x = M@mutex; test waiter
        y = M@ceiling; subject <- top; if not flag goto chain_level_2
        read task[subject]
        y = y & 0xFF
        z = M@task
        z = z & 0xFF
        = z - y
        if not carry: y = z
chain_level_2:
        y = y & 0xFF; read mutex_level[object]
        pass
        v = M@mutex_level
        = x
        = v ^ y; test result.owned
        subject <- x; if not flag goto chain_end
        = v ^ y
        level = v; test zero
        if flag goto chain_end
        waits.remove(held, loaded, object)
        mutex_level[object], level = y
        waits.tail(held, loaded, object)
// The held list of the subject has changed, or its base priority.
chain_owner:
        waits.look(held); read base[subject]
        test waiter
        w = M@base; object <- top; if not flag goto chain_owner_2
        read mutex_level[object]
        pass
        v = M@mutex_level
        = v - w
        if not carry: w = v
chain_owner_2:
        read task[subject]
        pass
        x = M; test M.dormant
        z = x & 0xFF; if flag goto chain_end
        = z ^ w
        x = x.0 is w; test zero
        if flag goto chain_end; test apart
// The priority of the subject becomes that of x; M is its record.
        level = x; if flag goto chain_told
        object <- M; test M.due
        z = M & (WAIT | SUSPENDED); if flag goto chain_move_due
chain_move_2:
        = z; test M.in_list
        = z; if flag goto chain_move_waiter; test runs
        if flag goto chain_move_running; test zero
        if not flag goto chain_told
        ready.remove(M)
        x = x &~ STALE
        ready.tail(loaded)
chain_told:
        task[subject] = x; note sets_prio
chain_waits:
        y = x & WAIT
        = y ^ WAIT_MUTEX
        test zero
        if flag goto chain_level
chain_end:
        = r
        = r; test result.by_unlock
        if flag goto hand_over_2
        = r
        = r; test result.by_delete
        if flag goto mutex_delete_3
        = r
        = r; test result.by_priority
        if flag: done E_OK
        = r
        = r; test result.by_wait
        if flag goto wait_ended
        end
chain_move_waiter:
        waits.remove(object, M, subject)
        waits.tail(object, loaded, subject); goto chain_told
chain_move_due:
        due.remove(M)
        due.tail(loaded); goto chain_move_2
chain_move_running:                                  // it had lost its turn: the first of its new priority
        = z
        test zero
        if not flag goto chain_told
        ready.remove(M)
        ready.head(loaded); goto chain_told

// ---- ends of waits ---------------------------------------------------------------------------------------------------

// A task has left the waits of mutex `object` (wait.mu).
left_mutex:
        r = BY_WAIT; device kind(3); goto chain_level

// ---- task_set_priority -----------------------------------------------------------------------------------------------

at command task_set_priority:
        p = argument; goto set_priority_2 after next
        = argument - levels
set_priority_2:
        if carry goto refuse_parameter; test M.exists
        waits.look(held); test M.exists
        if not flag: done E_NOEXS; test M.dormant
        if flag: done E_OBJ
        base[subject] = p; test waiter
        object <- top; if not flag goto set_priority_3
        read mutex_level[object]
        pass
        v = M@mutex_level
        = v - p
        if not carry: p = v
set_priority_3:
        read task[subject]
        r = BY_PRIORITY
        x = M.0 is p
        z = M & (WAIT | SUSPENDED); object <- M; test M.due
        level = x; if flag goto set_priority_due
set_priority_4:
        = z; test M.in_list
        = z; if flag goto chain_move_waiter; test apart
        if flag goto set_priority_of_running; test zero
        if not flag goto set_priority_told
        x = x &~ STALE; ready.remove(M)
        ready.tail(loaded)
        task[subject] = x; note sets_prio            // it waits for nothing: the dispatch line is down until this step has ended
        done E_OK
set_priority_told:
        task[subject] = x; note sets_prio
        goto chain_waits
set_priority_due:
        due.remove(M)
        due.tail(loaded); goto set_priority_4
set_priority_of_running:                             // behind the others of its new priority
        x = x &~ STALE; ready.tail(loaded); device core_of_subject
        device slice_fresh
        task[subject] = x; note requeues sets_prio
        done E_OK
