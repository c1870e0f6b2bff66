/* models/dekker.orbit for Spin. */
bit wants[2];
bit turn;
active [2] proctype P() {
    do
    :: true;
raise: wants[_pid] = 1;
       do
       :: !wants[1 - _pid] -> break
       :: wants[1 - _pid] ->
          if
          :: turn == _pid
          :: turn == 1 - _pid -> wants[_pid] = 0; turn == _pid; wants[_pid] = 1
          fi
       od;
critical: skip;
       turn = 1 - _pid;
       wants[_pid] = 0
    od
}
ltl served { [] (P[0]@raise -> <> P[0]@critical) }
