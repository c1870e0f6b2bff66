-- Rumur v2022.08.20: 897 states, 110 with exhaustive symmetry reduction.
-- Two-phase commit with a coordinator that may abort by itself.
const N: 4;

type
  worker: scalarset(N);
  vote: enum { working, prepared, committed, aborted };
  decision: enum { open_, commit, abort };

var
  votes: array [worker] of vote;
  heard: array [worker] of boolean;
  decided: decision;

startstate begin
  for w: worker do votes[w] := working; heard[w] := false; end;
  decided := open_;
end;

ruleset w: worker do
  rule "prepare" votes[w] = working ==> begin votes[w] := prepared; end;
  rule "refuse" votes[w] = working ==> begin votes[w] := aborted; end;
  rule "hear" decided = open_ & votes[w] = prepared & !heard[w] ==> begin heard[w] := true; end;
  rule "obey" decided != open_ & votes[w] != committed & votes[w] != aborted ==>
  begin
    switch decided
      case commit:
        assert votes[w] = prepared "only what is prepared is committed";
        votes[w] := committed;
      case abort:
        votes[w] := aborted;
    end;
  end;
end;

rule "commit" decided = open_ & forall w: worker do heard[w] end ==> begin decided := commit; end;
rule "abort" decided = open_ ==> begin decided := abort; end;
rule "rest" decided != open_ & forall w: worker do votes[w] = committed | votes[w] = aborted end ==> begin end;

invariant "agreement"
  forall v: worker do forall w: worker do !(votes[v] = committed & votes[w] = aborted) end end;
