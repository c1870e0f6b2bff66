-- Rumur v2022.08.20: 248 states of the same model with ranges of numbers for its unions.
-- A lock that its home lends to clients; readers of a row of unions, one of them with a hole.
const N: 3;
type
  client: scalarset(N);
  home: enum { Home };
  node: union { home, client };
  reader: scalarset(2);
  watcher: union { home, reader };
  any_one: union { client, reader };
var
  owner: node;
  state: array [node] of enum { idle, wanting, busy };
  seen: watcher;
  last: any_one;

procedure move(to_: node);
begin
  if owner != to_ then
    state[owner] := idle;
    owner := to_;
    state[to_] := busy;
  end;
end;

startstate begin
  for n: node do
    state[n] := ismember(n, home) ? busy : idle;
  end;
  owner := Home;
  clear seen;
  undefine last;
end;

ruleset n: node do
  rule "want" state[n] = idle & ismember(n, client) ==> begin state[n] := wanting; end;
  rule "take" state[n] = wanting & ismember(owner, home) ==> begin last := n; move(n); end;
  rule "give" n = owner & !ismember(n, home) ==> begin move(Home); end;
end;

ruleset w: watcher do
  rule "watch" w != seen ==>
  begin
    seen := w;
    if ismember(w, reader) then last := w; end;
  end;
end;

rule "forget" !isundefined(last) & ismember(last, reader) ==> begin undefine last; end;

invariant "one is busy" forall c: client do state[c] = busy -> owner = c end;
invariant "no client watches" !ismember(seen, client);
