// What is counted when a core dispatches or claims: run times, budgets, the longest wait for an answer, the time from an interrupt to its task.
// x: cycle of the dispatch or claim.

// How many claims may follow in this tick; then the accounts of the task that the handler interrupts.
at load claim:
        read system[claim_limit]; goto claim_2 after next
        x = device.stamp; read system[claims_left]
claim_2:
        test nothing
        w = M - 1; if flag goto claim_3; test device.claimed
        = w; if not flag goto claim_3
        system[claims_left] = w; test zero
        if flag: device claims_spent
claim_3:
        subject <- device.before; read core_word[1 of core]; goto account after next
        read run[subject]; test device.counted

account_dispatch:
        if flag: ready.head(before); read run[subject]; test device.counted   // the one that ran goes to the head of its ready list
// M: since when the subject, which ran before, has run; behind it, how long it has run in all; flag: its time counts.
account:
        y = M@core_word - x; device settled; read more[caller]; if not flag goto account_now; test device.limits
        run[subject] = M@run - y; if flag goto account_before
account_now:
        core_word[1 of core] = x; subject <- running; test device.limits
        if flag goto account_task; test M@more.watched
        if flag goto account_watch; test device.asked

// How long the core was asked, when it was; y: minus that.
account_wait:
        read core_word[0 of core]; if not flag goto idle
account_wait_2:
        y = device.since - x
        = M@core_word + y
        if carry: end
        core_word[0 of core] = zero - y; end

// The subject has stopped, and may have a budget; y: minus the time that it ran.
account_before:
        read budget[subject]
        pass
        w = M@budget + y; test nothing
        if flag goto account_no_budget
        w = M@budget + y
        budget[subject] = w; if not carry goto account_over; test zero
        read more[caller]; if not flag goto account_now after next
        pass
account_over:                                        // its last cycle was the one before
        budget[subject] = zero; read register[budget_overruns]
        v = zero.0 is subject
        register[budget_overruns] = M + 1
        register[reported] = v | 0x10000; report miss
account_no_budget:
        read more[caller]; goto account_now after next
        pass

// Behind a dispatch: the subject runs now. It was made ready by an interrupt, and has not run since; there are no budgets.
account_watch:
        read since[subject]; test device.has_task
        read more[subject]; if not flag goto account_asked; test device.in_handler
        y = M@since - x; if flag goto account_asked
        y = zero - y
        more[subject] = M@more &~ WATCHED
        y = device.msb + 32
        read register[y]
        pass
        z = M@register + 1; test device.asked
        register[y] = z; if not flag goto idle
        goto account_wait_2 after next
        read core_word[0 of core]
// Behind a dispatch: the subject runs now, and may have a budget.
account_task:
        test device.in_handler
        if flag goto account_asked; test device.has_task
        read more[subject]; if not flag goto account_asked
        read budget[subject]
        v = M@more; test M@more.watched
        test nothing; if flag goto account_watched
        w = M@budget; if not flag goto account_budget
account_asked:
        goto account_wait after next
        test device.asked

// It has w cycles left.
account_budget:
        y = device.cycles + 6                        // a cycle that has not passed when the budget is armed
        y = y - x
        = w - y
        if not carry goto account_ended
        = w + x; device budget_arm; goto account_wait after next
        test device.asked
account_ended:
        device budget_ended; goto account_wait after next
        test device.asked

// It was made ready by an interrupt, too.
account_watched:
        w = M@budget
        more[subject] = v &~ WATCHED; read since[subject]
        pass
        y = M@since - x
        y = zero - y
        = y
        y = device.msb + 32
        read register[y]
        = w
        z = M@register + 1; test zero
        register[y] = z; if flag goto account_asked
        goto account_budget

// Cycles that a task has run, up to the answer.
at command run_time:
        test nothing
        if flag: = NOEXS; done E_OK silently
        read run[subject]; goto run_time_2 after next
        test runs
run_time_2:
        u = M@run; if not flag goto run_time_end
        device core_of_subject
        read core_word[1 of core]
        test device.in_handler
        y = M; if flag goto run_time_end
        x = device.cycles + 6                        // the cycle of the answer
        x = x - y
        u = u + x
        test device.monitor
        if not flag: u = zero
        = u; done E_OK silently
run_time_end:
        test device.monitor
        if not flag: u = zero
        = u; done E_OK silently
