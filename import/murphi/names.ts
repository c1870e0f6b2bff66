/** Names for Orbit: those of the source where they can be, else with `_` behind, so that no two are the same. */

/** Words that are no names in Orbit, or mean something else in some place, and functions that an import calls. */
const WORDS = new Set(
    (
        'always any assert at bag bitand bitor bool break choose const count div else end enum event eventually exists ' +
        'false for forall if implies in intersect invariant is let loop max min minus mod nat new none or param possible pow ' +
        'process return self seq set shl shr skip spawn subset sum takes terminate the then true union until var when ' +
        'where while xor'
    ).split(' '),
);

/** The names of a model that are known everywhere in it. */
export class Names {
    private readonly taken: Set<string>;

    /** `sourceNames` are kept for those that the source declares with them, as far as they can be. */
    constructor(taken: Iterable<string> = []) {
        this.taken = new Set(taken);
    }

    /** A name like `wished`, and taken from now on. */
    declare(wished: string): string {
        let name = WORDS.has(wished) ? `${wished}_` : wished;
        while (this.taken.has(name)) {
            name += '_';
        }
        this.taken.add(name);
        return name;
    }

    /** The names of a part in which these are known, too. */
    inner(): Names {
        return new Names(this.taken);
    }
}

/** `exit the apartment` becomes `exitTheApartment`; empty if nothing of it can be in a name. */
export function toName(title: string): string {
    const words = title.match(/[A-Za-z0-9_]+/g) ?? [];
    const joined = words.map((word, index) => (index === 0 ? word : capitalized(word))).join('');
    return /^\d/.test(joined) ? `_${joined}` : joined;
}

export function capitalized(name: string): string {
    return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
