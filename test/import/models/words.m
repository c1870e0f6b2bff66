-- Rumur v2022.08.20: 11215 states, 11215 with exhaustive symmetry reduction.
-- Names that are words of Orbit.
const choose_: 2; when: 1;
type loop: 0..choose_; event: enum { take, skip, none, any }; rec: record at: loop; in: boolean; let: event end;
var process: loop; mod: rec; model: event; x_: boolean; x: boolean; count: 0..2; sum: 0..2; init: array [loop] of rec;
function min(max: loop; pow: loop): loop; begin return (max + pow) % 3; end;
startstate "when all" process := 0; mod.at := when; mod.in := true; mod.let := none; model := any; x_ := true; x := false; count := 1; sum := 2; for i: loop do init[i] := mod; end; end;
rule "take" model = any ==> model := take; process := min(process, mod.at); end;
rule "take" model = take ==> var param: loop; record_: boolean; begin param := process; record_ := !x; x := record_; mod.at := min(param, 1); model := skip; end;
ruleset i: loop; assert_: boolean do rule "in" init[i].in != assert_ ==> init[i].let := model; init[i].in := assert_; model := any; end; end;
invariant "loop" forall i: loop do init[i].at = 1 end;
