/**
 * Random models with parameters, as texts: most of what they do treats the values of their types alike, and some does
 * not. They are for comparing what is proved for all values of the parameters with runs for some.
 */
import type { Random } from '../../engine/common/random.js';

/** The values of the parameters with which every such model is read, the smallest first. */
export const UNIFORM_SIZES: readonly (readonly (readonly [name: string, value: string])[])[] = [
    [
        ['N', '2'],
        ['M', '1'],
    ],
    [
        ['N', '3'],
        ['M', '2'],
    ],
    [
        ['N', '4'],
        ['M', '3'],
    ],
];

export function uniformModel(random: Random): string {
    return new UniformModel(random).text();
}

/** What an expression is of: a value of one of the two types, perhaps `none`, a truth value, a small number. */
type Kind = 'T' | 'T?' | 'U' | 'U?' | 'bool' | 'number';

interface Known {
    readonly text: string;
    readonly kind: Kind;
    readonly indices: readonly ('T' | 'U')[];
    readonly isWritable: boolean;
}

class UniformModel {
    readonly #random: Random;
    readonly #low: number;
    readonly #shared: Known[] = [];
    readonly #functions: { readonly name: string; readonly parameter: 'T' | 'U'; readonly result: Kind }[] = [];
    readonly #channels: { readonly name: string; readonly indices: readonly ('T' | 'U')[]; readonly message: Kind }[] =
        [];
    /** How many of a hundred expressions may tell values apart. */
    readonly #flaws: number;
    #names = 0;

    constructor(random: Random) {
        this.#random = random;
        this.#low = random.below(2);
        this.#flaws = random.below(3) === 0 ? 12 : random.below(2) === 0 ? 3 : 0;
    }

    text(): string {
        const low = this.#low;
        const types = [
            'param N: 2 .. 6 = 2',
            'param M: 1 .. 5 = 1',
            `type T = ${low} .. ${low === 0 ? 'N - 1' : 'N'}`,
            'type U = 1 .. M',
            `type Part = ${low} .. ${low === 0 ? 'N - 2' : 'N - 1'}`,
            'record Pair = { one: T, other: U? }',
        ];
        const variables = Array.from({ length: 3 + this.#random.below(3) }, () => this.#variable());
        const channels = this.#chance(40) ? [this.#channel()] : [];
        const functions = Array.from({ length: this.#random.below(3) }, () => this.#function());
        const event = this.#chance(25) ? ['event meet[T]'] : [];
        const processes = [this.#family('P', 'T', event.length > 0)];
        if (this.#chance(40)) {
            processes.push(this.#family('Q', 'U', false));
        }
        if (this.#chance(40)) {
            processes.push(this.#pairs());
        }
        if (this.#chance(30)) {
            processes.push(this.#single());
        }
        const cases = this.#chance(50) ? this.#cases() : [];
        const declarations = [...types, ...variables, ...channels, ...event, ...functions];
        return [...declarations, ...processes, ...cases, 'allow deadlock', ''].join('\n');
    }

    #chance(percent: number): boolean {
        return this.#random.below(100) < percent;
    }

    #flaw(): boolean {
        return this.#chance(this.#flaws);
    }

    #pick<Item>(items: readonly Item[]): Item {
        return items[this.#random.below(items.length)]!;
    }

    #name(prefix: string): string {
        this.#names += 1;
        return `${prefix}${this.#names}`;
    }

    #variable(): string {
        const name = this.#name('v');
        const kind = this.#pick(['T', 'T?', 'T?', 'U', 'U?', 'bool', 'bool', 'number'] as const);
        const indices = this.#pick([[], ['T'], ['T'], ['U'], ['T', 'U'], ['T', 'T']] as const).slice(
            0,
            kind === 'bool' ? 2 : 1,
        );
        const type = `${typeOf(kind)}${indices.length === 0 ? '' : `[${indices.join(', ')}]`}`;
        const initial = this.#initial(kind, indices);
        this.#shared.push({ text: name, kind, indices, isWritable: true });
        return `var ${name}: ${type}${initial}`;
    }

    #initial(kind: Kind, indices: readonly ('T' | 'U')[]): string {
        if (this.#flaw()) {
            return '';
        }
        if (kind === 'T' && indices[0] === 'T' && indices.length === 1 && this.#chance(50)) {
            return ` = [i in T: ${this.#chance(60) ? 'i' : this.#ring('i')}]`;
        }
        switch (kind) {
            case 'T?':
            case 'U?':
                return ' = none';
            case 'bool':
                return this.#chance(indices.length < 2 ? 40 : 10) ? ' = any' : ' = false';
            case 'number':
                return ' = 0';
            case 'T':
            case 'U':
                return indices.length > 1 || this.#flaw() ? ` in { ${kind === 'T' ? this.#low : 1} }` : ' = any';
        }
    }

    #channel(): string {
        const name = this.#name('c');
        const indices = this.#pick([[], ['T'], ['U']] as const);
        const message = this.#pick(['T', 'U?', 'bool'] as const);
        this.#channels.push({ name, indices, message });
        const index = indices.length === 0 ? '' : `[${indices[0]}]`;
        return `channel ${name}${index}: ${this.#pick(['0', '1', '1'])} of ${typeOf(message)}`;
    }

    #function(): string {
        const name = this.#name('f');
        const parameter = this.#pick(['T', 'T', 'U'] as const);
        const result = this.#pick(['T', 'U?', 'bool', 'bool'] as const);
        const x: Known = { text: 'x', kind: parameter, indices: [], isWritable: false };
        const text = `function ${name}(x: ${parameter}): ${typeOf(result)} = ${this.#expression(result, [x], 2)}`;
        this.#functions.push({ name, parameter, result });
        return text;
    }

