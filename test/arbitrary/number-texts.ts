/** Expressions and statements over numbers without end, drawn at random, as texts. */
import type { Draw } from './number-models.js';

/** The places that an expression at some place may read, and a statement write. */
export interface Places {
    readonly numbers: readonly string[];
    readonly written: readonly string[];
    /** Those that may be `none`. */
    readonly optional: readonly string[];
    /** `q`, a sequence, and `e`, of an enumeration with a field. */
    readonly composite: readonly ('q' | 'e')[];
    readonly flags: readonly string[];
    /** Whole ones, over `I`. */
    readonly arrays: readonly string[];
    /** Of type `R`, with a number and a flag. */
    readonly records: readonly string[];
    /** A name for one. */
    readonly constant: string | undefined;
    /** Whether there are `far`, `near` and `above`. */
    readonly withFunctions: boolean;
    /** A variable of type `I`. */
    readonly index: string | undefined;
}

const RELATIONS = ['==', '!=', '<', '<=', '>', '>='];

export class NumberTexts {
    readonly #draw: Draw;
    readonly #moduli: readonly number[];
    /** Constants are below. */
    readonly #told: number;
    readonly #isSmall: boolean;

    /** In a small model bodies are short, and expressions are not nested in many places. */
    constructor(draw: Draw, moduli: readonly number[], told: number, isSmall: boolean) {
        this.#draw = draw;
        this.#moduli = moduli;
        this.#told = told;
        this.#isSmall = isSmall;
    }

    body(places: Places): string {
        const count = 1 + this.#draw.below(this.#isSmall ? 2 : 3);
        return Array.from({ length: count }, () => this.#statement(places, 1)).join('; ');
    }

    #statement(places: Places, depth: number): string {
        if (places.composite.length > 0 && this.#draw.chance(0.3)) {
            return this.#onComposite(this.#draw.oneOf(places.composite), places);
        }
        if (places.arrays.length > 0 && this.#draw.chance(0.12)) {
            return this.#onArray(this.#draw.oneOf(places.arrays), places);
        }
        if (places.records.length > 0 && this.#draw.chance(0.15)) {
            return `${this.#draw.oneOf(places.records)} := ${this.#record(places)}`;
        }
        switch (this.#draw.below(depth > 0 ? 7 : 5)) {
            case 3:
                return places.optional.length > 0 && this.#draw.chance(0.7)
                    ? `o := ${this.#draw.chance(0.3) ? 'none' : this.number(places, 1)}`
                    : places.flags.length > 0
                      ? `${this.#draw.oneOf(places.flags)} := ${this.test(places, 0)}`
                      : this.#assignment(places);
            case 4:
                return places.flags.length > 0
                    ? `${this.#draw.oneOf(places.flags)} := ${this.#draw.oneOf(['true', 'false', '!f'])}`
                    : this.#assignment(places);
            case 5:
                return `if ${this.test(places, 0)} { ${this.#statement(places, 0)} } else { ${this.#statement(places, 0)} }`;
            case 6:
                return this.#draw.chance(0.5)
                    ? `assert ${this.#draw.chance(0.85) ? 'true || ' : ''}${this.test(places, 0)}`
                    : places.index === undefined
                      ? this.#assignment(places)
                      : `${places.index} := 3 - ${places.index}`;
            default:
                return this.#assignment(places);
        }
    }

