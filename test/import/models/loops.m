-- Rumur v2022.08.20: 82 states, 82 with exhaustive symmetry reduction.
-- Loops of all kinds.
var x: 0..20; y: 0..20; c: 0..3;
startstate begin x := 1; y := 3; c := 0; end;
rule x <= y ==> begin for i := x to y do c := (c + i) % 4; y := 20; end; y := 3; end;
rule y >= x ==> begin for i := y to x by -1 do c := (c + 1) % 4; x := i; end; x := 1; end;
rule begin c := 0; for i := 0 to 9 by y % 3 + 1 do c := (c + 1) % 4; end; end;
rule c = 2 ==> begin for i := 8 to 2 by -3 do if i = 5 then y := 2; end; x := i; end; x := 1; end;
rule begin for i: 0..2 do for j: 0..2 do if i != j then c := (c + i * j) % 4; end; end; end; y := 1 + c; end;
rule begin x := 0; while x < 10 & c < 3 do x := x + 1; if x % 3 = 0 then c := c + 1; end; end; end;
rule y > x ==> begin x := y - x; end;
