// Mutexes: melanion/model/mutex.py. An owned mutex stands in the held list of its owner at its level: the priority of its most urgent waiter, or its ceiling when
// that is more urgent (ceiling[mutex] holds it in every byte; without one, the least urgent priority). What that does to priorities: priority.mu.

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
        subject <- x; if flag goto queue_retry
        ceiling[object] = subject
        mutex[object] = v; done E_OK
mutex_create_plain:
        x = levels - 1; goto mutex_create_3
no_such_mutex:
        done E_NOEXS

// p: timeout, x: record of the mutex, y: its ceiling, the subject: the caller.
at command mutex_lock:
        x = M; test M.exists
        p = argument; if not flag goto no_such_mutex
        subject <- running; read ceiling[object]; goto mutex_lock_2 after next
        pass
mutex_lock_2:
        y = M@ceiling; read base[subject]
        y = y & 0xFF
        z = M@base
        = x
        = z; test result.has_ceiling
        if not flag goto mutex_lock_3
        = z - y
        if not carry: done E_ILUSE
mutex_lock_3:
        = x
        z = x & 0xFF; test result.owned
        if flag goto mutex_lock_owned
        x = x & (EXISTS | ABANDONED | HAS_CEILING)
        x = x | (OWNED | 0x10000)
        mutex[object] = x.0 is subject
        mutex_level[object], level = y; read task[subject]
        waits.tail(held, loaded, object)
        x = M@task
        z = x & 0xFF
        = y - z
        x = x.0 is y; if carry goto mutex_lock_done
        task[subject], level = x; test device.listed // the caller becomes more urgent; another core may have suspended it
        if not flag goto mutex_lock_raised
        ready.remove(M)                              // it had lost its turn
        ready.head(loaded)
mutex_lock_raised:
        = zero; note sets_prio; done result
mutex_lock_done:
        done E_OK

// z: the owner.
mutex_lock_owned:
        w = zero.0 is subject
        = z - w
        v = x & 0x00FF0000; test zero
        v = v + 0x10000; if not flag goto mutex_lock_other
        = v
        = v; test result.24
        if flag: done E_QOVR
        mutex[object] = x + 0x10000; done E_OK

// The owners and what they wait for are searched for the caller. w: the caller; q: the mutex.
mutex_lock_other:
        = p
        q = zero.0 is object; test zero
        if flag: done E_TMOUT
mutex_search:
        read task[z]
        pass
        y = M@task; object <- M
        y = y & WAIT; read mutex[object]
        = y ^ WAIT_MUTEX
        z = M@mutex; test zero
        x = z; if not flag goto mutex_wait
        = x
        z = x & 0xFF; test result.owned
        = z - w; if not flag goto mutex_wait
        = z - w
        test zero
        if not flag goto mutex_search
        done E_ILUSE
mutex_wait:
        object <- q; device kind(3)
        read task[caller]; subject <- running
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

at command mutex_unlock:
        x = M; test M.exists
        = x; if not flag goto no_such_mutex
        z = x & 0xFF; subject <- running; goto mutex_unlock_2
mutex_unlock_2:
        = x
        = x; test result.owned
        if not flag: done E_OBJ
        w = zero.0 is subject
        = z - w
        v = x & 0x00FF0000; test zero
        if not flag: done E_ILUSE
        = v - 0x10000
        test zero
        r = BY_UNLOCK; if flag goto hand_over
        mutex[object] = x - 0x10000; done E_OK

// The owner, the subject, gives the mutex, the object, to the first of its waiters. x: its record. r: who asks.
hand_over:
        read mutex_level[object]
        q = zero.0 is object
        level = M
        u = x & (EXISTS | HAS_CEILING); waits.remove(held, loaded, object)
        mutex[object] = u; goto chain_owner
// The priority of the owner has followed.
hand_over_2:
        object <- q; device kind(3)
        waits.look(object)
        test waiter
        subject <- top; if not flag goto handed_over
        read task[subject]
        u = u | (OWNED | 0x10000)
        p = M@task; waits.remove(object, M, subject); device expiry_drop; test M.due
        if flag: due.remove(M)
        mutex[object] = u.0 is subject; waits.look(object)
        w = zero.0 is subject; read ceiling[object]
        subject <- top; test waiter
        y = M@ceiling; if not flag goto hand_over_3; read task[subject]
        y = y & 0xFF
        z = M@task
        z = z & 0xFF
        = z - y
        if not carry: y = z
hand_over_3:
        y = y & 0xFF
        subject <- w
        mutex_level[object], level = y
        x = p &~ WAKES; waits.tail(held, loaded, object)
        z = p & 0xFF
        = y - z
        if not carry: x = x.0 is y
        task[subject], level = x
        = x
        = x; test result.suspended
        if flag goto hand_over_held
        ready.tail(loaded)
        = zero; note gets_ready leaves_wait sets_result sets_prio; goto handed_over
hand_over_held:
        = zero; note leaves_wait sets_result sets_prio
handed_over:
        = r
        = r; test result.by_unlock
        if flag: done E_OK
        // A mutex of a task that ended: who owns it now.
        read system[ended]
        x = size.tasks
        y = M
        subject <- y; read mutex[object]
        z = zero.2 is subject
        x = x | z
        y = M@mutex
        = y
        subject <- y; test result.owned
        if flag: x = z.0 is subject
        = x; report orphan; end

// ---- delete ----------------------------------------------------------------------------------------------------------

at command mutex_delete:
        x = M; if flag goto mutex_delete_waited
        u = zero; test M.exists
        goto mutex_delete_2
mutex_delete_waited:
        u = 1; test device.draining
        if flag goto queue_retry; test M.exists
        test M.exists
mutex_delete_2:
        = x
        = x; test result.exists
        mutex[object] = zero; if not flag goto no_such_mutex
        = x
        subject <- x; test result.owned
        q = zero.0 is object; if not flag goto mutex_delete_3
        r = BY_DELETE; read mutex_level[object]
        pass
        level = M
        waits.remove(held, loaded, object); goto chain_owner
mutex_delete_3:
        object <- q; = u
        x = KIND_MUTEX; test zero
        if flag: done E_OK
        goto start_drain

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
        read system[ended]; goto orphan_2 after next
        r = BY_ORPHAN
orphan_2:
        y = M
        subject <- y
        waits.look(held)
        test waiter
        if not flag goto orphan_end; object <- top
        read mutex[object]; device kind(3)
        read mutex_level[object]
        x = M@mutex
        level = M@mutex_level
        q = zero.0 is object
        x = x & (EXISTS | HAS_CEILING)
        u = x | ABANDONED; waits.remove(held, loaded, object)
        mutex[object] = u; goto hand_over_2
orphan_end:
        job.end(orphan); end
