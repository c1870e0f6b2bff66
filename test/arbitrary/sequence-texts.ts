/**
 * Random texts with sequences and bags, alone and together with sets, cases and records: shared, in arrays and records, local,
 * as channels; with all functions of sequences, places that are written, counts, and operands that may be faults.
 */
import * as fc from 'fast-check';
import { RandomDraw } from './random-draw.js';

class SequenceTexts extends fc.Arbitrary<string> {
    readonly #hasBags: boolean;

    constructor(hasBags: boolean) {
        super();
        this.#hasBags = hasBags;
    }

    override generate(random: fc.Random): fc.Value<string> {
        return new fc.Value(new SequenceText(random, this.#hasBags).text(), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is string {
        return false;
    }

    override shrink(): fc.Stream<fc.Value<string>> {
        return fc.Stream.nil();
    }
}

export const sequenceTexts: fc.Arbitrary<string> = new SequenceTexts(false);
export const bagTexts: fc.Arbitrary<string> = new SequenceTexts(true);

/** The names that hold an `Id` where an expression stands, and whether locals are known there. */
interface Place {
    readonly ids: readonly string[];
    readonly isInProcess: boolean;
}

class SequenceText extends RandomDraw {
    readonly #size = this.between(2, 3);
    readonly #hasBags: boolean;
    readonly #hasSequences: boolean;
    readonly #hasSet = this.chance(40);
    readonly #hasCases = this.chance(40);
    readonly #hasRecord = this.chance(30);
    readonly #hasChannel = this.chance(40);
    readonly #hasLocal = this.chance(40);
    #bound = 0;

    constructor(random: fc.Random, hasBags: boolean) {
        super(random);
        this.#hasBags = hasBags;
        this.#hasSequences = !hasBags || this.chance(40);
    }

    text(): string {
        const inside: Place = { ids: ['i'], isInProcess: true };
        const steps = Array.from({ length: this.between(2, 4) }, (_, step) => this.#alternative(step, inside));
        const outside: Place = { ids: [String(this.between(1, this.#size))], isInProcess: false };
        const { sequences, bags } = { sequences: this.#hasSequences, bags: this.#hasBags };
        const order = bags ? 'bag ' : '';
        return [
            `type Id = 1 .. ${this.#size}`,
            'enum M = { ask(b: Id), stop }',
            'record Pair = { one: Id, two: bool }',
            'var n: 0 .. 2 = 0',
            ...(sequences ? [`var q: seq 2 of Id = ${this.pick(['[]', '[1]', '[2]'])}`] : []),
            ...(sequences ? ['var r: seq 2 of Id = []'] : []),
            ...(sequences && this.#hasCases ? ['var h: seq 1 of M = [stop]'] : []),
            ...(sequences && this.#hasRecord
                ? ['record R = { q: seq 2 of Id, f: bool }', 'var p: R = R([], false)']
                : []),
            ...(bags ? [`var b: bag ${this.between(1, 2)} of Id = ${this.pick(['{}', '{ 1 }', '{ 1: 1, 2 }'])}`] : []),
            ...(bags && this.#hasCases ? ['var g: bag 1 of M = { stop }'] : []),
            ...(this.#hasSet ? ['var s: set of Id = {}'] : []),
            ...(this.#hasChannel ? [`channel c: ${order}1 of ${this.#message()}`] : []),
            ...(sequences
                ? ['function turn(q: seq 2 of Id): seq 2 of Id = if len(q) < 2 then q else [q[1], q[0]]']
                : []),
            'process P[i: Id] {',
            ...(this.#hasLocal && sequences ? ['    var own: seq 2 of Id = []'] : []),
            ...(this.#hasLocal && bags ? ['    var mine: bag 1 of Id = { i }'] : []),
            `    loop { choose ${steps.join('\n        or ')} }`,
            '}',
            this.chance(50)
                ? `invariant stated = ${this.#condition(outside, 1)}`
                : `invariant stated = forall k in Id: ${this.#condition({ ids: ['k'], isInProcess: false }, 1)}`,
            'allow deadlock',
        ].join('\n');
    }

    #message(): string {
        return this.#hasCases ? 'M' : 'Id';
    }

    #alternative(step: number, place: Place): string {
        const label = `l${step}:`;
        if (this.chance(25)) {
            const variable = this.#newName();
            const inner = { ...place, ids: [...place.ids, variable] };
            const where = this.chance(30) ? ` where ${this.#condition(inner, 0)}` : '';
            return `${variable} in ${this.#variable(place)}${where} { ${label} ${this.#step(inner)} }`;
        }
        if (this.#hasSequences && this.chance(15)) {
            const variable = this.#newName();
            return this.pick([
                `${variable} in seq 1 of Id { ${label} { q := ${variable}; ${this.#statement(place, 0)} } }`,
                `${variable} in places(q) where ${variable} > 0 { ${label} q := without(q, ${variable}) }`,
                `${variable} in places(r) { ${label} r[${variable}] := ${this.#id(place)} }`,
            ]);
        }
        if (this.#hasCases && this.chance(20)) {
            const queue = this.#hasBags ? 'g' : 'h';
            return `m in ${queue}${this.pick(['', ' where m is ask'])} { ${label} { ${this.pick([
                'if m is ask { n := m.b mod 2 }',
                'n := if m is stop then 0 else 1',
                this.#hasBags ? 'g[m] := 0' : 'h := tail(h)',
            ])}; ${this.#statement(place, 0)} } }`;
        }
        if (this.#hasChannel && this.chance(35)) {
            return `{ ${label} ${this.#communication(place)} }`;
        }
        return `{ ${label} ${this.#step(place)} }`;
    }

    #communication(place: Place): string {
        const patterns = this.#hasCases ? ['ask(_)', 'ask(== i)', 'stop', '_'] : ['_', '== i', 'i'];
        const body = `{ ${this.#statement(place, 0)} }`;
        const value = this.#hasCases ? this.#caseValue(place) : this.#id(place);
        return this.chance(50)
            ? `${this.#guard(place)}c ! ${value} ${body}`
            : `${this.#guard(place)}c ? ${this.pick(patterns)} ${body}`;
    }

    #caseValue(place: Place): string {
        return this.pick(['stop', `ask(${this.#id(place)})`]);
    }

    #guard(place: Place): string {
        return this.chance(50) ? `when ${this.#condition(place, 1)} ` : '';
    }

    #step(place: Place): string {
        const statements = Array.from({ length: this.between(1, 2) }, () => this.#statement(place, 1));
        return `${this.#guard(place)}{ ${statements.join('; ')} }`;
    }

    #statement(place: Place, depth: number): string {
        const variable = this.#newName();
        const inner = { ...place, ids: [...place.ids, variable] };
        const body = depth > 0 ? this.#statement(inner, depth - 1) : 'skip';
        const common = [
            `n := ${this.#number(place)}`,
            `for ${variable} in ${this.#variable(place)}${this.pick(['', ` where ${this.#condition(inner, 0)}`])} { ${body} }`,
            depth > 0 ? `if ${this.#condition(place, 0)} { ${this.#statement(place, 0)} }` : 'n := 0',
        ];
        const ofSequences = (): string[] => {
            const target = this.#sequenceVariable(place);
            return [
                `${target} := ${this.#sequence(place, 2)}`,
                `${target} := append(${target}, ${this.#id(place)})`,
                `${target} := tail(${target})`,
                `${target}[${this.#index(place)}] := ${this.#id(place)}`,
                ...(this.#hasCases
                    ? [
                          `h := append(h, ${this.#caseValue(place)})`,
                          'h := []',
                          `if len(h) > 0 && h[0] is ask { h[0].b := ${this.#id(place)} }`,
                      ]
                    : []),
                ...(this.#hasChannel && !this.#hasBags
                    ? [`c := ${this.pick(['[]', 'tail(c)', `[${this.#hasCases ? 'stop' : this.#id(place)}]`])}`]
                    : []),
                `let ${variable} = ${this.#sequence(place, 1)}; n := len(${variable}) mod 3`,
            ];
        };
        const ofBags = (): string[] => {
            const target = this.#bagVariable(place);
            const id = this.#id(place);
            return [
                `${target}[${id}] := ${target}[${id}] ${this.pick(['+', '-'])} 1`,
                `${target} := ${this.#bag(place)}`,
                ...(this.#hasCases ? [`g[${this.#caseValue(place)}] := 1`, 'g := { stop }'] : []),
                ...(this.#hasChannel ? [`c[${this.#hasCases ? 'stop' : id}] := ${this.pick(['0', '1'])}`] : []),
            ];
        };
        const ofSets = [`s := s union { ${this.#id(place)} }`, `s := ${this.#set(place, 1)}`];
        return this.pick([
            ...common,
            ...(this.#hasSequences ? [...ofSequences(), ...ofSequences()] : []),
            ...(this.#hasBags ? [...ofBags(), ...ofBags()] : []),
            ...(this.#hasSet ? ofSets : []),
        ]);
    }

    /** In `0 .. 2`, or a fault. */
    #number(place: Place): string {
        const variable = this.#newName();
        const collection = this.#variable(place);
        return this.pick([
            `len(${collection})`,
            `count(${variable} in ${collection}: ${this.#condition({ ...place, ids: [...place.ids, variable] }, 0)})`,
            `sum(${variable} in ${collection}: 1)`,
            `min(${variable} in ${collection}: ${variable})`,
            `the(${variable} in ${collection}: ${variable} mod 2)`,
            ...(this.#hasSequences ? [`len(${this.#sequence(place, 1)})`] : []),
            ...(this.#hasBags ? [`${this.#bagVariable(place)}[${this.#id(place)}]`, 'sum(k in Id: b[k])'] : []),
        ]);
    }

    #condition(place: Place, depth: number): string {
        if (depth > 0 && this.chance(30)) {
            const [left, right] = [this.#condition(place, depth - 1), this.#condition(place, depth - 1)];
            return this.pick([`${left} && ${right}`, `(${left} || ${right})`, `!(${left})`]);
        }
        const variable = this.#newName();
        const inner = { ...place, ids: [...place.ids, variable] };
        const collection = this.#variable(place);
        const body = depth > 0 ? this.#condition(inner, 0) : `${variable} != 1`;
        return this.pick([
            `len(${collection}) ${this.pick(['<', '==', '>='])} ${this.between(0, 2)}`,
            `empty(${collection})`,
            `${this.#id(place)} in ${collection}`,
            `(exists ${variable} in ${collection}: ${body})`,
            `(forall ${variable} in ${collection}: ${body})`,
            `n ${this.pick(['<', '=='])} ${this.between(0, 2)}`,
            ...(this.#hasSequences ? this.#conditionsOfSequences(place, depth) : []),
            ...(this.#hasBags ? this.#conditionsOfBags(place) : []),
            ...(this.#hasSet ? [`s subset ${this.#set(place, depth)}`, `${this.#set(place, depth)} == s`] : []),
        ]);
    }

    #conditionsOfSequences(place: Place, depth: number): string[] {
        const sequence = this.#sequence(place, depth);
        const variable = this.#sequenceVariable(place);
        const [one, other] = [this.#newName(), this.#newName()];
        return [
            `${sequence} ${this.pick(['==', '!='])} ${this.#sequence(place, depth)}`,
            `${this.pick(['head', 'last'])}(${sequence}) == ${this.#id(place)}`,
            `full(${variable})`,
            `${variable}[${this.#index(place)}] == ${this.#id(place)}`,
            `${this.#id(place)} in ${sequence.startsWith('[') ? variable : sequence}`,
            `(forall ${one}, ${other} in places(${variable}): ${one} == ${other} || ${variable}[${one}] != ${variable}[${other}])`,
            ...(this.#hasSet ? [`elements(${sequence}) subset s`] : []),
            ...(this.#hasCases ? ['(exists m in h: m is ask && m.b == 1)', 'h == [ask(1)]', 'stop in h'] : []),
            ...(this.#hasChannel && !this.#hasBags ? ['full(c)', 'empty(c)', 'c == []'] : []),
        ];
    }

    #conditionsOfBags(place: Place): string[] {
        const variable = this.#bagVariable(place);
        return [
            `${variable}[${this.#id(place)}] ${this.pick(['<', '=='])} ${this.between(0, 2)}`,
            `${variable} ${this.pick(['==', '!='])} ${this.#bag(place)}`,
            ...(this.#hasCases ? ['g[stop] == 1', '(exists m in g: m is ask && m.b == 1)', 'ask(1) in g'] : []),
            ...(this.#hasChannel ? ['empty(c)', 'len(c) < 2'] : []),
        ];
    }

    #sequence(place: Place, depth: number): string {
        if (depth === 0 || this.chance(30)) {
            return this.pick([this.#sequenceVariable(place), this.#sequenceVariable(place), `[${this.#id(place)}]`]);
        }
        const [one, other] = [this.#sequence(place, depth - 1), this.#sequence(place, depth - 1)];
        return this.pick([
            `append(${one}, ${this.#id(place)})`,
            `tail(${one})`,
            `concat(${one}, ${other})`,
            `without(${one}, ${this.#index(place)})`,
            `slice(${one}, ${this.#index(place)}, ${this.pick(['1', '2', `len(${other})`])})`,
            `[${this.#id(place)}, ${this.#id(place)}]`,
            '[]',
            `(if ${this.#condition(place, 0)} then ${one} else ${this.#sequenceVariable(place)})`,
            `turn(${this.#sequenceVariable(place)})`,
        ]);
    }

    #bag(place: Place): string {
        return this.pick([
            this.#bagVariable(place),
            '{}',
            `{ ${this.#id(place)} }`,
            `{ ${this.#id(place)}: ${this.pick(['1', 'n'])}, ${this.#id(place)} }`,
            '{ 1 .. 2: 1 }',
            ...(this.#hasSet ? ['s'] : []),
        ]);
    }

    #set(place: Place, depth: number): string {
        if (depth === 0) {
            return this.pick(['s', `{ ${this.#id(place)} }`]);
        }
        const variable = this.#newName();
        const collection = this.#variable(place);
        const inner = { ...place, ids: [...place.ids, variable] };
        return this.pick([
            `{ ${this.#id(place)} }`,
            `(s union { ${this.#id(place)} })`,
            `(s minus { ${this.#id(place)} })`,
            `({ ${this.#id(place)} } intersect s)`,
            `{ ${variable} in ${collection} where ${this.#condition(inner, 0)} }`,
            `{ ${variable} in ${collection}: ${this.#successor(variable)} }`,
            ...(this.#hasSequences ? [`elements(${this.#sequence(place, 1)})`] : []),
        ]);
    }

    /** What a binder runs through: its elements are of type `Id`. */
    #variable(place: Place): string {
        return this.pick([
            ...(this.#hasSequences ? [this.#sequenceVariable(place)] : []),
            ...(this.#hasBags ? [this.#bagVariable(place), this.#bagVariable(place)] : []),
            ...(this.#hasSet ? ['s'] : []),
        ]);
    }

    #sequenceVariable(place: Place): string {
        return this.pick([
            'q',
            'q',
            'r',
            ...(this.#hasRecord ? ['p.q'] : []),
            ...(this.#hasLocal && place.isInProcess ? ['own'] : []),
        ]);
    }

    #bagVariable(place: Place): string {
        return this.pick(['b', 'b', ...(this.#hasLocal && place.isInProcess ? ['mine'] : [])]);
    }

    #index(place: Place): string {
        return this.pick(['0', '0', '1', 'n', `${this.pick(place.ids)} - 1`]);
    }

    #id(place: Place): string {
        const id = this.pick(place.ids);
        return this.weighted<() => string>([
            [80, () => id],
            [12, () => `(${this.#successor(id)})`],
            [3, () => '1'],
            [2, () => '(2 div n)'],
            [3, () => (this.#hasSequences ? `head(${this.#sequenceVariable(place)})` : 'n')],
        ])();
    }

    #successor(id: string): string {
        return `${id} mod ${this.#size} + 1`;
    }

    #newName(): string {
        return `x${this.#bound++}`;
    }
}
