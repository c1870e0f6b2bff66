/**
 * Checks a certificate of sorts against a text: the facts of the text (rules.ts) are read again, with the classes that the
 * certificate gives. It unites nothing and orders no bounds, so that it tests what the solver has made of the facts; that
 * the facts are right it takes from the rules. What it cannot test is an objection.
 */
import type { Node } from '../language/tree/node.js';
import { appendTo } from '../engine/common/list-map.js';
import type { SourceRange } from '../engine/common/source-range.js';
import type * as ast from '../language/generated/nodes.js';
import { rangeOf } from '../language/tree/source-text.js';
import {
    combination,
    constantOf,
    formatPolynomial,
    isAtLeast,
    isMore,
    isSame,
    type Polynomial,
} from '../language/typing/polynomial.js';
import {
    addFact,
    FIXED_USES,
    noFacts,
    pinsOf,
    type ClassFacts,
    type Fact,
    type LocalNumber,
    type Place,
} from './facts.js';
import { factsOf, type RuledText } from './rules.js';
import { lineOf, placedIn, type ClassClaim, type PlaceClaim, type SortCertificate } from './sort-certificate.js';
import { isSmall, type Structure } from './structure.js';

/** A place of the text that the certificate does not explain. */
export interface Objection {
    readonly message: string;
    readonly range: SourceRange;
}

/** Empty if the certificate proves its groups for the model, which has no errors. */
export function checkSorts(model: ast.Model, certificate: SortCertificate): readonly Objection[] {
    return new SortChecker(factsOf(model), certificate).run();
}

class SortChecker {
    readonly #text: RuledText;
    readonly #claims: readonly ClassClaim[];
    readonly #objections = new Map<Node, string>();
    /** By place the position of its class in the certificate. */
    readonly #classOf = new Map<Place, number>();

    constructor(text: RuledText, { classes, places }: SortCertificate) {
        this.#text = text;
        this.#claims = classes;
        const claimed = [...places];
        for (const declaration of placedIn(text.model)) {
            const structure = text.places.get(declaration);
            const [next] = claimed;
            if (next !== undefined && next.name === declaration.name && next.line === lineOf(declaration)) {
                claimed.shift();
                if (structure !== undefined) {
                    this.#claim(structure, next.classes, declaration);
                }
            } else if (structure !== undefined) {
                this.#object(declaration, 'has no classes in the certificate');
            }
        }
        for (const left of claimed) {
            this.#object(text.model, `has no declaration \`${left.name}\` in line ${left.line}`);
        }
    }

