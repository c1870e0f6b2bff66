/**
 * Texts of random families whose processes have no state of their own at some sizes: tests that are decided before the run
 * take away all their steps but one, or all of them. With roles inside an instance, fixed values, locals, processes that
 * stand alone, and one or two parameters. What a model does with more members is wrong more often than not.
 */
import type * as fc from 'fast-check';
import { RandomDraw } from './random-draw.js';

export interface StatelessFamily {
    readonly text: string;
    /** Its parameters, each with its least value. */
    readonly parameters: Readonly<Record<string, number>>;
    /** Whether its tests count to 11, beyond the sizes that are explored otherwise. */
    readonly countsFar: boolean;
}

export function statelessFamilyOf(random: fc.Random): StatelessFamily {
    return new FamilyDraw(random).family();
}

class FamilyDraw extends RandomDraw {
    private readonly least = this.weighted([
        [5, 1],
        [2, 2],
        [2, 0],
    ]);
    private readonly hasTwo = this.chance(25);
    private readonly countsFar = !this.hasTwo && this.chance(20);
    /** Values beside the members of the family: nobody is 0. */
    private readonly hasFixed = !this.hasTwo && this.chance(25);
    private readonly hasPointer = this.chance(35);
    private readonly hasState = this.chance(50);
    private readonly roles = this.weighted([
        [6, 0],
        [3, 2],
        [2, 3],
    ]);
    private readonly hasSolo = this.chance(40);
    /** Values that are known before the run. */
    private readonly hasLocal = this.chance(30);
    private readonly hasEvent = this.chance(20);
    private labels = 0;
    /** Labels of the first process. */
    private readonly known: string[] = [];
    private isFirst = true;

    family(): StatelessFamily {
        const parameters: Record<string, number> = this.hasTwo
            ? { R: Math.min(this.least, 1), W: this.pick([0, 1]) }
            : { N: this.least };
        const indices = this.hasFixed && this.chance(50) ? 'All' : 'Proc';
        const first = this.process('P', indices, this.roles);
        this.isFirst = false;
        const others = [
            ...(this.hasTwo ? [this.process('Q', 'Writer', this.pick([0, 0, 2]))] : []),
            ...(this.hasTwo && this.chance(40) ? [this.process('Any', 'All', 0)] : []),
            ...(this.hasSolo ? [this.process('Solo', undefined, this.pick([0, 0, 2]))] : []),
            ...(this.chance(8) ? [this.process('Pair', 'pairs', 0)] : []),
        ];
        const lines = [
            ...Object.entries(parameters).map(([name, least]) => `param ${name}: ${least} .. 16 = 3`),
            ...this.types(),
            'var bad: bool = false',
            `var n: 0 .. ${this.countsFar ? 11 : 3} = 0`,
            ...this.some(this.hasState, 'var st: 0 .. 2[Proc] = 0'),
            ...this.some(this.hasPointer, 'var turn: Proc? = none'),
            ...this.some(this.hasEvent, 'event go'),
            first,
            ...others,
            `invariant safe = ${this.invariant()}`,
            'allow deadlock',
        ];
        return { text: `${lines.join('\n')}\n`, parameters, countsFar: this.countsFar };
    }

    private types(): string[] {
        if (this.hasTwo) {
            return ['type Proc = 0 .. R - 1', 'type Writer = R .. R + W - 1', 'type All = 0 .. R + W - 1'];
        }
        return this.hasFixed ? ['type Proc = 1 .. N', 'type All = 0 .. N'] : ['type Proc = 1 .. N'];
    }

    private some(condition: boolean, ...lines: readonly string[]): readonly string[] {
        return condition ? lines : [];
    }

    private process(name: string, over: string | undefined, roles: number): string {
        const role = roles === 0 ? [] : [`k: 0 .. ${roles - 1}`];
        const own = over === undefined ? [] : over === 'pairs' ? ['i: Proc', 'j: Proc where i != j'] : [`i: ${over}`];
        const indices = [...own, ...role].join(', ');
        const local = this.hasLocal
            ? `var v: bool ${this.pick(['= false', '= true', `= ${this.chance(20) ? this.ask(own[0]) : 'true'}`])}\n    `
            : '';
        const names = { index: own[0], role: roles > 0, local: local !== '' };
        return `process ${name}${indices === '' ? '' : `[${indices}]`} {\n    ${local}${this.control(names, 3)}\n}`;
    }

    private control(names: Names, depth: number): string {
        if (depth === 0) {
            return this.step(names);
        }
        const inside = (): string => this.control(names, depth - this.between(1, 2) < 0 ? 0 : depth - 1);
        return this.weighted<() => string>([
            [6, () => `if ${this.decided(names, this.chance(95))} { ${inside()} } else { ${inside()} }`],
            [3, () => `if ${this.decided(names, this.chance(95))} { ${inside()} }`],
            [3, () => `loop { ${inside()} }`],
            [2, () => `while ${this.decided(names, true)} { ${this.step(names)} }; ${this.step(names)}`],
            [3, () => `${this.step(names)}\n ${inside()}`],
            [2, () => `choose { ${inside()} } or { ${inside()} }`],
            [
                this.hasTwo ? 0 : 2,
                () =>
                    `${this.step(names)}\n var w${this.labels}: bool = ${this.ask(names.index)}\n if w${this.labels++} { ${this.step(names)} } else { ${inside()} }`,
            ],
            [1, () => `choose z in 0 .. 2 where z == 1 || ${this.decided(names, true)} { ${this.step(names)} }`],
            [3, () => this.step(names)],
        ])();
    }

