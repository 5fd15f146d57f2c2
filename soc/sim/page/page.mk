# SPDX-License-Identifier: Apache-2.0
# Compiles what Verilator wrote into WebAssembly, in Verilator's folder, with Emscripten (docs/decisions/0045): sim.js makes the simulation of sim.wasm.
#   make -f page.mk MODEL=Vmel_top CXX=em++ sim.js
# What runs once is compiled for size: it is half of the text. The linker does not optimize JavaScript: -O1.
VM_DEFAULT_RULES := 0
include $(MODEL).mk

# Exceptions of Verilator's runtime are those of WebAssembly. The clock of a core's cycles, which its runtime would read, is none.
EVERYWHERE := -fwasm-exceptions -DVL_IGNORE_UNKNOWN_ARCH -Wno-everything
LINKED := --no-entry -sMODULARIZE=1 -sEXPORT_NAME=createSimulation -sENVIRONMENT=worker,node -sEXIT_RUNTIME=0 -sFORCE_FILESYSTEM=1 \
  -sALLOW_MEMORY_GROWTH=1 -sEXPORTED_FUNCTIONS=_mel_begin,_mel_pulse,_mel_advance,_mel_watch,_mel_watched,_mel_end -sEXPORTED_RUNTIME_METHODS=FS,ccall
COMPILE = $(CXX) $(EVERYWHERE) $(CXXFLAGS) $(CPPFLAGS) -c -o $@ $<
USER := $(addsuffix .o,$(VM_USER_CLASSES))

sim.js: fast.o slow.o $(USER) $(VK_GLOBAL_OBJS)
	$(CXX) -O1 $(EVERYWHERE) $^ $(LINKED) -o $@

fast.cpp: $(addsuffix .cpp,$(VM_FAST))
	printf '#include "%s"\n' $^ > $@
slow.cpp: $(addsuffix .cpp,$(VM_SLOW))
	printf '#include "%s"\n' $^ > $@
fast.o: fast.cpp
	$(COMPILE) -O2
slow.o: slow.cpp
	$(COMPILE) -Os
$(USER) $(VK_GLOBAL_OBJS): %.o: %.cpp
	$(COMPILE) -O2
