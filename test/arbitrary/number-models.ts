/**
 * Random models with numbers without end, as texts: in variables, arrays, messages, records, cases, sequences and locals, with
 * several sums.
 */
import { createRandom } from '../../engine/common/random.js';

export interface Draw {
    below(limit: number): number;
    oneOf<Value>(values: readonly Value[]): Value;
    chance(share: number): boolean;
}

export function drawFrom(seed: number): Draw {
    const random = createRandom(seed);
    return {
        below: limit => random.below(limit),
        oneOf: values => values[random.below(values.length)]!,
        chance: share => random.below(1000) < 1000 * share,
    };
}

/** The places that an expression at some place may read, and a statement write. */
interface Places {
    readonly numbers: readonly string[];
    /** Those that may be `none`. */
    readonly optional: readonly string[];
    /** `q`, a sequence, and `e`, of an enumeration with a field. */
    readonly composite: readonly ('q' | 'e')[];
    readonly flags: readonly string[];
}

/** The model of a seed. */
export function numberModel(seed: number): string {
    const draw = drawFrom(seed);
    const isFamily = draw.chance(0.5);
    const withArray = isFamily || draw.chance(0.3);
    const withRecord = draw.chance(0.25);
    const withChannel = draw.chance(0.3);
    const withOptional = draw.chance(0.25);
    const withSequence = draw.chance(0.15);
    const withCases = draw.chance(0.15);
    const composite = [...(withSequence ? ['q' as const] : []), ...(withCases ? ['e' as const] : [])];
    const first = draw.chance(0.2) ? draw.below(6) : 0;
    const shared = ['x', 'y', 'z'].slice(0, 1 + draw.below(3));
    const declarations = [
        'type I = 1 .. 2',
        ...shared.map((name, index) => `var ${name}: nat = ${index === 0 ? first : 0}`),
        ...(withArray ? ['var a: nat[I] = 0'] : []),
        ...(withRecord ? ['record R = { n: nat, f: bool }', 'var r: R = R(0, false)'] : []),
        ...(withOptional ? ['var o: nat? = none'] : []),
        ...(withChannel ? [`channel c: ${draw.below(2)} of nat`] : []),
        ...(withSequence ? ['var q: seq 2 of nat = []'] : []),
        ...(withCases ? ['enum M = { nil, ask(n: nat) }', 'var e: M = nil'] : []),
        ...(shared.length > 1 && draw.chance(0.12) ? [`constraint y <= x + ${draw.below(4)}`] : []),
        'var f: bool = false',
    ];
    const places = (own: readonly string[]): Places => ({
        numbers: [
            ...shared,
            ...(withArray ? (isFamily ? ['a[i]'] : ['a[1]', 'a[2]']) : []),
            ...(withRecord ? ['r.n'] : []),
            ...own,
        ],
        optional: withOptional ? ['o'] : [],
        composite,
        flags: ['f', ...(withRecord ? ['r.f'] : [])],
    });
    const text = new Texts(draw);
    const processes: string[] = [];
    if (isFamily) {
        processes.push(text.process('P[i: I]', places(['m']), withChannel ? 'send' : undefined));
    } else {
        processes.push(text.process('P', places(draw.chance(0.5) ? ['m'] : []), withChannel ? 'send' : undefined));
    }
    if (withChannel || draw.chance(0.4)) {
        const own = places(['k']);
        const others = own.numbers.filter(name => name !== 'a[i]');
        processes.push(text.process('Q', { ...own, numbers: others }, withChannel ? 'receive' : undefined));
    }
    const global: Places = {
        numbers: [...shared, ...(withArray ? ['a[1]', 'a[2]'] : []), ...(withRecord ? ['r.n'] : [])],
        optional: withOptional ? ['o'] : [],
        composite,
        flags: ['f'],
    };
    const alike = withArray && draw.chance(0.5);
    const invariant = alike
        ? `forall p, q in I where p != q: !(${text.test({ numbers: ['a[p]', 'a[q]', ...shared], optional: [], composite: [], flags: ['f'] }, 1)})`
        : `!(${text.test(global, 1)})`;
    return [
        'model Random',
        ...declarations,
        ...processes,
        `invariant holds = ${invariant}`,
        ...(draw.chance(0.8) ? ['allow deadlock'] : []),
        '',
    ].join('\n');
}

class Texts {
    readonly #draw: Draw;

    constructor(draw: Draw) {
        this.#draw = draw;
    }

