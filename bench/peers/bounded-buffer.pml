/* models/bounded-buffer.orbit for Spin: -DP=5 producers, -DC=5 consumers, -DK=5 items fit into the buffer. What a
 * consumer has taken out is forgotten at once, as in the model.
 */
#ifndef P
#define P 2
#endif
#ifndef C
#define C 2
#endif
#ifndef K
#define K 3
#endif

chan buffer = [K] of { byte, bit };
bit expected[P];

active [P] proctype Produce() {
    bit mark = 0;
    do
    :: d_step { nfull(buffer) -> buffer ! _pid, mark; mark = 1 - mark }
    od
}

active [C] proctype Consume() {
    byte producer;
    bit mark;
    do
    :: d_step {
           buffer ? producer, mark ->
           assert(mark == expected[producer]);
           expected[producer] = 1 - mark;
           producer = 0;
           mark = 0
       };
       d_step { true -> skip }          /* use */
    od
}
