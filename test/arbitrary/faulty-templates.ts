/**
 * Random models about faults around created instances: heads whose first values may be faults, whether or not anybody reads
 * them, and that ask for the instance, its cells and all that live; quantifiers, counts and extrema whose terms read
 * through references, behind `alive` and `in` or not, nested, over one template or two, in guards, choices, assertions and
 * invariants. At most two instances of a template live at once.
 */
import * as fc from 'fast-check';
import { parseModel } from '../reference/parse.js';
import { printModel } from '../reference/print.js';
import { RandomDraw } from './random-draw.js';
import { shrinkModel } from './shrink-model.js';

/** The text of a random model. Shrinks by parts of its tree, so smaller texts may have errors. */
export function faultyTemplates(): fc.Arbitrary<string> {
    return new FaultyTemplates();
}

class FaultyTemplates extends fc.Arbitrary<string> {
    override generate(random: fc.Random): fc.Value<string> {
        return new fc.Value(new FaultyTemplate(random).text(), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is string {
        return true;
    }

    override shrink(text: string): fc.Stream<fc.Value<string>> {
        return fc.stream(shrinkModel(parseModel(text))).map(smaller => new fc.Value(printModel(smaller), undefined));
    }
}

type Template = 'W' | 'V';

/** What can be named, by type. */
interface Scope {
    readonly W: readonly string[];
    readonly V: readonly string[];
    readonly flags: readonly string[];
    readonly numbers: readonly string[];
    /** Whether `r.box` of another instance may be asked: in properties only. */
    readonly isProperty: boolean;
}

class FaultyTemplate extends RandomDraw {
    readonly #hasV = this.chance(30);
    readonly #hasPack = this.chance(25);
    readonly #hasFunction = this.chance(20);
    readonly #hasChannel = this.chance(25);
    readonly #isCareless = this.chance(30);
    #names = 0;

    text(): string {
        const shared: Scope = {
            W: ['r', ...(this.#hasPack ? ['box.who'] : [])],
            V: this.#hasV ? ['s'] : [],
            flags: ['f'],
            numbers: ['x'],
            isProperty: false,
        };
        const declarations = [
            'var x: 0 .. 2 = 0',
            'var f: bool = false',
            'var r: W? = none',
            'var n: W?[W] = none',
            'var o: bool[W] = false',
            'var k: 0 .. 2[W] = 0',
            ...(this.#hasV ? ['var s: V? = none', 'var p: V?[W] = none', 'var u: bool[V] = false'] : []),
            ...(this.#hasPack ? ['record Pack = { who: W?, bit: bool }', 'var box: Pack = Pack(none, false)'] : []),
            ...(this.#hasChannel ? ['channel c[W]: 1 of W?'] : []),
            ...(this.#hasFunction ? ['function marked(w: W?): bool { return w in W && o[w] }'] : []),
        ];
        const steps = Array.from({ length: this.between(1, 2) }, () => `or { ${this.#step(shared)} }`);
        const main = `process Main { loop { choose { ${this.#creation('W', shared)} } ${
            this.#hasV ? `or { ${this.#creation('V', shared)} }` : ''
        } ${steps.join(' ')} } }`;
        const templates = [this.#template('W', shared), ...(this.#hasV ? [this.#template('V', shared)] : [])];
        const invariants = Array.from({ length: this.between(0, 2) }, (_, number) => {
            const property = { ...shared, isProperty: true };
            return `invariant safe${number} = ${this.#condition(property)} || ${this.#quantified(property)}`;
        });
        const parts = [...declarations, main, ...templates, ...invariants, 'allow deadlock'];
        return printModel(parseModel(`model Random\n${parts.join('\n')}`));
    }

    #creation(template: Template, scope: Scope): string {
        const [target, reference] = template === 'W' ? ['r', this.pick([...scope.W, 'none'])] : ['s', ''];
        const values = template === 'W' ? `${this.#small(scope)}, ${reference}` : this.#small(scope);
        const place = this.chance(40) ? `${target} := ` : '';
        return `make${template}: when count(w in ${template}: true) < ${this.weighted([
            [1, 1],
            [5, 2],
        ])} { ${place}spawn ${template}(${values}) }`;
    }

    #template(template: Template, shared: Scope): string {
        const isW = template === 'W';
        const known = template.toLowerCase();
        let scope: Scope = {
            ...shared,
            W: [...shared.W, ...(isW ? ['self', `${known}who`, 'n[self]'] : [])],
            V: [...shared.V, ...(isW ? (this.#hasV ? ['p[self]'] : []) : ['self'])],
            flags: [...shared.flags, ...(isW ? ['o[self]'] : ['u[self]'])],
            numbers: [...shared.numbers, `${known}a`, ...(isW ? ['k[self]'] : [])],
        };
        const heads: string[] = [];
        for (let count = this.between(1, 3); count > 0; count--) {
            const name = `${known}h${heads.length}`;
            const [declared, read] = this.weighted([
                [4, () => [`0 .. ${this.between(1, 3)} = ${this.#small(scope)}`, { numbers: [name] }]],
                [2, () => [`bool = ${this.#condition(scope)}`, { flags: [name] }]],
                [2, () => [`W? = ${this.pick([...scope.W, 'none'])}`, { W: [name] }]],
                [1, () => [`0 .. 2[0 .. 1] = ${this.#small(scope)}`, { numbers: [`${name}[0]`, `${name}[x]`] }]],
            ] as readonly (readonly [number, () => readonly [string, Partial<Scope>]])[])();
            heads.push(`var ${name}: ${declared}`);
            // Mostly nobody reads it.
            if (this.chance(35)) {
                scope = {
                    ...scope,
                    W: [...scope.W, ...(read.W ?? [])],
                    flags: [...scope.flags, ...(read.flags ?? [])],
                    numbers: [...scope.numbers, ...(read.numbers ?? [])],
                };
            }
        }
        const body = this.weighted([
            [1, () => ''],
            [3, () => this.#step(scope)],
            [3, () => `${this.#step(scope)} ${this.#step(scope)}`],
            [2, () => `loop { choose { ${this.#step(scope)} } or { ${this.#step(scope)} break } }`],
            [1, () => `if ${this.#condition(scope)} { ${this.#step(scope)} } skip;`],
            [1, () => `while ${this.#condition(scope)} { ${this.#step(scope)} }`],
        ])();
        return `process ${template}(${known}a: 0 .. 2${isW ? ', wwho: W?' : ''}) { ${heads.join(' ')} ${body} }`;
    }

    #step(scope: Scope): string {
        const label = `l${this.#names++}`;
        const { statement, guard } = this.#statement(scope);
        const asked = [...guard, ...(this.chance(40) ? [this.#condition(scope)] : [])];
        const when = asked.length > 0 ? `when ${asked.join(' && ')} ` : '';
        return this.weighted([
            [5, () => `${label}: ${when}{ ${statement} }`],
            [
                2,
                () => {
                    const chosen = `b${this.#names++}`;
                    const inner = { ...scope, W: [...scope.W, chosen], numbers: [...scope.numbers, `k[${chosen}]`] };
                    return `choose ${chosen} in W where ${this.#condition(inner)} { ${label}: { ${this.#statement(inner).statement} } }`;
                },
            ],
            [1, () => `${label}: ${when}skip;`],
            [this.#hasChannel ? 2 : 0, () => `${label}: ${when}c[${this.pick(scope.W)}] ! ${this.pick(scope.W)};`],
            [this.#hasChannel && scope.W.includes('self') ? 2 : 0, () => `${label}: c[self] ? _;`],
        ])();
    }

    /** A statement, and what its step should ask before so that it is no fault. */
    #statement(scope: Scope): { readonly statement: string; readonly guard: readonly string[] } {
        const owner = this.pick(scope.W.filter(text => text !== 'none'));
        const inner = `m${this.#names++}`;
        const over = { ...scope, W: [...scope.W, inner], flags: [...scope.flags, `o[${inner}]`] };
        const statement = this.weighted([
            [3, () => `n[${owner}] := ${this.pick([...scope.W, 'none'])}`],
            [3, () => `o[${owner}] := ${this.#condition(scope)}`],
            [2, () => `k[${owner}] := ${this.#small(scope)}`],
            [1, () => `x := ${this.#small(scope)}`],
            [1, () => `f := ${this.#quantified(scope)}`],
            [1, () => `r := ${this.pick([...scope.W, 'none'])}`],
            [1, () => `assert ${this.#condition(scope)} || ${this.#quantified(scope)}`],
            [1, () => `o := [${inner} in W: ${this.#condition(over)}]`],
            [1, () => `n := [${inner} in W: ${this.pick(over.W)}]`],
            [this.#hasV ? 2 : 0, () => `p[${owner}] := ${this.pick([...scope.V, 'none'])}`],
            [this.#hasV ? 2 : 0, () => `u[${this.pick([...scope.V, 's'])}] := true`],
            [this.#hasPack ? 2 : 0, () => `box := Pack(${this.pick([...scope.W, 'none'])}, ${this.#condition(scope)})`],
        ])();
        return { statement, guard: this.#isCareless && this.chance(50) ? [] : [`${owner} in W`] };
    }

    /** A number that is within its type, mostly. */
    #small(scope: Scope): string {
        return this.chance(80) ? `(${this.#number(scope)}) mod 2` : this.#number(scope);
    }

    #number(scope: Scope, depth = 0): string {
        const { known, inner } = this.#bound(scope);
        const over = `${known} in W${this.chance(40) ? ` where ${this.#condition(inner, depth + 1)}` : ''}`;
        return this.weighted([
            [3, () => this.pick(['0', '1', '2'])],
            [4, () => this.pick(scope.numbers)],
            [this.#isCareless ? 2 : 0, () => `1 div ${this.pick(scope.numbers)}`],
            [1, () => `${this.pick(scope.numbers)} + 1`],
            [1, () => `(if ${this.#condition(scope, depth + 1)} then 1 else ${this.pick(scope.numbers)})`],
            [depth > 1 ? 0 : 2, () => `count(${over}: ${this.#condition(inner, depth + 1)})`],
            [
                depth > 1 ? 0 : 2,
                () => `${this.pick(['sum', 'min', 'max'])}(${over}: ${this.#number(inner, depth + 1)})`,
            ],
            [this.#isCareless ? 2 : 0, () => `k[${this.pick(scope.W)}]`],
        ])();
    }

    /** A name for an instance, and what can be named with it. */
    #bound(scope: Scope): { readonly known: string; readonly inner: Scope } {
        const known = `q${this.#names++}`;
        return {
            known,
            inner: {
                ...scope,
                W: [...scope.W, known, `n[${known}]`, ...(this.chance(20) ? [`n[n[${known}]]`] : []), `${known}.wwho`],
                V: this.#hasV ? [...scope.V, `p[${known}]`] : [],
                flags: [...scope.flags, `o[${known}]`],
                numbers: [
                    ...scope.numbers,
                    `k[${known}]`,
                    `${known}.wa`,
                    ...(this.#isCareless ? [`1 div k[${known}]`] : []),
                ],
            },
        };
    }

    #quantified(scope: Scope, depth = 0): string {
        const { known, inner } = this.#bound(scope);
        const second = `q${this.#names++}`;
        const where = this.chance(50) ? ` where ${this.#condition(inner, depth + 1)}` : '';
        const word = this.pick(['forall', 'exists']);
        const body = this.#condition(inner, depth + 1);
        return this.weighted([
            [5, () => `(${word} ${known} in W${where}: ${body})`],
            [
                1,
                () => {
                    const both = { ...inner, W: [...inner.W, second, `n[${second}]`] };
                    return `(${word} ${known} in W, ${second} in W${where}: ${this.#condition(both, depth + 1)})`;
                },
            ],
            [
                this.#hasV ? 2 : 0,
                () => {
                    const both = { ...inner, V: [...inner.V, second], flags: [...inner.flags, `u[${second}]`] };
                    return `(${word} ${known} in W: ${this.pick(['forall', 'exists'])} ${second} in V: ${this.#condition(both, depth + 1)})`;
                },
            ],
            [2, () => `${this.#number(scope, depth)} ${this.pick(['<', '==', '>='])} ${this.between(0, 2)}`],
        ])();
    }

    #condition(scope: Scope, depth = 0): string {
        const one = this.pick(scope.W);
        const asked =
            this.#isCareless && this.chance(50)
                ? ''
                : `${this.pick([`${one} in W`, isSure(one) ? `alive(${one})` : `${one} != none && alive(${one})`])} && `;
        return this.weighted([
            [3, () => `${this.chance(40) ? '!' : ''}${this.pick(scope.flags)}`],
            [3, () => `${asked}o[${one}]`],
            [2, () => `${asked}${this.#isCareless ? `1 div k[${one}] == 1` : `k[${one}] > 0`}`],
            [2, () => `${one} ${this.pick(['==', '!='])} ${this.pick([...scope.W, ...(isSure(one) ? [] : ['none'])])}`],
            [2, () => `${this.chance(30) ? '!' : ''}(${one} in W)`],
            [1, () => `${this.#isCareless || isSure(one) ? '' : `${one} != none && `}alive(${one})`],
            [1, () => `${asked}n[${one}] == ${this.pick(scope.W)}`],
            [scope.isProperty ? 2 : 0, () => `${asked}${one}.wa < 2`],
            [scope.V.length > 0 ? 2 : 0, () => `${this.pick(scope.V)} in V`],
            [this.#hasFunction ? 1 : 0, () => `marked(${one})`],
            [this.#hasPack ? 1 : 0, () => 'box.bit'],
            [depth > 1 ? 0 : 2, () => this.#quantified(scope, depth + 1)],
        ])();
    }
}

/** Whether a reference is never `none`: `self`, and what a binder names. */
function isSure(text: string): boolean {
    return /^(self|[bmq]\d+)$/.test(text);
}
