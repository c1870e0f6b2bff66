/* models/token-mutex.orbit for Spin; -DN=6 is the number of processes. */
#ifndef N
#define N 6
#endif
byte token = 0;
active [N] proctype P() {
    do
    :: skip;
enter: (token == _pid);
leave: token = (_pid + 1) % N
    :: d_step { token == _pid -> token = (_pid + 1) % N }
    od
}
ltl served { [] (P[0]@enter -> <> P[0]@leave) }
