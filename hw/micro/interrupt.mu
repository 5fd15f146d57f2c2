// Interrupts: what an edge does without a core (melanion/model/service.py), and the commands about lines (melanion/model/interrupt.py).

at irq:                                              // M: what the line that is served does; its object's record and waits are looked up
        object <- M; device irq_take; read M; waits.look(memory); case M.wait at irq_action after next
        device irq_offer; test waiter                // before the action: its line does not come behind that of a dispatch

// The action's command, as if a core had asked for it; its end is irq_end. A line that was never mapped has code 0. Bits 1:0 of a code
// are the kind of the object; a word that reads does not stand behind one whose M is the record of a task.
table irq_action:
        goto irq_none
        objects only; read irq_word[subject]; goto irq_set_flags
        objects only; read irq_word[subject]; goto irq_post_message
        w = M@task; read irq_word[subject]; subject <- object; goto irq_notify_set
        objects only; x = M@semaphore; subject <- top; goto irq_give
        y = M@task ^ (WAIT_SLEEP | EXISTS); subject <- object; goto irq_wakeup
        subject <- object; goto release
        w = M@task; subject <- object; goto irq_notify_give

irq_none:
        test device.handler
        if not flag: done E_NOEXS; test device.offered
        if flag: done E_QOVR
        done E_OK

// Gives and wake-ups have programs of their own, shorter than those of the commands. They note a wake-up themselves, instead of irq_end.
irq_give:                                            // the subject: who waits first, if somebody does; x: the semaphore's record
        read task[subject]; test waiter
        if not flag goto irq_give_counted; test nothing M@semaphore
        if flag: done E_NOEXS                        // deleted, its waiters still leave
        task[subject], level = M@task &~ WAKES; waits.remove(object, M, subject); ready.tail(M) unless held; test held
        x = M@task; device expiry_drop; read more[subject]; if flag goto irq_give_to_held
        = zero; note gets_ready leaves_wait sets_result; done result, go on; test device.monitor
        since[subject] = device.cycles; if not flag goto idle
        more[subject] = M@more | WATCHED; goto idle
irq_give_to_held:                                    // x: its record, before the wait ended
        = x
        = x; test result.due
        if flag: due.remove(loaded); test result.suspended
        if flag: = zero; note leaves_wait sets_result; done result
        ready.tail(loaded)
        = zero; note gets_ready leaves_wait sets_result; done result
irq_give_counted:
        = x
        test zero
        if flag: done E_NOEXS
        x = x - 0x10000
        if carry: semaphore[object] = x + 1; done E_OK
        done E_QOVR
irq_wakeup:                                          // y: what differs from the record of a task that sleeps
        y = y & (WAIT | DORMANT | EXISTS | SUSPENDED | DUE)
        = y; test zero
        if flag: task[subject] = M@task &~ WAKES; ready.tail(M); device expiry_drop; read more[subject]; test zero
        if not flag goto irq_wakeup_other
        = zero; note gets_ready leaves_wait sets_result; done result, go on; test device.monitor
        since[subject] = device.cycles; if not flag goto idle
        more[subject] = M@more | WATCHED; goto idle
irq_wakeup_other:
        read task[subject]; goto wakeup
irq_post_message:
        p = M@irq_word; read queue[object]; goto post_message after next
        test waiter

at irq_end:
        x = device.cycles - 1; read more[subject]; test device.counts       // the cycle of the event
        if not flag goto idle; test device.failed
        if flag goto irq_lost; read register[lost_irqs]
        more[subject] = M@more | WATCHED; goto irq_counts                   // it made the subject ready
irq_counts:
        since[subject] = x; goto idle
irq_lost:                                            // it has failed; the count stops at its maximum
        x = M + 1
        if carry: x = x - 1
        register[lost_irqs] = x; goto idle

// ---- what a line does -------------------------------------------------------------------------------------------------

// argument {object 15:8, handler 4, action 2:0}; the operand is the word of the action. y: argument * 256; t: {handler 28, action 26:24, object 7:0};
// v: bit held back, the code of the action, the page of its object, and the action; q: how many objects there are.
at command irq_map:
        y = argument
        y = y + y
        y = y + y; goto irq_map_2
irq_map_2:
        y = y + y
        y = y + y
        y = y + y
        y = y + y
        y = y + y
        y = y + y
        = y
        t = device.swapped
        system[scratch] = t
        read operand[caller]
        read system[scratch]
        u = M@operand
        case M.wait at irq_map_action; M@system

table irq_map_action:
        v = zero; goto irq_map_store
        q = size.semaphores; goto irq_map_semaphore
        q = size.tasks; goto irq_map_wakeup
        q = size.tasks; goto irq_map_release
        q = size.event_flags; goto irq_map_flags
        q = size.queues; goto irq_map_queue
        q = size.tasks; goto irq_map_notify_set
        q = size.tasks; goto irq_map_notify_give
irq_map_semaphore:
        v = 0x04001001; goto irq_map_check
irq_map_wakeup:
        v = 0x05000802; goto irq_map_check
irq_map_release:
        v = 0x0E000803; goto irq_map_check
irq_map_flags:
        v = 0x09002004; goto irq_map_check
irq_map_queue:
        v = 0x02002805; goto irq_map_check
irq_map_notify_set:
        v = 0x03000806; goto irq_map_check
irq_map_notify_give:
        v = 0x07000807; goto irq_map_check
irq_map_check:
        x = t & 0xFF
        = x - q
        if carry goto refuse_parameter
irq_map_store:
        x = t & HANDLER
        x = x | v; device irq_hold
        irq[object] = x.2 is y
        irq_word[object] = u; done E_OK

at command irq_enable:
        device irq_enable
        done E_OK                                    // a word later: edges count from the next cycle on
at command irq_disable:
        device irq_disable; done E_OK, go on
        pass
        end                                          // two words later: a request that waits is there in the fourth cycle behind
at command irq_raise:
        device irq_raise; done E_OK, go on
        end                                          // a word later: … in the third; stores back to back would go first for ever

// ---- claims ----------------------------------------------------------------------------------------------------------

at command claim_limit:
        p = argument; goto claim_limit_2 after next
        = argument + 0xFFFF0000
claim_limit_2:
        if carry goto refuse_parameter
        system[claim_limit] = p
        system[claims_left] = p; device claims_free; goto claim_limit_3
claim_limit_3:
        done E_OK
