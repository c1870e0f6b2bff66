-- models/german-cache.orbit for Rumur. The bench replaces the number of caches in the next line.
const N: 3;

type Cache: scalarset(N);
     Line: enum { invalid, shared, exclusive };
     Request: enum { noRequest, wantShared, wantExclusive };
     Order: enum { noOrder, invalidate, grantShared, grantExclusive };
     Home: enum { idle, servesShared, servesExclusive };

var request: array [Cache] of Request;      -- channels of capacity 1
    order: array [Cache] of Order;
    answer: array [Cache] of boolean;
    line: array [Cache] of Line;
    answers: array [Cache] of boolean;      -- has been told to invalidate, and has not yet answered
    sharer: array [Cache] of boolean;
    owned: boolean;
    home: Home;
    client: Cache;                          -- undefined while the home node is idle, as are the next
    remaining: array [Cache] of boolean;

startstate begin
  for i: Cache do
    request[i] := noRequest;
    order[i] := noOrder;
    answer[i] := false;
    line[i] := invalid;
    answers[i] := false;
    sharer[i] := false;
    undefine remaining[i];
  end;
  owned := false;
  home := idle;
  undefine client;
end;

ruleset i: Cache do
  rule "read" !answers[i] & line[i] = invalid & request[i] = noRequest ==>
  begin request[i] := wantShared; end;

  rule "write" !answers[i] & line[i] != exclusive & request[i] = noRequest ==>
  begin request[i] := wantExclusive; end;

  rule "getShared" !answers[i] & order[i] = grantShared ==>
  begin order[i] := noOrder; line[i] := shared; end;

  rule "getExclusive" !answers[i] & order[i] = grantExclusive ==>
  begin order[i] := noOrder; line[i] := exclusive; end;

  rule "invalidate" !answers[i] & order[i] = invalidate ==>
  begin order[i] := noOrder; line[i] := invalid; answers[i] := true; end;

  rule "answer" answers[i] & !answer[i] ==>
  begin answer[i] := true; answers[i] := false; end;

  rule "serveShared" home = idle & request[i] = wantShared ==>
  begin
    request[i] := noRequest;
    home := servesShared;
    client := i;
    for j: Cache do remaining[j] := sharer[j]; end;
  end;

  rule "serveExclusive" home = idle & request[i] = wantExclusive ==>
  begin
    request[i] := noRequest;
    home := servesExclusive;
    client := i;
    for j: Cache do remaining[j] := sharer[j]; end;
  end;
end;

ruleset j: Cache do
  rule "revoke"
    (home = servesShared & owned | home = servesExclusive & exists k: Cache do sharer[k] end)
    & remaining[j] & order[j] = noOrder
  ==>
  begin order[j] := invalidate; remaining[j] := false; end;

  rule "collect"
    (home = servesShared & owned | home = servesExclusive & exists k: Cache do sharer[k] end)
    & answer[j]
  ==>
  begin answer[j] := false; sharer[j] := false; owned := false; end;

  rule "grantShared" home = servesShared & !owned & client = j & order[j] = noOrder ==>
  begin
    order[j] := grantShared;
    sharer[j] := true;
    home := idle;
    undefine client;
    for k: Cache do undefine remaining[k]; end;
  end;

  rule "grantExclusive"
    home = servesExclusive & client = j & order[j] = noOrder & forall k: Cache do !sharer[k] end
  ==>
  begin
    order[j] := grantExclusive;
    sharer[j] := true;
    owned := true;
    home := idle;
    undefine client;
    for k: Cache do undefine remaining[k]; end;
  end;
end;

invariant "coherent"
  forall i: Cache do forall j: Cache do i = j | line[i] != exclusive | line[j] = invalid end end;
