/**
 * Texts of random models of one family of processes, most of them narrow: arrays over the family, pointers to its members,
 * conditions on all or some of them, joint events, channels, a server that chooses members. Some models are none, which
 * must be refused or answered rightly all the same.
 */
import * as fc from 'fast-check';
import { RandomDraw } from './random-draw.js';

/** A text with the parameter `N`, whose values begin with `least`. */
export interface FamilyText {
    readonly text: string;
    readonly least: number;
}

export function narrowModelOf(random: fc.Random): FamilyText {
    return new NarrowModel(random).text();
}

/** What can be named at a place. */
interface Scope {
    /** Names of members: indices, variables of choices and quantifiers. */
    readonly members: readonly string[];
    /** Whether quantifiers over members may be written. */
    readonly quantifiers: number;
}

class NarrowModel extends RandomDraw {
    private readonly low = this.pick([0, 1]);
    private readonly least = this.weighted([
        [3, 1],
        [2, 2],
        [1, 0],
    ]);
    private readonly hasFlag = this.chance(70);
    private readonly hasPhase = this.chance(60);
    private readonly hasPointer = this.chance(45);
    private readonly hasSecondPointer = this.hasPointer && this.chance(25);
    private readonly hasOptional = this.chance(70);
    private readonly hasState = this.chance(85);
    private readonly hasMark = this.chance(60);
    private readonly hasEvent = this.chance(40);
    private readonly hasBarrier = this.chance(20);
    private readonly hasQueue = this.chance(20);
    private readonly hasBoxes = this.chance(25);
    private readonly hasRendezvous = this.chance(20);
    private readonly hasNote = this.chance(30);
    private readonly hasMail = this.hasNote && this.chance(40);
    private readonly hasOwn = this.chance(25);
    private readonly hasServer = this.chance(60);
    private readonly hasLocal = this.chance(40);
    private readonly hasSnoop = this.hasEvent && this.chance(50);
    private readonly hasPairs = this.chance(12);
    private label = 0;

    text(): FamilyText {
        return this.chance(50) ? this.automata() : this.mixed();
    }

    /** Processes with guarded moves between five states, some of which can be reached with enough processes only. */
    private automata(): FamilyText {
        const states = ['a', 'b', 'c', 'd', 'e'];
        // Nothing clears the flag, and most processes stop then: who is where at that time matters.
        const isLasting = this.hasFlag && this.chance(60);
        const guard = (): string =>
            this.weighted<() => string>([
                [5, () => `(exists q in Proc: state[q] == ${this.pick(states)})`],
                [3, () => `(exists q in Proc where q != i: state[q] == ${this.pick(states)})`],
                [3, () => `(forall q in Proc where q != i: state[q] != ${this.pick(states)})`],
                [
                    3,
                    () =>
                        `count(q in Proc: state[q] == ${this.pick(states)}) ${this.pick(['>=', '==', '<', '!='])} ${this.between(1, 2)}`,
                ],
                [
                    this.hasPointer ? 3 : 0,
                    () =>
                        `${this.pick(['turn', ...this.when(this.hasSecondPointer, 'last')])} ${this.pick(['==', '!='])} ${this.pick(['i', ...this.when(this.hasOptional, 'none')])}`,
                ],
                [this.hasFlag ? 2 : 0, () => this.pick(['flag', '!flag'])],
            ])();
        const effect = (): string =>
            this.weighted<() => string>([
                [6, () => ''],
                [this.hasPointer ? 3 : 0, () => '; turn := i'],
                [this.hasPointer && this.hasOptional ? 1 : 0, () => '; turn := none'],
                [this.hasSecondPointer ? 2 : 0, () => '; last := turn'],
                [this.hasFlag ? 3 : 0, () => `; flag := ${isLasting ? 'true' : this.pick(['true', 'false'])}`],
            ])();
        const move = (): string => {
            const [from, to] = [this.pick(states), this.pick(states)];
            const guards = Array.from({ length: this.between(0, 3) }, guard);
            const choice = this.chance(15) ? 'j in Proc where j != i ' : '';
            const other = choice === '' ? '' : ` && state[j] == ${this.pick(states)}`;
            const stops = isLasting && this.chance(80) ? ' && !flag' : '';
            return `${choice}{ when state[i] == ${from}${stops}${other}${guards.map(each => ` && ${each}`).join('')} { state[i] := ${to}${choice !== '' && this.chance(50) ? `; state[j] := ${this.pick(states)}` : ''}${effect()} } }`;
        };
        const invariant = (): string =>
            this.pick([
                `forall x in Proc: state[x] != ${this.pick(states)}`,
                `forall x, y in Proc where x != y: !(state[x] == ${this.pick(states)} && state[y] == ${this.pick(states)})`,
                `count(x in Proc: state[x] == ${this.pick(states)}) <= ${this.between(1, 2)}`,
                ...this.when(
                    this.hasFlag,
                    ...Array.from(
                        { length: isLasting ? 6 : 1 },
                        () => `forall x in Proc: flag implies state[x] != ${this.pick(states)}`,
                    ),
                ),
                ...this.when(this.hasPointer, `forall x in Proc: turn == x implies state[x] != ${this.pick(states)}`),
            ]);
        const lines = [
            `param N: ${this.least} .. 9 = 3`,
            this.low === 0 ? 'type Proc = 0 .. N - 1' : 'type Proc = 1 .. N',
            'enum State = { a, b, c, d, e }',
            `var state: State[Proc] = ${isLasting ? this.pick(['a', 'any']) : 'a'}`,
            ...this.when(this.hasFlag, 'var flag: bool = false'),
            ...this.when(this.hasPointer, this.pointer('turn')),
            ...this.when(this.hasSecondPointer, this.pointer('last')),
            `process P[i: Proc] {\n    loop { ${this.alternatives(this.between(3, 6), move)} }\n}`,
            `invariant holds0 = ${invariant()}`,
            'allow deadlock',
        ];
        return { text: `${lines.join('\n')}\n`, least: this.least };
    }

