/** Random texts with sets: shared, in arrays, local, of records; with all their operators, comprehensions and binders. */
import * as fc from 'fast-check';
import { RandomDraw } from './random-draw.js';

class SetTexts extends fc.Arbitrary<string> {
    override generate(random: fc.Random): fc.Value<string> {
        return new fc.Value(new SetText(random).text(), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is string {
        return false;
    }

    override shrink(): fc.Stream<fc.Value<string>> {
        return fc.Stream.nil();
    }
}

export const setTexts: fc.Arbitrary<string> = new SetTexts();

/** The names that hold an `Id` where an expression stands, and whether the local set is known there. */
interface Place {
    readonly ids: readonly string[];
    readonly isInProcess: boolean;
}

class SetText extends RandomDraw {
    readonly #size = this.between(2, 3);
    readonly #hasMessages = this.chance(50);
    readonly #hasLocal = this.chance(40);
    #bound = 0;

    text(): string {
        const inside: Place = { ids: ['i'], isInProcess: true };
        const steps = Array.from({ length: this.between(2, 4) }, (_, step) => this.#alternative(step, inside));
        const outside: Place = { ids: [String(this.between(1, this.#size))], isInProcess: false };
        const start = this.pick(['{}', '{ 1 }', '{ x in Id where x > 1 }', '{ 1 .. 2 }', 'any']);
        return [
            `type Id = 1 .. ${this.#size}`,
            'enum Color = { red, blue }',
            'record Message = { from: Id, color: Color }',
            `var s: set of Id = ${start}`,
            'var t: set of Id = {}',
            'var q: set of Id[Id] = {}',
            'var n: 0 .. 3 = 0',
            ...(this.#hasMessages ? ['var sent: set of Message = {}', 'var c: set of Color = {}'] : []),
            'process P[i: Id] {',
            ...(this.#hasLocal ? ['    var own: set of Id = { i }'] : []),
            `    loop { choose ${steps.join('\n        or ')} }`,
            '}',
            `invariant stated = ${this.#condition(outside, 1)}`,
            `invariant small = n < ${this.between(2, 4)}`,
            'allow deadlock',
        ].join('\n');
    }

    #alternative(step: number, place: Place): string {
        if (this.chance(35)) {
            const variable = this.#newName();
            const inner = { ...place, ids: [...place.ids, variable] };
            const where = this.chance(30) ? ` where ${this.#condition(inner, 0)}` : '';
            return `${variable} in ${this.#collection(place)}${where} { l${step}: ${this.#step(inner)} }`;
        }
        return `{ l${step}: ${this.#step(place)} }`;
    }

    #step(place: Place): string {
        const guard = this.chance(50) ? `when ${this.#condition(place, 1)} ` : '';
        const statements = Array.from({ length: this.between(1, 2) }, () => this.#statement(place, 1));
        return `${guard}{ ${statements.join('; ')} }`;
    }

    #statement(place: Place, depth: number): string {
        const target = this.#variable(place);
        switch (this.between(0, this.#hasMessages ? 9 : 7)) {
            case 0:
            case 1:
                return `${target} := ${target} union { ${this.#id(place)} }`;
            case 2:
            case 3:
                return `${target} := ${target} minus { ${this.#id(place)} }`;
            case 4:
                return `${target} := ${this.#set(place, 1)}`;
            case 5:
                return `n := ${this.#number(place)}`;
            case 6: {
                const variable = this.#newName();
                const inner = { ...place, ids: [...place.ids, variable] };
                const where = this.chance(40) ? ` where ${this.#condition(inner, 0)}` : '';
                const body = depth > 0 ? this.#statement(inner, depth - 1) : 'skip';
                return `for ${variable} in ${this.#collection(place)}${where} { ${body} }`;
            }
            case 7:
                return depth > 0
                    ? `if ${this.#condition(place, 0)} { ${this.#statement(place, 0)} }`
                    : `${target} := {}`;
            case 8: {
                const sign = this.pick(['union', 'minus']);
                return `sent := sent ${sign} { Message(${this.#id(place)}, ${this.pick(['red', 'blue'])}) }`;
            }
            default:
                return this.pick([
                    'c := { m in sent where m.from == i: m.color }',
                    'c := c union { red }',
                    `sent := { x in ${this.#collection(place)}: Message(x, blue) }`,
                ]);
        }
    }

    /** In `0 .. 3`, or a fault. */
    #number(place: Place): string {
        const variable = this.#newName();
        const set = this.#collection(place);
        return this.pick([
            `len(${this.#set(place, 1)})`,
            `count(${variable} in ${set}: ${this.#condition({ ...place, ids: [...place.ids, variable] }, 0)})`,
            `sum(${variable} in ${set}: 1)`,
            `min(${variable} in ${set}: ${variable})`,
            `max(${variable} in ${set} where ${variable} != i: ${variable})`,
            `the(${variable} in ${set}: ${variable} mod 2)`,
        ]).replaceAll(place.isInProcess ? /$^/g : /\bi\b/g, '1');
    }

    #condition(place: Place, depth: number): string {
        if (depth > 0 && this.chance(30)) {
            const [left, right] = [this.#condition(place, depth - 1), this.#condition(place, depth - 1)];
            return this.pick([`${left} && ${right}`, `(${left} || ${right})`, `!(${left})`]);
        }
        const variable = this.#newName();
        const inner = { ...place, ids: [...place.ids, variable] };
        const set = this.#set(place, depth);
        const choices = [
            `${this.#id(place)} in ${set}`,
            `${set} subset ${this.#set(place, depth)}`,
            `${set} == ${this.#set(place, depth)}`,
            `${set} != ${this.#set(place, 0)}`,
            `len(${set}) ${this.pick(['<', '==', '>='])} ${this.between(0, this.#size)}`,
            `empty(${set})`,
            `${set} == {}`,
            `(exists ${variable} in ${this.#collection(place)}: ${depth > 0 ? this.#condition(inner, 0) : 'true'})`,
            `(forall ${variable} in ${this.#collection(place)}: ${variable} in ${this.#variable(inner)})`,
        ];
        const messages = this.#hasMessages
            ? [
                  `Message(${this.#id(place)}, red) in sent`,
                  'red in c',
                  `(exists m in sent: m.from == ${this.#id(place)})`,
              ]
            : [];
        return this.pick([...choices, ...messages]);
    }

    /** What a binder runs through. */
    #collection(place: Place): string {
        return this.chance(70)
            ? this.#variable(place)
            : this.pick([
                  'Id',
                  `(${this.#variable(place)} union ${this.#variable(place)})`,
                  `(${this.#variable(place)} minus { ${this.#id(place)} })`,
                  `{ ${this.#id(place)}, 1 }`.replace(/^\{ [^,]*, 1 \}$/, '{ 1, 2 }'),
              ]);
    }

    #set(place: Place, depth: number): string {
        if (depth === 0 || this.chance(40)) {
            // Of `{} minus s` the set `s` is not read, which is no matter of what a text means.
            return this.pick([this.#variable(place), this.#variable(place), `{ ${this.#id(place)} }`]);
        }
        const variable = this.#newName();
        const inner = { ...place, ids: [...place.ids, variable] };
        const [left, right] = [this.#set(place, depth - 1), this.#set(place, depth - 1)];
        return this.pick([
            `(${left} union ${right})`,
            `(${left} minus ${right})`,
            `(${left} intersect ${right})`,
            `{ ${this.#id(place)}, ${this.#id(place)} }`,
            `{ ${this.#id(place)} .. ${this.#size} }`,
            `{ ${variable} in ${this.#collection(place)} where ${this.#condition(inner, 0)} }`,
            `{ ${variable} in ${this.#collection(place)}: ${this.#successor(variable)} }`,
            `{ ${variable} in Id where ${this.#condition(inner, 0)}: ${this.#successor(variable)} }`,
            `(if ${this.#condition(place, 0)} then ${left} else ${this.#variable(place)})`,
            ...(this.#hasMessages ? ['{ m in sent where m.color == red: m.from }'] : []),
        ]);
    }

    #variable(place: Place): string {
        const own = this.#hasLocal && place.isInProcess ? ['own'] : [];
        return this.pick(['s', 's', 't', `q[${this.#id(place)}]`, ...own]);
    }

    #id(place: Place): string {
        const id = this.pick(place.ids);
        if (this.chance(3)) {
            return '(2 div n)';
        }
        return this.chance(15) ? `(${this.#successor(id)})` : this.chance(10) ? '1' : id;
    }

    #successor(id: string): string {
        return `${id} mod ${this.#size} + 1`;
    }

    #newName(): string {
        return `x${this.#bound++}`;
    }
}
