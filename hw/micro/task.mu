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
        more[object] = zero.01 is subject            // base and initial priority
        task[object] = x; subject <- object
        run[object] = zero
        = zero; note sets_result; done result

at command task_start:
        test M.exists
        if not flag: done E_NOEXS; test M.dormant
        if not flag: done E_OBJ; read more[object]
        x, task[object], level = M@task &~ (DORMANT | STALE); goto task_start_2   // dormant, stale
task_start_2:
        ready.tail(loaded)
        more[object] = M &~ 0xF8000000               // wake-ups, pending
        notification[object] = zero
        = zero; note gets_ready sets_result; done result
