// Deadlines and budgets of tasks: melanion/model/deadline.py. A budget counts while its task runs and no handler does (account.mu): budget[task] is what is
// left of it, for the running task of a core at the cycle in core_word[2].

at command deadline_set:
        test M.exists
        if not flag: done E_NOEXS; test M.dormant
        if flag: done E_OBJ; test no_argument
        p = argument; goto deadline_set_2
deadline_set_2:
        = p
        = p; test zero
        if flag goto deadline_end
        = p + now; device deadline_arm; done E_OK
deadline_end:
        device deadline_drop; done E_OK

// The tick counter has reached the deadline of the subject.
found_deadline:
        read register[missed_deadlines]; device deadline_drop
        device found_take
        register[missed_deadlines] = M + 1
        register[reported] = zero.0 is subject; report miss; end

at command budget_set:
        p = argument; goto budget_set_2 after next
        test M.exists
budget_set_2:
        if not flag: done E_NOEXS; test M.dormant
        if flag: done E_OBJ; test runs
        budget[subject] = p; if flag goto budget_of_running
        done E_OK
budget_of_running:
        device core_of_subject
        test device.in_handler
        if flag: done E_OK                           // it counts from the end of the handler on
        = p
        test zero
        if flag goto budget_end
        x = device.cycles + 3                        // the cycle in which this command ends
        core_word[2 of core] = x
        = p + x; device budget_arm; done E_OK
budget_end:
        device budget_drop; done E_OK

// The budget of the running task of a core is used up.
at job over:
        subject <- running; device budget_drop
        read register[budget_overruns]; goto report_budget after next
        budget[subject] = zero
report_budget:
        x = zero.0 is subject
        register[budget_overruns] = M + 1
        register[reported] = x | 0x10000; report miss; end
