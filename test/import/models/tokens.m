-- Rumur v2022.08.20: 80 states, 80 with exhaustive symmetry reduction.
-- A token that starts anywhere, and a second one that may start beside it.
const N: 4;

type place: 0 .. N - 1;

var
  first: place;
  second: place;
  moves: 0 .. 3;

ruleset p: place do
  startstate "one" begin
    first := p;
    moves := 0;
  end;
  startstate "two" begin
    first := p;
    second := (p + 1) % N;
    moves := 1;
  end;
end;

rule "move first" moves < 3 ==> begin
  first := (first + N - 1) % N;
  moves := moves + 1;
end;

rule "move second" !isundefined(second) & moves < 3 ==> begin
  second := (second + 1) % N;
  moves := moves + 1;
end;

rule "meet" !isundefined(second) & first = second ==> begin
  undefine second;
  moves := 0;
end;

rule "rest" moves > 0 ==> begin moves := moves - 1; end;
