// Interrupts: what an edge does without a core (melanion/model/service.py), and the commands about lines (melanion/model/interrupt.py).

at irq:                                              // M: {handler, action, object} of the line that is served
        object <- M; device irq_take; case M.wait at irq_action

// The action's command, as if a core had asked for it; its end is irq_end.
table irq_action:
        goto irq_none
        device kind(0); goto irq_give
        goto irq_wakeup
        goto irq_release
        done E_NOEXS
        done E_NOEXS
        done E_NOEXS
        done E_NOEXS

irq_none:
        test M.handler
        if not flag: done E_NOEXS; test device.offered
        if flag: done E_QOVR
        done E_OK
irq_give:
        read semaphore[object]; waits.look(object)
        goto give after next
        test waiter
irq_wakeup:
        read task[object]; subject <- object; goto wakeup after next
        pass
irq_release:
        read task[object]; subject <- object; goto release after next
        pass

at irq_end:
        subject <- device.line; test device.failed
        if flag goto irq_lost; read irq[subject]
        goto irq_end_2 after next
        test M.handler
irq_end_2:
        if flag: device irq_offer
        goto idle
irq_lost:                                            // the count stops at its maximum
        test M.handler
        if flag: device irq_offer
        read register[lost_irqs]
        pass
        x = M + 1
        if carry: x = x - 1
        register[lost_irqs] = x
        goto idle

at command irq_enable:
        device irq_enable; done E_OK
at command irq_disable:
        device irq_disable; done E_OK, go on
        end                                          // a word later: what may be claimed follows three words behind
at command irq_raise:
        device irq_raise; done E_OK
