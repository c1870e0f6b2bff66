-- Rumur v2022.08.20: 7584 states, 7584 with exhaustive symmetry reduction.
-- Functions that write, and functions with loops, in all kinds of statements.
type T: 0..3;
var x: T; y: T; z: array [T] of T; b: boolean;
function next(): T; begin y := (y + 1) % 4; return y; end;
function pick(var q: T; k: T): T; var l: T; begin l := q; q := (q + k) % 4; if b then return l; end; return next(); end;
function twice(): T; var p: T; begin p := next(); p := next(); return p; end;
function loop(n: T): T; var p: T; begin p := n; while p < 3 & z[p] != n do p := p + 1; if p = 2 then return 1; end; end; return p; end;
procedure two(v: T; var w: T); begin w := (w + v) % 4; if w = 1 then return; end; z[w] := v; end;
startstate begin x := 0; y := 0; b := true; for t: T do z[t] := t; end; end;
rule begin x := next(); end;
rule begin x := pick(z[x], 1); end;
rule begin b := twice() > 1; end;
rule begin if next() = 2 then x := next(); elsif next() = 0 then b := !b; end; end;
rule b ==> begin next(); x := pick(y, 3); end;
rule loop(x) = 3 & b ==> begin y := loop(y); two(loop(y), z[y]); end;
rule begin two(x, x); two(z[x], z[(x + 1) % 4]); end;
ruleset i: T do rule loop(i) < 3 ==> begin for k := loop(i) to 3 do two(k, x); end; while loop(x) < 2 do x := x + 1; end; end; end;
