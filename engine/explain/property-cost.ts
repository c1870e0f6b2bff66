/** The cost of a property: conditions without which it keeps all generators, as was tried, and what they fix. */
import type { TextOfRange } from '../common/source-text.js';
import { listed } from '../common/listed.js';
import type { SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import { encodeProperties } from '../constraints/encode.js';
import { cellMoves, literalName, permutationOfCells } from '../describe/describe.js';
import type { PropertyReport, SymmetryReport } from '../describe/report.js';
import { formatCount } from '../describe/words.js';
import { orbits } from '../group/orbits.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { Expression } from '../model/expression.js';
import type { Model } from '../model/model.js';
import { formatExpression } from '../model/print.js';
import { linearize } from '../sequential/linearize.js';
import { keepsProperties, type Detection } from '../symmetry/detect.js';
import { graphExtensionOf } from '../symmetry/graph-extension.js';
import { instanceActionOf } from '../symmetry/instance-action.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';
import { always, withoutConditions } from './conditions.js';
import { NO_TEXT, quotePlaces, wordsAt, type Place } from './places.js';
import { minimalSet } from './smallest-set.js';

/** More conditions than these explain less than one around them. */
const MOST_PLACES = 3;

/**
 * The properties with their costs, as far as the limit allows; one that symmetries exchange with others has none. `kept`
 * are their groups, in the same order.
 */
export function withCosts(
    model: Model,
    { order, structure, properties }: Pick<SymmetryReport, 'order' | 'structure' | 'properties'>,
    detection: Detection,
    kept: readonly ModelGroup[],
    textOf: TextOfRange,
    limit: WorkLimit,
): PropertyReport[] {
    return properties.map((property, index) => {
        const { invariant, pinned } = detection.encoding.problem.properties[index];
        const isAlone = property.alike === undefined && property.alikeTo === undefined;
        if (invariant < 0 || !isAlone || property.order === order || !kept[index].complete) {
            return property;
        }
        const places = costlyPlaces(model, index, invariant, detection, textOf, limit);
        if (places === undefined) {
            return property;
        }
        const message =
            `${quotePlaces(places)} ${describeLoss(detection, kept[index], places.length > 1)}: ` +
            `${structure} becomes ${property.structure}, ${formatCount(property.order)} of ${formatCount(order)} symmetries remain` +
            (pinned.length === 0 ? '' : '; it is too large to be compared, so nothing that it reads may move');
        return { ...property, cost: { message, locations: places.map(({ range, text }) => ({ range, text })) } };
    });
}

/** The smallest condition without which the property keeps all generators, or a few innermost ones. */
function costlyPlaces(
    model: Model,
    property: number,
    invariant: number,
    { encoding, group }: Detection,
    textOf: TextOfRange,
    limit: WorkLimit,
): readonly Condition[] | undefined {
    const holds = (without: readonly Condition[]): boolean => {
        if (limit.isExhausted()) {
            return false;
        }
        const changed = withoutParts(model, invariant, new Set(without.map(({ range }) => range)));
        const { sequential } = linearize(changed);
        const problem = sequential && encodeProperties(sequential, encoding.problem, limit);
        return problem !== undefined && keepsProperties(problem, group, [property], group.generators);
    };
    const places = placesOfInvariant(model, invariant, textOf);
    const single = places.find(place => holds([place]));
    if (single?.isLeaf === true) {
        return [single];
    }
    const leaves = minimalSet(
        places.filter(({ isLeaf }) => isLeaf),
        holds,
        limit,
    );
    return leaves !== undefined && leaves.length <= MOST_PLACES ? leaves : single && [single];
}

/** A condition in an invariant, which is neutralized by leaving it out. */
interface Condition extends Place {
    /** Whether there is no smaller condition inside. */
    readonly isLeaf: boolean;
}

/** The conditions in an invariant, the shortest first; the last one is the whole. */
export function placesOfInvariant(model: Model, invariant: number, textOf: TextOfRange = NO_TEXT): Condition[] {
    const places: Condition[] = [];
    withoutConditions(model.invariants[invariant].expression, condition => {
        const { range } = condition;
        const text = wordsAt(range, textOf, () => formatExpression(model, undefined, condition));
        places.push({ range, text, isLeaf: isLeaf(condition) });
        return false;
    });
    return places.sort((a, b) => a.text.length - b.text.length);
}

function isLeaf(condition: Expression): boolean {
    let count = 0;
    withoutConditions(condition, () => ++count < 0);
    return count === 1;
}

function withoutParts(model: Model, invariant: number, parts: ReadonlySet<SourceRange>): Model {
    return {
        ...model,
        invariants: model.invariants.map((stated, index) => {
            const left = index === invariant && withoutConditions(stated.expression, ({ range }) => parts.has(range));
            return left === false ? stated : { ...stated, expression: left ?? always(stated.expression) };
        }),
    };
}

/** The things that no longer move, or move less: instances first, then cells, then values. */
function describeLoss(detection: Detection, kept: ModelGroup, isPlural: boolean): string {
    const { encoding, group } = detection;
    const { sequential } = encoding.problem;
    const cells = (generators: readonly SparsePermutation[]): SparsePermutation[] =>
        generators.map(generator => permutationOfCells(cellMoves(group, generator)));
    const pointCount = group.firstPoint[group.cellCount];
    const loss =
        lossOf(
            instanceMoves(detection, group.generators),
            instanceMoves(detection, kept.generators),
            sequential.instances.length,
            instance => sequential.instances[instance].name,
        ) ??
        lossOf(cells(group.generators), cells(kept.generators), group.cellCount, cell => sequential.cells[cell].name) ??
        lossOf(group.generators, kept.generators, pointCount, point => literalName(sequential, group, point));
    if (loss === undefined) {
        return isPlural ? 'cost symmetries' : 'costs symmetries';
    }
    return loss.kind === 'pins'
        ? `${isPlural ? 'pin' : 'pins'} ${listed(loss.names)}`
        : `${isPlural ? 'tell' : 'tells'} ${loss.names.join(' from ')}`;
}

/** The names of the things that became fixed, or of two things whose orbit was split. */
type Loss = { readonly kind: 'pins' | 'tells'; readonly names: readonly string[] };

const MOST_NAMES = 3;

function lossOf(
    all: readonly SparsePermutation[],
    kept: readonly SparsePermutation[],
    count: number,
    nameOf: (member: number) => string,
): Loss | undefined {
    const orbitOf = new Int32Array(count);
    const keptOrbits = orbits(kept, count);
    keptOrbits.forEach((orbit, index) => orbit.forEach(member => (orbitOf[member] = index)));
    const split = orbits(all, count).filter(orbit => orbit.some(member => orbitOf[member] !== orbitOf[orbit[0]]));
    if (split.length === 0) {
        return undefined;
    }
    const fixed = split.flat().filter(member => keptOrbits[orbitOf[member]].length === 1);
    // If nothing moves any more, a pair says more than what is fixed.
    const isAll = fixed.length === split.flat().length;
    if (fixed.length > 0 && !isAll && fixed.length <= MOST_NAMES) {
        return { kind: 'pins', names: fixed.map(nameOf) };
    }
    const [orbit] = split;
    const other = orbit.find(member => orbitOf[member] !== orbitOf[orbit[0]]) ?? orbit[0];
    return { kind: 'tells', names: [nameOf(orbit[0]), nameOf(other)] };
}

/** The action of symmetries on instances, without those that do not map instances onto instances. */
function instanceMoves({ encoding }: Detection, generators: readonly SparsePermutation[]): SparsePermutation[] {
    const extension = graphExtensionOf(encoding);
    const action = instanceActionOf(encoding);
    return generators.flatMap(generator => {
        const extended = extension.extend(generator);
        return (extended && action.of(extended)) ?? [];
    });
}
