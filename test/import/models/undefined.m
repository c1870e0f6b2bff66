-- Rumur v2022.08.20: 176 states, 176 with exhaustive symmetry reduction.
-- Elements that are undefined and tested.
type I: 0..2;
var a: array [I] of 0..3; k: I; f: boolean; g: boolean;
startstate begin f := false; end;
ruleset i: I do
 rule isundefined(a[i]) ==> begin a[i] := i; end;
 rule !isundefined(a[i]) & (a[i] = 3 | a[i] < 2) ==> begin k := i; a[i] := (a[i] + 1) % 4; end;
 rule !isundefined(k) & !isundefined(a[k]) & a[k] > 1 ==> begin undefine a[k]; undefine k; end;
 rule isundefined(k) | k != i | isundefined(a[k]) ==> begin f := !f; end;
 rule f -> (isundefined(k) | k = i) ==> begin if !isundefined(k) then a[k] := k; k := 2 - k; else k := i; end; end;
 rule exists j: I do !isundefined(a[j]) & a[j] = 3 end ==> begin for j: I do if !isundefined(a[j]) then if a[j] = 3 then undefine a[j]; g := isundefined(g); end; end; end; end;
end;
