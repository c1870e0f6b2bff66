-- Rumur v2022.08.20: 388 states, 388 with exhaustive symmetry reduction.
-- Aliases of places with an index that changes, and of values.
var arr: array [0..2] of 0..5; i: 0..2; x: 0..5;
startstate begin for k: 0..2 do arr[k] := k; end; i := 0; x := 0; end;
rule begin alias a: arr[i] do i := (i + 1) % 3; a := (a + 1) % 6; x := a; alias b: arr[i] do b := a; end; end; end;
alias c: arr[i]; d: c do rule c < 5 ==> begin i := 2 - i; d := (c + 2) % 6; end; end;
alias v: x + 1 do rule v < 4 ==> begin x := v; x := (v + x) % 6; end; end;
