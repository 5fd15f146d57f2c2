// Event flags: melanion/model/event_flags.py. All that a set releases is released in its step: first its command is reported, then each task that leaves.

at command event_flags_create:
        read flags_more[object]; goto flags_create_2 after next
        pass
flags_create_2:
        test M.exists
        if flag: done E_OBJ
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

at command event_flags_set:
        p = argument; if flag goto set_for_waiters; read flags_more[object]
        x = M@flags | p; goto set_2
// Also the action of an interrupt: p = the flags to set, M = the flags, the flag of the word before: somebody waits.
set_flags:
        read flags_more[object]; if flag goto set_for_waiters
        x = M@flags | p
set_2:
        test M.exists
        if not flag: done E_NOEXS
        flags[object] = x; done E_OK
no_group:
        done E_NOEXS

// The waiters, the most urgent first, are judged by x, the flags after the set. y: flags that those who leave have taken; q: the group;
// r: the next waiter. The command is answered when the first has left, and says what is due then; bit answered of q: that has happened.
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
        if flag goto set_end; subject <- r
        read task[subject]
        goto set_first after next
        read word[subject]; waits.walk(object, M, subject); M@task
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
        if flag: end
        done E_OK silently

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

at command event_flags_delete:
        read flags_more[object]; if flag goto delete_for_waiters
        goto flags_delete_2 after next
        test M.exists
flags_delete_2:
        if not flag: done E_NOEXS
        flags_more[object] = zero; done E_OK
// q is not 0: the command is answered.
delete_for_waiters:
        flags_more[object] = zero; report command
        q = zero
delete_next:
        subject <- top
        read task[subject]
        pass
        task[subject] = M &~ WAKES; waits.remove(object, M, subject); test held
        device expiry_drop; if flag goto delete_held
delete_ready:
        ready.tail(M)
        = E_DLT; note gets_ready leaves_wait sets_result; report release
delete_released:
        = q
        waits.look(object); test zero
        if flag: q = 1; done E_OK silently, go on
        test waiter
        if flag goto delete_next
        end
delete_held:
        test M.due
        if flag: due.remove(M)
        test M.suspended
        if not flag goto delete_ready
        = E_DLT; note leaves_wait sets_result; report release; goto delete_released
