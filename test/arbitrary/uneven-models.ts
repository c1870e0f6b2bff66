/**
 * Texts of random models whose steps have symmetries and whose starts are uneven: processes that differ in nothing but an
 * initial value, values of a type of which one is the first, twins with variables of their own, and many initial states
 * that a condition cuts down. They are well-typed; values may leave their types and assertions may fail.
 */
import * as fc from 'fast-check';
import { RandomDraw } from './random-draw.js';

/** Does not shrink: texts are short. */
export function unevenModels(): fc.Arbitrary<string> {
    return new UnevenArbitrary();
}

class UnevenArbitrary extends fc.Arbitrary<string> {
    override generate(random: fc.Random): fc.Value<string> {
        return new fc.Value(new UnevenModel(random).text(), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is string {
        return false;
    }

    override shrink(): fc.Stream<fc.Value<string>> {
        return fc.Stream.nil();
    }
}

class UnevenModel extends RandomDraw {
    private readonly size = this.weighted([
        [3, 2],
        [5, 3],
        [1, 4],
    ] as const);
    private readonly hasOther = this.chance(30);
    private readonly hasFlags = this.chance(80);
    private readonly hasData = this.chance(60);
    private readonly hasColors = this.chance(45);
    private readonly hasTwins = this.chance(30);
    private readonly hasMarks = this.chance(15);
    private readonly hasLocal = this.chance(50);
    private readonly hasCopy = this.chance(35);
    private readonly hasChannel = this.chance(15);
    private readonly hasRuns = this.chance(30);
    private labelCount = 0;

    text(): string {
        const last = this.size - 1;
        const parts = [
            'model Uneven',
            `type Id = 0 .. ${last}`,
            'enum Color = { red, green, blue }',
            `var t: Id = ${this.startOfId()}`,
            ...(this.hasOther ? [`var o: Id? = ${this.chance(50) ? 'none' : this.between(0, last)}`] : []),
            ...(this.hasFlags ? [`var a: bool[Id] = ${this.startOfFlags()}`] : []),
            ...(this.hasData ? [`var d: 0 .. 2 = ${this.chance(15) ? 'any' : this.between(0, 2)}`] : []),
            ...(this.hasColors ? [`var c: Color = ${this.pick(['red', 'green', 'any'])}`] : []),
            ...(this.hasChannel ? ['channel ch: 1 of Id'] : []),
            ...(this.hasFlags && this.chance(15) ? ['init !a[0] || t == 0'] : []),
            this.process(),
            ...(this.hasTwins ? this.twins() : []),
            ...(this.hasMarks ? this.marks() : []),
            ...this.invariants(),
            ...(this.hasRuns ? this.properties() : []),
            ...(this.chance(50) ? ['allow deadlock'] : []),
        ];
        return `${parts.join('\n')}\n`;
    }

    private startOfId(): string {
        return this.chance(12) ? 'any' : String(this.between(0, this.size - 1));
    }

    private startOfFlags(): string {
        return this.weighted([
            [4, 'false'],
            [4, `[i in Id: i == ${this.between(0, this.size - 1)}]`],
            [1, '[i in Id: i != 0]'],
            [1, 'any'],
        ]);
    }

    private process(): string {
        const locals = [
            ...(this.hasLocal ? [`var k: 0 .. 2 = ${this.pick(['0', '0', '1', 'i mod 3'])}`] : []),
            ...(this.hasCopy ? ['var w: Id'] : []),
        ];
        const first = this.hasCopy ? [`${this.label()}: { w := ${this.pick(['t', 'i'])} }`] : [];
        const steps = Array.from({ length: this.between(1, 3) }, () => this.step());
        const body = this.weighted([
            [4, () => `loop { ${[...first, ...steps].join('; ')} }`],
            [2, () => `${first.map(step => `${step}; `).join('')}loop { choose { ${steps.join(' } or { ')} } }`],
            [1, () => [...first, ...steps].join('; ')],
        ] as const)();
        const fair = this.hasRuns ? this.pick(['', 'fair ', 'strong fair ']) : '';
        return `${fair}process P[i: Id] { ${locals.map(local => `${local}; `).join('')}${body} }`;
    }

    private label(): string {
        return `l${this.labelCount++}`;
    }

    private step(): string {
        return this.weighted([
            [
                8,
                () => {
                    const guard = this.chance(75) ? `when ${this.condition()} ` : '';
                    return `${this.label()}: ${guard}{ ${this.statements()} }`;
                },
            ],
            [2, () => `choose j in Id where ${this.pick(['j != i', ...this.flagged('a[j]')])} { t := j }`],
            [this.hasColors ? 2 : 0, () => 'choose x in Color where x != c { c := x }'],
            [this.hasChannel ? 2 : 0, () => `${this.label()}: ch ! ${this.pick(['i', 't'])}`],
            [this.hasChannel ? 2 : 0, () => `${this.label()}: ch ? t`],
        ] as const)();
    }

    private condition(): string {
        const simple = (): string =>
            this.pick([
                't == i',
                't != i',
                ...this.flagged('a[i]', '!a[i]', 'a[t]', 'a[(i + 1) mod SIZE]'),
                ...this.flagged('(exists j in Id where j != i: a[j])', '(forall j in Id: !a[j])'),
                ...this.flagged('count(j in Id: a[j]) < 2'),
                ...(this.hasOther ? ['o == none', 'o == i', 'o != t'] : []),
                ...(this.hasData ? ['d == 1', 'd < 2', 'd != 0'] : []),
                ...(this.hasColors ? ['c != red', 'c == blue'] : []),
                ...(this.hasLocal ? ['k == 0', 'k < 2', 'k < 3'] : []),
                ...(this.hasCopy ? ['w == t', 'w != i'] : []),
            ]).replace('SIZE', String(this.size));
        return this.chance(70) ? simple() : `${simple()} ${this.pick(['&&', '||'])} ${simple()}`;
    }

    private flagged(...texts: readonly string[]): readonly string[] {
        return this.hasFlags ? texts : [];
    }

    private statements(): string {
        const targets = new Set<string>();
        const chosen = Array.from({ length: this.between(1, 2) }, () => this.statement()).filter(([target]) => {
            const isNew = !targets.has(target);
            targets.add(target);
            return isNew;
        });
        return chosen.map(([, text]) => text).join('; ');
    }

    /** What it writes, so that no step writes it twice, and the statement. */
    private statement(): readonly [string, string] {
        const id = this.pick([
            'i',
            `(i + 1) mod ${this.size}`,
            `(t + 1) mod ${this.size}`,
            ...(this.hasCopy ? ['w'] : []),
        ]);
        const to = (target: string, ...texts: readonly string[]): (readonly [string, string])[] =>
            texts.map(text => [target, text]);
        return this.pick([
            ...to('t', `t := ${id}`, 't := i'),
            ...to('a', ...this.flagged('a[i] := true', 'a[i] := false', 'a[i] := !a[i]', 'a[t] := !a[t]')),
            ...(this.hasOther ? to('o', this.pick(['o := i', 'o := none', 'o := t'])) : []),
            ...(this.hasData ? to('d', this.pick(['d := (d + 1) mod 3', 'd := 2 - d', 'd := d + 1', 'd := 1'])) : []),
            ...(this.hasColors ? to('c', this.pick(['c := green', 'c := blue', 'c := red'])) : []),
            ...(this.hasLocal ? to('k', this.pick(['k := 2 - k', 'k := (k + 1) mod 3', 'k := k + 1', 'k := 0'])) : []),
            ...(this.hasCopy ? to('w', this.pick(['w := t', 'w := i'])) : []),
            ...(this.chance(15) ? to('', ...this.flagged('assert !a[i] || t == i', 'assert a[t]')) : []),
        ]);
    }

    /** Two processes with the same steps, each with a variable of its own, of which one is set at first. */
    private twins(): readonly string[] {
        const guard = this.pick(['!OWN', 'OWN || OTHER', 'OTHER', '!OTHER && t == 0']);
        const [first, second] = [
            this.pick(['OWN := true', 'OWN := OTHER']),
            this.pick(['OWN := !OWN', 'OTHER := false']),
        ];
        const fault = this.chance(20) ? 'assert !(OWN && OTHER); ' : '';
        const twin = (name: string, own: string, other: string): string =>
            `process ${name} { loop { choose { ${name.toLowerCase()}0: when ${guard} { ${fault}${first} } } or { ` +
            `${name.toLowerCase()}1: { ${second} } } } }`.replaceAll('OWN', own).replaceAll('OTHER', other);
        const close = (text: string, own: string, other: string): string =>
            text.replaceAll('OWN', own).replaceAll('OTHER', other);
        return [
            'var xa: bool = true',
            `var xb: bool = ${this.pick(['false', 'false', 'any'])}`,
            close(twin('A', 'OWN', 'OTHER'), 'xa', 'xb'),
            close(twin('B', 'OWN', 'OTHER'), 'xb', 'xa'),
            ...(this.chance(60) ? ['invariant onlyA = xa || !xb', 'invariant onlyB = xb || !xa'] : []),
        ];
    }

    /** A hundred initial states, of which a condition leaves those with one value at one place. */
    private marks(): readonly string[] {
        return [
            'var m: bool[0 .. 6] = any',
            `init ${this.pick(['m[0]', '!m[6]', 'm[0] || m[1]', 'm[2] == (t == 0)'])}`,
            `process M { loop { choose j in 0 .. 6 where ${this.pick(['m[j]', 'm[j] && t == 0'])} { m[j] := false } } }`,
        ];
    }

    /** Of runs, about everybody or about one. */
    private properties(): readonly string[] {
        const about = (): string =>
            this.pick([
                't == i',
                't != i',
                ...this.flagged('a[i]', '!a[i]', 'a[t]'),
                ...(this.hasData ? ['d == 1'] : []),
            ]);
        const formula = (): string =>
            this.pick([
                `infinitely often ${about()}`,
                `eventually ${about()}`,
                `always ${about()}`,
                `(${about()}) leads to (${about()})`,
                `eventually always (${about()})`,
            ]);
        const one = this.between(0, this.size - 1);
        return [
            ...(this.chance(20) ? [`assume calm = infinitely often ${about().replaceAll(/\bi\b/g, String(one))}`] : []),
            `property all = forall i in Id: ${formula()}`,
            ...(this.chance(40) ? [`property some = ${formula().replaceAll(/\bi\b/g, String(one))}`] : []),
        ];
    }

    private invariants(): readonly string[] {
        const ids = Array.from({ length: this.size }, (_, id) => id);
        const about = this.pick(['t == ID', ...this.flagged('a[ID]', 'a[ID] && t == ID', 'a[ID] && t != ID')]);
        const everybody = ids.map(id => `invariant not${id} = !(${about.replaceAll('ID', String(id))})`);
        const one = this.between(0, this.size - 1);
        return [
            ...(this.chance(40) ? everybody : []),
            ...(this.chance(25) ? [`invariant one = !(${about.replaceAll('ID', String(one))})`] : []),
            ...this.flagged(...(this.chance(30) ? ['invariant few = count(i in Id: a[i]) < 2'] : [])),
            ...(this.hasData && this.chance(30) ? ['invariant low = d < 2'] : []),
            ...(this.hasColors && this.chance(30) ? ['invariant noBlue = c != blue'] : []),
        ];
    }
}