    private mixed(): FamilyText {
        const lines = [
            `param N: ${this.least} .. 9 = 3`,
            this.low === 0 ? 'type Proc = 0 .. N - 1' : 'type Proc = 1 .. N',
            'enum State = { a, b, c }',
            ...this.when(this.hasFlag, `var flag: bool = ${this.pick(['false', 'true', 'any'])}`),
            ...this.when(this.hasPhase, `var phase: 0 .. 2 = ${this.pick(['0', '0', 'any'])}`),
            ...this.when(this.hasPointer, this.pointer('turn')),
            ...this.when(this.hasSecondPointer, this.pointer('last')),
            ...this.when(this.hasState, `var state: State[Proc] = ${this.pick(['a', 'a', 'any'])}`),
            ...this.when(this.hasMark, `var mark: bool[Proc] = ${this.pick(['false', 'false', 'any'])}`),
            ...this.when(
                this.hasNote,
                'enum Note = { from(who: Proc), pair(one: Proc, other: Proc?), level(k: 0 .. 2), nobody }',
                `var note: Note${this.pick([' = nobody', ' = nobody', ' = level(0)', ' = any', ''])}`,
            ),
            ...this.when(this.hasMail, 'channel mail: 1 of Note'),
            ...this.when(
                this.hasOwn,
                'enum Own = { idle, busy(k: 0 .. 2), done(ok: bool) }',
                `var own: Own[Proc] = ${this.pick(['idle', 'idle', 'done(false)', 'any'])}`,
            ),
            ...this.when(this.hasEvent, 'event meet[Proc]'),
            ...this.when(this.hasBarrier, 'event tick'),
            ...this.when(this.hasQueue, `channel queue: ${this.pick(['1', '2'])} of Proc`),
            ...this.when(this.hasBoxes, `channel box[Proc]: 1 of ${this.pick(['State', 'bool', 'State', 'Proc'])}`),
            ...this.when(this.hasRendezvous, 'channel hand: 0 of Proc'),
            ...this.when(this.chance(12), `init ${this.condition({ members: [], quantifiers: 1 })}`),
            this.family(),
            ...this.when(this.hasServer, this.server()),
            ...this.when(this.hasSnoop, this.snoop()),
            ...this.when(this.hasPairs, this.pairs()),
            ...Array.from(
                { length: this.between(1, 2) },
                (_, index) => `invariant holds${index} = ${this.invariant()}`,
            ),
            'allow deadlock',
        ];
        return { text: `${lines.join('\n')}\n`, least: this.least };
    }

    private when(condition: boolean, ...lines: readonly string[]): readonly string[] {
        return condition ? lines : [];
    }

    private pointer(name: string): string {
        return this.hasOptional
            ? `var ${name}: Proc? = ${this.pick(['none', 'none', 'any'])}`
            : `var ${name}: Proc${this.pick(['', ' = any'])}`;
    }

