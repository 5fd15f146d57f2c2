// What is counted when a core dispatches or claims: run times, budgets, slices, the longest wait for an answer, the time from an interrupt to its task.
// x: cycle of the dispatch or claim.

// How many claims may follow in this tick; then the accounts of the task that the handler interrupts.
at load claim:
        read system[claim_limit]; goto claim_2 after next
        read system[claims_left]
claim_2:
        = M; test device.claimed
        w = M; if not flag goto claim_3; test zero
        if flag goto claim_3; test device.ticks_on
        w = w - 1; if not flag goto claim_3
        system[claims_left] = w; test zero
        if flag: device claims_spent
claim_3:
        t = zero; device settled; goto account after next
        subject <- device.before; test device.counted

// t is not 0: a dispatch, behind which the subject ran.
account:
        x = device.stamp; if not flag goto account_wait
        read run[subject]
        read core_word[1 of core]
        u = M@run; read budget[subject]
        y = M@core_word; read core_word[2 of core]
        w = M@budget
        z = x - y
        run[subject] = u + z
        = w
        y = M@core_word; test zero
        z = x - y; if flag goto account_wait
        = w - z; device budget_drop
        w = w - z; if not carry goto account_over
        budget[subject] = w; test zero
        if not flag goto account_wait
account_over:                                        // its last cycle was the one before
        budget[subject] = zero; read register[budget_overruns]
        v = zero.0 is subject
        register[budget_overruns] = M + 1
        register[reported] = v | 0x10000; report miss
account_wait:
        read core_word[0 of core]
        y = device.waited
        z = M@core_word
        = z - y
        if not carry: core_word[0 of core] = y
        = t
        test zero
        if not flag goto account_enter

        end

// The task that runs now.
account_enter:
        test device.has_task
        if not flag: end
        device slice_fresh; subject <- running
        core_word[1 of core] = x; read budget[subject]
        core_word[2 of core] = x; read more[subject]
        w = M@budget; test device.quanta
        v = M@more; if flag goto account_slice
account_budget:
        = w
        = v; test zero
        if flag goto account_armed
        y = device.cycles + 6                        // a cycle that has not passed when the budget is armed
        y = y - x
        = w - y
        = w + x; if not carry goto account_ended
        = w + x; device budget_arm
account_armed:
        = v
        test result.watched
        if not flag: end
        more[subject] = v &~ WATCHED; read since[subject]
        pass
        y = M
        y = x - y
        = y
        y = device.msb + 32
        read register[y]
        pass
        z = M + 1
        register[y] = z; end
account_ended:
        device budget_ended; goto account_armed
account_slice:
        read task[subject]
        read slice[subject]
        test M@task.stale
        if not flag goto account_budget; test M@slice.16
        if flag: device slice_spent
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
