-- Rumur v2022.08.20: 48 states, 14 with exhaustive symmetry reduction.
-- Caches on a bus: modified, shared, invalid. The procedures work on the line that they are given.
const N: 4;

type
  cpu: scalarset(N);
  state: enum { I, S, M };
  word: 0 .. 1;
  line: record st: state; val: word end;

var
  cache: array [cpu] of line;
  owner: cpu;           -- whose line is modified
  memory: word;
  latest: word;         -- what was written last

procedure drop(var l: line);
begin
  l.st := I;
  clear l.val;
end;

-- The owner writes its line back and shares it.
procedure flush();
begin
  if isundefined(owner) then return; end;
  alias l: cache[owner] do
    undefine owner;
    memory := l.val;
    l.st := S;
  end;
end;

procedure dropOthers(except: cpu);
begin
  for c: cpu do
    if c != except then drop(cache[c]); end;
  end;
end;

startstate begin
  for c: cpu do drop(cache[c]); end;
  memory := 0;
  latest := 0;
end;

ruleset c: cpu do
  alias l: cache[c] do
    rule "read" l.st = I ==>
    begin
      flush();
      l.st := S;
      l.val := memory;
    end;

    rule "write" true ==>
    begin
      if l.st != M then
        flush();
        dropOthers(c);
        owner := c;
      end;
      l.st := M;
      l.val := 1 - latest;
      latest := l.val;
    end;

    rule "evict" l.st != I ==>
    begin
      if l.st = M then flush(); end;
      drop(l);
    end;

    invariant "reads the latest" l.st != I -> l.val = latest;
  end;
end;