    /** A process for each member. */
    private family(): string {
        const local = this.hasLocal
            ? `\n    var seen: ${this.pick(['bool = false', '0 .. 1 = any', 'State = a'])}`
            : '';
        return `process P[i: Proc] {${local}\n    ${this.control({ members: ['i'], quantifiers: 1 }, this.hasLocal)}\n}`;
    }

    private server(): string {
        const hasList = this.chance(40);
        const local = hasList ? '\n    var list: bool[Proc] = false' : '';
        const body = this.alternatives(this.between(1, 2), () => {
            const chosen = this.chance(70);
            const scope = { members: chosen ? ['j'] : [], quantifiers: 1 };
            const first = this.step(scope, hasList ? 'list' : undefined);
            const second = this.chance(40) ? `; ${this.step(scope, hasList ? 'list' : undefined)}` : '';
            const where = chosen && this.chance(15) ? ` where ${this.condition(scope)}` : '';
            return `${chosen ? `j in Proc${where} ` : ''}{ ${first}${second} }`;
        });
        return `process Server {${local}\n    loop {\n        ${body}\n    }\n}`;
    }

    /** Takes part in the meetings of others. */
    private snoop(): string {
        const body = this.pick([
            this.hasState ? 'state[j] := a' : 'skip',
            this.hasMark ? 'mark[j] := true' : 'skip',
            this.hasState ? 'if state[j] == b { state[j] := c }' : 'skip',
            this.hasMark ? 'if mark[i] { mark[j] := false }' : 'skip',
        ]);
        const guard = this.chance(30) ? `when ${this.condition({ members: ['i', 'j'], quantifiers: 0 })} ` : '';
        return `process Snoop[j: Proc, i: Proc where i != j] {\n    loop { ${guard}meet[i] { ${body} } }\n}`;
    }

    private pairs(): string {
        return `process Pair[i: Proc, j: Proc where i != j] {\n    loop { ${this.step({ members: ['i', 'j'], quantifiers: 1 })} }\n}`;
    }

    private control(scope: Scope, hasLocal: boolean): string {
        const own = hasLocal ? 'seen' : undefined;
        return this.weighted<() => string>([
            [
                6,
                () =>
                    `loop {\n        ${this.alternatives(this.between(1, 3), () => `{ ${this.labeled(scope, own)} }`)}\n    }`,
            ],
            [
                4,
                () =>
                    `loop { ${Array.from({ length: this.between(1, 3) }, () => this.labeled(scope, own)).join('; ')} }`,
            ],
            [
                2,
                () =>
                    `loop { while ${this.condition(scope)} { ${this.labeled(scope, own)} }; ${this.labeled(scope, own)} }`,
            ],
            [
                2,
                () =>
                    `${this.labeled(scope, own)}; loop { if ${this.condition(scope)} { ${this.labeled(scope, own)} } else { ${this.labeled(scope, own)} ${this.pick(['', 'break', '; terminate'])} } }`,
            ],
            [
                2,
                () =>
                    `loop { choose k in Proc${this.chance(40) ? ' where k != i' : ''} { ${this.labeled({ ...scope, members: [...scope.members, 'k'] }, own)} } }`,
            ],
            [1, () => `${this.labeled(scope, own)}; end stop: skip; ${this.labeled(scope, own)}`],
        ])();
    }

    private alternatives(count: number, make: () => string): string {
        return `choose ${Array.from({ length: count }, make).join(' or ')}`;
    }

    private labeled(scope: Scope, own: string | undefined): string {
        return this.chance(50) ? `l${this.label++}: ${this.step(scope, own)}` : this.step(scope, own);
    }

