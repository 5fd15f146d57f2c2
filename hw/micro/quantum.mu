// Round robin: melanion/model/quantum.py. A slice is counted at ticks, for the running task of each core that has its turn. A quantum is kept as
// -(ticks << 16): added to a slice, ticks used << 16, it carries when the quantum is used up, and never when it is 0, which is none. Judged in mel_accounts.

at command quantum_set:                              // argument {priority 23:16, ticks 15:0}
        y = argument; goto quantum_set_2 after next
        = y
quantum_set_2:
        r = device.swapped                           // {ticks, priority}
        x = r & 0xFFFF
        = x - levels
        p = r &~ 0xFFFF; if carry goto refuse_parameter
        p = zero - p
        quantum[r] = p; device limits_used; done E_OK
