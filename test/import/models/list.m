-- Rumur v2022.08.20: 34 states, 34 with exhaustive symmetry reduction.
-- A sorted list in an array of cells, with a free list. `nil` is no cell.
const
  CELLS: 3;
  nil: -1;

type
  cell: 0 .. CELLS - 1;
  pointer: -1 .. CELLS - 1;
  key: 0 .. 2;

var
  keys: array [cell] of key;
  next: array [cell] of pointer;
  used: array [cell] of boolean;
  head: pointer;

function allocate(): pointer;
begin
  for c: cell do
    if !used[c] then
      used[c] := true;
      return c;
    end;
  end;
  return nil;
end;

-- The last cell before `k`.
function before(k: key): pointer;
var p: pointer; q: pointer;
begin
  p := nil;
  q := head;
  while q != nil & keys[q] < k do
    p := q;
    q := next[q];
  end;
  return p;
end;

function holds(k: key): boolean;
var q: pointer;
begin
  q := head;
  while q != nil do
    if keys[q] = k then return true; end;
    q := next[q];
  end;
  return false;
end;

startstate begin
  head := nil;
  for c: cell do used[c] := false; end;
end;

ruleset k: key do
  rule "insert" !holds(k) ==>
  var p: pointer; new: pointer;
  begin
    p := before(k);
    new := allocate();
    if new = nil then return; end;
    keys[new] := k;
    if p = nil then
      next[new] := head;
      head := new;
    else
      next[new] := next[p];
      next[p] := new;
    end;
  end;

  rule "remove" holds(k) ==>
  var p: pointer; old: pointer;
  begin
    p := before(k);
    if p = nil then
      old := head;
      head := next[head];
    else
      old := next[p];
      next[p] := next[old];
    end;
    used[old] := false;
    undefine keys[old];
    undefine next[old];
  end;
end;

invariant "sorted"
  forall c: cell do used[c] & next[c] != nil -> keys[c] < keys[next[c]] end;
