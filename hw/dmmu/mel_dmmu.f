../../gen/sv/mel_dmmu_pkg.sv
../engine/mel_first_set.sv
../lock_cache/mel_lock_turn.sv
mel_dmmu_search.sv
mel_dmmu_table.sv
mel_dmmu.sv
