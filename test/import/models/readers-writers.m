-- Rumur v2022.08.20: 36 states, 14 with exhaustive symmetry reduction.
-- Readers share, writers do not; a count is kept beside the places.
const
  READERS: 3;
  WRITERS: 2;

type
  reader: scalarset(READERS);
  writer: scalarset(WRITERS);

var
  reading: array [reader] of boolean;
  waiting: array [writer] of boolean;
  writing: array [writer] of boolean;
  count: 0 .. READERS;

function nobodyWrites(): boolean;
begin
  return forall w: writer do !writing[w] end;
end;

startstate begin
  for r: reader do reading[r] := false; end;
  for w: writer do writing[w] := false; waiting[w] := false; end;
  count := 0;
end;

ruleset r: reader do
  rule "begin reading" !reading[r] & nobodyWrites() & forall w: writer do !waiting[w] end ==>
    reading[r] := true;
    count := count + 1;
  endrule;

  rule "end reading" reading[r] ==>
    reading[r] := false;
    count := count - 1;
  endrule;
endruleset;

ruleset w: writer do
  rule "wait" !waiting[w] & !writing[w] ==> waiting[w] := true; endrule;
  rule "begin writing" waiting[w] & count = 0 & nobodyWrites() ==> writing[w] := true; waiting[w] := false; endrule;
  rule "end writing" writing[w] ==> writing[w] := false; endrule;
endruleset;

invariant "writers are alone"
  (exists w: writer do writing[w] end) -> count = 0;
invariant "one writer"
  forall v: writer do forall w: writer do (writing[v] & writing[w]) -> v = w end end;
