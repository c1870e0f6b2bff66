-- Rumur v2022.08.20: 112 states, 112 with exhaustive symmetry reduction.
-- What C does with numbers: divisions toward zero, remainders with the sign of the dividend, shifts and bits.
type
  small: -3 .. 3;
  byte: 0 .. 15;

var
  x: small;
  b: byte;
  signs: array [small] of -1 .. 1;

startstate begin
  x := 0;
  b := 1;
  for i: small do signs[i] := 0; end;
  for i := 1 to 3 do signs[i] := 1; end;
  for i := -1 to -3 by -1 do signs[i] := -1; end;
end;

rule "up" x < 3 ==> begin x := x + 1; end;
rule "down" x > -3 ==> begin x := x - 1; end;
rule "halve" true ==> begin x := x / 2; end;
rule "rest" true ==> begin x := x % 2; end;
rule "opposite" true ==> begin x := -x; end;
rule "left" b < 8 ==> begin b := b << 1; end;
rule "right" true ==> begin b := b >> 1; end;
rule "flip" true ==> begin b := b ^ 5; end;
rule "mask" true ==> begin b := (b + 0) & 7; end;

invariant "rests" x % 2 = x - x / 2 * 2;
invariant "signs" forall i: small do i * signs[i] >= 0 end;
