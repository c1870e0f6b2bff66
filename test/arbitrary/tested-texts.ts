/**
 * Random texts with optional places, each in two forms: with tests for `none` before arithmetic and `<`, and with a
 * function that maps `none` to -1. The two mean the same.
 */
import * as fc from 'fast-check';
import { RandomDraw } from './random-draw.js';

interface Forms {
    readonly tested: string;
    readonly ranked: string;
}

class TestedTexts extends fc.Arbitrary<Forms> {
    override generate(random: fc.Random): fc.Value<Forms> {
        return new fc.Value(new TestedText(random).text(), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is Forms {
        return false;
    }

    override shrink(): fc.Stream<fc.Value<Forms>> {
        return fc.Stream.nil();
    }
}

export const testedTexts: fc.Arbitrary<Forms> = new TestedTexts();

class TestedText extends RandomDraw {
    text(): Forms {
        const steps = Array.from({ length: this.between(2, 4) }, (_, step) => this.step(step));
        const stated = this.condition(['x', 'a[0]', 'r.f', 'a[q[1]]']);
        return both(form =>
            [
                'type Slot = 0 .. 1',
                'record R = { f: 0 .. 2?, g: bool }',
                'var x: 0 .. 2? = none',
                'var y: -3 .. 6 = 0',
                'var i: Slot = 0',
                'var a: 0 .. 2?[Slot] = none',
                'var q: Slot[Slot] = any',
                'var r: R = R(none, false)',
                'function rank(v: 0 .. 2?): -1 .. 2 = if v == none then -1 else v',
                'process P[p: Slot] {',
                '    var k: 0 .. 2? = none',
                '    loop { choose {',
                steps.map(step => `        ${step[form]}`).join(' } or {\n'),
                '    } }',
                '}',
                `invariant stated = ${stated[form]}`,
                'allow deadlock',
                '',
            ].join('\n'),
        );
    }

    private place(places: readonly string[] = ['x', 'a[0]', 'a[i]', 'a[p]', 'a[q[p]]', 'r.f', 'k']): string {
        return this.pick(places);
    }

    private step(step: number): Forms {
        const [place, other] = [this.place(), this.place()];
        const limit = this.between(0, 2);
        const after = this.weighted<readonly string[]>([
            [3, [`${place} := ${this.pick(['none', String(limit)])}`]],
            [2, [`${other} := ${this.pick(['none', place, String(limit)])}`]],
            [1, [`i := ${limit === 0 ? 0 : 1}`]],
        ]);
        const label = `s${step}:`;
        const guard = this.condition();
        const [value, shown] = this.pick([
            [`${place} + 1`, `rank(${place}) + 1`],
            [`2 - ${place} * ${place}`, `2 - rank(${place}) * rank(${place})`],
            [`max(${place}, 1) mod 2`, `max(rank(${place}), 1) mod 2`],
        ] as const);
        const test = [`${place} != none`, `rank(${place}) >= 0`] as const;
        return this.pick<() => Forms>([
            () => pair(at => `${label} when ${test[at]} { y := ${[value, shown][at]!}; ${after.join('; ')} }`),
            () => pair(at => `${label} { if ${test[at]} { y := ${[value, shown][at]!} } ${after.join('; ')} }`),
            () => pair(at => `${label} when ${[guard.tested, guard.ranked][at]!} { ${after.join('; ')} }`),
            () =>
                pair(
                    at =>
                        `choose s in Slot where ${['a[s] != none', 'rank(a[s]) >= 0'][at]!} ` +
                        `{ ${label} { y := ${['a[s] - 1', 'rank(a[s]) - 1'][at]!}; a[s] := none } }`,
                ),
            () =>
                pair(
                    at =>
                        `${label} when y < 3 { let before = ${place}; ${place} := ${limit}; ` +
                        `y := ${['if before == none then -1 else before', 'rank(before)'][at]!} }`,
                ),
            () => pair(() => `${label} ${place} := ${limit};`),
        ])();
    }

    private condition(places?: readonly string[]): Forms {
        const place = this.place(places);
        const limit = this.between(0, 2);
        const slots = this.pick(['a[s]', 'a[q[s]]']);
        const [tested, ranked] = this.pick([
            [`(${place} == none || ${place} < ${limit})`, `rank(${place}) < ${limit}`],
            [`(${place} != none && ${place} <= ${limit})`, `(rank(${place}) >= 0 && rank(${place}) <= ${limit})`],
            [`(${place} != none implies ${place} > ${limit})`, `(rank(${place}) == -1 || rank(${place}) > ${limit})`],
            [`!(${place} == none || ${place} > ${limit})`, `!(rank(${place}) == -1 || rank(${place}) > ${limit})`],
            [
                `(exists s in Slot: ${slots} != none && ${slots} > ${limit})`,
                `(exists s in Slot: rank(${slots}) >= 0 && rank(${slots}) > ${limit})`,
            ],
            [
                `sum(s in Slot where ${slots} != none: ${slots}) > ${limit}`,
                `sum(s in Slot where rank(${slots}) >= 0: rank(${slots})) > ${limit}`,
            ],
        ] as const);
        return { tested, ranked };
    }
}

function pair(textAt: (at: number) => string): Forms {
    return both(form => textAt(form === 'tested' ? 0 : 1));
}

function both(textOf: (form: keyof Forms) => string): Forms {
    return { tested: textOf('tested'), ranked: textOf('ranked') };
}
