/**
 * The names that a log has for values: what is no value of an index type, where one is expected, stands for one, and
 * different names for different ones. A value of an index type that symmetries move is such a key, too: once a name is
 * bound, the candidates are those up to symmetry, in which it need not be itself.
 */
import { remembered } from '../common/list-map.js';
import {
    baseOf,
    codeOfValue,
    domainKey,
    domainSize,
    formatValue,
    NONE,
    valueOfCode,
    type Domain,
    type Value,
} from '../model/domain.js';
import type { Model } from '../model/model.js';
import { codeOfText } from '../sequential/split-values.js';
import type { WantedScalar } from './wanted.js';

/** What a log calls a value of an index type. */
export interface LogName {
    readonly type: string;
    readonly text: string;
    /** The code, if it is a value of the type. */
    readonly code?: number;
    /** Equal for no other one. */
    readonly key: string;
    readonly hash: number;
    /** Index into the bindings of candidates; -1 before the first use and after the end. */
    place: number;
    /** The line of the first use. */
    since?: number;
    /** The line after which no candidate has the instance any more. */
    ended?: number;
}

/** What a scalar of a log is where a value of some domain is expected. */
export type Meaning =
    | { readonly kind: 'value'; readonly code: number }
    | { readonly kind: 'name'; readonly name: LogName }
    | { readonly kind: 'unknown' };

export interface NameSettings {
    /** By type, what a text of a log is. */
    readonly known: ReadonlyMap<string, ReadonlyMap<string, string>>;
    /** Types whose values are names in a log. */
    readonly opaque: ReadonlySet<string>;
    /** Types that share their names. */
    readonly joined: readonly (readonly string[])[];
}

export const NO_SETTINGS: NameSettings = { known: new Map(), opaque: new Set(), joined: [] };

/** Not bound, and bound to an instance that is gone. */
export const UNBOUND = -1;
export const ENDED = -2;

/** The names after a line. */
export interface NameMark {
    readonly bound: readonly LogName[];
    /** So many of them were bound before the line. */
    readonly settled: number;
    readonly line: number;
}

/** The code of each name; shorter than the list of names if the last ones are not bound. */
export type Bindings = readonly number[];

export class LogNames {
    readonly #settings: NameSettings;
    /** Types with names, each with the one that stands for those joined with it. */
    readonly #types = new Map<string, string>();
    readonly #domains = new Map<string, Domain>();
    readonly #names = new Map<string, LogName>();
    readonly #meanings = new Map<Domain, Map<WantedScalar['value'], Meaning>>();
    readonly #meaningsInMapping = new Map<Domain, Map<WantedScalar['value'], Meaning>>();
    /** By index in bindings; so many of them were bound before the line. */
    #bound: LogName[] = [];
    #settled = 0;
    /** Of the line that is read. */
    line = 0;

    constructor(model: Model, settings: NameSettings) {
        this.#settings = settings;
        this.use(model);
    }

    /** From now on the types are as in this model, which may have more slots for instances. */
    use(model: Model): void {
        const { joined, opaque } = this.#settings;
        const add = (domain: Domain): void => {
            const type = keyOf(domain);
            if (type !== undefined) {
                this.#domains.set(type, baseOf(domain));
                this.#types.set(type, joined.find(types => types.includes(type))?.[0] ?? type);
            }
        };
        const addNamed = (domain: Domain): void => {
            if (baseOf(domain).name !== undefined) {
                add(domain);
            }
        };
        for (const { indices, locals } of model.processes) {
            indices.forEach(({ domain }) => {
                add(domain);
            });
            locals.forEach(local => {
                local.indices.forEach(addNamed);
            });
        }
        [...model.variables, ...model.channels].forEach(({ indices }) => {
            indices.forEach(addNamed);
        });
        model.events.forEach(event => {
            event.arguments.forEach(addNamed);
        });
        model.types
            .filter(({ name }) => opaque.has(name))
            .forEach(({ domain }) => {
                add(domain);
            });
    }

    /** The index type of a domain; undefined if its values have no names. */
    typeOf(domain: Domain): string | undefined {
        const key = keyOf(domain);
        return key === undefined ? undefined : this.#types.get(key);
    }

    /** A type of the settings that is none with names. */
    get unknownType(): string | undefined {
        const { known, joined, opaque } = this.#settings;
        return [...known.keys(), ...joined.flat(), ...opaque].find(type => !this.#types.has(type));
    }

    /** The types with names, and how many values each has. */
    types(): ReadonlyMap<string, number> {
        const sizes = new Map<string, number>();
        for (const [type, shared] of this.#types) {
            const domain = this.#domains.get(type);
            sizes.set(shared, Math.max(sizes.get(shared) ?? 0, domain === undefined ? 0 : domainSize(domain)));
        }
        return sizes;
    }

    get bound(): readonly LogName[] {
        return this.#bound;
    }

    meaningOf({ value, isOfMapping }: WantedScalar, domain: Domain): Meaning {
        const meanings = isOfMapping === true ? this.#meaningsInMapping : this.#meanings;
        const known = remembered(meanings, domain, () => new Map<WantedScalar['value'], Meaning>());
        return remembered(known, value, () => this.#meaningOf(value, domain, isOfMapping === true));
    }

    #meaningOf(value: WantedScalar['value'], domain: Domain, isOfMapping: boolean): Meaning {
        const text = value === null ? 'none' : String(value).trim();
        if (text === '') {
            return { kind: 'unknown' };
        }
        const type = this.typeOf(domain);
        const base = baseOf(domain);
        if (type === undefined || text === 'none') {
            const code = codeOfText(domain, text);
            return code === undefined ? { kind: 'unknown' } : { kind: 'value', code };
        }
        const own = keyOf(domain) ?? type;
        const isOpaque = !isOfMapping && this.#settings.opaque.has(own);
        const given = this.#settings.known.get(own)?.get(text);
        const literal =
            given === undefined && (isOpaque || isInstance(base)) ? undefined : codeOfIndex(base, given ?? text);
        if (literal !== undefined) {
            return { kind: 'name', name: this.#nameOf(type, text, literal) };
        }
        // A number is no name, unless all values are.
        const mayBeName =
            (typeof value === 'string' || isOpaque) && (base.kind !== 'enumeration' || isInstance(base) || isOpaque);
        return mayBeName ? { kind: 'name', name: this.#nameOf(type, text, undefined) } : { kind: 'unknown' };
    }

    #nameOf(type: string, text: string, code: number | undefined): LogName {
        const key = JSON.stringify([type, code ?? text, code === undefined]);
        return remembered(this.#names, key, () => ({
            type,
            text,
            key,
            hash: hashOfText(key),
            ...(code !== undefined && { code }),
            place: -1,
        }));
    }

