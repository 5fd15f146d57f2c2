// Message queues: melanion/model/queue.py. A record is {room, count}, as of a semaphore. A message is a slot: its word is in message[slot], its priority in
// message_next[slot] while a queue holds it; free slots are a chain from register free, message_next[slot] being the next.

at command queue_create:
        x = argument - 1; test no_argument
        if flag goto refuse_parameter
        goto queue_create_2 after next
        = x - size.messages
queue_create_2:
        y = argument; if carry goto refuse_parameter
        test nothing
        if not flag: done E_OBJ; test device.draining
        test device.purging; if flag goto queue_retry
        if flag goto queue_retry
        x = room - y
        if not carry: done E_NOMEM
        = y
        room = x
        z = device.swapped                           // of y: {capacity, 0}
        queue[object] = z; done E_OK
queue_retry:                                         // an earlier queue's waiters or messages still leave
        device retry; end

// u: somebody waits.
at command queue_delete:
        if flag goto queue_delete_waited
        goto queue_delete_2 after next
        u = zero; test nothing
queue_delete_waited:
        test nothing
        if flag: done E_NOEXS; test device.draining
        u = 1; if flag goto queue_retry
        test nothing
queue_delete_2:
        if flag: done E_NOEXS
        x = M & 0xFFFF
        = x
        = M; test zero
        = M; if flag goto queue_delete_3
        test device.purging
        if flag goto queue_retry
        system[purged] = zero.2 is object
        job.start(purge)
queue_delete_3:
        = M
        = M
        y = device.swapped
        z = M + y                                    // room and count: the capacity
        z = z & 0xFFFF
        room = room + z
        = u
        queue[object] = zero; test zero
        if flag: done E_OK
        x = KIND_QUEUE; goto start_drain

// The messages of a deleted queue are freed one by one.
at job purge:
        read system[purged]; goto purge_2 after next
        pass
purge_2:
        object <- M
        waits.look(messages)
        test waiter
        if not flag goto purge_end; subject <- top
        read message_next[subject]
        w = zero.0 is subject
        waits.remove(messages, M, w)
        message_next[subject] = free
        free = w; end
purge_end:
        job.end(purge); end

// ---- send, post ------------------------------------------------------------------------------------------------------

// p: word, t: its priority, x: record of the queue, u: somebody waits, w: timeout, v: never waits.
at command queue_send:
        x = M; if flag goto send_waited
        u = zero; read operand[caller]; goto send_2 after next
        p = argument; test may_wait
send_waited:
        u = 1; read operand[caller]; goto send_2 after next
        p = argument; test may_wait
send_2:
        w = M; if flag goto send_3
        = w
        test zero
        if not flag goto refuse_context
send_3:
        v = zero
        t = 7; goto enter

at command queue_post:
        x = M; if flag goto post_waited
        u = zero; read operand[caller]; goto post_2 after next
        p = argument
post_waited:
        u = 1; read operand[caller]; goto post_2 after next
        p = argument
post_2:
        t = M; goto post_3 after next
        = M - 8
post_3:
        v = 1; if carry goto refuse_parameter
        goto enter

// The action of an interrupt: p = the word, M = the record of the queue, the flag of the word before: somebody waits.
post_message:
        x = M; if flag goto post_message_waited
        u = zero; goto post_message_2
post_message_waited:
        u = 1
post_message_2:
        v = 1
        t = 7
enter:
        = x
        y = x & 0xFFFF; test zero
        if flag: done E_NOEXS
        = u
        = y; test zero
        if flag goto enter_room; test zero
        = y
        = y; test zero
        if flag goto enter_hand
enter_room:
        x = x + GIVE
        if not carry goto enter_full
        read message_next[free]
        message[free] = p
        message_next[free], level = t
        waits.tail(messages, loaded, free)
        queue[object] = x; done E_OK, go on
        free = M@message_next; end
// The queue is empty, and the first waiter receives.
enter_hand:
        subject <- top
        value[subject] = p; read task[subject]; goto give_to_waiter_2 after next
        pass
enter_full:
        = v
        = w; test zero
        if not flag: done E_QOVR; test zero
        = w
        read task[caller]; subject <- running; test zero
        if flag: done E_TMOUT
        x, level = M.2 is object; test device.listed
        word[subject] = p; if flag goto send_listed
send_enter:
        waits.tail(object, loaded, subject); = zero; note waits; done result, go on
        p = w
        task[subject] = x.3 | WAIT_QUEUE; goto wait_ticks
send_listed:                                         // it had lost its turn
        ready.remove(loaded); goto send_enter

// ---- receive ---------------------------------------------------------------------------------------------------------

at command queue_receive:
        x = M + TAKE carry 16; subject <- top; if flag goto receive_waited
        waits.look(messages); if not carry goto receive_none
        subject <- top; goto receive_2
receive_2:
        read message[subject]
        w = zero.0 is subject; read message_next[subject]
        p = M@message
        queue[object] = x; waits.remove(messages, M, w)
        value[caller] = p; done E_OK, go on
        message_next[w] = free
        free = w; end

// A sender waits: its word enters behind the others, in the slot of the one that leaves.
receive_waited:
        = M + TAKE carry 16
        if not carry goto receive_none               // it receives, too
        r = zero.0 is subject; waits.look(messages)
        subject <- top
        read message[subject]
        w = zero.0 is subject; read message_next[subject]
        p = M@message
        waits.remove(messages, M, w)
        value[caller] = p; subject <- r
        read word[subject]
        read task[subject]
        message[w] = M@word
        t = 7
        message_next[w], level = t
        waits.tail(messages, loaded, w); goto give_to_waiter_2
receive_none:
        p = argument; test nothing
        if flag: done E_NOEXS; test no_argument
        if flag: done E_TMOUT; read task[caller]
        subject <- running
        x, level = M.2 is object; test device.listed
        if flag: ready.remove(loaded)
        waits.tail(object, loaded, subject); = zero; note waits; done result, go on
        task[subject] = x.3 | WAIT_QUEUE; goto wait_ticks

at command queue_count:
        test nothing
        if flag: = NOEXS; done E_OK silently
        = M & 0xFFFF; done E_OK silently
