-- Rumur v2022.08.20: 198 states, 198 with exhaustive symmetry reduction.
-- Philosophers in a ring, who take the left fork first: all may wait for ever.
const N: 6;

type
  seat: 0 .. N - 1;
  hands: enum { none_, left, both };

var
  free: array [seat] of boolean;
  has: array [seat] of hands;

function right(s: seat): seat;
begin
  return (s + 1) % N;
end;

startstate begin
  for s: seat do
    free[s] := true;
    has[s] := none_;
  end;
end;

ruleset s: seat do
  rule "take left" has[s] = none_ & free[s] ==> begin free[s] := false; has[s] := left; end;
  rule "take right" has[s] = left & free[right(s)] ==> begin free[right(s)] := false; has[s] := both; end;
  rule "put down" has[s] = both ==> begin free[s] := true; free[right(s)] := true; has[s] := none_; end;
  rule "give up" has[s] = left ==> begin free[s] := true; has[s] := none_; end;
end;

invariant "a fork is in one hand"
  forall s: seat do has[s] = both -> has[right(s)] = none_ end;
