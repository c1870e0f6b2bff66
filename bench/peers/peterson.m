-- models/peterson.orbit for Rumur. The bench replaces the number of processes in the next line.
const N: 3;

type Proc: scalarset(N);
     Level: 1 .. N - 1;
     Place: enum { climbing, announced, waiting, critical };

var flag: array [Proc] of 0 .. N - 1;
    turn: array [Level] of Proc;            -- undefined until somebody comes
    level: array [Proc] of 1 .. N;
    place: array [Proc] of Place;

startstate begin
  for i: Proc do
    flag[i] := 0;
    level[i] := 1;
    place[i] := climbing;
  end;
  for l: Level do undefine turn[l]; end;
end;

ruleset i: Proc do
  rule "setFlag" place[i] = climbing & level[i] < N ==>
  begin flag[i] := level[i]; place[i] := announced; end;

  rule "setTurn" place[i] = announced ==>
  begin turn[level[i]] := i; place[i] := waiting; end;

  rule "pass"
    place[i] = waiting
    & (turn[level[i]] != i | forall j: Proc do j = i | flag[j] < level[i] end)
  ==>
  begin level[i] := level[i] + 1; place[i] := climbing; end;

  rule "critical" place[i] = climbing & level[i] = N ==>
  begin place[i] := critical; end;

  rule "exit" place[i] = critical ==>
  begin flag[i] := 0; level[i] := 1; place[i] := climbing; end;
end;

-- In the model a process is at `critical` before that step and not behind it.
invariant "mutex"
  forall i: Proc do forall j: Proc do
    i = j | !(place[i] = climbing & level[i] = N & place[j] = climbing & level[j] = N)
  end end;
