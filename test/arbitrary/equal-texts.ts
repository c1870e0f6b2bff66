/**
 * Random texts of several equal processes: shared variables, arrays over them, a local, a channel, an event of two of them,
 * binders that name others, a second kind of process, invariants and faults. They do not shrink: texts are short.
 */
import * as fc from 'fast-check';
import { RandomDraw } from './random-draw.js';

class EqualTexts extends fc.Arbitrary<string> {
    override generate(random: fc.Random): fc.Value<string> {
        return new fc.Value(new EqualText(random).text(), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is string {
        return false;
    }

    override shrink(): fc.Stream<fc.Value<string>> {
        return fc.Stream.nil();
    }
}

export const equalTexts: fc.Arbitrary<string> = new EqualTexts();

class EqualText extends RandomDraw {
    readonly #hasLocal = this.chance(40);
    readonly #hasChannel = this.chance(35);
    readonly #hasEvent = this.chance(30);
    readonly #hasOthers = this.chance(40);
    #labels = 0;

    text(): string {
        const last = this.between(3, 5);
        const isLoop = this.chance(60);
        return [
            'model Equal',
            `type Id = 0 .. ${last}`,
            `var n: 0 .. ${this.between(1, 3)} = 0`,
            `var free: bool = ${this.pick(['true', 'any'])}`,
            'var flag: bool[Id] = false',
            `var seen: 0 .. 1[Id] = ${this.pick(['0', '[i in Id: i mod 2]', '[i in Id: if i == 0 then 1 else 0]'])}`,
            ...(this.#hasChannel ? [`channel c: ${this.pick(['0', '1'])} of 0 .. 1`] : []),
            ...(this.#hasEvent ? ['event e'] : []),
            'process P[i: Id] {',
            ...(this.#hasLocal ? ['    var own: 0 .. 2 = 0'] : []),
            ...(isLoop ? ['    loop {'] : []),
            Array.from({ length: this.between(1, 3) }, () => `        ${this.#step()}`).join(';\n'),
            ...(isLoop ? ['    }'] : []),
            '}',
            ...(this.#hasOthers ? ['process Q[j: 0 .. 3] {', `    loop { ${this.#otherStep()} }`, '}'] : []),
            ...(this.#hasEvent && this.chance(50) ? ['process R { loop { r: e } }'] : []),
            ...(this.chance(50) ? [`invariant few = count(i in Id: flag[i]) <= ${this.between(1, 4)}`] : []),
            ...(this.chance(30) ? ['invariant low = n < 3'] : []),
            ...(this.chance(15) ? [`constraint ${this.pick(['n < 2', 'count(i in Id: flag[i]) < 3'])}`] : []),
            ...(this.chance(70) ? ['allow deadlock'] : []),
            '',
        ].join('\n');
    }

    #step(): string {
        return this.weighted([
            [4, `${this.#label()}: ${this.#action()}`],
            [2, `choose { ${this.#label()}: ${this.#action()} } or { ${this.#label()}: ${this.#action()} }`],
            [1, `choose k in Id where k != i { ${this.#label()}: ${this.#naming()} }`],
        ] as const);
    }

    #action(): string {
        const actions = [
            'skip',
            'flag[i] := !flag[i]',
            'when free { free := false }',
            'free := true',
            'when !free && flag[i] { free := true; flag[i] := false }',
            'n := n + 1',
            'when n > 0 { n := n - 1 }',
            'when forall j in Id: j == i || !flag[j] { flag[i] := true }',
            'seen[i] := 1 - seen[i]',
            'assert n < 3',
            ...(this.#hasLocal
                ? ['own := n', 'when own < 2 { own := own + 1 }', 'when own == 2 { flag[i] := true }']
                : []),
            ...(this.#hasChannel ? [`c ! ${this.pick(['0', '1', 'seen[i]'])}`, 'c ? _', 'c ? seen[i]'] : []),
            ...(this.#hasEvent ? ['e', 'when flag[i] e { flag[i] := false }'] : []),
        ];
        return this.pick(actions);
    }

    #naming(): string {
        return this.pick([
            'when !flag[k] { flag[k] := true }',
            '{ seen[k] := seen[i]; flag[i] := true }',
            'when flag[k] && !flag[i] { flag[i] := true; flag[k] := false }',
            'when seen[k] == 0 { n := n + 1 }',
            '{ free := flag[k] }',
        ]);
    }

    #otherStep(): string {
        return `${this.#label()}: ${this.pick(['free := !free', 'when n > 0 { n := 0 }', 'skip', 'when free { n := 1 }'])}`;
    }

    #label(): string {
        return `l${this.#labels++}`;
    }
}
