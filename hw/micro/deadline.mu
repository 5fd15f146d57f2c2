// Deadlines and budgets of tasks: melanion/model/deadline.py. A budget counts while its task runs and no handler does (account.mu): budget[task] is what is
// left of it, for the running task of a core at the cycle in core_word[1].

at command deadline_set:
        goto deadline_set_2 after next
        test M.exists
deadline_set_2:
        if not flag: done E_NOEXS; test M.dormant
        if flag: done E_OBJ; test no_argument
        if flag: device deadline_drop; done E_OK
        = argument + now; device deadline_arm; done E_OK

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
        budget[subject] = p; device limits_used; if flag goto budget_of_running
        done E_OK
budget_of_running:
        device core_of_subject; read run[subject]
        read core_word[1 of core]; test device.in_handler
        u = M@run; if flag goto budget_later
        x = device.cycles + 6                        // the cycle in which this command ends: its run time is entered up to then
        y = M@core_word - x
        run[subject] = u - y
        core_word[1 of core] = x; test no_argument
        if flag goto budget_end
        = p + x; device budget_arm; done E_OK
budget_later:                                        // it counts from the end of the handler on
        done E_OK
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
