// Event flags: melanion/model/event_flags.py. A set is reported, and releases its most urgent waiter that matches, in its step. Further ones leave
// in steps of job `walk`, one in each, so that others are served between them. Till it ends, no other command looks at flags or changes the order
// in which tasks wait (`held_back` of machine.yaml), and no interrupt whose action would (irq_map).

at command event_flags_create:
        read flags_more[object]; goto flags_create_2 after next
        pass
flags_create_2:
        test M.exists
        if flag: done E_OBJ; test device.draining
        if flag: done E_BUSY                         // waiters from before a deletion
        flags[object] = argument
        flags_more[object] = EXISTS; done E_OK

at command event_flags_clear:
        x = M; read flags_more[object]; goto flags_clear_2 after next
        p = argument
flags_clear_2:
        test M.exists
        if not flag: done E_NOEXS
        flags[object] = x &~ p; done E_OK

// ---- set -------------------------------------------------------------------------------------------------------------

without flag_lanes:

at command event_flags_set:
        p = argument; if flag goto set_for_waiters; read flags_more[object]
        x = M@flags | p; goto set_2
irq_set_flags:                                       // the action of an interrupt
        p = M@irq_word; read flags[object]
        test waiter
        read flags_more[object]; if flag goto set_for_waiters
        x = M@flags | p
set_2:
        test M.exists
        if not flag: done E_NOEXS
        flags[object] = x; done E_OK
no_group:
        done E_NOEXS

// The waiters, the most urgent first, are judged by x, the flags after the set. y: flags that those who leave have taken; q: the group;
// r: the next waiter. The command is answered when the first has left, and says what is due then; bit answered of q: that has happened; in_job: in a step of
// the job.
// A waiter leaves when the flags of its pattern that are set, u, are not less than the least number that it waits for: the pattern, or 1 for any
// flag; least[task] is minus that. A round: the engine looks for the waiter behind the subject while the subject is judged; z: its number.
set_for_waiters:
        read flags[object]; subject <- top; waits.walk(object, top); test M.exists
        q = zero.0 is object; if not flag goto no_group
        x = M | p; report command; goto set_first after next
        y = zero; read word[subject]
set_judge:                                           // carry: z leaves; waiter: there is the subject
        read word[subject]; waits.walk(object, top); if carry goto set_match; test waiter
set_pass:
        z = zero.0 is subject; read least[subject]; if not flag goto set_end
        u = M@word & x; goto set_judge after next
        = M@least + u; subject <- top; test waiter
// The first that is judged, and the first behind one that has left.
set_first:
        z = zero.0 is subject; read least[subject]
        u = M@word & x
        = M@least + u; subject <- top; test waiter
        read word[subject]; if not carry goto set_walk
set_match:
        subject <- z
        read task[subject]
        read mode[subject]
        waits.walk(object, M, subject); M@task
        read task[subject]; test M@mode.takes
        if flag: y = y | u
        r = NOBODY; object <- top; test waiter
        if flag: r = zero.0 is object
        object <- q
        task[subject] = M@task &~ WAKES; waits.remove(object, M, subject); test held
        value[subject] = x; device expiry_drop; if flag goto set_held
set_ready:
        ready.tail(M); = zero; note gets_ready leaves_wait sets_result; report release
set_released:
        = q
        = r; test result.answered
        if not flag: q = q | ANSWERED; done E_OK silently, go on; test result.nobody
        system[walk_taken] = y; if flag goto set_end
        system[walk_next] = r.2 is object
        = q
        system[walk_flags] = x; test result.in_job
        if flag: end
        job.start(walk); end
set_walk:
        goto set_pass after next
        waits.walk(object, top); test waiter
set_held:
        test M.due
        if flag: due.remove(M)
        test M.suspended
        if not flag goto set_ready
        = zero; note leaves_wait sets_result; report release; goto set_released

set_end:
        = q
        flags[object] = x &~ y; test result.answered
        = q; if not flag goto set_ends
        test result.in_job
        if flag: job.end(walk); end
        end
set_ends:
        done E_OK silently

// The walk goes on. M of walk_2: {group 23:16, next waiter 7:0}.
at job walk:
        objects only; read system[walk_next]; goto walk_2 after next
        pass
walk_2:
        object <- M; read system[walk_flags]
        subject <- M@system; read system[walk_taken]
        x = M@system; read task[subject]
        y = M@system; device kind(1)
        q = (ANSWERED | IN_JOB); read word[subject]; waits.walk(object, M, subject); M@task; goto set_first after next
        q = q.0 is object

end with

with flag_lanes:

// mel_flag_lanes finds the most urgent waiter that matches, and says whether more do, in the same cycles whatever the number of waiters. M of the first word is the
// flags; the search begins with it, whether somebody waits or not: its result is then not asked for. x, y: as below.
at command event_flags_set:
        p = argument; device flags_scan; M@flags; read flags_more[object]; if not flag goto set_2 after next
        x = M@flags | p
        goto set_for_waiters after next
        test M.exists
irq_set_flags:                                       // the action of an interrupt
        p = M@irq_word; read flags[object]
        test waiter
        read flags_more[object]; if flag goto irq_set_for_waiters after next
        x = M@flags | p
set_2:
        test M.exists
        if not flag: done E_NOEXS
        flags[object] = x; done E_OK
irq_set_for_waiters:                                 // by way of M
        system[walk_flags] = x; test M@flags_more.exists
        if not flag goto no_group
        read system[walk_flags]
        read flags_more[object]
        = M@system; device flags_scan; goto set_for_waiters after next
        test M@flags_more.exists
