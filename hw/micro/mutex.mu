// Mutexes: melanion/model/mutex.py. An owned mutex stands in the held list of its owner at its level: the priority of its most urgent waiter, or its ceiling when
// that is more urgent (ceiling[mutex]; without one, the least urgent priority). What that does to priorities: priority.mu.

at command mutex_create:                             // argument {protocol 8, ceiling 7:0}
        x = argument & 0xFF; goto mutex_create_2 after next
        p = argument
mutex_create_2:
        = p
        = x; test result.8
        v = EXISTS; if not flag goto mutex_create_plain
        = x - levels
        v = (EXISTS | HAS_CEILING); if carry goto refuse_parameter
mutex_create_3:
        test M.exists
        if flag: done E_OBJ; test device.draining
        ceiling[object] = x; if flag goto busy
        mutex[object] = v; done E_OK
mutex_create_plain:
        x = levels - 1; goto mutex_create_3
no_such_mutex:
        done E_NOEXS

// A mutex without owner and ceiling, which nobody left behind when he ended, takes its own words.
at command mutex_lock:
        x = M ^ EXISTS; subject <- running; read ceiling[object]; goto mutex_lock_2 after next
        x = zero.0 is subject; test zero
mutex_lock_2:
        level = M@ceiling; if not flag goto mutex_lock_otherwise
        mutex_level[object] = M@ceiling; waits.tail(held, loaded, object)
        mutex[object] = x + (EXISTS | OWNED | 0x10000); done E_OK
// x: record of the mutex, y: its ceiling, the subject: the caller.
mutex_lock_otherwise:
        read mutex[object]
        y = M@ceiling
        x = M@mutex; read base[subject]; test M@mutex.exists
        if not flag goto no_such_mutex; test M@mutex.has_ceiling
        = x; if flag goto mutex_lock_under_ceiling
mutex_lock_3:
        z = x & 0xFF; test result.owned
        if flag goto mutex_lock_owned
        x = x & (EXISTS | ABANDONED | HAS_CEILING)
        x = x | (OWNED | 0x10000)
        mutex[object] = x.0 is subject
        mutex_level[object], level = y; read task[subject]
        waits.tail(held, loaded, object)
        z = M@task & 0xFF
        = y - z
        x = M@task.0 is y; if carry goto mutex_lock_done
        task[subject], level = x; test device.listed // the caller becomes more urgent; another core may have suspended it
        if not flag goto mutex_lock_raised
        ready.remove(M)                         // it had lost its turn
        ready.head(loaded)
mutex_lock_raised:
        = zero; note sets_prio; done result
mutex_lock_done:
        done E_OK
mutex_lock_under_ceiling:
        = M@base - y
        if not carry: done E_ILUSE
        goto mutex_lock_3 after next
        = x

// z: the owner.
mutex_lock_owned:
        w = zero.0 is subject
        = z - w
        v = x & 0x00FF0000; test zero
        v = v + 0x10000; if not flag goto mutex_lock_other
        test result.24
        if flag: done E_QOVR
        mutex[object] = x + 0x10000; done E_OK

// The owners and what they wait for are searched for the caller. w: the caller; q: the mutex.
mutex_lock_other:
        q = z.0 is object; read task[z]; test no_argument
        if flag: done E_TMOUT
mutex_search:
        = M@task + MUTEX_IS_LAST; object <- M
        read mutex[object]; test result.exists
        if flag goto mutex_wait
        z = M@mutex & 0xFF; test M@mutex.owned
        = z - w; if not flag goto mutex_wait
        read task[z]; test zero
        if not flag goto mutex_search
        done E_ILUSE
mutex_wait:
        object <- q; device kind(3)
        p = argument; read task[caller]; subject <- running
        pass
        x, level = M.2 is object; test device.listed
        if flag: ready.remove(loaded)
        waits.tail(object, loaded, subject); = zero; note waits; done result, go on
        = p + 1
        task[subject] = x.3 | WAIT_MUTEX; if carry goto mutex_wait_2
        task[subject] = x.3 | WAIT_MUTEX
        = p + now; device expiry_arm
mutex_wait_2:                                        // the event is over, but the lists change on
        r = zero; device unsettled; goto chain_level

// ---- unlock ----------------------------------------------------------------------------------------------------------

// Without waiters and ceiling, its owner's priority stays.
at command mutex_unlock:
        x = M ^ (EXISTS | OWNED | 0x10000); subject <- running; read mutex_level[object]; if flag goto mutex_unlock_waited
        = x.0 ^ subject; goto mutex_unlock_2 after next
        test zero
mutex_unlock_2:
        if not flag goto mutex_unlock_waited
        mutex[object] = EXISTS; waits.remove(held, M, object); done E_OK
