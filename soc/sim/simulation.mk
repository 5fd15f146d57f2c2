# SPDX-License-Identifier: Apache-2.0
# Compiles what Verilator wrote into a program, in Verilator's folder. By Verilator's own rules each part of a model is a file, and all of them read the same headers: that, and the
# files that all models have in common, takes two thirds of the time. So a model is two files here, what runs in every cycle (with the C++ files that know the model) and what runs
# once; the others become a library that is kept, and their standard headers are read once for all models.
#   make -f simulation.mk library.a headers.h headers.h.gch      needs $(MODEL).mk and $(MODEL)_classes.mk only
#   make -f simulation.mk sim SHARED=FOLDER                      of these files
# MODEL: class of the model; OWN: C++ files that know it, without their ends.
VM_DEFAULT_RULES := 0
MODEL := Vmel_top
OWN := main held simulation session
HEADERS := algorithm cstdint cstdio cstdlib deque fstream functional map memory sstream string utility vector verilated.h
include $(MODEL).mk

# Measured with gcc: without these passes -O1 takes two thirds of the time, and a model runs as fast.
ifneq (,$(findstring Free Software Foundation,$(shell $(CXX) --version)))
SLOW_PASSES := $(addprefix -fno-tree-,dse fre dominator-opts pta sra sink ch) -fno-ipa-modref
endif

COMPILE = $(CXX) $(CXXFLAGS) $(CPPFLAGS) -c -o $@ $<
MODEL_OPTIONS = $(OPT_FAST) $(SLOW_PASSES)
objects = $(addsuffix .o,$(1))

sim: fast.o slow.o
	$(LINK) $(LDFLAGS) $^ $(SHARED)/library.a $(LDLIBS) -o $@

library.a: $(call objects,$(filter-out $(OWN),$(VM_USER_CLASSES))) $(VK_GLOBAL_OBJS)
	$(AR) rcs $@ $^

# Precompiled headers serve one set of options: that what runs once is not optimized is said in its text.
fast.cpp: $(addsuffix .cpp,$(VM_FAST) $(filter $(OWN),$(VM_USER_CLASSES)))
	printf '#include "%s"\n' $^ > $@
slow.cpp: $(addsuffix .cpp,$(VM_SLOW))
	printf '#%s\n' 'pragma GCC optimize("O0")' $(patsubst %,'include "%"',$^) > $@
fast.o slow.o: %.o: %.cpp
	$(COMPILE) -include $(SHARED)/headers.h $(MODEL_OPTIONS) -Wno-attributes

headers.h:
	printf '#include <%s>\n' $(HEADERS) > $@
headers.h.gch: headers.h
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) -x c++-header -o $@ $< $(MODEL_OPTIONS)
$(VK_GLOBAL_OBJS): %.o: %.cpp
	$(COMPILE) $(OPT_GLOBAL)