no_group:
        done E_NOEXS

set_for_waiters:                                     // the flag: the group exists
        if not flag goto no_group
        y = zero; report command
        subject <- matched; read task[matched]; test device.matched
        if not flag goto set_for_none
        task[subject] = M@task &~ WAKES; waits.remove(object, M, subject); ready.tail(M) or due.remove; test held
        value[subject] = x; device expiry_drop; if flag goto set_held
        = zero; note gets_ready leaves_wait sets_result; report release; done result silently, go on; test M@task.suspended   // annulled: but for its test
set_released:
        read mode[subject]
        read word[subject]
        test M@mode.takes
        if flag: y = M@word
        test device.more_match
        if not flag goto set_end
        system[walk_next] = zero.2 is object
        system[walk_taken] = y
        system[walk_flags] = x
        job.start(walk); end
set_held:                                            // suspended, or due: then it leaves the due list; the flag: it is suspended
        if flag goto set_suspended
        = zero; ready.tail(M); M@task; note gets_ready leaves_wait sets_result; report release
        done E_OK silently, go on; goto set_released
set_suspended:
        = zero; note leaves_wait sets_result; report release; done result silently, go on; goto set_released
set_end:
        flags[object] = x &~ y; end
set_for_none:
        flags[object] = x; done E_OK silently

// A step for each further waiter. Till the last has left, no flag changes and nobody begins to wait for flags.
at job walk:
        objects only; read system[walk_next]; goto walk_2 after next
        pass
walk_2:
        object <- M; read system[walk_flags]
        read system[walk_taken]
        x = M@system; device flags_scan
        y = M@system; device kind(1)
        subject <- matched; read task[matched]; test device.matched
        if not flag goto walk_end
        task[subject] = M@task &~ WAKES; waits.remove(object, M, subject); ready.tail(M) or due.remove; test held
        value[subject] = x; device expiry_drop; if flag goto walk_held
        = zero; note gets_ready leaves_wait sets_result; report release; test M@task.suspended
walk_released:
        read mode[subject]
        read word[subject]
        test M@mode.takes
        if flag: y = y | M@word
        test device.more_match
        if not flag goto walk_end
        system[walk_taken] = y; end
walk_held:
        if flag goto walk_suspended
        = zero; ready.tail(M); M@task; note gets_ready leaves_wait sets_result; report release; goto walk_released
walk_suspended:
        = zero; note leaves_wait sets_result; report release; goto walk_released
walk_end:
        flags[object] = x &~ y; job.end(walk); end

end with

// ---- wait ------------------------------------------------------------------------------------------------------------

// x: flags, w: timeout, t: mode. A pattern is not 0.
at command event_flags_wait_any:
        x = M; read operand[caller]; goto flags_any after next
        t = zero; read flags_more[object]; test may_wait
at command event_flags_wait_all:
        x = M; read operand[caller]; goto flags_all after next
        t = ALL; read flags_more[object]; test may_wait
at command event_flags_take_any:
        x = M; read operand[caller]; goto flags_any after next
        t = TAKES; read flags_more[object]; test may_wait
at command event_flags_take_all:
        x = M; read operand[caller]; goto flags_all after next
        t = (ALL | TAKES); read flags_more[object]; test may_wait

flags_any:
        w = M@operand; if not flag goto flags_poll; test no_argument
flags_any_2:
        = argument & x; if flag goto refuse_parameter; test nothing M@flags_more
        if flag: done E_NOEXS; test zero
        = t; read task[caller]; if flag goto flags_wait_any
        value[caller] = x; test result.takes
        if not flag: done E_OK
        p = argument
        flags[object] = x &~ p; done E_OK
flags_wait_any:
        v = FOREVER; subject <- running; goto flags_wait after next
        = w
flags_all:
        w = M@operand; if not flag goto flags_poll; test no_argument
flags_all_2:
        = argument &~ x; if flag goto refuse_parameter; test nothing M@flags_more
        if flag: done E_NOEXS; test zero
        = t; read task[caller]; if not flag goto flags_wait_all
        value[caller] = x; test result.takes
        if not flag: done E_OK
        p = argument
        flags[object] = x &~ p; done E_OK
flags_wait_all:
        p = argument
        v = zero - p; subject <- running; goto flags_wait after next
        = w
flags_wait:                                          // v: minus the least number that ends the wait (set_judge)
        x, level = M@task.2 is object; test zero
        if flag: done E_TMOUT; test device.listed
        if flag: ready.remove(loaded)                // it had lost its turn
        word[subject] = argument; waits.tail(object, loaded, subject); note waits; done result, go on
        least[subject] = v
        mode[subject] = t
        p = w
        task[subject] = x.3 | WAIT_FLAGS; goto wait_ticks
flags_poll:                                          // the caller may not wait
        = w
        test zero
        = t; if not flag goto refuse_context
        test result.all
        if flag goto flags_all_2 after next
        test no_argument
        goto flags_any_2 after next
        test no_argument

// ---- delete ----------------------------------------------------------------------------------------------------------

at command event_flags_delete:                       // the flag: somebody waits
        read flags_more[object]; if flag goto flags_delete_waited
        goto flags_delete_2 after next
        test M.exists
flags_delete_2:
        if not flag: done E_NOEXS
        flags_more[object] = zero; done E_OK
flags_delete_waited:
        test M.exists
        if not flag: done E_NOEXS; test device.draining
        x = KIND_FLAGS; if flag goto busy
        flags_more[object] = zero; goto start_drain
