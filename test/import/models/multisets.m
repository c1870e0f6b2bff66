-- Rumur v2022.08.20: 16 states of the same model with counters for its multisets.
-- Requests and answers in any order between clients and a server.
const N: 2; K: 2;
type
  client: scalarset(N);
  server: enum { Server };
  node: union { server, client };
  word: enum { ask, answer };
  message: record kind: word; from: node; end;
var
  net: array [node] of multiset [K] of message;
  state: array [client] of enum { idle, waiting, served };

procedure send(kind: word; to_: node; from: node);
var m: message;
begin
  m.kind := kind;
  m.from := from;
  multisetadd(m, net[to_]);
end;

startstate begin
  undefine net;
  for c: client do state[c] := idle; end;
end;

ruleset c: client do
  rule "ask" state[c] = idle & multisetcount(i: net[Server], true) < K ==>
  begin
    send(ask, Server, c);
    state[c] := waiting;
  end;
end;

ruleset n: node do
  choose i: net[n] do
    alias m: net[n][i] do
      rule "serve" m.kind = ask & multisetcount(j: net[m.from], net[m.from][j].kind = answer) = 0 ==>
      begin
        send(answer, m.from, n);
        multisetremove(i, net[n]);
      end;

      rule "get" m.kind = answer & ismember(n, client) ==>
      begin
        state[n] := served;
        multisetremove(i, net[n]);
      end;
    end;
  end;
end;

rule "crash" multisetcount(i: net[Server], net[Server][i].kind = ask) = K ==>
begin
  multisetremovepred(i: net[Server], net[Server][i].kind = ask);
  for c: client do
    if state[c] = waiting & multisetcount(i: net[c], true) = 0 then state[c] := idle; end;
  end;
end;

ruleset c: client do
  rule "again" state[c] = served ==> begin state[c] := idle; end;
end;

invariant "no answers to the server" multisetcount(i: net[Server], net[Server][i].kind != ask) = 0;
