// Tasks: melanion/model/task.py.

at command task_create:                              // argument {core + 1 or 0, priority}
        x = argument & 0xFF; goto task_create_2 after next
        = x - levels
task_create_2:
        if carry goto refuse_parameter
        = argument - affinities
        subject <- x; if carry goto refuse_parameter
        test M.exists
        if flag: done E_OBJ
        x = argument | (EXISTS | DORMANT)
        more[object] = zero.0 is subject             // initial priority
        base[object] = zero.0 is subject
        task[object] = x; subject <- object
        run[object] = zero
        = zero; note sets_result; done result

at command task_delete:
        waits.look(held); goto task_delete_2 after next
        test nothing
task_delete_2:
        if flag: done E_NOEXS; test M.dormant
        if not flag: done E_OBJ; test runs
        if flag: done E_OBJ; test waiter
        if flag: done E_BUSY                         // mutexes that it held are not unlocked yet
        task[subject] = zero; done E_OK

at command task_start:
        waits.look(held); goto task_start_2 after next
        x, level = M &~ (DORMANT | STALE); test M.exists
task_start_2:
        if not flag: done E_NOEXS; test M.dormant
        if not flag: done E_OBJ; read more[subject]; test waiter
        if flag: done E_BUSY                         // as task_delete
        task[subject] = x; ready.tail(loaded)
        more[subject] = M &~ PENDING
        notification[subject] = zero
        = zero; note gets_ready sets_result; done result

// ---- the end ---------------------------------------------------------------------------------------------------------

at command task_exit:
        waits.look(held); goto task_exit_2 after next
        t = (BY_COMMAND | ENDS)
task_exit_2:
        test waiter
        if not flag goto task_exit_3; test device.orphan
        if flag: done E_BUSY                         // one task at a time has its mutexes unlocked
task_exit_3:
        device enable_dispatch; goto stop

at command task_terminate:
        waits.look(held); goto task_terminate_2 after next
        t = (BY_COMMAND | ENDS); test nothing
task_terminate_2:
        if flag: done E_NOEXS; test caller
        if flag: done E_ILUSE; test keeps
        if flag goto refuse_context; test M.dormant
        if flag: done E_OBJ; test waiter
        if not flag goto stop; test device.orphan
        if flag: done E_BUSY

// To dormant, from any state. M is the record of the subject.
stop:
        w = M & (WAIT | SUSPENDED); object <- M; test M.due
        if flag: due.remove(M); test M.in_list
        if flag: waits.remove(object, M, subject)
        = w; test apart
        if flag goto stop_2; test zero
        if flag: ready.remove(M)                     // ready, or running and without its turn
stop_2:
        z = M & (EXISTS | 0x700); device expiry_drop; read more[subject]
        z = z | DORMANT
        x = M
        q = zero.0 is object
        object <- x; device deadline_drop            // its initial priority
        more[subject] = zero.0 is object
        base[subject] = zero.0 is object
        task[subject], level = z.0 is object
        budget[subject] = zero; test runs
        if flag: device core_of_subject; test runs
        if flag: device budget_drop
        = w + MUTEX_IS_LAST; note ends gets_unready leaves_wait sets_prio
        object <- q; test result.exists
        if not flag goto task_ended
        goto left_mutex after next
        t = t.0 is subject
task_ended:
        waits.look(held); done E_OK, go on
        test waiter
        if flag goto start_orphan
        end

// ---- suspension ------------------------------------------------------------------------------------------------------

at command task_suspend:
        x = M & (WAIT | SUSPENDED | DORMANT | EXISTS); goto task_suspend_2 after next
        = x - EXISTS; test keeps
task_suspend_2:
        if flag goto refuse_context; test zero
        if not flag goto suspend_other; test apart
        if not flag: ready.remove(M)
        task[subject] = M | SUSPENDED; read more[subject]
        = zero; note gets_unready; done result, go on
        more[subject] = M@more &~ WATCHED; end
suspend_other:                                       // it is not runnable
        test nothing
        if flag: done E_NOEXS; test M.dormant
        if flag: done E_OBJ; test M.suspended
        if flag: done E_QOVR
        task[subject] = M | SUSPENDED; done E_OK

at command task_resume:
        x = M & WAIT; goto task_resume_2 after next
        = x; test M.suspended
task_resume_2:
        = x; if not flag goto resume_other; test zero
        if flag: ready.tail(M); test zero
        task[subject] = M &~ (SUSPENDED | STALE); if not flag goto resume_waits
        = zero; note gets_ready; done result
resume_waits:
        done E_OK
resume_other:
        test nothing
        if flag: done E_NOEXS
        done E_OBJ

// ---- order among equals ----------------------------------------------------------------------------------------------

