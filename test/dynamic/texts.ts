/** Models whose processes are created and end, as functions of their sizes. */

/** The system of [KlaudelEtAl2009]: a session is a process, a function call is one, too. */
export function sessions(servers: number, atOnce: number): string {
    return sessionsWith(servers, atOnce, {
        declarations: '',
        locals: '',
        create: 'spawn Handler(i)',
        receive: '_ { open := open - 1 }',
    });
}

/** The same with relations between the handlers of a server: which came directly after which, which is the elder. */
export function siblings(servers: number, atOnce: number, relations: readonly ('after' | 'elder')[]): string {
    const after = relations.includes('after');
    const elder = relations.includes('elder');
    return sessionsWith(servers, atOnce, {
        declarations:
            (after ? 'var after: bool[Handler, Handler] = false\n' : '') +
            (elder ? 'var elder: bool[Handler, Handler] = false\n' : ''),
        locals: 'var last: Handler? = none  var new: Handler? = none  var gone: Handler? = none',
        create: [
            'new := spawn Handler(i)',
            ...(elder ? ['elder := [x, y in Handler: elder[x, y] || (y == new && x != new && x.owner == i)]'] : []),
            ...(after ? ['if last != none { after[last, new] := true } last := new'] : []),
        ].join('; '),
        receive: `gone { open := open - 1${after ? '; if gone == last { last := none }' : ''} }`,
    });
}

function sessionsWith(
    servers: number,
    atOnce: number,
    parts: Readonly<Record<'declarations' | 'locals' | 'create' | 'receive', string>>,
): string {
    return `
model Sessions
param N: 1 .. 4 = ${servers}
param K: 1 .. 4 = ${atOnce}
type Server = 1 .. N
${parts.declarations}
channel back[Handler]:   0 of 0 .. 1
channel collect[Server]: 0 of Handler

process Main[i: Server] {
    var open: 0 .. K = 0
    ${parts.locals}
    loop {
        choose { request: when open < K { ${parts.create}; open := open + 1 } }
        or     { coll: collect[i] ? ${parts.receive} }
    }
}
process Handler(owner: Server) {
    var result: 0 .. 1
    call: spawn Leap(self);
    ret: back[self] ? result;
    answer: skip;
    done: collect[owner] ! self
}
process Leap(caller: Handler) { calculate: back[caller] ! 0 }
`;
}

/** Restarts without end. A client may hold the name of an actor that has ended. */
export function supervisor(actors: number): string {
    return `
model Supervisor
param A: 1 .. 3 = ${actors}
type Seat = 1 .. A
type Client = 1 .. 2
var actor: Actor?[Seat] = none
channel mail[Actor]: 1 of Client
channel pong[Client]: 1 of Actor

process Boss[s: Seat] { loop { restart: when actor[s] == none || !alive(actor[s]) { actor[s] := spawn Actor() } } }
process Actor() {
    var from: Client
    loop { choose { ping: mail[self] ? from; answer: pong[from] ! self } or { crash: skip; break } }
}
process User[c: Client] {
    var known: Actor? = none
    var who: Actor
    loop {
        choose s in Seat where actor[s] != none { lookup: known := actor[s] }
        choose { send: when alive(known) && !full(mail[known]) mail[known] ! c;
                 choose { reply: pong[c] ? who { assert who == known } } or { lost: when !alive(known) && empty(pong[c]) } }
        or { gone: when !alive(known) }
    }
}
`;
}

/** A ring that grows and shrinks. */
export function tokenRing(members: number): string {
    return `
model TokenRing
param M: 1 .. 6 = ${members}
var next: Member?[Member] = none
var used: bool[Member] = false
var token: Member? = none

process Start { var m: Member? = none  create: { m := spawn Member(); next[m] := m; token := m } }
process Member() {
    var new: Member? = none
    loop {
        choose { pass: when token == self { token := next[self] } }
        or { use: when token == self && !used[self] { used[self] := true } }
        or { insert: when token == self && count(m in Member: true) < M { new := spawn Member(); next[new] := next[self]; next[self] := new } }
        or { leave: when token != none && token != self && next[token] == self && used[self] { next[token] := next[self] } break }
    }
}
invariant member = token == none || alive(token)
`;
}

/** A task of some depth splits into two and waits for their ends. */
export function forkJoin(depth: number): string {
    return `
model ForkJoin
param D: 0 .. 4 = ${depth}
process Main { var root: Task? = none  start: root := spawn Task(D); join: when !alive(root) }
process Task(depth: 0 .. 4) {
    var left: Task? = none
    var right: Task? = none
    if depth > 0 {
        fork: { left := spawn Task(depth - 1); right := spawn Task(depth - 1) }
        joinLeft: when !alive(left);
        joinRight: when !alive(right)
    }
    work: skip
}
`;
}

/** A worker for each request; those that write exclude one another. */
export function requests(workers: number): string {
    return `
model Requests
param W: 1 .. 4 = ${workers}
enum Kind = { read, write }
channel inbox: 2 of Kind
var writing: Worker? = none
process Source { loop { choose { r: inbox ! read } or { w: inbox ! write } } }
process Server { var kind: Kind  loop { accept: when count(x in Worker: true) < W inbox ? kind { spawn Worker(kind) } } }
process Worker(kind: Kind) {
    if kind == write { lock: when writing == none { writing := self } unlock: writing := none }
    finish: skip
}
`;
}
