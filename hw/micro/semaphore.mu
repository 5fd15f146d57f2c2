// Semaphores: melanion/model/semaphore.py. A record is {room, count}: a unit more is - 0x10000 + 1, of which the first carries when there was
// room; one less is + TAKE, which carries into bit 16 when there was one. A semaphore that does not exist is 0.

at command semaphore_create:                         // argument {maximum, initial}
        x = argument & 0xFFFF; goto semaphore_create_2 after next
        = x
semaphore_create_2:
        y = device.swapped
        x = argument - y                             // {maximum - initial, initial}; no carry: initial is above maximum
        = x; if not carry goto refuse_parameter
        test zero
        if flag goto refuse_parameter                // maximum 0
        test nothing
        if not flag: done E_OBJ; test device.draining
        if flag: done E_BUSY                         // waiters from before its deletion
        semaphore[object] = x; done E_OK

at command semaphore_give:
        x = M - 0x10000; subject <- top; if flag goto give_to_waiter   // with + 1 at once, 65535 units would carry into the room
        if carry: semaphore[object] = x + 1; done E_OK; read task[subject]; test nothing
        if flag: done E_NOEXS
        done E_QOVR

give_to_waiter:                                      // its record is being read, and the semaphore tested (also by an annulled word)
        if flag: done E_NOEXS                        // deleted, its waiters still leave
give_to_waiter_2:
        x, task[subject], level = M &~ WAKES; waits.remove(object, M, subject); ready.tail(M) unless held; test held
        device expiry_drop; if flag goto give_to_held
        = zero; note gets_ready leaves_wait sets_result; done result
// It is suspended, or its timeout has matched and it stands in the due list.
give_to_held:
        test M.due
        if flag: due.remove(M)
        test M.suspended
        if flag: = zero; note leaves_wait sets_result; done result
        ready.tail(M)
        = zero; note gets_ready leaves_wait sets_result; done result

at command semaphore_take:
        x = M + TAKE carry 16; read task[caller]
        if carry: semaphore[object] = x; done E_OK; test wait M@semaphore
        p = argument; if not flag goto take_otherwise; subject <- running
        x, level = M.2 is object; waits.tail(object, M, subject); note waits; done result, go on; goto take_waits
take_waits:
        task[subject] = x.3 | WAIT_SEMAPHORE; goto wait_ticks
take_otherwise:
        = x - 0x0000FFFF
        test zero
        if flag: done E_NOEXS; test no_argument
        if flag: done E_TMOUT
        ready.remove(M)                              // it had lost its turn
        x, level = M.2 is object; waits.tail(object, M, subject); note waits; done result, go on; goto take_waits

at command semaphore_delete:
        if flag goto semaphore_delete_waited
        test nothing
        if flag: done E_NOEXS
        semaphore[object] = zero; done E_OK
semaphore_delete_waited:
        test nothing
        if flag: done E_NOEXS; test device.draining
        x = zero; if flag goto busy
        semaphore[object] = zero; goto start_drain

at command semaphore_count:
        test nothing
        if flag: = NOEXS; done E_OK silently
        = M & 0xFFFF; done E_OK silently
