-- Rumur v2022.08.20: 81 states, 81 with exhaustive symmetry reduction.
-- Election in a ring of one direction: the largest number passes all others (Chang and Roberts).
const N: 4;

type
  node: 0 .. N - 1;
  number: 1 .. N;
  slot: 0 .. N - 1;
  queue: record
    length: 0 .. N;
    items: array [slot] of number;
  end;

var
  inbox: array [node] of queue;
  started: array [node] of boolean;
  leader: array [node] of number;

procedure put_(var q: queue; x: number);
begin
  q.items[q.length] := x;
  q.length := q.length + 1;
end;

-- Removes the first; what is behind it moves up.
function get(var q: queue): number;
var first: number;
begin
  first := q.items[0];
  q.length := q.length - 1;
  for i: 0 .. N - 2 do
    if isundefined(q.items[i + 1]) then
      undefine q.items[i];
    else
      q.items[i] := q.items[i + 1];
    end;
  end;
  undefine q.items[N - 1];
  return first;
end;

startstate begin
  for n: node do
    inbox[n].length := 0;
    started[n] := false;
  end;
end;

ruleset n: node do
  rule "start" !started[n] ==>
  begin
    started[n] := true;
    put_(inbox[(n + 1) % N], n + 1);
  end;

  rule "receive" inbox[n].length > 0 ==>
  var x: number;
  begin
    x := get(inbox[n]);
    if x > n + 1 then
      started[n] := true;
      put_(inbox[(n + 1) % N], x);
    elsif x = n + 1 then
      leader[n] := x;
    end;
  end;
end;

rule "rest" !isundefined(leader[N - 1]) ==> begin end;

invariant "one leader"
  forall n: node do isundefined(leader[n]) | leader[n] = N end;
