# SPDX-License-Identifier: Apache-2.0
# Compiles what Verilator wrote into a simulation, in Verilator's folder. By Verilator's own rules each part of a model is a file, and all of them read the same headers: that, and the
# files that all models have in common, takes two thirds of the time. So a model is two files here, what runs in every cycle and what runs once; the others become a library that is kept.
#   make -f simulation.mk library.a          needs Vmel_top.mk and Vmel_top_classes.mk only
#   make -f simulation.mk sim LIBRARY=FILE
VM_DEFAULT_RULES := 0
include Vmel_top.mk

KNOW_THE_MODEL := main simulation session
COMPILE = $(OBJCACHE) $(CXX) $(CXXFLAGS) $(CPPFLAGS) -c -o $@ $<
objects = $(addsuffix .o,$(1))

sim: $(call objects,fast slow $(filter $(KNOW_THE_MODEL),$(VM_USER_CLASSES))) $(LIBRARY)
	$(LINK) $(LDFLAGS) $^ $(LDLIBS) -o $@

library.a: $(call objects,$(filter-out $(KNOW_THE_MODEL),$(VM_USER_CLASSES))) $(VK_GLOBAL_OBJS)
	$(AR) rcs $@ $^

fast.cpp: $(addsuffix .cpp,$(VM_FAST))
slow.cpp: $(addsuffix .cpp,$(VM_SLOW))
fast.cpp slow.cpp:
	printf '#include "%s"\n' $^ > $@

fast.o: fast.cpp
	$(COMPILE) $(OPT_FAST)
slow.o: slow.cpp
	$(COMPILE) $(OPT_SLOW)
$(VK_GLOBAL_OBJS): %.o: %.cpp
	$(COMPILE) $(OPT_GLOBAL)
