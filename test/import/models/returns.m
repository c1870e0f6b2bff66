-- Rumur v2022.08.20: 16 states, 16 with exhaustive symmetry reduction.
-- A return in the middle of procedures, functions and rules.
var x: 0..7; y: boolean;
procedure p(var a: 0..7; b: boolean); begin if b then if a = 3 then return; end; a := (a + 1) % 8; end; if a = 5 then a := 0; return; else y := !y; end; while a < 2 do if y then return; end; a := a + 1; end; a := 7 - a; end;
function f(var a: 0..7): 0..7; begin for i: 0..3 do if a = i then a := (a + 2) % 8; return i; end; end; switch a case 4: a := 0; return 4; case 5, 6: return 5; end; y := true; return a; end;
startstate begin x := 0; y := false; end;
rule begin p(x, y); end;
rule begin x := 7 - f(x) ; end;
rule y ==> begin if f(x) > 3 then return; end; y := false; end;
ruleset b: boolean do rule begin p(x, b); if x = 2 then return; elsif x = 3 then y := b; else y := !b; return; end; x := 1; end; end;
