-- Rumur v2022.08.20: 256 states, 13 with exhaustive symmetry reduction.
-- A lock that is tested and set in one step.
const N: 6;

type
  proc: scalarset(N);
  place: enum { idle, trying, critical };

var
  lock: boolean;
  at: array [proc] of place;

startstate "nobody tries"
begin
  lock := false;
  for p: proc do at[p] := idle; end;
end;

ruleset p: proc do
  rule "try" at[p] = idle ==>
  begin
    at[p] := trying;
  end;

  -- The test and the assignment are one step.
  rule "enter" at[p] = trying & !lock ==>
  begin
    lock := true;
    at[p] := critical;
  end;

  rule "leave" at[p] = critical ==>
  begin
    lock := false;
    at[p] := idle;
  end;
end;

invariant "exclusion"
  forall p: proc do forall q: proc do
    (at[p] = critical & at[q] = critical) -> p = q
  end end;
