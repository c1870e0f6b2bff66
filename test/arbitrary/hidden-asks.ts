/**
 * Families that only five members or more can violate, each by one condition that needs them at one place of the text:
 * every *ask* at every *place*. What holds in instances with fewer members says nothing about them, so views may prove
 * nothing here unless they keep five members.
 */

/** Who needs five members, as a condition. `st` has a number below six for each, `K` are 1 to 5. */
export const ASKS: Readonly<Record<string, string>> = {
    'a number of all': 'count(q in Proc: true) >= 5',
    'fewer is false': '!(count(q in Proc: true) < 5)',
    'a number of some': 'count(q in Proc: st[q] <= 1) >= 5',
    'one for each number': '(forall k in K: exists q in Proc: st[q] == k)',
    'one and one': [1, 2, 3, 4, 5].map(k => `(exists q in Proc: st[q] == ${k})`).join(' && '),
    'not all differ': `!(${[1, 2, 3, 4, 5].map(k => `(forall q in Proc: st[q] != ${k})`).join(' || ')})`,
    'five different ones':
        '(exists a, b, c, d, e in Proc where a != b && a != c && a != d && a != e && b != c && b != d && b != e && c != d && c != e && d != e: true)',
    'a length': 'max(len(st), 4) == 5',
    'the fifth': '5 in Proc',
    'a sum': 'sum(k in K: if exists q in Proc: st[q] == k then 1 else 0) >= 5',
    'a function': 'everyNumber()',
    'a function of a number': '(forall k in K: has(k))',
    'a function with a loop': 'loops() == 5',
    'a label': '(forall k in K: exists q in Proc: st[q] == k && P[q] at rest)',
    'a label behind a test': '(forall k in K: Asks[k] at seen)',
};

const LETS = [1, 2, 3, 4, 5].map(k => `let b${k} = exists q in Proc: st[q] == ${k};`).join(' ');

