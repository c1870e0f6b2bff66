-- models/semaphore-mutex.orbit for Rumur. The bench replaces the number of processes in the next line.
const N: 4;

type Proc: scalarset(N);
     Place: enum { idle, trying, inside };

var place: array [Proc] of Place;
    free: boolean;

startstate begin
  for i: Proc do place[i] := idle; end;
  free := true;
end;

ruleset i: Proc do
  rule "try" place[i] = idle ==> begin place[i] := trying; end;
  rule "enter" place[i] = trying & free ==> begin free := false; place[i] := inside; end;
  rule "leave" place[i] = inside ==> begin free := true; place[i] := idle; end;
end;

invariant "mutex"
  forall i: Proc do forall j: Proc do i = j | !(place[i] = inside & place[j] = inside) end end;