    #assignment(places: Places): string {
        const depth = this.#isSmall && this.#draw.chance(0.7) ? 1 : 2;
        return `${this.#draw.oneOf(places.written)} := ${this.number(places, depth)}`;
    }

    #onComposite(name: 'q' | 'e', places: Places): string {
        const value = this.number(places, 1);
        const place = this.#draw.oneOf(places.written);
        return name === 'e'
            ? this.#draw.oneOf([`e := ask(${value})`, 'e := nil', `if e is ask { ${place} := e.n }`])
            : this.#draw.oneOf([
                  `if len(q) < 2 { q := append(q, ${value}) }`,
                  `if len(q) > 0 { ${place} := head(q); q := tail(q) }`,
              ]);
    }

    #onArray(name: string, places: Places): string {
        const own = { ...places, numbers: [...places.numbers, `${name}[j]`, `${name}[j]`] };
        const other = this.#draw.oneOf(places.arrays);
        return this.#draw.oneOf([
            `for j in I { ${name}[j] := ${name}[j] + ${1 + this.#draw.below(2)} }`,
            `for j in I { ${name}[j] := ${this.number(own, 1)} }`,
            `for j in I { if ${this.test(own, 0)} { ${name}[j] := ${this.number(own, 0)} } }`,
            `for j in I { ${name}[j] := ${other}[j] + j }`,
            `${name} := [j in I: ${this.number(own, 1)}]`,
            `${name} := ${other}`,
        ]);
    }

    #record(places: Places): string {
        return this.#draw.chance(0.3)
            ? this.#draw.oneOf(places.records)
            : `R(${this.number(places, 1)}, ${this.#draw.oneOf(['true', 'false', this.test(places, 0)])})`;
    }

    /** How messages of a kind are sent and received. */
    message(kind: 'number' | 'record' | 'case'): {
        sent(places: Places): string;
        received(places: Places): string;
    } {
        const pattern = (places: Places): string =>
            this.#draw.chance(0.75)
                ? this.#draw.oneOf(places.written)
                : this.#draw.oneOf(['0', '2', '_', `== ${this.#draw.oneOf(places.numbers)} + 1`]);
        switch (kind) {
            case 'number':
                return { sent: places => this.number(places, 1), received: pattern };
            case 'record':
                return {
                    sent: places => `R(${this.number(places, 1)}, ${this.#draw.oneOf(['true', 'false', 'f'])})`,
                    received: places => `(${pattern(places)}, ${this.#draw.oneOf(['true', '_', '_'])})`,
                };
            case 'case':
                return {
                    sent: places => (this.#draw.chance(0.2) ? 'nil' : `ask(${this.number(places, 1)})`),
                    received: places => `ask(${pattern(places)})`,
                };
        }
    }

    number(places: Places, depth: number): string {
        const place = this.#draw.oneOf(places.numbers);
        const less = (): string => this.number(places, depth - 1);
        switch (this.#draw.below(depth > 0 ? 11 : 3)) {
            case 0:
                return place;
            case 1:
            case 2:
                return `${place} + ${1 + this.#draw.below(2)}`;
            case 3:
                return this.#draw.chance(0.6) ? this.#constant(places) : place;
            case 4:
                return `max(${less()}, ${less()})`;
            case 5:
                return `min(${less()}, ${less()})`;
            case 6:
                return `(if ${this.test(places, 0)} then ${less()} else ${less()})`;
            case 7:
                return this.#ofMany(places, depth) ?? `${place} + 1`;
            case 8:
                return `${this.#draw.oneOf(['max', 'min'])}(${less()}, ${less()}) + 1`;
            default:
                return `${place} + 1`;
        }
    }

    #constant({ constant }: Places): string {
        return constant !== undefined && this.#draw.chance(0.5) ? constant : String(this.#draw.below(this.#told));
    }

    /** Of a whole array, or by a function; undefined if there are none. */
    #ofMany({ arrays, numbers, withFunctions }: Places, depth: number): string | undefined {
        if (withFunctions && this.#draw.chance(0.6)) {
            return `${this.#draw.oneOf(['far', 'above'])}(${this.#draw.oneOf(numbers)}, ${this.#draw.oneOf(numbers)})`;
        }
        if (arrays.length > 0) {
            const plus = depth > 1 && this.#draw.chance(0.4) ? ' + 1' : '';
            return `${this.#draw.oneOf(['max', 'min'])}(j in I: ${this.#draw.oneOf(arrays)}[j]${plus})`;
        }
        return undefined;
    }

    test(places: Places, depth: number): string {
        const [first, second] = [this.#draw.oneOf(places.numbers), this.#draw.oneOf(places.numbers)];
        const relation = this.#draw.oneOf(RELATIONS);
        const offset = this.#draw.below(4);
        if (places.composite.length > 0 && this.#draw.chance(0.2)) {
            return this.#draw.oneOf(places.composite) === 'e'
                ? this.#draw.oneOf([
                      `(e is ask && e.n ${relation} ${first} + ${offset})`,
                      `e ${offset < 2 ? '==' : '!='} ask(${first})`,
                  ])
                : `(len(q) > 0 && head(q) + ${offset} ${relation} ${first})`;
        }
        if (places.arrays.length > 0 && this.#draw.chance(0.12)) {
            return this.#ofArrays(places, relation, first, offset);
        }
        if (places.records.length > 0 && this.#draw.chance(0.08)) {
            return `${this.#draw.oneOf(places.records)} ${offset < 2 ? '==' : '!='} R(${this.#draw.oneOf([first, `${first} + 1`, '1'])}, ${this.#draw.oneOf(['true', 'false', 'f'])})`;
        }
        if (places.withFunctions && this.#draw.chance(0.1)) {
            return `near(${first}, ${second}${offset < 2 ? '' : ' + 1'})`;
        }
        switch (this.#draw.below(depth > 0 ? 11 : 6)) {
            case 0:
                return `${first} ${relation} ${second}`;
            case 1:
                return `${first} ${relation} ${second}${offset === 0 ? '' : ` + ${offset}`}`;
            case 2:
                return `${first} ${relation} ${this.#constant(places)}`;
            case 3:
                return this.#rest(first);
            case 4:
                return `${first} - ${second} ${relation} ${offset - 2}`;
            case 5:
                return places.optional.length > 0
                    ? `(o ${this.#draw.oneOf(['==', '!='])} none || o != none && o ${relation} ${first})`
                    : places.flags.length > 0
                      ? this.#draw.oneOf(places.flags)
                      : `${first} ${relation} ${second} + 1`;
            case 6:
                return `${this.number(places, 1)} ${relation} ${this.number(places, 1)}`;
            case 7:
                return `(${this.test(places, 0)} && ${this.test(places, 0)})`;
            case 8:
                return `(${this.#rest(`${this.#draw.oneOf(['max', 'min'])}(${first}, ${second} + ${this.#draw.below(6)})`)} && ${this.test(places, 0)})`;
            case 9:
                return `(${this.#rest(this.number(places, 2))} ${this.#draw.oneOf(['&&', '||'])} ${this.test(places, 0)})`;
            default:
                return `${this.number(places, 2)} + ${offset} ${relation} ${this.number(places, 1)}`;
        }
    }

    #rest(of: string): string {
        const modulus = this.#draw.oneOf(this.#moduli);
        return `${of.startsWith('(') || / \+ /.test(of) ? `(${of})` : of} mod ${modulus} ${this.#draw.oneOf(['==', '!='])} ${this.#draw.below(modulus)}`;
    }

    #ofArrays({ arrays }: Places, relation: string, place: string, offset: number): string {
        const [name, other] = [this.#draw.oneOf(arrays), this.#draw.oneOf(arrays)];
        return this.#draw.oneOf([
            `(${this.#draw.oneOf(['forall', 'exists'])} j in I: ${name}[j] ${relation} ${place} + ${offset})`,
            name === other ? `${name}[1] ${relation} ${name}[2] + ${offset}` : `${name} == ${other}`,
            `max(j in I: ${name}[j] + ${offset}) ${relation} ${place} + 1`,
            `count(j in I: ${name}[j] ${relation} ${place}) == 1`,
        ]);
    }
}