at command task_rotate:
        x = M &~ STALE; goto task_rotate_2 after next
        = argument + 1
task_rotate_2:
        if not carry goto rotate_other; test device.has_turn
        if flag: task[subject] = x; ready.tail(M); test device.has_turn
        if flag: = zero; note requeues; done result; test device.in_task
        if not flag goto refuse_context              // its own priority: only for tasks
        level = M & 0xFF; goto rotate_first          // it has lost its turn, and is one of the others
rotate_other:
        = argument - levels
        if carry goto refuse_parameter; test caller
        if not flag goto rotate_given; test apart
        x = M & 0xFF; if not flag goto rotate_given
        = argument - x
        test zero
        if not flag goto rotate_given
        task[subject] = M &~ STALE; ready.tail(M); note requeues
        done E_OK
rotate_given:
        level = argument
rotate_first:                                        // of those that may run on any core; it keeps the used part of its slice
        ready.first(loaded)
        pass
        subject <- first; test first
        if not flag: done E_OK
        ready.remove(loaded)
        ready.tail(loaded)
        done E_OK

// ---- waits of the task itself ----------------------------------------------------------------------------------------

at command task_sleep:
        p = argument; test wait
        x = M + WAKEUP_TAKE carry 16; if not flag goto sleep_other
        if carry: task[subject] = x; done E_OK
        task[subject] = M.3 | WAIT_SLEEP; note waits; done result, go on; goto wait_ticks
sleep_other:                                         // a poll, or the caller has lost its turn
        test device.in_task
        x = M + WAKEUP_TAKE carry 16; if not flag goto refuse_context
        if carry: task[subject] = x; done E_OK; test no_argument
        if flag: done E_TMOUT
        ready.remove(M)
        task[subject] = M.3 | WAIT_SLEEP; note waits; done result, go on; goto wait_ticks

at command task_wakeup:
wakeup:
        x = M & (WAIT | DORMANT | EXISTS); goto task_wakeup_2 after next
        y = x ^ (WAIT_SLEEP | EXISTS); test held
task_wakeup_2:
        = y; if flag goto wakeup_held; test zero
        if not flag goto wakeup_count
        task[subject] = M &~ WAKES; ready.tail(M); device expiry_drop
        = zero; note gets_ready leaves_wait sets_result; done result
wakeup_held:                                         // it is suspended, or due
        = y
        test zero
        if not flag goto wakeup_count
        task[subject] = M &~ WAKES; device expiry_drop; goto give_to_held
wakeup_count:
        x = M + WAKEUP carry 16
        = y + (0 - EXISTS); if carry goto wakeup_full   // carry: bit 27 or 28 is set, it does not exist or is dormant
        if not carry: task[subject] = x; done E_OK; test nothing
        if flag: done E_NOEXS
        done E_OBJ
wakeup_full:
        done E_QOVR

at command task_release:
release:
        t = (E_RLWAI & 0xFF000000 | BY_COMMAND); goto release_2 after next
        = M & WAIT; test M.due

at command task_delay:
        p = argument; test wait
        if not flag goto delay_other
        task[subject] = M.3 | WAIT_DELAY; note waits; done result, go on; goto wait_ticks
delay_other:
        test no_argument
        if flag: done E_OK
        ready.remove(M)                              // it had lost its turn
        task[subject] = M.3 | WAIT_DELAY; note waits; done result, go on; goto wait_ticks

at command task_delay_until:
        x = argument - now; goto delay_until_2 after next
        = x - 1; test result.31
delay_until_2:
        if flag: done E_TMOUT; test result.31        // 2^31 ticks or more
        if flag: done E_TMOUT; test device.listed    // now
        if flag: ready.remove(M)
        task[subject] = M.3 | WAIT_DELAY; note waits; done result, go on
        = x + now; device expiry_arm; end

// ---- queries ---------------------------------------------------------------------------------------------------------

at command task_state:
        y = M & 0xF000; test nothing                 // wake-ups
        if flag: = (E_NOEXS | ~0xFF); done E_OK silently; test runs
        x = M; read more[subject]; goto task_state_2 after next
        z = zero; test runs
task_state_2:
        z = 1; if not flag goto task_state_3         // ready
        = x & (WAIT | SUSPENDED | DORMANT)
        test zero
        if flag: z = zero                            // running
task_state_3:
        u = x & WAIT
        test zero
        if not flag: z = 2                           // waiting
        = x
        = x; test result.suspended
        if flag: z = z + 2; test result.dormant      // suspended, waiting and suspended
        if flag: z = 5
        y = y + y
        test M.pending
        if flag: y = y | 0x20000
        y = y + y
        y = y + y
        y = y + y                                    // {pending 20, wake-ups 19:16}
        subject <- x
        y = y.1 is subject                           // priority
        = y | z; done E_OK silently
