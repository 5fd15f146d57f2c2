../../gen/sv/mel_lock_pkg.sv
../engine/mel_first_set.sv
mel_lock_turn.sv
mel_lock_heir.sv
mel_lock_notices.sv
mel_lock_table.sv
mel_lock_cache.sv
