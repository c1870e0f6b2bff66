-- Rumur v2022.08.20: 26 states, 9 with exhaustive symmetry reduction.
-- Start states in rulesets, with procedures, and with variables that stay undefined.
type P: scalarset(3); E: enum {a, b, c};
var x: array [P] of E; y: P; z: 0..4;
procedure set(p: P; e: E); begin x[p] := e; if e = b then y := p; end; end;
ruleset p: P; e: E do startstate "one" for q: P do set(q, a); end; set(p, e); z := 1; end; end;
startstate "two" for q: P do set(q, c); end; for i := 4 to 0 by -2 do z := i; end; clear y; undefine y; end;
ruleset p: P do
 rule "go" x[p] = b & !isundefined(y) & y = p ==> undefine y; x[p] := c; end;
 rule "mk" isundefined(y) ==> y := p; z := (z + 1) % 5; end;
 rule "er" x[p] != a ==> switch x[p] case b: x[p] := a; case c: if z > 2 then x[p] := b; end; end; end;
 rule "id" end;
end;
