../../gen/sv/mel_pkg.sv
mel_guard.sv
