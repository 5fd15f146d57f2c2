// Ends of waits by force: task_release, timeout, the drain of a deleted object, task_terminate (melanion/model/waiting.py, end_wait).
//
// Begin:  release_2 with subject = the task, M = its record, the result of the word before = its wait, the flag: it is due,
//         t = who asks:
//           t[31:24] the task's result · bit by_command: then the command or action ends with E_OK (task_release, task_terminate);
//           bit timed_out: then the event is a timeout; neither: it is a release (drain) · bit ends: the task ends (task_terminate) ·
//           bit answers: the command, which has been reported, ends behind that.
//         Or end_wait_3, when no priority follows: it has left all lists, and the flag says whether it is suspended.
//         The step ends here. All registers but t may change.
// Mutex:  a task that leaves the waits of a mutex makes its owner's priority follow before it is ready itself. wait.mu jumps to
//           left_mutex: subject = the task that left; it stands in no list; its record is written, without its wait
//                       object  = the mutex (kind mutex), which may be deleted or have no owner: then nothing follows
//                       t       = as above, and t[7:0] = the task
//         Its writer (mutex.mu) lets the priorities follow, reports nothing, keeps t, and does `goto wait_ended`; all else (subject,
//         object, M, level, the other registers) may be changed, and list engines may be busy.
// End:    at wait_ended the task becomes ready, or its end goes on, and the event is reported.

release_2:                                           // the result of the word before is the wait, the flag whether it is due
        if flag: due.remove(M); test zero
        = M + MUTEX_IS_LAST; object <- M; if flag goto release_none; test M.in_list
// The word before adds: bit 27, which exists sets, is 0 when it waits for a mutex.
        if flag: waits.remove(object, M, subject); test result.exists
        if not flag goto leave_mutex; test M.suspended
end_wait_3:
        task[subject] = M &~ WAKES; device expiry_drop; if flag goto leave_suspended
leave_ready:
        ready.tail(M); = t; note gets_ready leaves_wait sets_result
        = t; test result.by_command
leave_end:
        if flag: = t; done E_OK; test result.timed_out
        if flag: = t; report timeout; end; test result.answers
        if flag: = t; report release; done E_OK silently
        = t; report release; end
leave_suspended:
        = t; note leaves_wait sets_result; goto leave_end after next
        = t; test result.by_command

leave_mutex:
        task[subject] = M &~ WAKES; device expiry_drop; goto left_mutex after next
        t = t.0 is subject
wait_ended:
        = t; subject <- t; read task[t]
        = t; test result.ends
        if flag goto task_ended; test M.suspended
        if flag goto leave_suspended
        goto leave_ready

release_none:
        test nothing
        if flag: done E_NOEXS
        done E_OBJ

// ---- waits that begin ------------------------------------------------------------------------------------------------

// The subject, who has called, waits p ticks; its command is answered: the argument is no longer there.
wait_ticks:
        = p + 1
        if carry: end                                // no limit
        = p + now; device expiry_arm; end

// ---- timeouts --------------------------------------------------------------------------------------------------------

// The most urgent task whose wait ends with this tick. A delay that is over is none that failed: E_OK.
at job due:
        subject <- due
        read task[subject]; goto due_2 after next
        t = (E_TMOUT & 0xFF000000 | TIMED_OUT)
due_2:
        = M + MUTEX_IS_LAST; due.remove(M); object <- M; test M.in_list
        if flag: waits.remove(object, M, subject); test result.exists
        if not flag goto leave_mutex; test M.delays
        if flag: t = TIMED_OUT; test M.suspended
        task[subject] = M &~ WAKES; device expiry_drop; if flag goto leave_suspended
        ready.tail(M); = t; note gets_ready leaves_wait sets_result; report timeout; end

// An expiry, deadline or timer that ends with the next tick, or has ended with this one. A task then waits in the due list for the tick.
at job found:
        = device.found; subject <- found; object <- device.found; goto found_2 after next
        = device.found; read task[subject]; test result.31
found_2:
        if flag goto found_deadline; test result.30
        if flag goto found_timer; read timer[object]
        task[subject] = M@task | DUE; due.tail(M); device expiry_drop; end   // disarmed: it is not found again
