/* lock.orbit for Spin; -DN=6 is the number of processes. */
#ifndef N
#define N 6
#endif
bit free = 1;
active [N] proctype P() {
    do
    :: skip;
enter: d_step { free -> free = 0 };
leave: free = 1
    od
}
ltl served { [] (P[0]@enter -> <> P[0]@leave) }
