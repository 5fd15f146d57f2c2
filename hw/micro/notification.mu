// Notifications: melanion/model/notification.py. A task that waits for one keeps in the object byte of its record what its call leaves of the value:
// 0 all but the bits of word[task], 1 one less, 2 nothing.
// y is 0 when the task, the subject, waits for a notification; else bit 27 says that it does not exist, bit 28 that it is dormant. x: the new value.

at command notification_set:
        p = argument; read notification[subject]; goto notify_set after next
        y = M@task & (WAIT | DORMANT | EXISTS)
notify_set:
        x = M@notification | p; read more[subject]; goto notify after next
        y = y ^ (WAIT_NOTIFICATION | EXISTS)

at command notification_give:
        y = M & (WAIT | DORMANT | EXISTS); read notification[subject]; goto notify_give after next
        read more[subject]
notify_give:
        x = M@notification + 1; goto notify after next
        y = y ^ (WAIT_NOTIFICATION | EXISTS)

at command notification_overwrite:
        y = M & (WAIT | DORMANT | EXISTS); read more[subject]
        x = argument; goto notify after next
        y = y ^ (WAIT_NOTIFICATION | EXISTS)

// The action of an interrupt; p: the word of the line, w: the record of the task.
irq_notify_set:
        p = M@irq_word; read notification[subject]; goto notify_set after next
        y = w & (WAIT | DORMANT | EXISTS)
irq_notify_give:
        read notification[subject]; goto notify_give after next
        y = w & (WAIT | DORMANT | EXISTS); read more[subject]

notify:
        v = M@more | PENDING; test zero
        = y - EXISTS; if flag goto notify_waiting; read task[subject]
        notification[subject] = x; if carry goto not_notified   // then it means nothing
        more[subject] = v; done E_OK

at command notification_send:
        x = argument; read more[subject]; goto notify_send after next
        y = M@task & (WAIT | DORMANT | EXISTS)
notify_send:
        y = y ^ (WAIT_NOTIFICATION | EXISTS)
        v = M@more; test zero
        = y - EXISTS; if flag goto notify_waiting; read task[subject]
        = v; if carry goto not_notified
        test result.pending
        if flag: done E_QOVR
        more[subject] = v | PENDING; done E_OK, go on
        notification[subject] = x; end

not_notified:
        = y
        test result.exists
        if flag: done E_NOEXS
        done E_OBJ

// The task gets the value, and its call leaves some of it.
notify_waiting:                                      // M: its record
        value[subject] = x; read word[subject]; test M@task.16
        read task[subject]; if flag goto notify_one_less; test M@task.17
        z = M@word & x; if flag goto notify_nothing_left
        notification[subject] = x ^ z
notify_wakes:
        task[subject] = M@task &~ WAKES; ready.tail(M) unless held; device expiry_drop; test held
        if flag goto give_to_held
        = zero; note gets_ready leaves_wait sets_result; done result
notify_one_less:
        y = x - 1
        if not carry: y = zero
        notification[subject] = y; goto notify_wakes
notify_nothing_left:
        notification[subject] = zero; goto notify_wakes

at command notification_clear:
        y = M & (DORMANT | EXISTS); read notification[subject]; goto notification_clear_2 after next
        y = y ^ EXISTS
notification_clear_2:
        p = argument; test zero
        x = M@notification; if not flag goto not_notified
        value[caller] = x; done E_OK, go on
        notification[subject] = x &~ p; end

at command notification_cancel:
        y = M & (DORMANT | EXISTS); read more[subject]; goto notification_cancel_2 after next
        y = y ^ EXISTS
notification_cancel_2:
        test zero
        if not flag goto not_notified; test M@more.pending
        if not flag: done E_OBJ
        more[subject] = M &~ PENDING; done E_OK

// ---- waits of the task itself ----------------------------------------------------------------------------------------

// p: timeout, q: bits to clear, x: the value, v: the second record of the task, without `pending`, z: what the call leaves, in byte 2.
at command notification_wait:
        q = argument; read operand[caller]; goto notification_wait_2 after next
        z = zero; read more[subject]; test may_wait
notification_wait_2:
        p = M@operand; read notification[subject]; if not flag goto notification_poll
notification_wait_3:
        v = M@more &~ PENDING; test M@more.pending
        x = M@notification; if not flag goto notify_wait
        value[caller] = x; done E_OK, go on
        notification[subject] = x &~ q
        more[subject] = v; end
notification_poll:                                   // the caller may not wait
        = p
        test zero
        read more[subject]; if flag goto notification_wait_3 after next
        read notification[subject]
        goto refuse_context

at command notification_take:
        p = argument; read notification[subject]; goto notification_take_2 after next
        z = 0x00010000; read more[subject]
notification_take_2:
        x = M@notification; test nothing
        v = M@more &~ PENDING; if flag goto notify_wait
        value[caller] = x; done E_OK, go on
        notification[subject] = x - 1
        more[subject] = v; end

at command notification_take_all:
        p = argument; read notification[subject]; goto notification_take_all_2 after next
        z = 0x00020000; read more[subject]
notification_take_all_2:
        x = M@notification; test nothing
        v = M@more &~ PENDING; if flag goto notify_wait
        value[caller] = x; done E_OK, go on
        notification[subject] = zero
        more[subject] = v; end

notify_wait:
        = p; read task[subject]
        test zero
        if flag: done E_TMOUT; test device.listed
        if flag: ready.remove(M)                     // it had lost its turn
        x = M@task.2 is z; note waits; done result, go on
        task[subject] = x.3 | WAIT_NOTIFICATION
        word[subject] = q
        more[subject] = v; goto wait_ticks
