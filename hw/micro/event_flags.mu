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
// u, v: pattern and mode of the subject; r: the next waiter. The command is answered when the first has left, and says what is due then; bit
// answered of q: that has happened.
set_for_waiters:
        read flags[object]; test M.exists
        q = zero.0 is object; subject <- top; if not flag goto no_group
        x = M | p; report command
        y = zero
set_judge:
        read word[subject]
        read more[subject]
        u = M@word; read task[subject]
        v = M@more; test M@more.all
        waits.walk(object, M, subject); if flag goto set_judge_all
        = u & x; goto set_judged after next
        test zero
set_judged:
        if flag goto set_next
        goto set_match
set_judge_all:
        = u &~ x
        test zero
        if flag goto set_match
set_next:
        test waiter
        if not flag goto set_end; subject <- top
        goto set_judge

set_match:
        r = NOBODY; object <- top; test waiter
        if flag: r = zero.0 is object
        = v; object <- q
        = v; test result.takes
        if flag: y = y | u
        task[subject] = M@task &~ WAKES; waits.remove(object, M, subject); test held
        value[subject] = x; device expiry_drop; if flag goto set_held
set_ready:
        ready.tail(M)
        = zero; note gets_ready leaves_wait sets_result; report release
set_released:
        = q
        = r; test result.answered
        if not flag: q = q | ANSWERED; done E_OK silently, go on; test result.nobody
        if flag goto set_end; subject <- r
        goto set_judge
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

at command event_flags_wait_any:
        t = zero; goto flags_wait after next
        p = argument
at command event_flags_wait_all:
        t = ALL; goto flags_wait after next
        p = argument
at command event_flags_take_any:
        t = TAKES; goto flags_wait after next
        p = argument
at command event_flags_take_all:
        t = (ALL | TAKES); goto flags_wait after next
        p = argument

// p: pattern, t: mode, x: flags, w: timeout.
flags_wait:
        x = M@flags; read flags_more[object]
        read operand[caller]
        v = M@flags_more; test may_wait
        w = M; if flag goto flags_wait_2
        = w
        test zero
        if not flag goto refuse_context
flags_wait_2:
        test no_argument
        if flag goto refuse_parameter
        = v
        = v; test result.exists
        if not flag: done E_NOEXS
        = t
        = t; test result.all
        if flag goto flags_wait_all
        = p & x
        test zero
        if flag goto flags_wait_more
flags_hold:
        value[caller] = x
        = t
        = t; test result.takes
        if flag: flags[object] = x &~ p
        done E_OK
flags_wait_all:
        = p &~ x
        test zero
        if flag goto flags_hold
flags_wait_more:
        = w; subject <- running
        read task[caller]; test zero
        if flag: done E_TMOUT; read more[caller]
        x, level = M@task.2 is object; test device.listed
        v = M@more &~ (ALL | TAKES); if flag goto flags_wait_listed
flags_wait_enter:
        more[subject] = v | t; waits.tail(object, loaded, subject)
        word[subject] = p; note waits; done result, go on
        task[subject] = x.3 | WAIT_FLAGS
        p = w; goto wait_ticks
flags_wait_listed:                                   // it had lost its turn
        ready.remove(loaded); goto flags_wait_enter

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
