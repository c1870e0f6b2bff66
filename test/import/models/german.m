-- Rumur v2022.08.20: 58104 states, 5235 with exhaustive symmetry reduction.
-- A directory that tells caches to invalidate before it grants a line. What is not in use is undefined.
const
  NODES: 3;
  VALUES: 2;

type
  node: scalarset(NODES);
  value: scalarset(VALUES);
  command: enum { empty, wantShared, wantExclusive, invalidate, acknowledge, grantShared, grantExclusive };
  line: enum { invalid, shared, exclusive };
  cache: record state: line; data: value end;
  message: record what: command; data: value end;

var
  caches: array [node] of cache;
  requests: array [node] of message;    -- from caches
  orders: array [node] of message;      -- to caches
  answers: array [node] of message;     -- from caches, to orders
  sharers: array [node] of boolean;
  toInvalidate: array [node] of boolean;
  owned: boolean;
  current: command;
  client: node;
  memory: value;

ruleset d: value do
  startstate "nothing cached"
  begin
    for n: node do
      requests[n].what := empty;
      orders[n].what := empty;
      answers[n].what := empty;
      caches[n].state := invalid;
      sharers[n] := false;
      toInvalidate[n] := false;
    end;
    owned := false;
    current := empty;
    memory := d;
  end;
end;

ruleset n: node; d: value do
  rule "store" caches[n].state = exclusive ==>
  begin
    caches[n].data := d;
  end;
end;

ruleset n: node do
  rule "ask for sharing" requests[n].what = empty & caches[n].state = invalid ==>
  begin
    requests[n].what := wantShared;
  end;

  rule "ask for exclusion" requests[n].what = empty & caches[n].state != exclusive ==>
  begin
    requests[n].what := wantExclusive;
  end;

  rule "take request" current = empty & requests[n].what != empty ==>
  begin
    current := requests[n].what;
    requests[n].what := empty;
    client := n;
    for m: node do toInvalidate[m] := sharers[m]; end;
  end;

  rule "order"
    orders[n].what = empty & toInvalidate[n] & (current = wantShared & owned | current = wantExclusive)
  ==>
  begin
    orders[n].what := invalidate;
    toInvalidate[n] := false;
  end;

  rule "obey" orders[n].what = invalidate & answers[n].what = empty ==>
  begin
    undefine orders[n];
    orders[n].what := empty;
    answers[n].what := acknowledge;
    if caches[n].state = exclusive then answers[n].data := caches[n].data; end;
    caches[n].state := invalid;
    undefine caches[n].data;
  end;

  rule "collect" answers[n].what = acknowledge & current != empty ==>
  begin
    sharers[n] := false;
    if owned then
      owned := false;
      memory := answers[n].data;
    end;
    undefine answers[n];
    answers[n].what := empty;
  end;
end;

rule "grant sharing" current = wantShared & !owned & orders[client].what = empty ==>
begin
  sharers[client] := true;
  orders[client].what := grantShared;
  orders[client].data := memory;
  current := empty;
  undefine client;
end;

rule "grant exclusion"
  current = wantExclusive & !owned & orders[client].what = empty & forall n: node do !sharers[n] end
==>
begin
  sharers[client] := true;
  owned := true;
  orders[client].what := grantExclusive;
  orders[client].data := memory;
  current := empty;
  undefine client;
end;

ruleset n: node do
  rule "receive" orders[n].what = grantShared | orders[n].what = grantExclusive ==>
  begin
    switch orders[n].what
      case grantShared: caches[n].state := shared;
      else caches[n].state := exclusive;
    end;
    caches[n].data := orders[n].data;
    undefine orders[n];
    orders[n].what := empty;
  end;
end;

invariant "coherent"
  forall m: node do forall n: node do
    m = n | caches[m].state != exclusive | caches[n].state = invalid
  end end;