    process(name: string, places: Places, channel: 'send' | 'receive' | undefined): string {
        const local = places.numbers.find(place => place === 'm' || place === 'k');
        const steps = Array.from({ length: 1 + this.#draw.below(3) }, (_, index) => {
            const label = `${name.slice(0, 1).toLowerCase()}${index}`;
            const guard = this.#draw.chance(0.6) ? `when ${this.test(places, 1)} ` : '';
            return `${label}: ${guard}{ ${this.body(places)} }`;
        });
        if (channel === 'send') {
            steps.push(
                `snd: ${this.#draw.chance(0.5) ? `when ${this.test(places, 0)} ` : ''}c ! ${this.number(places, 1)}`,
            );
        } else if (channel === 'receive') {
            const target = this.#draw.oneOf(places.numbers);
            steps.push(`rcv: c ? ${target}${this.#draw.chance(0.4) ? ` { ${this.body(places)} }` : ''}`);
        }
        const shape = this.#draw.below(3);
        const body =
            shape === 0
                ? `loop { choose { ${steps.join(' } or { ')} } }`
                : shape === 1
                  ? `loop { ${steps.join(' ')} }`
                  : `loop { choose { ${steps[0]} } or { go: skip; break } } ${steps.slice(1).join(' ')}`;
        return `process ${name} {${local === undefined ? '' : ` var ${local}: nat = 0`} ${body} }`;
    }

    body(places: Places): string {
        const count = 1 + this.#draw.below(3);
        return Array.from({ length: count }, () => this.statement(places, 1)).join('; ');
    }

    statement(places: Places, depth: number): string {
        if (places.composite.length > 0 && this.#draw.chance(0.3)) {
            return this.#onComposite(this.#draw.oneOf(places.composite), places);
        }
        switch (this.#draw.below(depth > 0 ? 7 : 5)) {
            case 0:
            case 1:
            case 2:
                return `${this.#draw.oneOf(places.numbers)} := ${this.number(places, 2)}`;
            case 3:
                return places.optional.length > 0 && this.#draw.chance(0.7)
                    ? `o := ${this.#draw.chance(0.3) ? 'none' : this.number(places, 1)}`
                    : `${this.#draw.oneOf(places.flags)} := ${this.test(places, 0)}`;
            case 4:
                return `${this.#draw.oneOf(places.flags)} := ${this.#draw.oneOf(['true', 'false', '!f'])}`;
            case 5:
                return `if ${this.test(places, 0)} { ${this.statement(places, 0)} } else { ${this.statement(places, 0)} }`;
            default:
                return `assert ${this.#draw.chance(0.85) ? 'true || ' : ''}${this.test(places, 0)}`;
        }
    }

    #onComposite(name: 'q' | 'e', places: Places): string {
        const value = this.number(places, 1);
        const place = this.#draw.oneOf(places.numbers);
        return name === 'e'
            ? this.#draw.oneOf([`e := ask(${value})`, 'e := nil', `if e is ask { ${place} := e.n }`])
            : this.#draw.oneOf([
                  `if len(q) < 2 { q := append(q, ${value}) }`,
                  `if len(q) > 0 { ${place} := head(q); q := tail(q) }`,
              ]);
    }

    number(places: Places, depth: number): string {
        const place = this.#draw.oneOf(places.numbers);
        switch (this.#draw.below(depth > 0 ? 9 : 3)) {
            case 0:
                return place;
            case 1:
            case 2:
                return `${place} + ${1 + this.#draw.below(2)}`;
            case 3:
                return this.#draw.chance(0.6) ? String(this.#draw.below(4)) : place;
            case 4:
                return `max(${this.number(places, depth - 1)}, ${this.number(places, depth - 1)})`;
            case 5:
                return `min(${this.number(places, depth - 1)}, ${this.number(places, depth - 1)})`;
            case 6:
                return `(if ${this.test(places, 0)} then ${this.number(places, depth - 1)} else ${this.number(places, depth - 1)})`;
            default:
                return `${place} + 1`;
        }
    }

    test(places: Places, depth: number): string {
        const [first, second] = [this.#draw.oneOf(places.numbers), this.#draw.oneOf(places.numbers)];
        const relation = this.#draw.oneOf(['==', '!=', '<', '<=', '>', '>=']);
        const offset = this.#draw.below(4);
        if (places.composite.length > 0 && this.#draw.chance(0.2)) {
            return this.#draw.oneOf(places.composite) === 'e'
                ? `(e is ask && e.n ${relation} ${first} + ${offset})`
                : `(len(q) > 0 && head(q) + ${offset} ${relation} ${first})`;
        }
        switch (this.#draw.below(depth > 0 ? 9 : 6)) {
            case 0:
                return `${first} ${relation} ${second}`;
            case 1:
                return `${first} ${relation} ${second}${offset === 0 ? '' : ` + ${offset}`}`;
            case 2:
                return `${first} ${relation} ${offset}`;
            case 3:
                return `${first} mod ${2 + this.#draw.below(2)} == ${this.#draw.below(2)}`;
            case 4:
                return `${first} - ${second} ${relation} ${offset - 2}`;
            case 5:
                return places.optional.length > 0
                    ? `(o ${this.#draw.oneOf(['==', '!='])} none || o != none && o ${relation} ${first})`
                    : this.#draw.oneOf(places.flags);
            case 6:
                return `${this.number(places, 1)} ${relation} ${this.number(places, 1)}`;
            case 7:
                return `(${this.test(places, 0)} && ${this.test(places, 0)})`;
            default:
                return `(max(${first}, ${this.number(places, 0)}) mod 2 == ${this.#draw.below(2)} && ${this.test(places, 0)})`;
        }
    }
}
