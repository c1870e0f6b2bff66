-- Rumur v2022.08.20: 11864 states, 624 with exhaustive symmetry reduction.
-- Peterson's algorithm for N processes. A level's last process is undefined until one comes.
const N: 4;

type
  proc: scalarset(N);
  level: 0 .. N - 1;
  place: enum { climbing, announced, waiting, critical };

var
  flag: array [proc] of level;
  last: array [level] of proc;
  here: array [proc] of record at: place; next: 1 .. N end;

startstate begin
  for p: proc do
    flag[p] := 0;
    here[p].at := climbing;
    here[p].next := 1;
  end;
end;

ruleset p: proc do
  alias at: here[p].at; next: here[p].next do
    rule "announce" at = climbing & next < N ==> begin flag[p] := next; at := announced; end;

    rule "yield" at = announced ==> begin last[next] := p; at := waiting; end;

    rule "climb"
      at = waiting & (last[next] != p | forall q: proc do p = q | flag[q] < next end)
    ==> begin
      next := next + 1;
      at := climbing;
    end;

    rule "enter" at = climbing & next = N ==> begin at := critical; end;

    rule "leave" at = critical ==> begin
      flag[p] := 0;
      next := 1;
      at := climbing;
    end;
  end;
end;

invariant "exclusion"
  forall p: proc do forall q: proc do p = q | here[p].at != critical | here[q].at != critical end end;
