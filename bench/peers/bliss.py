"""
The mean processor time, in milliseconds, that bliss takes for the automorphism group of a graph in DIMACS format, and the
order: the program `bliss` says its time in steps of 10 ms, and with reading the file. Calls the library (libbliss2, which the
package bliss depends on) as often as it takes to see something.

    python3 bliss.py FILE
"""
import ctypes
import sys
import time

VISIBLE_SECONDS = 0.04


class Stats(ctypes.Structure):
    """`BlissStats` of bliss_C.h."""

    _fields_ = [("group_size_approx", ctypes.c_longdouble)] + [
        (name, ctypes.c_ulong)
        for name in ("nodes", "leaf_nodes", "bad_nodes", "canupdates", "generators", "max_level")
    ]


library = ctypes.CDLL("libbliss.so.2")
library.bliss_new.restype = ctypes.c_void_p
library.bliss_new.argtypes = [ctypes.c_uint]
library.bliss_add_vertex.argtypes = [ctypes.c_void_p, ctypes.c_uint]
library.bliss_add_edge.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint]
library.bliss_find_automorphisms.argtypes = [ctypes.c_void_p] * 4

vertex_count = 0
color_of = {}
edges = []
with open(sys.argv[1]) as lines:
    for line in lines:
        words = line.split()
        if words[:1] == ["p"]:
            vertex_count = int(words[2])
        elif words[:1] == ["n"]:
            color_of[int(words[1])] = int(words[2])
        elif words[:1] == ["e"]:
            edges.append((int(words[1]), int(words[2])))

graph = library.bliss_new(0)
for vertex in range(1, vertex_count + 1):
    library.bliss_add_vertex(graph, color_of.get(vertex, 0))
for first, second in edges:
    library.bliss_add_edge(graph, first - 1, second - 1)

stats = Stats()
runs = 0
# The first call also sorts the rows.
library.bliss_find_automorphisms(graph, None, None, ctypes.byref(stats))
begin = time.process_time()
while runs == 0 or time.process_time() - begin < VISIBLE_SECONDS:
    library.bliss_find_automorphisms(graph, None, None, ctypes.byref(stats))
    runs += 1
milliseconds = 1000 * (time.process_time() - begin) / runs
# The order is a long double of 80 bits, which can be larger than a float of Python: its bits are read.
bits = bytes(stats)[:10]
mantissa = int.from_bytes(bits[:8], "little")
exponent = int.from_bytes(bits[8:], "little")
if exponent == 0x7FFF:
    print(milliseconds, "too-large")
else:
    shift = exponent - 16383 - 63
    print(milliseconds, mantissa << shift if shift >= 0 else mantissa >> -shift)