    private step(names: Names): string {
        const label = this.chance(70) ? `l${this.labels++}` : undefined;
        if (label !== undefined && this.isFirst) {
            this.known.push(label);
        }
        const guard = this.weighted<() => string>([
            [5, () => ''],
            [2, () => `when ${this.decided(names, false)} `],
            [2, () => `when n ${this.pick(['==', '!=', '<', '>='])} ${this.between(0, this.countsFar ? 11 : 3)} `],
            [1, () => (this.isOfMember(names) && this.hasState ? `when st[i] == ${this.between(0, 2)} ` : '')],
            [1, () => (this.isOfMember(names) && this.hasPointer ? 'when turn == none || turn == i ' : '')],
        ])();
        const event = this.hasEvent && this.chance(15) ? 'go ' : '';
        const effect = this.weighted<() => string>([
            [4, () => ''],
            [2, () => 'bad := true'],
            [3, () => (this.countsFar ? 'n := min(11, n + 1)' : 'n := (n + 1) mod 4')],
            [this.isOfMember(names) && this.hasState ? 3 : 0, () => `st[i] := ${this.between(0, 2)}`],
            [this.isOfMember(names) && this.hasPointer ? 2 : 0, () => `turn := ${this.pick(['i', 'none'])}`],
            [1, () => `if ${this.decided(names, false)} { bad := true }`],
        ])();
        const body = effect === '' ? (event === '' ? 'skip' : '') : `{ ${effect} }`;
        return `${label === undefined ? '' : `${label}: `}${guard}${event}${body}`.trim() + ';';
    }

    private isOfMember({ index }: Names): boolean {
        return index === 'i: Proc';
    }

    /** A test that has a value before the run, mostly. */
    private decided(names: Names, isOnTheWay: boolean): string {
        const one = (): string =>
            this.weighted<() => string>([
                // With two parameters no test on the way to a step may ask for members.
                [this.hasTwo && (isOnTheWay || this.chance(30)) ? 0 : 8, () => this.ask(names.index)],
                [names.role ? 4 : 0, () => `k ${this.pick(['==', '!='])} ${this.between(0, 1)}`],
                [names.local ? 3 : 0, () => 'v'],
                [1, () => `n == ${this.between(0, 3)}`],
            ])();
        return this.weighted<() => string>([
            [6, one],
            [2, () => `!(${one()})`],
            [2, () => `(${one()} && ${one()})`],
            [2, () => `(${one()} || ${one()})`],
            [1, () => `(if ${one()} then ${one()} else ${one()})`],
        ])();
    }

    /** How many members there are. */
    private ask(index: string | undefined): string {
        const type = this.hasTwo
            ? this.pick(['Proc', 'Writer', 'All'])
            : this.hasFixed
              ? this.pick(['Proc', 'All'])
              : 'Proc';
        const most = this.countsFar ? 12 : 5;
        const another = index === undefined || !index.endsWith(type) ? 'true' : 'q != i';
        return this.weighted<() => string>([
            [3, () => `(exists q in ${type}: ${another})`],
            [2, () => `!(exists q in ${type}: ${another})`],
            [2, () => `(exists q, r in ${type}: q != r)`],
            [1, () => `(exists q, r, s in ${type}: q != r && r != s && q != s)`],
            [
                this.countsFar ? 12 : 6,
                () =>
                    `count(q in ${type}: ${this.pick(['true', another])}) ${this.pick(['<', '>=', '==', '!=', '<=', '>'])} ${this.between(this.countsFar ? 7 : 0, most)}`,
            ],
        ])();
    }

    private invariant(): string {
        const [label] = this.known.length === 0 ? [undefined] : [this.pick(this.known)];
        const role = this.roles === 0 ? '' : `, ${this.between(0, this.roles - 1)}`;
        return this.weighted<() => string>([
            [8, () => '!bad'],
            [label === undefined ? 0 : 4, () => `count(x in Proc: P[x${role}] at ${label}) <= ${this.between(0, 2)}`],
            [label === undefined ? 0 : 2, () => `forall x in Proc: !(P[x${role}] at ${label}) || !bad`],
            [this.hasState ? 3 : 0, () => `count(x in Proc: st[x] == ${this.between(1, 2)}) <= ${this.between(0, 2)}`],
            [1, () => `n != ${this.between(1, this.countsFar ? 11 : 3)}`],
        ])();
    }
}

interface Names {
    /** `i: Proc`, of the process around. */
    readonly index: string | undefined;
    readonly role: boolean;
    readonly local: boolean;
}
