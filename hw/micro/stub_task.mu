// Stubs of what other writers own.

left_mutex:
        goto wait_ended
start_orphan:
        end
found_timer:
        device found_take; end
found_deadline:
        device found_take; end
at job drain:
        read task[subject]; goto end_wait after next
        t = (E_DLT & 0xFF000000)
at command irq_map:                                  // without checks, without the word of an action
        y = argument
        y = y + y
        y = y + y; goto map_2
map_2:
        y = y + y
        y = y + y
        y = y + y
        y = y + y
        y = y + y
        y = y + y
        = y
        z = device.swapped
        z = z & 0x17000000
        irq[object] = z.2 is y; done E_OK
