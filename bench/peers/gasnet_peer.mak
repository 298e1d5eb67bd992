# SPDX-License-Identifier: Apache-2.0
# Compiles SOURCE to PROGRAM as GASNet-EX, installed in GASNET, says for CONDUIT.
include $(GASNET)/include/$(CONDUIT)-conduit/$(CONDUIT)-seq.mak

$(PROGRAM): $(SOURCE)
	$(GASNET_CXX) $(GASNET_CXXCPPFLAGS) $(GASNET_CXXFLAGS) -std=c++20 -c $(SOURCE) -o $(PROGRAM).o
	$(GASNET_LD) $(GASNET_LDFLAGS) -o $(PROGRAM) $(PROGRAM).o $(GASNET_LIBS) -lstdc++
	rm -f $(PROGRAM).o
