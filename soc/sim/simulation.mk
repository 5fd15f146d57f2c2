# SPDX-License-Identifier: Apache-2.0
# Compiles what Verilator wrote into a program, in Verilator's folder. By Verilator's own rules each part of a model is a file, and all of them read the same headers: that, and the
# files that all models have in common, takes two thirds of the time. So a model is two files here, what runs in every cycle (with the C++ files that know the model) and what runs
# once; the others become a library that is kept.
#   make -f simulation.mk library.a          needs $(MODEL).mk and $(MODEL)_classes.mk only
#   make -f simulation.mk sim LIBRARY=FILE
# MODEL: class of the model; OWN: C++ files that know it, without their ends.
VM_DEFAULT_RULES := 0
MODEL := Vmel_top
OWN := main held simulation session
include $(MODEL).mk

COMPILE = $(OBJCACHE) $(CXX) $(CXXFLAGS) $(CPPFLAGS) -c -o $@ $<
objects = $(addsuffix .o,$(1))

sim: $(call objects,fast slow) $(LIBRARY)
	$(LINK) $(LDFLAGS) $^ $(LDLIBS) -o $@

library.a: $(call objects,$(filter-out $(OWN),$(VM_USER_CLASSES))) $(VK_GLOBAL_OBJS)
	$(AR) rcs $@ $^

fast.cpp: $(addsuffix .cpp,$(VM_FAST) $(filter $(OWN),$(VM_USER_CLASSES)))
slow.cpp: $(addsuffix .cpp,$(VM_SLOW))
fast.cpp slow.cpp:
	printf '#include "%s"\n' $^ > $@

fast.o: fast.cpp
	$(COMPILE) $(OPT_FAST)
slow.o: slow.cpp
	$(COMPILE) $(OPT_SLOW)
$(VK_GLOBAL_OBJS): %.o: %.cpp
	$(COMPILE) $(OPT_GLOBAL)
