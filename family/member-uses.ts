/**
 * Whether a text only copies and compares the members of its families and takes them as indices: a reader of the facts of
 * the text (facts.ts). A place holds members if its declared range depends on a parameter that has all its values; other
 * ranges and results are numbers. Places that values flow between are of one kind, or the flow is refused at its place.
 */
import { remembered } from '../engine/common/list-map.js';
import type { Problem } from '../engine/common/problem.js';
import { UnionFind } from '../engine/common/union-find.js';
import type { LinearBounds } from '../engine/model/domain.js';
import type { Model } from '../engine/model/model.js';
import * as ast from '../language/generated/nodes.js';
import type { Family } from '../language/instantiate.js';
import type { Node } from '../language/tree/node.js';
import { declarationsOf } from '../language/references/imports.js';
import { rangeOf } from '../language/tree/source-text.js';
import { asNumber, isSame, valueOf } from '../language/typing/polynomial.js';
import { isFixed, type Carrier } from './carrier.js';
import type { Cut, Fact, FixedUse, Place } from './facts.js';
import { refusal } from './refusal.js';
import { factsOf, type RuledText } from './rules.js';

/** By range of the text: those that depend on parameters that have all their values. */
type Bounds = ReadonlyMap<ast.RangeType, LinearBounds>;

/**
 * The uses of members that depend on which member it is, in the order of the text. `sample` is a model of the family, and
 * `carrier` that of its ranges. Nearly O(facts).
 */
export function unevenUses({ root, parameters, given }: Family, sample: Model, carrier: Carrier): readonly Problem[] {
    const stated = new Set(sample.invariants.map(({ name }) => name));
    const kept = declarationsOf(root).filter(
        (each): each is ast.Invariant | ast.Property =>
            (each.$type === 'Invariant' || each.$type === 'Property') && stated.has(each.name),
    );
    const text = factsOf(root, { kept });
    const types = text.facts.flatMap(fact => (fact.kind === 'unknown' ? typeWithoutRules(fact.node) : []));
    if (types.length > 0) {
        // What is said of their uses would only repeat it.
        return types;
    }
    const kinds = new KindsOfPlaces(text, given.bounds);
    const sizes = new Set(parameters.map(({ name }) => name));
    const others = sample.parameters.filter(({ name }) => !sizes.has(name));
    const known = new Map(others.map(({ name, value }) => [name, Number(value)]));
    const found = new Map<Node, Problem>();
    for (const fact of text.facts) {
        const refused = fact.kind === 'unknown' ? unknownPart(fact.node) : kinds.refusalOf(fact, carrier, known);
        if (refused !== undefined) {
            remembered(found, refused.node, () => refusal(refused.message, rangeOf(refused.node)));
        }
    }
    return [...found.values()];
}

/** Values of which no rule says where members go. */
function typeWithoutRules(node: Node): readonly Problem[] {
    switch (node.$type) {
        case 'SequenceType':
            return [refusal('sequences are looked at for single sizes only', rangeOf(node))];
        case 'BagType':
            return [refusal('bags are looked at for single sizes only', rangeOf(node))];
        default:
            return [];
    }
}

interface RefusedUse {
    readonly node: Node;
    readonly message: string;
}

function unknownPart(node: Node): RefusedUse {
    const isStart = ast.isInitialBody(node);
    return { node, message: isStart ? 'initial states are computed here' : 'this part of the language is not covered' };
}

/** What the text does with a member as if it were a number. */
const OF_NUMBERS = {
    ordered: 'the order of members matters here',
    computed: 'a member is taken for a number',
    tested: 'a member is taken for a number',
    loop: 'this loop takes the members one after the other',
    relation: 'this table has an entry for each member',
} as const;

/** What is made by the text and is no member. */
const RESULTS: ReadonlySet<FixedUse> = new Set([
    'result',
    'truth',
    'distance',
    'list',
    'circular',
    'reference',
    'unbounded',
]);

