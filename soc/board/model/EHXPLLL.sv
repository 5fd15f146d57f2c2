// SPDX-License-Identifier: Apache-2.0
// EHXPLLL: a model of the PLL of an ECP5 for simulations, with the ports that mel_pll uses; synthesis takes it for a black box.
// Its input is no oscillator here: CLKOP changes with every edge of CLKI, and CLKOS with every second one.
// Both outputs change in one assignment: an edge of CLKOS and the edge of CLKOP at that time are one event, as in the device (equal phases).
// LOCK comes after 8 edges.
// verilator lint_off UNUSEDPARAM
// verilator lint_off UNUSEDSIGNAL
module EHXPLLL #(
  parameter              PLLRST_ENA      = "DISABLED",
  parameter              INTFB_WAKE      = "DISABLED",
  parameter              STDBY_ENABLE    = "DISABLED",
  parameter              DPHASE_SOURCE   = "DISABLED",
  parameter              OUTDIVIDER_MUXA = "DIVA",
  parameter              OUTDIVIDER_MUXB = "DIVB",
  parameter              OUTDIVIDER_MUXC = "DIVC",
  parameter              OUTDIVIDER_MUXD = "DIVD",
  parameter int unsigned CLKI_DIV        = 1,
  parameter              CLKOP_ENABLE    = "ENABLED",
  parameter int unsigned CLKOP_DIV       = 8,
  parameter int unsigned CLKOP_CPHASE    = 0,
  parameter int unsigned CLKOP_FPHASE    = 0,
  parameter              CLKOS_ENABLE    = "DISABLED",
  parameter int unsigned CLKOS_DIV       = 8,
  parameter int unsigned CLKOS_CPHASE    = 0,
  parameter int unsigned CLKOS_FPHASE    = 0,
  parameter              FEEDBK_PATH     = "CLKOP",
  parameter int unsigned CLKFB_DIV       = 1
) (
  input  logic RST,
  input  logic STDBY,
  input  logic CLKI,
  output logic CLKOP,
  output logic CLKOS,
  input  logic CLKFB,
  input  logic PHASESEL0,
  input  logic PHASESEL1,
  input  logic PHASEDIR,
  input  logic PHASESTEP,
  input  logic PHASELOADREG,
  input  logic PLLWAKESYNC,
  input  logic ENCLKOP,
  output logic LOCK
);
  logic [1:0] phase;
  logic [2:0] count;

  initial begin
    phase = 2'd0;
    count = 3'd0;
    LOCK  = 1'b0;
  end

  assign {CLKOS, CLKOP} = ~phase;

  always @(edge CLKI) begin
    phase <= phase + 2'd1;
    count <= count + 3'd1;
    if (&count) LOCK <= 1'b1;
  end
endmodule
