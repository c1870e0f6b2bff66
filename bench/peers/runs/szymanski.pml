/* models/szymanski.orbit for Spin; -DN=3 is the number of processes, at most 5. */
#ifndef N
#define N 3
#endif
byte flag[6];
#define ALL2(j) ((j) >= N || flag[j] <= 2)
#define IS(j,v) ((j) < N && flag[j] == (v))
#define BEFORE(j) ((j) >= _pid || flag[j] <= 1)
#define AFTER(j) ((j) <= _pid || (j) >= N || flag[j] <= 1 || flag[j] == 4)
active [N] proctype P() {
    do
    ::
come: flag[_pid] = 1;
      (ALL2(0) && ALL2(1) && ALL2(2) && ALL2(3) && ALL2(4));
      flag[_pid] = 3;
      if
      :: (IS(0,1) || IS(1,1) || IS(2,1) || IS(3,1) || IS(4,1)) -> flag[_pid] = 2;
         (IS(0,4) || IS(1,4) || IS(2,4) || IS(3,4) || IS(4,4))
      :: !(IS(0,1) || IS(1,1) || IS(2,1) || IS(3,1) || IS(4,1))
      fi;
      flag[_pid] = 4;
      (BEFORE(0) && BEFORE(1) && BEFORE(2) && BEFORE(3) && BEFORE(4));
critical: skip;
      (AFTER(0) && AFTER(1) && AFTER(2) && AFTER(3) && AFTER(4));
      flag[_pid] = 0
    od
}
ltl served { [] (P[0]@come -> <> P[0]@critical) }