    #family(name: string, type: 'T' | 'U', meets: boolean): string {
        const index: Known = { text: 'i', kind: type, indices: [], isWritable: false };
        return `process ${name}[i: ${type}] {\n${this.#body([index], meets)}}`;
    }

    #pairs(): string {
        const known: Known[] = ['i', 'j'].map(text => ({ text, kind: 'T', indices: [], isWritable: false }));
        const where = this.#pick([
            'i != j',
            'i != j',
            `j == ${this.#ring('i')}`,
            `j == ${this.#ring('i')} || i == ${this.#ring('j')}`,
        ]);
        return `process R[i: T, j: T where ${where}] {\n${this.#body(known, false)}}`;
    }

    #single(): string {
        return `process S {\n${this.#body([], false)}}`;
    }

    /** Messages with cases: in variables, in a set, in a channel; and processes that send, ask and take them. */
    #cases(): string[] {
        const index: Known = { text: 'i', kind: 'T', indices: [], isWritable: false };
        const steps = Array.from({ length: 2 + this.#random.below(4) }, () => this.#stepOfCases([index]));
        return [
            'enum Message = { ask(who: T), deal(who: T, what: U?), tell(pair: Pair?), stop }',
            `var last: Message${this.#flaw() ? '' : ' = stop'}`,
            'var kept: Message? = none',
            'var sent: set of Message = {}',
            'channel box[T]: 1 of Message',
            `process C[i: T] {\n    var own: T? = none\n    loop { choose { ${steps.join(' }\n        or { ')} } }\n}`,
        ];
    }

    #stepOfCases(scope: readonly Known[]): string {
        const x: Known = { text: 'x.who', kind: 'T', indices: [], isWritable: false };
        const member = (): string => this.#expression('T', scope, 1);
        const built = (): string =>
            this.#pick([
                `ask(${member()})`,
                `deal(${member()}, ${this.#expression('U?', scope, 0)})`,
                `tell(Pair(${member()}, none))`,
                'tell(none)',
                'stop',
            ]);
        const then = (known: readonly Known[] = scope): string => `{ ${this.#statement(known, 0)} }`;
        const flaws = [
            () => `when exists x in sent: x.who == i ${then()}`,
            () => `when exists x in sent where x is ask || x is deal: x.who < i ${then()}`,
            () => `when kept != none && last < kept ${then()}`,
            () => `{ for x in sent { last := x } }`,
            () => `when last == ask(${this.#low}) ${then()}`,
        ];
        const uses = [
            () => `{ ${this.#pick(['last', 'kept'])} := ${built()} }`,
            () => `{ kept := ${this.#pick(['last', 'none'])} }`,
            () => `when last is ask && last.who ${this.#pick(['==', '!='])} ${member()} ${then()}`,
            () => `when last.who == ${member()} ${then()}`,
            () => `when last is ask || last is deal { own := last.who }`,
            () => `when last is deal { last.what := ${this.#expression('U?', scope, 0)}; last.who := ${member()} }`,
            () => `when kept is tell && kept.pair != none && kept.pair.one == ${member()} { kept.pair.one := i }`,
            () => `when last ${this.#pick(['==', '!='])} ${this.#pick(['kept', built()])} ${then()}`,
            () => `{ sent := sent ${this.#pick(['union', 'union', 'minus'])} { ${built()} } }`,
            () => `choose x in sent where x is ask || x is deal ${then([...scope, x])}`,
            () => `choose x in sent { { last := x; sent := sent minus { x } } }`,
            () => `choose x in Message where x is ask && x.who != i { { kept := x } }`,
            () => `when exists x in sent where x is deal: x.what == none && x.who == ${member()} ${then()}`,
            () => `when forall x in sent: x is ask implies x.who != ${member()} ${then()}`,
            () => `when count(x in sent: x is stop || x == last) <= 1 ${then()}`,
            () => `when ${built()} in sent ${then()}`,
            () => `box[${member()}] ! ${built()}`,
            () =>
                `box[i] ? ${this.#pick(['ask(own)', 'deal(== i, _)', 'last', 'stop', 'tell(_)', 'deal(own, _)'])} ${then()}`,
        ];
        return this.#pick(this.#flaw() ? flaws : uses)();
    }

    #body(known: readonly Known[], meets: boolean): string {
        const scope = [...known];
        const lines: string[] = [];
        if (this.#chance(40)) {
            const name = this.#name('x');
            const kind = this.#pick(['T?', 'T', 'U', 'bool'] as const);
            const begins = kind === 'T?' ? ' = none' : kind === 'bool' ? ' = false' : '';
            lines.push(`    var ${name}: ${typeOf(kind)}${begins}`);
            scope.push({ text: name, kind, indices: [], isWritable: true });
        }
        if (this.#chance(20)) {
            const name = this.#name('k');
            const first = known.find(({ kind }) => kind === 'T');
            if (first !== undefined) {
                lines.push(`    const ${name} = ${this.#ring(first.text)}`);
                scope.push({ text: name, kind: 'T', indices: [], isWritable: false });
            }
        }
        const steps = Array.from({ length: 1 + this.#random.below(2) }, () => this.#item(scope, meets));
        lines.push('    loop {', ...steps, '    }');
        return `${lines.join('\n')}\n`;
    }

    #item(scope: readonly Known[], meets: boolean): string {
        if (this.#chance(25)) {
            return `        choose { ${this.#step(scope, meets)} } or { ${this.#step(scope, false)} }`;
        }
        if (this.#chance(25)) {
            const name = this.#name('y');
            const type = this.#pick(['T', 'T', 'U'] as const);
            const inner: Known[] = [...scope, { text: name, kind: type, indices: [], isWritable: false }];
            const where = this.#chance(30) ? ` where ${this.#condition(inner, 1)}` : '';
            return `        choose ${name} in ${this.#flaw() && type === 'T' ? 'Part' : type}${where} { ${this.#step(inner, false)} }`;
        }
        if (this.#chance(10)) {
            return `        if ${this.#condition(scope, 1)} { ${this.#step(scope, false)} } else { ${this.#step(scope, false)} }`;
        }
        if (this.#flaw()) {
            return `        for q in T { ${this.#step([...scope, { text: 'q', kind: 'T', indices: [], isWritable: false }], false)} }`;
        }
        return `        ${this.#step(scope, meets)}`;
    }

    #step(scope: readonly Known[], meets: boolean): string {
        const label = this.#chance(40) ? `${this.#name('l')}: ` : '';
        const guard = this.#chance(70) ? `when ${this.#condition(scope, 2)} ` : '';
        const own = scope.find(({ kind }) => kind === 'T');
        if (meets && own !== undefined && this.#chance(50)) {
            return `${label}${guard}meet[${this.#chance(70) ? own.text : this.#ring(own.text)}] { ${this.#statements(scope, 1)} }`;
        }
        const channel = this.#channels[0];
        if (channel !== undefined && this.#chance(40)) {
            const index = channel.indices.map(type => `[${this.#expression(type, scope, 1)}]`).join('');
            const targets = scope.filter(
                ({ kind, isWritable, indices }) => kind === channel.message && isWritable && indices.length === 0,
            );
            return this.#chance(50)
                ? `${label}${guard}${channel.name}${index} ! ${this.#expression(channel.message, scope, 1)} { ${this.#statements(scope, 1)} }`
                : `${label}${guard}${channel.name}${index} ? ${targets.length > 0 ? this.#pick(targets).text : this.#chance(50) ? '_' : `== ${this.#expression(channel.message, scope, 0)}`} { ${this.#statements(scope, 1)} }`;
        }
        return `${label}${guard}{ ${this.#statements(scope, 2)} }`;
    }

    #statements(scope: readonly Known[], most: number): string {
        const count = 1 + this.#random.below(most);
        return Array.from({ length: count }, () => this.#statement(scope, 1)).join('; ');
    }

    #statement(scope: readonly Known[], depth: number): string {
        if (depth > 0 && this.#chance(15)) {
            return `if ${this.#condition(scope, 1)} { ${this.#statement(scope, 0)} }`;
        }
        if (this.#flaw()) {
            return `for q in T { ${this.#statement([...scope, { text: 'q', kind: 'T', indices: [], isWritable: false }], 0)} }`;
        }
        if (this.#chance(6)) {
            return `assert ${this.#condition(scope, 1)}`;
        }
        const targets = [...this.#shared, ...scope].filter(({ isWritable }) => isWritable);
        const target = this.#pick(targets);
        if (target === undefined) {
            return 'skip';
        }
        if (target.indices.length > 0 && this.#chance(12)) {
            const names = target.indices.map(() => this.#name('z'));
            const inner = names.map((text, position): Known => ({
                text,
                kind: target.indices[position]!,
                indices: [],
                isWritable: false,
            }));
            const binders = names.map((name, position) => `${name} in ${target.indices[position]!}`).join(', ');
            return `${target.text} := [${binders}: ${this.#expression(target.kind, [...scope, ...inner], 1)}]`;
        }
        return `${this.#place(target, scope)} := ${this.#expression(target.kind, scope, 1)}`;
    }

    #place({ text, indices }: Known, scope: readonly Known[]): string {
        return indices.length === 0
            ? text
            : `${text}[${indices.map(type => this.#expression(type, scope, 0)).join(', ')}]`;
    }

    #condition(scope: readonly Known[], depth: number): string {
        if (depth > 0 && this.#chance(30)) {
            return `(${this.#condition(scope, depth - 1)} ${this.#pick(['&&', '||', 'implies'])} ${this.#condition(scope, depth - 1)})`;
        }
        if (depth > 0 && this.#chance(25)) {
            const name = this.#name('b');
            const type = this.#pick(['T', 'T', 'U'] as const);
            const inner: Known[] = [...scope, { text: name, kind: type, indices: [], isWritable: false }];
            const where = this.#chance(25) ? ` where ${this.#condition(inner, 0)}` : '';
            const body = this.#condition(inner, depth - 1);
            return this.#chance(70)
                ? `(${this.#pick(['forall', 'exists'])} ${name} in ${type}${where}: ${body})`
                : `count(${name} in ${type}${where}: ${body}) ${this.#pick(['==', '<=', '>='])} ${this.#random.below(2)}`;
        }
        if (this.#chance(25)) {
            return this.#expression('bool', scope, depth);
        }
        if (this.#flaw()) {
            return this.#chance(50)
                ? `${this.#expression('T', scope, 0)} in Part`
                : `${this.#expression('T', scope, 0)} ${this.#pick(['<', '<='])} ${this.#expression('T', scope, 0)}`;
        }
        const kind = this.#pick(['T', 'T', 'T?', 'U', 'U?', 'number'] as const);
        const optional = [...this.#shared, ...scope].filter(known => known.kind === kind && kind.endsWith('?'));
        if (optional.length > 0 && this.#chance(40)) {
            return `${this.#place(this.#pick(optional), scope)} ${this.#pick(['==', '!='])} none`;
        }
        return `${this.#expression(kind, scope, depth)} ${this.#pick(['==', '!='])} ${this.#expression(kind, scope, 0)}`;
    }

    #expression(kind: Kind, scope: readonly Known[], depth: number): string {
        const fitting = [...this.#shared, ...scope].filter(known => fits(known.kind, kind, this.#chance(15)));
        const own = scope.filter(known => known.kind === kind);
        const isOwn = own.length > 0 && this.#chance(40);
        if (depth > 0 && this.#chance(8)) {
            return `(if ${this.#condition(scope, 0)} then ${this.#expression(kind, scope, 0)} else ${this.#expression(kind, scope, 0)})`;
        }
        const functions = this.#functions.filter(({ result }) => result === kind);
        if (depth > 0 && functions.length > 0 && this.#chance(15)) {
            const called = this.#pick(functions);
            return `${called.name}(${this.#expression(called.parameter, scope, 0)})`;
        }
        if (kind === 'T' && depth > 0 && this.#chance(12)) {
            return this.#ring(this.#expression('T', scope, 0));
        }
        if (kind === 'T' && this.#flaw()) {
            return this.#low === 0
                ? `(N - 1 - ${this.#expression('T', scope, 0)})`
                : `(N + 1 - ${this.#expression('T', scope, 0)})`;
        }
        if (kind.endsWith('?') && this.#chance(15)) {
            return 'none';
        }
        const usable = isOwn ? own : fitting.filter(({ indices }) => indices.length === 0 || depth > 0);
        if (usable.length > 0 && !this.#flaw()) {
            return this.#place(this.#pick(usable), scope);
        }
        const named = [...scope, ...this.#shared.filter(({ indices }) => indices.length === 0)].filter(known =>
            fits(known.kind, kind, true),
        );
        if (named.length > 0 && !this.#flaw()) {
            return this.#pick(named).text;
        }
        switch (kind) {
            case 'T':
            case 'T?':
                return String(this.#low + (this.#flaw() ? 1 : 0));
            case 'U':
            case 'U?':
                return '1';
            case 'bool':
                return this.#chance(50) ? `!${this.#chance(50) ? 'false' : 'true'}` : this.#pick(['true', 'false']);
            case 'number':
                return String(this.#random.below(2));
        }
    }

    /** The next or the previous value around the ring. */
    #ring(value: string): string {
        const step = this.#pick([1, 1, 1, -1, 2]);
        if (this.#low === 0) {
            return `(${value} ${step < 0 ? '-' : '+'} ${Math.abs(step)}) mod N`;
        }
        return step === 1
            ? `(${value} mod N + 1)`
            : `((${value} ${step < 0 ? `- ${1 - step}` : `+ ${step - 1}`}) mod N + 1)`;
    }
}

function fits(kind: Kind, wanted: Kind, mayFault: boolean): boolean {
    return kind === wanted || `${kind}?` === wanted || (mayFault && kind === `${wanted}?`);
}

function typeOf(kind: Kind): string {
    return kind === 'number' ? '0 .. 2' : kind;
}