// x: what differs from the record of a mutex that its caller, the subject, has locked once and that has no ceiling; M: its level.
mutex_unlock_waited:
        u = x.0 ^ subject
        = u &~ (ABANDONED | HAS_CEILING)
        u = u & HAS_CEILING; test zero
        u = u | EXISTS; if not flag goto mutex_unlock_otherwise
        r = BY_UNLOCK
        q = zero.0 is object
        mutex[object] = u; waits.remove(held, M, object); goto chain_owner
mutex_unlock_otherwise:
        x = x ^ (EXISTS | OWNED | 0x10000)
        = x; test result.exists
        = x; if not flag goto no_such_mutex; test result.owned
        z = x & 0xFF; if not flag goto mutex_not_owned
        w = zero.0 is subject
        = z - w
        test zero
        if not flag: done E_ILUSE
        mutex[object] = x - 0x10000; done E_OK
mutex_not_owned:
        done E_OBJ

// The priority of the owner has followed: the mutex, q, whose record without an owner is u, goes to the first of its waiters.
hand_over_2:
        object <- q; device kind(3)
hand_over_3:
        waits.look(object)
        test waiter
        subject <- top; if not flag goto nobody_waits
        read task[subject]
        u = u | (OWNED | 0x10000)
        p = M@task; waits.remove(object, M, subject); read ceiling[object]; test M@task.due
        if flag: due.remove(M); M@task
        mutex[object] = u.0 is subject; waits.look(object)
        y = M@ceiling; device expiry_drop
        = device.top - y
        if not carry: y = device.top
        mutex_level[object], level = y
        x = p &~ WAKES; waits.tail(held, loaded, object)
        z = p & 0xFF
        = y - z
        if not carry: x = x.0 is y
        task[subject], level = x
        = r; test result.suspended
        if flag goto hand_over_held; test result.by_unlock
        ready.tail(loaded); if not flag goto hand_over_orphan
        = zero; note gets_ready leaves_wait sets_result sets_prio; done result
hand_over_orphan:
        = zero; note gets_ready leaves_wait sets_result sets_prio; goto handed_over
hand_over_held:
        = zero; note leaves_wait sets_result sets_prio
handed_over:
        = r
        x = zero.0 is subject; test result.by_unlock
        if flag: done E_OK
        goto orphan_report
nobody_waits:
        = r
        test result.by_unlock
        if flag: done E_OK
        x = size.tasks
// A mutex of a task that ended: who owns it now.
orphan_report:
        read system[ended]
        pass
        subject <- M@system
        = x.2 is subject; report orphan; end

// ---- delete ----------------------------------------------------------------------------------------------------------

at command mutex_delete:                             // the flag: somebody waits
        u = zero; if flag goto mutex_delete_waited; test M.exists
mutex_delete_2:
        mutex[object] = M & 0; subject <- M; if not flag goto no_such_mutex; test M.owned
        q = zero.0 is object; read mutex_level[object]; if not flag goto mutex_delete_3
        r = BY_DELETE; goto mutex_delete_owned
mutex_delete_owned:
        waits.remove(held, M, object); goto chain_owner
mutex_delete_3:
        object <- q; = u; device kind(3)
        x = KIND_MUTEX; test zero
        if not flag goto start_drain
        done E_OK
mutex_delete_waited:
        u = 1; test device.draining
        if flag goto busy
        goto mutex_delete_2 after next
        test M.exists

at command mutex_state:                              // {abandoned 17, locks 16:9, owner 8:0}
        x = M; test M.exists
        if not flag: = NOEXS; done E_OK silently
        y = x & 0x00FF0000; goto mutex_state_2 after next
        = y
mutex_state_2:
        z = device.swapped
        subject <- z
        z = zero.1 is subject
        z = z + z                                    // locks 16:9
        = x
        = x; test result.abandoned
        if flag: z = z | 0x20000
        y = size.tasks
        = x
        = x; test result.owned
        if flag: y = x & 0xFF
        = y | z; done E_OK silently

// ---- tasks that ended ------------------------------------------------------------------------------------------------

// The subject has ended and holds mutexes: they are unlocked one by one, each in a step of its own.
start_orphan:
        x = zero.0 is subject
        system[ended] = x
        job.start(orphan); end

at job orphan:
        objects only; read system[ended]; goto orphan_2 after next
        r = BY_ORPHAN
orphan_2:
        subject <- M@system
        waits.look(held)
        test waiter
        object <- top; device kind(3); if not flag goto orphan_end
        read mutex[object]
        read mutex_level[object]
        u = M@mutex & (EXISTS | HAS_CEILING)
        q = zero.0 is object
        waits.remove(held, M, object); u = u | ABANDONED
        mutex[object] = u; goto hand_over_3
orphan_end:
        job.end(orphan); end