class KindsOfPlaces {
    readonly #united: UnionFind;
    readonly #kinds: ('member' | 'number' | undefined)[];
    /** The flows between members and numbers, which unite nothing. */
    readonly #mixed = new Set<Fact>();
    /** The roots of those that are indices, choices or bound variables; values of the others are counted. */
    readonly #moved: ReadonlySet<Place>;

    constructor({ facts, placeCount }: RuledText, bounds: Bounds) {
        this.#united = new UnionFind(placeCount);
        this.#kinds = Array.from({ length: placeCount }, () => undefined);
        for (const fact of facts) {
            if (fact.kind === 'pinned' && RESULTS.has(fact.use)) {
                this.#kinds[fact.place] ??= 'number';
            } else if (fact.kind === 'cut' && fact.cut.isType) {
                this.#kinds[fact.place] = boundsOf(fact.cut, bounds) === undefined ? 'number' : 'member';
            }
        }
        for (const fact of facts) {
            if (fact.kind === 'together') {
                const [kind, other] = [this.#kindOf(fact.place), this.#kindOf(fact.other)];
                if (kind !== undefined && other !== undefined && kind !== other) {
                    this.#mixed.add(fact);
                } else {
                    this.#united.union(fact.place, fact.other);
                    this.#kinds[this.#united.find(fact.place)] = kind ?? other;
                }
            }
        }
        this.#moved = new Set(facts.flatMap(fact => (fact.kind === 'moved' ? [this.#united.find(fact.place)] : [])));
    }

    #refusalOfUse({ place, use, node }: Fact & { readonly kind: 'pinned' }): RefusedUse | undefined {
        switch (use) {
            case 'loop':
                return { node: loopAround(node), message: OF_NUMBERS.loop };
            case 'computed':
            case 'ordered': {
                const isCounter = !this.#moved.has(this.#united.find(place));
                return { node, message: isCounter ? 'this number grows with the members' : OF_NUMBERS[use] };
            }
            case 'tested':
            case 'relation':
                return { node, message: OF_NUMBERS[use] };
            default:
                return undefined;
        }
    }

    #kindOf(place: Place): 'member' | 'number' | undefined {
        return this.#kinds[this.#united.find(place)];
    }

    /** Why a fact does not treat all members alike. */
    refusalOf(fact: Fact, carrier: Carrier, known: ReadonlyMap<string, number>): RefusedUse | undefined {
        if (fact.kind === 'together') {
            return this.#mixed.has(fact)
                ? { node: fact.node, message: 'a member is compared or mixed with a number' }
                : undefined;
        }
        if (fact.kind === 'unknown' || this.#kindOf(fact.place) !== 'member') {
            return undefined;
        }
        switch (fact.kind) {
            case 'cut':
                return refusalOfCut(fact.cut, carrier, known);
            case 'ring':
                return { node: fact.ring.node, message: OF_NUMBERS.computed };
            case 'reversal':
                return { node: fact.reversal.node, message: 'the order of members is turned around here' };
            case 'labelled':
                return { node: fact.table, message: 'this table has an entry for each member' };
            case 'pinned':
                return this.#refusalOfUse(fact);
            default:
                return undefined;
        }
    }
}

/** The loop whose variables run through members. */
function loopAround(type: Node): Node {
    return type.$container?.$container ?? type;
}

function boundsOf({ node }: Cut, bounds: Bounds): LinearBounds | undefined {
    return bounds.get(node as ast.RangeType);
}

/** A constant is a value of no family. The first value of a type stays the first one in every part that has it. */
function refusalOfCut(cut: Cut, carrier: Carrier, known: ReadonlyMap<string, number>): RefusedUse | undefined {
    const { low, high, isType, isFirst, node } = cut;
    if (isType || isFirst) {
        return undefined;
    }
    if (low === undefined || high === undefined || !isSame(low, high)) {
        return { node, message: 'the order of members matters here' };
    }
    const value = asNumber(low) ?? valueOf(low, known);
    return value !== undefined && isFixed(carrier, value)
        ? undefined
        : { node, message: 'a member is compared or mixed with a number' };
}
