// Notifications: melanion/model/notification.py. A task that waits for one keeps in the object byte of its record what its call leaves of the value:
// 0 all but the bits of word[task], 1 one less, 2 nothing.

// p, q, r: the new value is ((value & q) | p) + r. M is the record of the task.
at command notification_set:
        p = argument
        q = zero - 1
        r = zero; goto notify
at command notification_give:
        p = zero
        q = zero - 1
        r = 1; goto notify
at command notification_overwrite:
        p = argument
        q = zero
        r = zero; goto notify
at command notification_send:
        test M.exists
        if not flag goto no_such_task; test M.dormant
        if flag: done E_OBJ; read more[subject]
        goto notify_send
notify_send:
        test M.pending
        if flag: done E_QOVR; read task[subject]
        p = argument
        q = zero
        r = zero
// Also the action of an interrupt.
notify:
        w = M; test M.exists
        if not flag: done E_NOEXS; test M.dormant
        if flag: done E_OBJ; read notification[subject]
        read more[subject]
        x = M@notification & q
        x = x | p
        x = x + r
        y = w & WAIT
        = y ^ WAIT_NOTIFICATION
        test zero
        if flag goto notify_waiting
        notification[subject] = x
        more[subject] = M@more | PENDING; done E_OK

notify_waiting:
        value[subject] = x; read word[subject]
        pass
        z = M@word
        = w
        y = x &~ z; test result.16
        = w; if flag goto notify_one_less
        = w; test result.17
        if flag: y = zero
notify_left:
        notification[subject] = y; read task[subject]
        pass
        test held
        task[subject] = M &~ WAKES; device expiry_drop; if flag goto give_to_held
        ready.tail(M)
        = zero; note gets_ready leaves_wait sets_result; done result
notify_one_less:
        y = x - 1
        if not carry: y = zero
        goto notify_left

at command notification_clear:
        p = argument; read notification[subject]; goto notification_clear_2 after next
        test M@task.exists
notification_clear_2:
        x = M@notification; if not flag goto no_such_task; read task[subject]
        pass
        test M.dormant
        if flag: done E_OBJ
        value[caller] = x
        notification[subject] = x &~ p; done E_OK
no_such_task:
        done E_NOEXS

at command notification_cancel:
        read more[subject]; goto notification_cancel_2 after next
        w = M@task; test M@task.exists
notification_cancel_2:
        = w; if not flag goto no_such_task
        = w; test result.dormant
        if flag: done E_OBJ; test M@more.pending
        if not flag: done E_OBJ
        more[subject] = M &~ PENDING; done E_OK

// ---- waits -----------------------------------------------------------------------------------------------------------

// p: bits to clear, w: timeout, z: what the call leaves, in byte 2, v: the second record of the task, the subject.
at command notification_wait:
        p = argument; read operand[caller]; goto notification_wait_2 after next
        z = zero
notification_wait_2:
        w = M@operand; test may_wait
        = w; if flag goto notification_wait_3
        = w; test zero
        if not flag goto refuse_context
notification_wait_3:
        read more[subject]
        read notification[subject]
        v = M@more; test M@more.pending
        x = M@notification; if not flag goto notify_wait
        value[caller] = x
        notification[subject] = x &~ p
        more[subject] = v &~ PENDING; done E_OK

at command notification_take:
        w = argument; read notification[subject]; goto take_notification after next
        z = 0x00010000
at command notification_take_all:
        w = argument; read notification[subject]; goto take_notification after next
        z = 0x00020000
take_notification:
        x = M@notification; read more[subject]
        = x
        v = M@more; test zero
        = z; if flag goto notify_wait
        y = x - 1; test result.17
        if flag: y = zero
        value[caller] = x
        notification[subject] = y
        more[subject] = v &~ PENDING; done E_OK

notify_wait:
        = w
        read task[caller]; test zero
        if flag: done E_TMOUT
        x, level = M@task.2 is z; test device.listed
        if flag: ready.remove(loaded)
        word[subject] = p; note waits; done result, go on
        more[subject] = v &~ PENDING
        p = w
        task[subject] = x.3 | WAIT_NOTIFICATION; goto wait_ticks
