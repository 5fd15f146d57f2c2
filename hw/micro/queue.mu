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
        test device.purging; if flag goto busy
        if flag goto busy
        x = room - y
        if not carry: done E_NOMEM
        = y
        room = x
        z = device.swapped                           // of y: {capacity, 0}
        queue[object] = z; done E_OK

// u: somebody waits.
at command queue_delete:
        if flag goto queue_delete_waited
        goto queue_delete_2 after next
        u = zero; test nothing
queue_delete_waited:
        test nothing
        if flag: done E_NOEXS; test device.draining
        u = 1; if flag goto busy
        test nothing
queue_delete_2:
        if flag: done E_NOEXS
        x = M & 0xFFFF
        = x
        = M; test zero
        = M; if flag goto queue_delete_3
        test device.purging
        if flag goto busy
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
        objects only; read system[purged]; goto purge_2 after next
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

// x: record of the queue with one message more (no carry: there is no room, or no queue), y: its messages, w: timeout. Somebody waits: for a
// message when there is none, else for room. A queue that does not exist may have waiters, too, who still leave: `test nothing` of an annulled word.

at command queue_send:
        y = M & 0xFFFF; read operand[caller]; if flag goto send_waited
        x = M@queue + GIVE; goto send_2 after next; test nothing
        = x; test may_wait
send_2:
        t = 7; if not flag goto send_poll; test result.31
        read message_next[free]; if flag goto send_full
        message[free] = argument
// t: priority of the message, x: record, M: the next free slot.
send_enter:
        message_next[free], level = t
        waits.tail(messages, loaded, free); queue[object] = x; done E_OK, go on
        free = M@message_next; end
send_poll:                                           // the caller may not wait
        = M@operand
        = x; test zero
        if not flag goto refuse_context; test result.31
        read message_next[free]; if flag goto send_full
        message[free] = argument; goto send_enter

send_waited:
        = y; subject <- top; if flag goto send_deleted; test may_wait
        read task[subject]; if not flag goto send_poll_waited; test zero
        if not flag goto send_wait
// Nothing is in the queue: the first waiter receives. M: its record.
send_hand:
        x, task[subject], level = M &~ WAKES; waits.remove(object, M, subject); ready.tail(M) unless held; test held
        value[subject] = argument; device expiry_drop; if flag goto give_to_held
        = zero; note gets_ready leaves_wait sets_result; done result
send_poll_waited:
        read operand[caller]
        pass
        = M@operand
        = y; test zero
        read task[subject]; if not flag goto refuse_context; test zero
        if not flag goto send_wait
        goto send_hand
send_deleted:
        read operand[caller]; test may_wait
        if flag goto queue_none
        = M@operand
        test zero
        if not flag goto refuse_context
queue_none:
        done E_NOEXS

send_full:
        = x - GIVE; subject <- running; read operand[caller]
        read task[caller]; test zero
        w = M@operand; if flag goto queue_none
send_wait_2:
        x, level = M@task.2 is object; test zero
        if flag: done E_TMOUT; test device.listed
        if flag: ready.remove(loaded)                // it had lost its turn
        word[subject] = argument; waits.tail(object, loaded, subject); note waits; done result, go on
        p = w
        task[subject] = x.3 | WAIT_QUEUE; goto wait_ticks
send_wait:
        subject <- running; read operand[caller]
        read task[caller]; goto send_wait_2 after next
        w = M@operand

at command queue_post:
        y = M & 0xFFFF; if flag goto post_waited
        read operand[caller]; goto post_2 after next; test nothing
        x = M@queue + GIVE
post_2:
        = M@operand - 8; if not carry goto post_full
        message[free] = argument; if carry goto refuse_parameter
        read message_next[free]
        message_next[free], level = M@operand
        waits.tail(messages, loaded, free); queue[object] = x; done E_OK, go on
        free = M@message_next; end
post_full:
        = M@operand - 8
        = x - GIVE; if carry goto refuse_parameter
        test zero
        if flag: done E_NOEXS
queue_full:
        done E_QOVR

post_waited:
        = y; subject <- top; if flag goto post_deleted
        = M@operand - 8
        = y; read task[subject]; if carry goto refuse_parameter
        test zero
        if not flag goto queue_full
        goto send_hand
post_deleted:
        = M@operand - 8
        if carry goto refuse_parameter
        done E_NOEXS

// The action of an interrupt: p = the word, M = the record of the queue, the flag of the word before: somebody waits.
post_message:
        y = M & 0xFFFF; if flag goto post_message_waited
        x = M@queue + GIVE; test nothing
        t = 7; read message_next[free]; if not carry goto post_message_full
        message[free] = p; goto send_enter
post_message_full:
        = x - GIVE
        test zero
        if flag: done E_NOEXS
        done E_QOVR
post_message_waited:
        = y; subject <- top; if flag goto queue_none
        read task[subject]; test zero
        if not flag goto queue_full
        x, task[subject], level = M &~ WAKES; waits.remove(object, M, subject); ready.tail(M) unless held; test held
        value[subject] = p; device expiry_drop; if flag goto give_to_held
        = zero; note gets_ready leaves_wait sets_result; done result

// ---- receive ---------------------------------------------------------------------------------------------------------

at command queue_receive:
        x = M + TAKE carry 16; subject <- top; if flag goto receive_waited
        waits.look(messages); if not carry goto receive_none
        subject <- top; goto receive_2 after next
        read message[subject]
receive_2:
        w = zero.0 is subject; read message_next[subject]
        value[caller] = M@message
        queue[object] = x; waits.remove(messages, M, w); done E_OK, go on
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
