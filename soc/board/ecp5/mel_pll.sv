// SPDX-License-Identifier: Apache-2.0
// mel_pll: two clocks of one phase from an oscillator, by the PLL of an ECP5.
// Frequencies: `clk_fast_o` = `clk_i` * FeedbackDivider / InputDivider; the oscillator of the PLL (400 to 800 MHz) = `clk_fast_o` * FastDivider;
// `clk_slow_o` = that / SlowDivider. SlowDivider = 2 * FastDivider: every second edge of the fast clock is one of the slow clock.
module mel_pll #(
  parameter int unsigned InputDivider    = 1,   // 1..128
  parameter int unsigned FeedbackDivider = 2,   // 1..128
  parameter int unsigned FastDivider     = 12,  // 1..64
  parameter int unsigned SlowDivider     = 24   // 1..128
) (
  input  logic clk_i,
  output logic clk_fast_o,
  output logic clk_slow_o,
  output logic locked_o
);
  // Phases are counted in cycles of the PLL's oscillator, and a rising edge comes when the divider has counted its phase: equal ones rise together.
  (* ICP_CURRENT = "12" *) (* LPF_RESISTOR = "8" *) (* MFG_ENABLE_FILTEROPAMP = "1" *) (* MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .PLLRST_ENA      ("DISABLED"),
    .INTFB_WAKE      ("DISABLED"),
    .STDBY_ENABLE    ("DISABLED"),
    .DPHASE_SOURCE   ("DISABLED"),
    .OUTDIVIDER_MUXA ("DIVA"),
    .OUTDIVIDER_MUXB ("DIVB"),
    .OUTDIVIDER_MUXC ("DIVC"),
    .OUTDIVIDER_MUXD ("DIVD"),
    .CLKI_DIV        (InputDivider),
    .CLKOP_ENABLE    ("ENABLED"),
    .CLKOP_DIV       (FastDivider),
    .CLKOP_CPHASE    (FastDivider - 1),
    .CLKOP_FPHASE    (0),
    .CLKOS_ENABLE    ("ENABLED"),
    .CLKOS_DIV       (SlowDivider),
    .CLKOS_CPHASE    (FastDivider - 1),
    .CLKOS_FPHASE    (0),
    .FEEDBK_PATH     ("CLKOP"),
    .CLKFB_DIV       (FeedbackDivider)
  ) u_pll (
    .RST         (1'b0),
    .STDBY       (1'b0),
    .CLKI        (clk_i),
    .CLKOP       (clk_fast_o),
    .CLKOS       (clk_slow_o),
    .CLKFB       (clk_fast_o),
    .PHASESEL0   (1'b0),
    .PHASESEL1   (1'b0),
    .PHASEDIR    (1'b1),
    .PHASESTEP   (1'b1),
    .PHASELOADREG(1'b1),
    .PLLWAKESYNC (1'b0),
    .ENCLKOP     (1'b0),
    .LOCK        (locked_o)
  );
endmodule
