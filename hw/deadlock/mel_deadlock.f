../../gen/sv/mel_deadlock_pkg.sv
../lock_cache/mel_lock_turn.sv
mel_deadlock_graph.sv
mel_deadlock.sv
