/* peterson.orbit for Spin; -DN=4 is the number of processes, at most 8. Process _pid stands for index _pid + 1. */
#ifndef N
#define N 4
#endif

#define SELF (_pid + 1)
#define LOW(j) ((j) > N || (j) == SELF || flag[j] < k)

byte flag[9];
byte turn[N];

active [N] proctype P() {
    byte k = 1;
    do
    :: d_step { k < N -> flag[SELF] = k };
setTurn: d_step { true -> turn[k] = SELF };
       d_step {
           turn[k] != SELF || (LOW(1) && LOW(2) && LOW(3) && LOW(4) && LOW(5) && LOW(6) && LOW(7) && LOW(8)) ->
           k = k + 1
       }
    :: d_step { k == N -> skip };        /* critical */
       d_step { true -> flag[SELF] = 0; k = 1 }
    od
}

/* Who has climbed all levels is at `critical`. */
ltl served { [] (P[0]@setTurn -> <> (P[0]:k == N)) }