    run(): Objection[] {
        const { facts } = this.#text;
        for (const fact of facts) {
            if (fact.kind === 'unknown') {
                this.#object(fact.node, FIXED_USES.unknown);
            }
        }
        this.#carry();
        for (const fact of facts) {
            if (fact.kind === 'together') {
                this.#together(fact);
            }
        }
        const ofClasses = this.#claims.map(noFacts);
        const sizes = this.#claims.map(() => 0);
        for (const index of this.#classOf.values()) {
            sizes[index]++;
        }
        for (const fact of facts) {
            const index = fact.kind === 'unknown' ? undefined : this.#classOf.get(fact.place);
            if (index !== undefined) {
                addFact(ofClasses[index], fact);
            }
        }
        this.#claims.forEach((claim, index) => {
            this.#group(claim, ofClasses[index], sizes[index]);
        });
        return [...this.#objections].map(([node, message]) => ({ message, range: rangeOf(node) }));
    }

    #object(node: Node, message: string): void {
        if (!this.#objections.has(node)) {
            this.#objections.set(node, message);
        }
    }

    /** The classes of the places of a declaration, which has the structure of its type. */
    #claim(structure: Structure, claim: PlaceClaim, node: Node): void {
        if (typeof claim === 'number') {
            if (structure.kind === 'scalar' && claim < this.#claims.length) {
                this.#classOf.set(structure.place, claim);
            } else {
                this.#object(node, 'has other places');
            }
        } else if ('fields' in claim && structure.kind === 'record') {
            this.#claimParts(structure.fields, claim.fields, node);
        } else if ('indices' in claim && structure.kind === 'array') {
            this.#claimParts(structure.indices, claim.indices, node);
            this.#claim(structure.element, claim.element, node);
        } else if ('member' in claim && structure.kind === 'set') {
            this.#claim(structure.member, claim.member, node);
        } else if ('message' in claim && structure.kind === 'channel') {
            if (claim.message !== null) {
                this.#claim(structure.message(), claim.message, node);
            }
        } else {
            this.#object(node, 'has other places');
        }
    }

    #claimParts(structures: readonly Structure[], claims: readonly PlaceClaim[], node: Node): void {
        if (structures.length !== claims.length) {
            this.#object(node, 'has other places');
            return;
        }
        structures.forEach((structure, position) => {
            this.#claim(structure, claims[position], node);
        });
    }

    /** Values on their way are of the class that they come from; whether that is the class where they go is tested later. */
    #carry(): void {
        const neighbors = new Map<Place, Place[]>();
        for (const fact of this.#text.facts) {
            if (fact.kind === 'together') {
                appendTo(neighbors, fact.place, fact.other);
                appendTo(neighbors, fact.other, fact.place);
            }
        }
        // A map runs through entries that are added meanwhile.
        for (const [place, index] of this.#classOf) {
            for (const other of neighbors.get(place) ?? []) {
                if (!this.#classOf.has(other)) {
                    this.#classOf.set(other, index);
                }
            }
        }
    }

    #together({ place, other, node }: Fact & { readonly kind: 'together' }): void {
        const [first, second] = [this.#classOf.get(place), this.#classOf.get(other)];
        const areTrivial = [first, second].every(
            index => index === undefined || this.#claims[index].group === 'trivial',
        );
        if (first !== second && !areTrivial) {
            this.#object(node, 'joins values of two classes');
        }
    }

    /** Whether the claimed group keeps all that the text tells apart. */
    #group(claim: ClassClaim, facts: ClassFacts, size: number): void {
        if (claim.group === 'trivial') {
            return;
        }
        if (size === 0) {
            this.#object(this.#text.model, `has no place of a claimed group (${claim.group})`);
        }
        for (const { node, use } of pinsOf(facts)) {
            this.#object(node, FIXED_USES[use]);
        }
        if (claim.group !== 'local') {
            // How many of these numbers there are depends on their owner.
            for (const { field } of facts.locals.values()) {
                this.#object(field, 'is a number that belongs to an owner');
            }
        }
        for (const node of this.#notKept(claim, facts, size)) {
            this.#object(node, `is not kept by the claimed group (${claim.group})`);
        }
    }

    #notKept(claim: Exclude<ClassClaim, { readonly group: 'trivial' }>, facts: ClassFacts, size: number): Node[] {
        switch (claim.group) {
            case 'alike':
                return notKeptByAlike(claim, facts);
            case 'ring':
                return notKeptByRing(claim, facts, this.#text.isMirrored);
            case 'reversal':
                return notKeptByReversal(claim, facts);
            case 'local':
                return notKeptByLocal(claim, facts, size);
        }
    }
}

type Claim<Group extends ClassClaim['group']> = ClassClaim & { readonly group: Group };

/** Each set of values lies in each cut or outside it, and no value is in two sets. */
function notKeptByAlike({ sets, tables }: Claim<'alike'>, facts: ClassFacts): Node[] {
    const bounds = new Map(facts.cuts.flatMap(({ low, high }) => boundTexts(low, high)));
    const known = sets.map(set => set.map(([low, high]) => [bounds.get(low), bounds.get(high)] as const));
    const isSplit = (cut: ClassFacts['cuts'][number]): boolean =>
        known.some(intervals => {
            const sides = new Set(intervals.map(([low, high]) => (low && high ? sideOf(low, high, cut) : 'unknown')));
            return sides.size > 1 || sides.has('unknown');
        });
    const all = known.flat();
    const areApart = all.every(([low, high], position) =>
        all
            .slice(position + 1)
            .every(([from, to]) => low && high && from && to && (isMore(from, high) || isMore(low, to))),
    );
    return [
        ...facts.cuts.filter(isSplit).map(({ node }) => node),
        ...[...facts.rings, ...facts.reversals].map(({ node }) => node),
        ...[...facts.tables].filter(({ name }) => !tables.includes(name)),
        ...(areApart ? [] : facts.cuts.slice(0, 1).map(({ node }) => node)),
    ];
}