    private step(scope: Scope, own?: string): string {
        const guard = this.chance(60) ? `when ${this.condition(scope)} ` : '';
        const [member] = scope.members;
        const communication = this.weighted<string>([
            [10, ''],
            [this.hasEvent && member !== undefined ? 4 : 0, `meet[${member}] `],
            [this.hasBarrier ? 2 : 0, 'tick '],
            [this.hasQueue && member !== undefined ? 2 : 0, `queue ! ${member} `],
            [this.hasQueue && this.hasPointer ? 2 : 0, 'queue ? turn '],
            [this.hasMail && member !== undefined ? 4 : 0, `mail ! ${this.note(scope)} `],
            [
                this.hasMail && member !== undefined ? 4 : 0,
                `mail ? ${this.pick(['note', 'nobody', `from(== ${member})`, 'level(_)', `pair(_, == ${member})`])} `,
            ],
            [
                this.hasBoxes && member !== undefined ? 2 : 0,
                `box[${this.pick(scope.members.length > 0 ? scope.members : ['0'])}] ? _ `,
            ],
            [this.hasRendezvous && member !== undefined ? 3 : 0, `hand ! ${member} `],
            [this.hasRendezvous && this.hasPointer ? 3 : 0, 'hand ? turn '],
        ]);
        const statements = Array.from({ length: this.between(communication === '' ? 1 : 0, 2) }, () =>
            this.statement(scope, own),
        );
        const body = statements.length === 0 ? (communication === '' ? 'skip' : '') : `{ ${statements.join('; ')} }`;
        return `${guard}${communication}${body}`.trim();
    }

    private statement(scope: Scope, own?: string): string {
        const { members } = scope;
        const some = members.length > 0 ? this.pick(members) : undefined;
        return this.weighted<() => string>([
            [
                this.hasFlag ? 3 : 0,
                () => `flag := ${this.chance(30) ? this.condition(scope) : this.pick(['true', 'false', '!flag'])}`,
            ],
            [this.hasPhase ? 3 : 0, () => `phase := ${this.pick(['0', '1', '2', '(phase + 1) mod 3'])}`],
            [this.hasPhase && this.chance(15) ? 1 : 0, () => 'phase := phase + 1'],
            [this.hasPointer && some !== undefined ? 3 : 0, () => `turn := ${some}`],
            [this.hasPointer && this.hasOptional ? 2 : 0, () => 'turn := none'],
            [this.hasSecondPointer ? 2 : 0, () => 'last := turn'],
            [this.hasState && some !== undefined ? 5 : 0, () => `state[${some}] := ${this.pick(['a', 'b', 'c'])}`],
            [
                this.hasMark && some !== undefined ? 4 : 0,
                () =>
                    `mark[${some}] := ${this.chance(25) ? this.condition(scope) : this.pick(['true', 'false', `!mark[${some}]`])}`,
            ],
            [
                this.hasMark && this.chance(30) ? 2 : 0,
                () =>
                    `mark := ${this.pick(['false', 'true', ...(this.hasState ? ['[x in Proc: state[x] == b]'] : [])])}`,
            ],
            [this.hasNote ? 5 : 0, () => `note := ${this.note(scope)}`],
            [
                this.hasNote && some !== undefined ? 3 : 0,
                () => `if note is pair { note.${this.pick(['one', 'other'])} := ${some} }`,
            ],
            [this.hasNote && this.hasPointer ? 2 : 0, () => 'if note is from { turn := note.who }'],
            [
                this.hasOwn && some !== undefined ? 5 : 0,
                () => `own[${some}] := ${this.pick(['idle', 'busy(0)', 'busy(2)', 'done(true)', 'done(false)'])}`,
            ],
            [
                this.hasOwn && some !== undefined ? 3 : 0,
                () => `if own[${some}] is busy { own[${some}].k := (own[${some}].k + 1) mod 3 }`,
            ],
            [own === 'seen' ? 2 : 0, () => 'skip'],
            [own === 'list' ? 3 : 0, () => (this.hasMark ? 'list := mark' : `list := ${this.pick(['true', 'false'])}`)],
            [own === 'list' && some !== undefined ? 3 : 0, () => `list[${some}] := ${this.pick(['true', 'false'])}`],
            [2, () => `if ${this.condition(scope)} { ${this.simple(scope)} }`],
            [this.chance(15) ? 1 : 0, () => `assert ${this.condition(scope)}`],
            [1, () => 'skip'],
        ])();
    }

    private note({ members }: Scope): string {
        const some = members.length > 0 ? this.pick(members) : undefined;
        return this.pick([
            'nobody',
            `level(${this.between(0, 2)})`,
            ...this.when(some !== undefined, `from(${some})`, `from(${some})`, `pair(${some}, none)`),
            ...this.when(some !== undefined, `pair(${some}, ${this.pick(members)})`),
        ]);
    }

    private simple({ members }: Scope): string {
        const some = members.length > 0 ? this.pick(members) : undefined;
        return this.hasState && some !== undefined
            ? `state[${some}] := ${this.pick(['a', 'b', 'c'])}`
            : this.hasFlag
              ? 'flag := true'
              : 'skip';
    }