    /** The bindings with one more; undefined if another name has the value. A value has been looked at before. */
    bind(bindings: Bindings, name: LogName, code: number): Bindings | undefined {
        if (name.code === undefined) {
            for (let place = 0; place < bindings.length; place++) {
                const other = this.#bound[place];
                if (bindings[place] === code && other.type === name.type && other.code === undefined) {
                    return undefined;
                }
            }
        }
        if (name.place < 0) {
            name.place = this.#bound.length;
            name.since ??= this.line;
            this.#bound.push(name);
        }
        const extended = [...bindings];
        while (extended.length < name.place) {
            extended.push(UNBOUND);
        }
        extended[name.place] = code;
        return extended;
    }

    /**
     * At the end of a line: forgets the names that have ended in all candidates, and puts those that are new into an order
     * that does not depend on the candidates. The old places in their new order; undefined if they are the same.
     */
    settle(useOf: (place: number) => 'bound' | 'ended' | 'unused'): readonly number[] | undefined {
        const uses = this.#bound.map((_, place) => useOf(place));
        const places = [...uses.keys()].filter(place => uses[place] === 'bound');
        const added = places.filter(place => place >= this.#settled);
        added.sort((first, second) => (this.#bound[first].key < this.#bound[second].key ? -1 : 1));
        const left = [...places.filter(place => place < this.#settled), ...added];
        const isSame = left.length === uses.length && left.every((place, index) => place === index);
        if (!isSame) {
            this.#bound.forEach((name, place) => {
                name.place = left.indexOf(place);
                if (uses[place] === 'ended') {
                    name.ended = this.line;
                }
            });
            this.#bound = left.map(place => this.#bound[place]);
        }
        this.#settled = left.length;
        return isSame ? undefined : left;
    }

    /** A name of the log by its text, of whatever type. */
    known(text: string): LogName | undefined {
        return [...this.#names.values()].find(name => name.text === text && name.code === undefined);
    }

    /** A value of a type as the model writes it. */
    textOfCode(type: string, code: number): string {
        const domain = this.#domains.get(type);
        return domain === undefined ? String(code) : formatValue(domain, valueOfCode(domain, code));
    }

    /** Whether a name is not bound, and all values of its type have names. */
    isBeyond({ type, place }: LogName, bindings: Bindings): boolean {
        const taken = bindings.filter(
            (code, other) => code >= 0 && this.#bound[other].type === type && this.#bound[other].code === undefined,
        );
        return (bindings[place] ?? UNBOUND) === UNBOUND && taken.length >= (this.types().get(type) ?? Infinity);
    }

    /** What the log calls a value; undefined if nothing is bound to it. */
    nameOf(domain: Domain, value: Value, bindings: Bindings): string | undefined {
        const type = value === NONE ? undefined : this.typeOf(domain);
        const code = type === undefined ? -1 : codeOfValue(baseOf(domain), value);
        const place = bindings.findIndex((bound, at) => bound === code && code >= 0 && this.#bound[at].type === type);
        return place < 0 ? undefined : this.#bound[place].text;
    }

    /** The names after this line, to return to. */
    get mark(): NameMark {
        return { bound: [...this.#bound], settled: this.#settled, line: this.line };
    }

    returnTo({ bound, settled, line }: NameMark): void {
        this.#names.forEach(name => {
            name.place = -1;
            if (name.ended !== undefined && name.ended > line) {
                delete name.ended;
            }
        });
        bound.forEach((name, place) => {
            name.place = place;
        });
        this.#bound = [...bound];
        this.#settled = settled;
        this.line = line;
    }
}

/** The code of a value of an index type; a number in another notation, `0x2` or `02`, is none. */
function codeOfIndex(base: Domain, text: string): number | undefined {
    return base.kind === 'range' && String(Number(text)) !== text ? undefined : codeOfText(base, text);
}

function isInstance(base: Domain): boolean {
    return base.kind === 'enumeration' && base.template !== undefined;
}

/** A type by its name, and one without a name by its values. */
function keyOf(domain: Domain): string | undefined {
    const base = baseOf(domain);
    return base.kind === 'boolean' || base.kind === 'record' ? undefined : (base.name ?? domainKey(base));
}

function hashOfText(text: string): number {
    let hash = 0;
    for (let index = 0; index < text.length; index++) {
        hash = Math.imul(hash ^ text.charCodeAt(index), 0x9e3779b1);
        hash ^= hash >>> 15;
    }
    return hash;
}
