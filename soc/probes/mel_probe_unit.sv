// mel_probe_unit: hands one lane of the hardware unit's trace port to the simulation's C++ side. Simulation only.
// Lanes of one cycle take effect in the order tick, sequencer, answers: the top places the probes in that order.
module mel_probe_unit #(
  parameter int unsigned Lanes = 3
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input mel_pkg::trace_t [Lanes-1:0] trace_i   // lane 0 takes effect first
);
  import "DPI-C" function void mel_probe_event(input int unsigned kind, input int unsigned core, input int unsigned a,
                                               input int unsigned b, input int unsigned c, input int unsigned d);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      // Nothing is reported during reset.
    end else begin
      for (int unsigned i = 0; i < Lanes; i++) begin
        if (trace_i[i].valid) begin
          mel_probe_event({24'd0, trace_i[i].kind}, {24'd0, trace_i[i].core}, {16'd0, trace_i[i].a}, trace_i[i].b, trace_i[i].c,
                          trace_i[i].d);
        end
      end
    end
  end
endmodule
