../../gen/sv/mel_ethernet_pkg.sv
../lock_cache/mel_lock_turn.sv
mel_traffic_pkg.sv
mel_ethernet_receive.sv
mel_ethernet_transmit.sv
mel_traffic_send.sv
mel_traffic_check.sv
mel_ethernet.sv
