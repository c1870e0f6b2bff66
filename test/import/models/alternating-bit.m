-- Rumur v2022.08.20: 132 states, 132 with exhaustive symmetry reduction.
-- The alternating bit protocol over two places that lose messages.
type
  bit: 0 .. 1;
  word: enum { a, b, c };
  packet: record full: boolean; tag: bit; load: word end;

var
  sender: record tag: bit; load: word end;
  receiver: record expected: bit; got: word end;
  data: packet;
  ack: packet;

ruleset w: word do
  startstate begin
    sender.tag := 0;
    sender.load := w;
    receiver.expected := 0;
    data.full := false;
    ack.full := false;
  end;
end;

rule "send" !data.full ==> begin
  data.full := true;
  data.tag := sender.tag;
  data.load := sender.load;
end;

rule "receive" data.full ==> begin
  if data.tag = receiver.expected then
    receiver.got := data.load;
    assert receiver.got = sender.load | data.tag != sender.tag "the right word arrives";
    receiver.expected := 1 - receiver.expected;
  end;
  if !ack.full then
    ack.full := true;
    ack.tag := data.tag;
  end;
  undefine data;
  data.full := false;
end;

ruleset w: word do
  rule "next" ack.full ==> begin
    if ack.tag = sender.tag then
      sender.tag := 1 - sender.tag;
      sender.load := w;
    end;
    undefine ack;
    ack.full := false;
  end;
end;

rule "lose" data.full ==> begin undefine data; data.full := false; end;
rule "lose answer" ack.full ==> begin undefine ack; ack.full := false; end;
