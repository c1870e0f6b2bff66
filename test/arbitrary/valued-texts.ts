/**
 * Random texts with two parameters and a table, in which much depends on their values: literals beside ranges, whole
 * arrays over different ranges, capacities and ranges that may be empty, divisions, lengths, conditions on records. Most
 * have errors for some values and models for others.
 */
import type * as fc from 'fast-check';
import { RandomDraw } from './random-draw.js';

export function valuedTextOf(random: fc.Random): string {
    return new ValuedText(random).text();
}

class ValuedText extends RandomDraw {
    private hasConstant = false;

    text(): string {
        return [
            `param N: ${this.rare('-2 .. 5', '0 .. 5')} = 2`,
            'param M: 1 .. 4 = 1',
            this.pick(['param L: 0 .. 3[*] = [1, 2]', 'param L: 0 .. 3[T] = 1', 'param L: T[*] = [0]']),
            this.constant(),
            `const table: T[${this.rare('3', 'T')}] = ${this.rare('[0, 1, 2]', '[i in T: i]')}`,
            `type T = ${this.rare('M - 1', '0')} .. ${this.pick(['N', 'N', 'N + M', this.rare('N - 1', 'M')])}`,
            `type U = 1 .. ${this.pick(['M', 'M', 'M + N', this.rare('N * M', '3')])}`,
            `record R = { a: T, z: U${this.rare(` where ${this.condition(['a', 'z'])}`, '')} }`,
            `channel link: ${this.pick(['N', '1', this.rare('K', '0')])} of ${this.pick(['T', 'U', 'R'])}`,
            `function half(x: T): T = ${this.rare(this.number(1, ['x']), 'x')}`,
            'var b: T = any',
            `var c: U = ${this.rare('0', '1')}`,
            `var xs: T[T] = ${this.pick(['any', `[j in T: ${this.rare('N', 'j')}]`])}`,
            `var ys: U[${this.rare('T', 'U')}] = 1`,
            'var zs: bool[T, U] = false',
            `var r: R = R(${this.number(0)}, 1)`,
            `process P[i: ${this.pick(['T', 'U', '1 .. N', 'M'])}] {`,
            ...Array.from({ length: this.between(1, 3) }, (_, step) => `    s${step}: ${this.step()}`),
            '}',
            `invariant fine = ${this.condition(['b'])}`,
            '',
        ].join('\n');
    }

    private rare(one: string, other: string): string {
        return this.chance(12) ? one : other;
    }

    /** A constant does not name itself. */
    private constant(): string {
        const constant = `const K = ${this.number(1)}`;
        this.hasConstant = true;
        return constant;
    }

    private step(): string {
        const guard = this.chance(40) ? `when ${this.condition(['i', 'b'])} ` : '';
        return `${guard}{ ${this.pick([
            `b := ${this.rare(this.number(1, ['i', 'b', 'c']), 'half(b)')}`,
            `xs := ${this.rare('ys', '[j in T: b]')}`,
            `xs[b] := ${this.number(0, ['b', 'b', 'c'])}`,
            `zs[${this.number(0, ['b', 'b', 'b'])}, c] := ${this.condition(['i', 'c'])}`,
            `c := ${this.pick(['c', `len(${this.pick(['L', 'table', 'link', 'xs'])})`])}`,
            `r := R(b, ${this.number(0, ['c', 'c', 'c'])})`,
            `for j in ${this.pick(['T', 'T', 'U', '1 .. K'])} { xs[j] := b }`,
            `if ${this.condition(['c'])} { b := half(${this.number(0, ['b', 'b'])}) }`,
        ])} }`;
    }

    private number(depth: number, names: readonly string[] = []): string {
        if (depth === 0 || this.chance(40)) {
            const known = ['N', 'M', '0', '1', '2', '5', '-1', 'L[0]', ...(this.hasConstant ? ['K'] : [])];
            return this.pick([...names, ...names, ...known]);
        }
        const [left, right] = [this.number(depth - 1, names), this.number(depth - 1, names)];
        return this.pick([
            `${left} + ${right}`,
            `${left} - ${right}`,
            `${left} * ${right}`,
            `${left} div ${right}`,
            `(${left} + 1) mod ${right}`,
            `min(${left}, ${right})`,
            `(if ${left} < ${right} then ${left} else ${right})`,
        ]);
    }

    private condition(names: readonly string[]): string {
        const [left, right] = [this.number(1, names), this.number(0, names)];
        return this.pick([
            `${left} == ${right}`,
            `${left} < ${right} && ${right} != N`,
            `(forall j in U: ${left} != j)`,
            `${left} in { ${right}, 2 }`,
            `count(j in T: xs[j] == ${right}) < ${left}`,
        ]);
    }
}
