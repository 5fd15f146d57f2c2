// The machine's own words: waiting for a request, refusals, start after reset, loads and stores of registers.

at idle:
        idle                                         // reads the record that the request is about, and looks who waits for it
        test waiter                                  // annulled, but for its test: the flag of an entry's first word

// ---- refused before the program: E_RSFN, E_CTX, E_ID ----------------------------------------------------------------

// M of count_refusal: how many there were.
at refuse:
        = device.refusal; read register[refused]; done result, go on; goto count_refusal after next
        pass
at refuse_other:
        read operand[caller]; goto refuse_other_2 after next
        test device.command
refuse_other_2:
        if flag goto refuse_by_operand after next
        = M@operand; test device.query
        if flag: = device.refused; done E_OK silently      // a query answers its status
        = zero; read register[refused]; done result silently, go on; goto count_refusal after next   // an illegal access is answered, and counted
        pass

// A command whose operand says whether it may block: then E_CTX comes before E_ID.
refuse_by_operand:
        test zero
        if not flag goto refuse_context
        = device.refusal; read register[refused]; done result, go on; goto count_refusal after next
        pass
refuse_context:
        = (E_CTX & 0xFF000000); read register[refused]; done result, go on; goto count_refusal after next
        pass
refuse_parameter:
        = (E_PAR & 0xFF000000); read register[refused]; done result, go on; goto count_refusal after next
        pass

// Waiters or messages of an earlier object still leave.
busy:
        done E_BUSY

// Refused commands and illegal accesses; the count stops at its maximum.
count_refusal:
        x = M + 1
        if carry: x = x - 1
        register[refused] = x; end

// ---- after reset ----------------------------------------------------------------------------------------------------

at init:
        zero = 0
        levels = size.priorities
        affinities = size.affinities
        room = size.messages
        now, register[time_low] = size.time_low
        x, register[time_high] = size.time_high
        register[parameter_hash] = size.parameter_hash
        register[identity] = 0x4D454C31
        register[spec_hash] = size.spec_hash
        register[monitor] = size.monitor
        register[reported] = device.running
        free = zero
        x = zero
        y = size.messages
        goto init_messages
// The free message slots are a chain.
init_messages:
        = x - y
        if carry goto init_end
        x = x + 1
        u = x - 1
        message_next[u] = x; goto init_messages
init_end:
        device memory_ready
        end