/** Where the ask stands. `bad` is false at first; if it becomes true, the model is violated. */
export const PLACES: Readonly<Record<string, (ask: string) => string>> = {
    'a guard': ask => `process R { go: when ${ask} { bad := true } }`,
    'a test before a step': ask => `process R { first: skip; if ${ask} { go: bad := true } }`,
    'two tests before a step': ask =>
        `process R { first: skip; if flag { x: skip } else if ${ask} { go: bad := true } }`,
    'a loop before a step': ask => `process R { while !(${ask}) { a: skip }; go: bad := true }`,
    'a branch of a step': ask => `process R { go: if ${ask} { bad := true } }`,
    'the other branch': ask => `process R { go: if !(${ask}) { skip } else { bad := true } }`,
    'a value': ask => `process R { go: bad := ${ask} }`,
    'a value of a choice': ask => `process R { choose k in K { go: bad := k == 3 && (${ask}) } }`,
    'a let of a process': ask => `process R { first: skip; let q0 = ${ask}; go: when q0 { bad := true } }`,
    'a let of a step': ask => `process R { go: { let q0 = ${ask}; bad := q0 } }`,
    'a variable of a step': ask => `process R { go: { var v: bool = ${ask}; if v { bad := true } } }`,
    'a first value': ask => `var big: bool = ${ask}\nprocess R { go: when big { bad := true } }`,
    'a choice of first values': ask => `var big: bool in { false, ${ask} }\nprocess R { go: when big { bad := true } }`,
    'first values of an array': ask =>
        `var big: bool[K] = [k in K: ${ask}]\nprocess R { go: when big[2] { bad := true } }`,
    'a first value of a member': ask =>
        `var big: bool[Proc] = ${ask}\nprocess R { go: when exists q in Proc: big[q] { bad := true } }`,
    'a first value of a local': ask => `process R { var big: bool = ${ask}\n go: when big { bad := true } }`,
    'a first value of a local of each': ask =>
        `process R[i: Proc] { var big: bool = ${ask}\n go: when big { bad := true } }`,
    'a local between steps': ask => `process R { first: skip; var big: bool = ${ask}\n go: when big { bad := true } }`,
    'a choice for a local': ask =>
        `process R { first: skip; var big: bool in { false, ${ask} }\n go: when big { bad := true } }`,
    'a constant': ask => `const big = ${ask}\nprocess R { go: when big { bad := true } }`,
    'a constant of a process': ask => `process R { const big = ${ask}\n go: when big { bad := true } }`,
    'a type': ask =>
        `type L = 0 .. (if ${ask} then 1 else 0)\nprocess R { go: when exists b in L: b == 1 { bad := true } }`,
    'a range of a quantifier': ask =>
        `process R { go: when exists b in 0 .. (if ${ask} then 1 else 0): b == 1 { bad := true } }`,
    'a range of a choice': ask => `process R { choose b in 0 .. (if ${ask} then 1 else 0) { go: bad := b == 1 } }`,
    'a range of a loop': ask =>
        `process R { go: for b in 0 .. (if ${ask} then 1 else 0) { if b == 1 { bad := true } } }`,
    'a range of processes': ask => `process R[b: 0 .. (if ${ask} then 1 else 0)] { go: when b == 1 { bad := true } }`,
    'a type of a variable': ask =>
        `var wide: 0 .. (if ${ask} then 1 else 0) = any\nprocess R { go: when wide == 1 { bad := true } }`,
    'a set': ask => `process R { go: when 1 in { 0, (if ${ask} then 1 else 0) } { bad := true } }`,
    'a range in a set': ask => `process R { go: when 1 in { 0 .. (if ${ask} then 1 else 0) } { bad := true } }`,
    'a parameter': ask => `param M: 0 .. 1 = if ${ask} then 1 else 0\nprocess R { go: when M == 1 { bad := true } }`,
    'a capacity': ask =>
        `channel ch: (if ${ask} then 2 else 1) of bool\nprocess R { ch ! true; ch ! true; go: bad := true }`,
    'a condition of a record': ask =>
        `record Pair = { a: 0 .. 1 where a == 0 || (${ask}) }\nprocess R { go: when exists r in Pair: r.a == 1 { bad := true } }`,
    'a condition of a record as a whole': ask =>
        `type Pair = { a: bool, b: bool where !a || (${ask}) }\nvar pair: Pair = any\nprocess R { go: when pair.a { bad := true } }`,
    'a condition of instances': ask => `process R[k: K where k == 0 || (${ask})] { go: bad := true }`,
    'a condition of a choice': ask =>
        `process R { first: skip; choose k in K where k == 2 && (${ask}) { go: bad := true } }`,
    'a condition of a choice of a member': ask =>
        `process R { first: skip; choose j in Proc where st[j] == 0 || (${ask}) { go: when ${ask} { bad := true } } }`,
    'a condition at the start': ask =>
        `var big: bool = any\ninit !big || (${ask})\nprocess R { go: when big { bad := true } }`,
    'a label': ask =>
        `process Q { if ${ask} { l: when false } else { when false } }\nprocess R { go: when Q at l { bad := true } }`,
    'a label behind a choice': ask =>
        `process Q { choose k in K where k == 2 && (${ask}) { l: when false } }\nprocess R { go: when Q at l { bad := true } }`,
    'a label behind a loop': ask =>
        `process Q { first: skip; while !(${ask}) { a: skip }; l: when false }\nprocess R { go: when Q at l { bad := true } }`,
    'a label behind a local': ask =>
        `process Q { first: skip; var v: bool = ${ask}\n if v { l: when false } else { when false } }\nprocess R { go: when Q at l { bad := true } }`,
    'a label in the invariant': ask =>
        `process Q { if ${ask} { l: when false } else { when false } }\ninvariant other = !(Q at l)`,
    'an event': ask => `event go\nprocess Q { when ${ask} go }\nprocess R { go { bad := true } }`,
    'the argument of an event': ask =>
        `event go[K]\nprocess Q { go[if ${ask} then 2 else 1] }\nprocess R { go[2] { bad := true } }`,
    'an event of all': ask =>
        `event go\nvar mark: bool[Proc] = false\nprocess Each[i: Proc] { when ${ask} go { mark[i] := true } }\nprocess R { go; x: bad := exists q in Proc: mark[q] }`,
    'an effect of all': ask =>
        `event go\nvar mark: bool[Proc] = false\nprocess Each[i: Proc] { go { mark[i] := ${ask} } }\nprocess R { go; x: bad := exists q in Proc: mark[q] }`,
    'an event that nobody blocks': ask =>
        `event go\nprocess Q { if !(${ask}) { when false go } }\nprocess R { go { bad := true } }`,
    'an event that a guard blocks': ask =>
        `event go\nprocess Q { when !(${ask}) go }\nprocess R { go { bad := true } }`,
    'an event that nobody blocks later': ask =>
        `event go\nprocess Q { if !(${ask}) { first: skip; when false go } else { when false } }\nprocess R { go { bad := true } }`,
    'an event that no choice blocks': ask =>
        `event go\nprocess Q { choose k in K where k == 2 && !(${ask}) { when false go } }\nprocess R { go { bad := true } }`,
    'an event that no other member blocks': ask =>
        `event go[Proc]\nprocess Q[i: Proc] { choose j in Proc where j != i && !(${ask}) { when false go[j] } }\nprocess R[i: Proc] { go[i] { bad := true } }`,
    'an event that no known value blocks': ask =>
        `event go\nprocess Q { first: skip; var v: bool in { !(${ask}) }\n if v { when false go } }\nprocess R { go { bad := true } }`,
    'a label that goes': ask =>
        `process Q { loop { l: if !(${ask}) { when false } } }\nprocess R { go: when !(Q at l) { bad := true } }`,
    'a label of a loop that goes': ask =>
        `process Q { loop { l: while !(${ask}) { when false } } }\nprocess R { go: when !(Q at l) { bad := true } }`,
    'a label of a choice that goes': ask =>
        `process Q { loop { l: choose k in K where k == 2 && !(${ask}) { when false } } }\nprocess R { go: when !(Q at l) { bad := true } }`,
    'a local that is needed': ask =>
        `var p: Proc? = none\nprocess Each[i: Proc] { var v: Proc? = none\n if ${ask} { take: when p != none && p != i { v := p }; check: when v != p { bad := true } } else { skip } }\nprocess Move[i: Proc] { loop { move: p := i } }`,
    'names at the start': ask =>
        `process R { var a: Proc[4] = any\n if ${ask} { go: when (forall x, y in 0 .. 3 where x != y: a[x] != a[y]) && (exists q in Proc: forall x in 0 .. 3: a[x] != q) { bad := true } } else { skip } }`,
    'a meeting': ask =>
        `channel ch: 0 of bool\nprocess Q { when ${ask} ch ! true }\nprocess R { ch ? _; go: bad := true }`,
    'the other side of a meeting': ask =>
        `channel ch: 0 of bool\nprocess Q { ch ! true }\nprocess R { when ${ask} ch ? _ { bad := true } }`,
    'a message': ask => `channel ch: 1 of bool\nprocess Q { ch ! (${ask}) }\nprocess R { ch ? bad }`,
    'a pattern': ask => `channel ch: 1 of bool\nprocess Q { ch ! true }\nprocess R { ch ? (${ask}) { bad := true } }`,
    'an index': ask => `var list: bool[2] = [false, true]\nprocess R { go: bad := list[if ${ask} then 1 else 0] }`,
    'an index of what is written': ask =>
        `var list: bool[2] = false\nprocess R { go: list[if ${ask} then 1 else 0] := true; x: bad := list[1] }`,
    'a comprehension': ask => `process R { go: { let h = [k in K: ${ask}]; bad := h[3] } }`,
    'a comprehension that is stored': ask =>
        `var list: bool[K] = false\nprocess R { go: list := [k in K: ${ask}]; x: bad := list[3] }`,
    'a row for each member': ask =>
        `var mark: bool[Proc] = false\nprocess R { go: mark := [x in Proc: ${ask}]; y: bad := exists q in Proc: mark[q] }`,
    'one value for each member': ask =>
        `var mark: bool[Proc] = false\nprocess R { go: mark := ${ask}; y: bad := exists q in Proc: mark[q] }`,
    'behind an operator': ask => `process R { go: when !flag && (${ask}) { bad := true } }`,
    'an implication': ask => `process R { go: when !((${ask}) implies flag) { bad := true } }`,
    'a comparison': ask => `process R { go: when (${ask}) != flag { bad := true } }`,
    'a number': ask => `process R { go: when (if ${ask} then 7 else 3) > 5 { bad := true } }`,
    'a sum of numbers': ask => `process R { go: when sum(k in K: if ${ask} then k else 0) == 15 { bad := true } }`,
    'a function': ask => `function asks(): bool = ${ask}\nprocess R { go: when asks() { bad := true } }`,
    'an argument': ask => `function not_(b: bool): bool = !b\nprocess R { go: when !not_(${ask}) { bad := true } }`,
    'a function with statements': ask =>
        `function asks(): bool { if ${ask} { return true }\n return false }\nprocess R { go: when asks() { bad := true } }`,
    'a loop of a step': ask =>
        `process R { go: { var v: bool = false; while !v && (${ask}) { v := true }; bad := v } }`,
    'an assertion': ask => `process R { go: assert !(${ask}) }`,
    'a value that does not fit': ask => `var small: 0 .. 1 = 0\nprocess R { go: small := if ${ask} then 2 else 1 }`,
    'a division': ask => `var small: 0 .. 1 = 0\nprocess R { go: small := 1 div (if ${ask} then 0 else 1) }`,
    'an index outside': ask => `var list: bool[2] = false\nprocess R { go: bad := list[if ${ask} then 2 else 0] }`,
    'an invariant': ask => `invariant other = !(${ask})`,
    'an invariant with a condition': ask => `invariant other = flag || !(${ask})`,
    'the step of a member': ask => `process R[i: Proc] { go: when ${ask} { bad := true } }`,
    'the step of a number': ask => `process R[k: K] { go: when k == 4 && (${ask}) { bad := true } }`,
    'lets of a step': ask =>
        `process R { go: { ${LETS} if (b1 && b2 && b3 && b4 && b5) || (${ask}) { bad := true } } }`,
};

/** The family with this ask at this place. */
export function hiddenAsk(ask: string, place: (ask: string) => string): string {
    return `param N: 1 .. 9 = 3
type Proc = 1 .. N
type K = 1 .. 5
var st: 0 .. 5[Proc] = 0
var flag: bool = false
var bad: bool = false
function has(k: K): bool { if exists q in Proc: st[q] == k { return true }
 return false }
function everyNumber(): bool { for k in K { if !has(k) { return false } }
 return true }
function loops(): 0 .. 5 { var n: 0 .. 5 = 0
 while n < 5 && (exists q in Proc: st[q] == n + 1) { n := n + 1 }
 return n }
process P[i: Proc] { choose k in K { pick: st[i] := k }; rest: when false }
process Asks[k: K] { if has(k) { seen: when false } else { when false } }
${place(ask)}
invariant safe = !bad
allow deadlock
`;
}
