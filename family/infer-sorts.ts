/**
 * The sorts of a model, from the facts of its text (rules.ts): classes of places whose values must be permuted together,
 * and which permutations of them are symmetries, for all values of the parameters at once. [docs/every-size.md]
 *
 * Places that values flow between are united; then each class gets its group from all that the text does with it
 * (sort-groups.ts). The order of the facts decides nothing but which of several reasons is told: the first.
 */
import type { Node } from '../language/tree/node.js';
import { remembered } from '../engine/common/list-map.js';
import { UnionFind } from '../engine/common/union-find.js';
import { nodesOf } from '../language/tree/descendants.js';
import type * as ast from '../language/generated/nodes.js';
import {
    addFact,
    FIXED_USES,
    mergeFacts,
    noFacts,
    type Cut,
    type Place,
    type Refusal,
    type RingUse,
    type SortedPlace,
} from './facts.js';
import { factsOf, type RuledText, type RuleOptions } from './rules.js';
import { groupOfClass, type SortGroup } from './sort-groups.js';
import type { Structure } from './structure.js';

/** Sorts that act independently: each element of the product of their groups is a symmetry of the model. */
export interface UniformSorts {
    readonly model: ast.Model;
    /** The parameters of the model, in the order of the text. What is said holds for all values that their types allow. */
    readonly parameters: readonly ast.Parameter[];
    /** In the order of the text. */
    readonly classes: readonly SortClass[];
    /**
     * The class of each place of a declaration: of a variable, a process index, a variable of a quantifier or a choice, a
     * parameter or the result of a function (`FunctionDeclaration`), a channel (its indices, then its messages), an event
     * (its arguments are the indices of an array). Only what the walk has met has places.
     */
    readonly places: ReadonlyMap<Node, PlaceClasses>;
    /** Why nothing at all is proved: a part of the text that the proof does not cover. */
    readonly refusal?: Refusal;
}

export interface SortClass {
    /** Position in `classes`. */
    readonly index: number;
    readonly group: SortGroup;
    /** The declared places, in the order of the text. */
    readonly places: readonly SortedPlace[];
    /** What the text tells apart: ranges of declared types, constants. */
    readonly cuts: readonly Cut[];
    readonly rings: readonly RingUse[];
    /** The declared types of its places. */
    readonly types: ReadonlySet<ast.TypeDeclaration>;
    /** Whether its values are those of an index, a choice, `any`, a family or a bound variable; else only literals occur. */
    readonly isMoved: boolean;
}

/** The classes in the structure of a declared type. The messages of a channel as a value are those of its declaration. */
export type PlaceClasses =
    | { readonly kind: 'scalar'; readonly sort: SortClass }
    | {
          readonly kind: 'record';
          readonly record: ast.RecordDeclaration | ast.Enumeration;
          readonly fields: readonly PlaceClasses[];
          /** It has a condition, and is stored in one cell. */
          readonly isOneValue: boolean;
          /** It may be `none`, which a cell says before those of the fields. */
          readonly isOptional: boolean;
      }
    | { readonly kind: 'array'; readonly indices: readonly PlaceClasses[]; readonly element: PlaceClasses }
    | { readonly kind: 'set'; readonly member: PlaceClasses }
    | { readonly kind: 'channel'; readonly message?: PlaceClasses };

/** The sorts of a linked model without errors, with the declarations that it imports. */
export function inferSorts(model: ast.Model, options: RuleOptions = {}): UniformSorts {
    return solveSorts(factsOf(model, options));
}

/** The classes that the facts of a text make. Nearly O(facts). */
export function solveSorts({ model, declarations, facts, places, placeCount, isMirrored }: RuledText): UniformSorts {
    const unknown = facts.find(fact => fact.kind === 'unknown');
    const refusal = unknown && { node: unknown.node, words: FIXED_USES.unknown };
    const united = new UnionFind(placeCount);
    /** By root: what is known of its set. */
    const known = Array.from({ length: placeCount }, noFacts);
    for (const fact of facts) {
        if (fact.kind === 'together') {
            const roots = [united.find(fact.place), united.find(fact.other)];
            if (united.union(fact.place, fact.other)) {
                const root = united.find(fact.place);
                mergeFacts(known[root], known[roots[0] === root ? roots[1] : roots[0]]);
            }
        } else if (fact.kind !== 'unknown') {
            addFact(known[united.find(fact.place)], fact);
        }
    }
    const sizes = new Int32Array(placeCount);
    for (let place = 0; place < placeCount; place++) {
        sizes[united.find(place)]++;
    }
    const classes: SortClass[] = [];
    const classOfRoot = new Map<Place, SortClass>();
    const classOf = (place: Place): SortClass => {
        const root = united.find(place);
        return remembered(classOfRoot, root, () => {
            const group: SortGroup =
                refusal === undefined
                    ? groupOfClass(known[root], sizes[root], isMirrored)
                    : { kind: 'trivial', refusal };
            const made = { index: classes.length, group, ...known[root] };
            classes.push(made);
            return made;
        });
    };
    const result = new Map<Node, PlaceClasses>();
    for (const node of declarations.flatMap(nodesOf)) {
        const structure = places.get(node);
        if (structure !== undefined) {
            result.set(node, classesOf(structure, node.$type === 'ChannelDeclaration', classOf));
        }
    }
    return {
        model,
        parameters: declarations.filter((each): each is ast.Parameter => each.$type === 'Parameter'),
        classes,
        places: result,
        ...(refusal === undefined ? {} : { refusal }),
    };
}

/** `isChannel`: of the declaration of a channel, whose messages are places of its own. */
function classesOf(structure: Structure, isChannel: boolean, classOf: (place: Place) => SortClass): PlaceClasses {
    const of = (part: Structure): PlaceClasses => classesOf(part, isChannel, classOf);
    switch (structure.kind) {
        case 'scalar':
            return { kind: 'scalar', sort: classOf(structure.place) };
        case 'record':
            return { ...structure, fields: structure.fields.map(of) };
        case 'array':
            return { kind: 'array', indices: structure.indices.map(of), element: of(structure.element) };
        case 'set':
            return { kind: 'set', member: of(structure.member) };
        case 'channel':
            return isChannel
                ? { kind: 'channel', message: classesOf(structure.message(), false, classOf) }
                : { kind: 'channel' };
    }
}
