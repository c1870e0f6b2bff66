-- Rumur v2022.08.20: 85 states, 85 with exhaustive symmetry reduction.
-- Tickets of a bakery, bounded; a process takes one more than the largest that it sees.
const
  N: 3;
  LAST: 4;

type
  proc: 1 .. N;
  ticket: 0 .. LAST;

var
  tickets: array [proc] of ticket;
  inside: array [proc] of boolean;

function largest(): ticket;
var most: ticket;
begin
  most := 0;
  for p: proc do
    if tickets[p] > most then most := tickets[p]; endif;
  endfor;
  return most;
end;

startstate begin
  clear tickets;
  clear inside;
end;

ruleset p: proc do
  rule "take" tickets[p] = 0 & largest() < LAST ==> begin tickets[p] := largest() + 1; end;
  rule "enter"
    tickets[p] > 0 & !inside[p]
    & forall q: proc do
        q = p | tickets[q] = 0 | tickets[p] < tickets[q] | (tickets[p] = tickets[q] & p < q)
      end
  ==> begin
    inside[p] := true;
  end;
  rule "leave" inside[p] ==> begin inside[p] := false; tickets[p] := 0; end;
end;

invariant "exclusion"
  forall p: proc do forall q: proc do inside[p] & inside[q] -> p = q end end;
liveness "anybody may enter again" inside[1];