    /** A condition in the places of a step or of an invariant. */
    private condition(scope: Scope, depth = 0): string {
        const { members, quantifiers } = scope;
        const some = members.length > 0 ? this.pick(members) : undefined;
        const inner = (name: string): Scope => ({ members: [...members, name], quantifiers: quantifiers - 1 });
        const name = `q${depth}${members.length}`;
        return this.weighted<() => string>([
            [2, () => this.fact(scope)],
            [this.hasFlag ? 2 : 0, () => this.pick(['flag', '!flag'])],
            [this.hasPhase ? 2 : 0, () => `phase ${this.pick(['==', '!=', '<', '>='])} ${this.between(0, 2)}`],
            [some !== undefined ? 5 : 0, () => this.fact(scope)],
            [this.hasPointer && some !== undefined ? 2 : 0, () => `turn ${this.pick(['==', '!='])} ${some}`],
            [this.hasOptional && this.hasPointer ? 1 : 0, () => `turn ${this.pick(['==', '!='])} none`],
            [this.hasPointer && !this.hasOptional && this.hasState ? 1 : 0, () => 'state[turn] == b'],
            [
                depth < 2 ? 2 : 0,
                () =>
                    `(${this.condition(scope, depth + 1)} ${this.pick(['&&', '||'])} ${this.condition(scope, depth + 1)})`,
            ],
            [depth < 2 ? 1 : 0, () => `!(${this.condition(scope, depth + 1)})`],
            [
                quantifiers > 0 ? 5 : 0,
                () =>
                    `(${this.pick(['forall', 'exists', 'exists'])} ${name} in Proc${some !== undefined && this.chance(40) ? ` where ${name} != ${some}` : ''}: ${this.condition(inner(name), depth + 1)})`,
            ],
            [
                quantifiers > 0 ? 2 : 0,
                () =>
                    `count(${name} in Proc: ${this.condition(inner(name), depth + 1)}) ${this.pick(['<=', '>=', '==', '<', '!='])} ${this.between(0, 2)}`,
            ],
            [this.hasQueue ? 1 : 0, () => 'len(queue) == 1'],
        ])();
    }

    private fact({ members }: Scope): string {
        const some = members.length > 0 ? this.pick(members) : undefined;
        const facts = [
            ...this.when(this.hasState && some !== undefined, `state[${some}] == ${this.pick(['a', 'b', 'c'])}`),
            ...this.when(this.hasState && some !== undefined, `state[${some}] != ${this.pick(['a', 'b'])}`),
            ...this.when(this.hasMark && some !== undefined, `mark[${some}]`, `!mark[${some}]`),
            ...this.when(this.hasNote, 'note is from', 'note == nobody', '(note is level && note.k != 1)'),
            ...this.when(
                this.hasNote && some !== undefined,
                `note == from(${some})`,
                `(note is from && note.who != ${some})`,
                `(note is pair && note.other == ${some} && note.one != ${some})`,
                ...this.when(this.chance(10), `note.who == ${some}`),
            ),
            ...this.when(
                this.hasOwn && some !== undefined,
                `own[${some}] is busy`,
                `(own[${some}] is busy && own[${some}].k == 1)`,
                `own[${some}] != idle`,
                `own[${some}] == done(true)`,
                ...this.when(this.chance(5), `own[${some}].k == 0`),
            ),
        ];
        return facts.length === 0 ? (this.hasFlag ? 'flag' : 'true') : this.pick(facts);
    }

    private invariant(): string {
        return this.weighted<() => string>([
            [
                4,
                () =>
                    `forall x, y in Proc where x != y: !(${this.fact({ members: ['x'], quantifiers: 0 })} && ${this.fact({ members: ['y'], quantifiers: 0 })})`,
            ],
            [3, () => `count(x in Proc: ${this.fact({ members: ['x'], quantifiers: 0 })}) <= ${this.between(1, 2)}`],
            [2, () => `forall x in Proc: ${this.condition({ members: ['x'], quantifiers: 0 }, 1)}`],
            [2, () => this.condition({ members: [], quantifiers: 1 })],
            [
                this.label > 0 ? 3 : 0,
                () =>
                    `count(x in Proc: P[x] at l${this.between(0, Math.max(0, this.label - 1))}) <= ${this.between(1, 2)}`,
            ],
        ])();
    }
}