/** The ring is the one range of its values, which are told apart by nothing else, and each step goes around it. */
function notKeptByRing(
    { interval: [low, high], isReflected }: Claim<'ring'>,
    { cuts, rings, reversals, tables }: ClassFacts,
    isMirrored: RuledText['isMirrored'],
): Node[] {
    const isRing = (cut: ClassFacts['cuts'][number]): boolean =>
        cut.isType &&
        cut.low !== undefined &&
        cut.high !== undefined &&
        formatPolynomial(cut.low) === low &&
        formatPolynomial(cut.high) === high;
    const type = cuts.find(isRing);
    const size = type?.low && type.high && combination([1, type.high], [-1, type.low], [1, constantOf(1)]);
    const isAround = (ring: ClassFacts['rings'][number]): boolean =>
        size !== undefined &&
        type?.low !== undefined &&
        isSame(ring.modulus, size) &&
        (ring.kind === 'difference' || (isSame(ring.base, type.low) && isSmall(ring.shift)));
    return [
        ...cuts.filter(cut => !isRing(cut)).map(({ node }) => node),
        ...rings.filter(ring => !isAround(ring)).map(({ node }) => node),
        ...reversals.map(({ node }) => node),
        ...tables,
        ...(isReflected && !isMirrored(rings) ? rings.map(({ node }) => node) : []),
    ];
}

function notKeptByReversal({ sum }: Claim<'reversal'>, { cuts, rings, reversals, tables }: ClassFacts): Node[] {
    const isTurned = ({ low, high }: ClassFacts['cuts'][number]): boolean => {
        const ends = low && high && combination([1, low], [1, high]);
        return ends !== undefined && formatPolynomial(ends) === sum;
    };
    return [
        ...cuts.filter(cut => !isTurned(cut)).map(({ node }) => node),
        ...reversals.filter(reversal => formatPolynomial(reversal.sum) !== sum).map(({ node }) => node),
        ...rings.map(({ node }) => node),
        ...tables,
    ];
}

/** All places are the field that the claim names. */
function notKeptByLocal(
    claim: Claim<'local'>,
    { cuts, rings, reversals, tables, locals }: ClassFacts,
    size: number,
): Node[] {
    const [first, ...others] = cuts;
    const isOther = ({ record, field, ownerField, table }: LocalNumber): boolean =>
        [record, field, ownerField, table].map(({ name }) => name).join() !==
        [claim.record, claim.field, claim.owner, claim.table].join();
    return [
        ...others.map(({ node }) => node),
        ...[...rings, ...reversals].map(({ node }) => node),
        ...tables,
        ...[...locals.values()].filter(isOther).map(({ field }) => field),
        ...(locals.size === size || first === undefined ? [] : [first.node]),
    ];
}

/** The bounds that a set of alike values may have: where a cut begins or ends, and the values beside it. */
function boundTexts(low: Polynomial | undefined, high: Polynomial | undefined): [string, Polynomial][] {
    return [low, high].flatMap((bound): [string, Polynomial][] =>
        bound === undefined
            ? []
            : [-1, 0, 1].flatMap((offset): [string, Polynomial][] => {
                  const beside = combination([1, bound], [offset, constantOf(1)]);
                  return beside === undefined ? [] : [[formatPolynomial(beside), beside]];
              }),
    );
}

/** Whether an interval lies in a cut or outside, for all values of the parameters. */
function sideOf(
    low: Polynomial,
    high: Polynomial,
    cut: { readonly low?: Polynomial; readonly high?: Polynomial },
): 'in' | 'out' | 'unknown' {
    const beginsInside = cut.low === undefined || isAtLeast(low, cut.low);
    const endsInside = cut.high === undefined || isAtLeast(cut.high, high);
    if (beginsInside && endsInside) {
        return 'in';
    }
    const isBefore = cut.low !== undefined && isMore(cut.low, high);
    const isBehind = cut.high !== undefined && isMore(low, cut.high);
    return isBefore || isBehind ? 'out' : 'unknown';
}
