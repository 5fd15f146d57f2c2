// Ends of waits by force: task_release, timeout, the drain of a deleted object, task_terminate (melanion/model/waiting.py, end_wait).
//
// Begin:  `goto end_wait` with subject = a task that waits, M = its record (valid in the word behind the jump), t = who asks:
//           t[31:24] the task's result · bit by_command: then the command or action ends with E_OK (task_release, task_terminate);
//           bit timed_out: then the event is a timeout; neither: it is a release (drain) · bit ends: the task ends (task_terminate).
//         The step ends here. All registers but t may change.
// Mutex:  a task that leaves the waits of a mutex makes its owner's priority follow before it is ready itself. wait.mu jumps to
//           left_mutex: subject = the task that left; it stands in no list; its record is written, without its wait
//                       object  = the mutex (kind mutex), which may be deleted or have no owner: then nothing follows
//                       t       = as above, and t[7:0] = the task
//         Its writer (mutex.mu) lets the priorities follow, reports nothing, keeps t, and does `goto wait_ended`; all else (subject,
//         object, M, level, the other registers) may be changed, and list engines may be busy.
// End:    at wait_ended the task becomes ready, or its end goes on, and the event is reported.
