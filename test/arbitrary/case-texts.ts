/**
 * Random texts with cases: shared, optional, in arrays, local, as messages and in sets; with tests for the case, fields that
 * may not be there, fields that are written, and patterns.
 */
import * as fc from 'fast-check';
import { RandomDraw } from './random-draw.js';

class CaseTexts extends fc.Arbitrary<string> {
    override generate(random: fc.Random): fc.Value<string> {
        return new fc.Value(new CaseText(random).text(), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is string {
        return false;
    }

    override shrink(): fc.Stream<fc.Value<string>> {
        return fc.Stream.nil();
    }
}

export const caseTexts: fc.Arbitrary<string> = new CaseTexts();

/** A value with cases where it stands, with how a test for one of them begins there. */
interface Held {
    readonly place: string;
    readonly isWritten: boolean;
}

class CaseText extends RandomDraw {
    readonly #size = this.between(1, 2);
    readonly #hasSet = this.chance(50);
    readonly #hasChannel = this.chance(40);
    readonly #hasLocal = this.chance(40);
    readonly #last = this.pick(['Id?', 'Pair?', 'bool']);

    text(): string {
        const steps = Array.from({ length: this.between(2, 4) }, (_, step) => this.#alternative(step));
        return [
            `type Id = 1 .. ${this.#size}`,
            'record Pair = { one: Id, two: bool }',
            `enum M = { ask(b: Id), tell(b: Id, last: ${this.#last}), marks(seen: bool[Id]), stop }`,
            `var m: M = ${this.pick(['stop', 'ask(1)', 'any', 'ask(any)', 'tell(1, any)'])}`,
            `var o: M? = ${this.pick(['none', 'stop', 'ask(1)'])}`,
            'var list: M[Id] = stop',
            `var x: Id = ${this.pick(['1', 'any'])}`,
            'var y: bool = false',
            ...(this.#hasSet ? ['var sent: set of M = {}'] : []),
            ...(this.#hasChannel ? ['channel c: 1 of M'] : []),
            'process P[i: Id] {',
            ...(this.#hasLocal ? ['    var own: M = ask(i)'] : []),
            `    loop { choose ${steps.join('\n        or ')} }`,
            '}',
            `invariant stated = ${this.#condition(this.#shared(), '1')}`,
            'allow deadlock',
        ].join('\n');
    }

    #shared(): Held {
        return { place: this.pick(['m', 'm', 'o', `list[${this.#size}]`]), isWritten: true };
    }

    #held(): Held {
        return this.#hasLocal && this.chance(30) ? { place: 'own', isWritten: true } : this.#shared();
    }

    #alternative(step: number): string {
        const label = `l${step}`;
        switch (this.between(0, 5)) {
            case 0:
                if (this.#hasSet) {
                    const element: Held = { place: 'k', isWritten: false };
                    return `k in sent where ${this.#condition(element, 'i')} { ${label}: { ${this.#statement(element)} } }`;
                }
                break;
            case 1:
                if (this.#hasChannel) {
                    return `{ ${label}: when !full(c) c ! ${this.#value('i')} }`;
                }
                break;
            case 2:
                if (this.#hasChannel) {
                    const pattern = this.pick([
                        'ask(x)',
                        'ask(== x)',
                        'tell(_, _)',
                        'tell(== i, _)',
                        'stop',
                        'm',
                        'marks(_)',
                    ]);
                    return `{ ${label}: c ? ${pattern} { ${this.#statement(this.#held())} } }`;
                }
                break;
            default:
                break;
        }
        const held = this.#held();
        return `{ ${label}: when ${this.#condition(held, 'i')} { ${this.#statement(held)} } }`;
    }

    #statement(held: Held): string {
        const { place, isWritten } = held;
        const choices = [
            `m := ${this.#value('i')}`,
            `o := ${this.pick([place, 'none', this.#value('i')])}`,
            `list[i] := ${this.pick([place === 'o' ? 'm' : place, this.#value('x')])}`,
            `if ${place} is ask { x := ${place}.b }`,
            `if ${place} is tell || ${place} is ask { x := ${place}.b; y := !y }`,
            `if ${place} is marks { y := ${place}.seen[i] } else { m := stop }`,
            `y := ${this.#condition(held, 'i')}`,
            `x := ${place}.b`,
            `if y { let was = ${place}; if was is ask { x := was.b } }`,
            ...(this.#hasSet && place !== 'o' ? [`sent := sent union { ${place} }`, 'sent := {}'] : []),
            ...(this.#hasLocal && place !== 'o' ? [`own := ${place}`] : []),
            ...(isWritten
                ? [
                      `if ${place} is ask { ${place}.b := ${this.#id('i')} }`,
                      `if ${place} is ask || ${place} is tell { ${place}.b := ${this.#id('x')} }`,
                      `if ${place} is marks { ${place}.seen[i] := true }`,
                      `if ${place} is marks { ${place}.seen := y }`,
                      `if ${place} is tell { ${place}.last := ${this.#lastValue()} }`,
                      `while ${place} is tell && y { ${place}.b := 1; y := false }`,
                  ]
                : []),
        ];
        const one = this.pick(choices);
        return this.chance(30) ? `${one}; ${this.pick(choices)}` : one;
    }

    #condition({ place }: Held, id: string): string {
        const choices = [
            `${place} is ${this.pick(['ask', 'tell', 'stop', 'marks'])}`,
            `!(${place} is ${this.pick(['ask', 'tell', 'stop'])})`,
            `(${place} is ask && ${place}.b == ${id})`,
            `(${place} is ask implies ${place}.b != ${id})`,
            `((${place} is ask || ${place} is tell) && ${place}.b == ${id})`,
            `(${place} is tell && ${place}.last == ${this.#lastValue()})`,
            `(${place} is marks && ${place}.seen[${id}])`,
            `${place} == ${this.pick(['m', 'o', 'list[1]', this.#value(id)])}`,
            `${place} != ${this.#value(id)}`,
            `(if ${place} is ask then ${place}.b else 1) == ${id}`,
            `${place}.b == ${id}`,
            ...(place === 'o' ? ['o == none', '(o != none && !(o is marks))'] : []),
            ...(this.#hasSet
                ? [
                      `(exists q in sent where q is ask: q.b == ${id})`,
                      `(forall q in sent: q is tell implies q.b == ${id})`,
                      'len(sent) < 3',
                      `${this.#value(id)} in sent`,
                  ]
                : []),
        ];
        return this.chance(25)
            ? `${this.pick(choices)} ${this.pick(['&&', '||'])} ${this.pick(choices)}`
            : this.pick(choices);
    }

    #value(id: string): string {
        return this.pick([
            'stop',
            `ask(${this.#id(id)})`,
            `tell(${this.#id(id)}, ${this.#lastValue()})`,
            `marks([k in Id: k == ${id}])`,
            'marks([k in Id: false])',
        ]);
    }

    #lastValue(): string {
        return this.#last === 'bool'
            ? this.pick(['true', 'false'])
            : this.#last === 'Id?'
              ? this.pick(['none', '1', 'x'])
              : this.pick(['none', 'Pair(1, true)', 'Pair(x, false)']);
    }

    #id(id: string): string {
        return this.chance(20) ? '1' : id;
    }
}
