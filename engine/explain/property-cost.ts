/** The cost of a property: conditions without which it keeps all generators, as was tried, and what they fix. */
import type { TextOfRange } from '../common/source-text.js';
import { listed } from '../common/listed.js';
import type { SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { encodeProperties } from '../constraints/encode.js';
import { cellMoves, literalName, permutationOfCells } from '../describe/describe.js';
import type { PropertyReport, SymmetryReport } from '../describe/report.js';
import { formatCount } from '../describe/words.js';
import { orbits } from '../group/orbits.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { Expression } from '../model/expression.js';
import type { Model } from '../model/model.js';
import { formatExpression } from '../model/print.js';
import type { TemporalExpression } from '../model/temporal.js';
import { linearize } from '../sequential/linearize.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { keepsProperties, type Detection } from '../symmetry/detect.js';
import { graphExtensionOf } from '../symmetry/graph-extension.js';
import { instanceActionOf } from '../symmetry/instance-action.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';
import { groupKeepingMarkers, type RunGroups } from '../symmetry/run-groups.js';
import { always, withoutConditions, withoutConditionsIn } from './conditions.js';
import { NO_TEXT, quotePlaces, wordsAt, type TextPlace } from './places.js';
import { minimalSet } from './smallest-set.js';

/** More conditions than these explain less than one around them. */
const MOST_PLACES = 3;

/** The symmetries that properties could keep, and those that each does, in the order of the report. */
export interface KeptGroups {
    readonly detection: Detection;
    /** Of deadlock and the invariants. */
    readonly properties: readonly ModelGroup[];
    readonly runs: RunGroups | undefined;
}

/**
 * The properties with their costs, as far as the limit allows; one that symmetries exchange with others has none. A
 * temporal property is compared with what fairness keeps.
 */
export function withCosts(
    model: Model,
    report: Pick<SymmetryReport, 'order' | 'structure' | 'properties' | 'fairness'>,
    { detection, properties: kept, runs }: KeptGroups,
    textOf: TextOfRange,
    limit: WorkLimit,
): PropertyReport[] {
    const { problem } = detection.encoding;
    return report.properties.map((property, index) => {
        const isTemporal = property.kind === 'property';
        const group = isTemporal ? runs?.properties[index - kept.length]?.members?.group : kept[index];
        const { order, structure } = (isTemporal ? report.fairness?.keeps : undefined) ?? report;
        const isAlone = property.alike === undefined && property.alikeTo === undefined;
        if (property.kind === 'deadlock' || !isAlone || property.order === order || group?.complete !== true) {
            return property;
        }
        const keepsAllIn = isTemporal
            ? keepsRuns(problem, detection.group, property.name, BigInt(order), limit)
            : keepsTruth(detection, index, limit);
        const places = costlyPlaces(model, property.name, keepsAllIn, textOf, limit);
        if (places === undefined) {
            return property;
        }
        const pinned = isTemporal ? [] : problem.properties[index].pinned;
        const message =
            `${quotePlaces(places)} ${describeLoss(detection, group, places.length > 1)}: ` +
            `${structure} becomes ${property.structure}, ${formatCount(property.order)} of ${formatCount(order)} symmetries remain` +
            (pinned.length === 0 ? '' : '; it is too large to be compared, so nothing that it reads may move');
        return { ...property, cost: { message, locations: places.map(({ range, text }) => ({ range, text })) } };
    });
}

/** Whether a property of a changed model keeps all the symmetries that it could. */
type Keeps = (changed: SequentialModel) => boolean;

function keepsTruth({ encoding, group }: Detection, property: number, limit: WorkLimit): Keeps {
    return changed => {
        const { name } = encoding.problem.properties[property];
        if (!changed.invariants.some(stated => stated.name === name)) {
            // Nothing is left of a property of runs that is one of states.
            return true;
        }
        const problem = encodeProperties(changed, encoding.problem, limit);
        return problem !== undefined && keepsProperties(problem, group, [property], group.generators);
    };
}

function keepsRuns(
    problem: ConstraintProblem,
    whole: ModelGroup,
    name: string,
    order: bigint,
    limit: WorkLimit,
): Keeps {
    const { fairness } = problem.sequential;
    return ({ properties }) => {
        const { members = [] } = properties.find(property => property.name === name) ?? {};
        return groupKeepingMarkers(problem, whole, [...fairness, ...members], 0, limit)?.group.order === order;
    };
}

/** The smallest condition without which the property keeps all generators, or a few innermost ones. */
function costlyPlaces(
    model: Model,
    property: string,
    keepsAllIn: Keeps,
    textOf: TextOfRange,
    limit: WorkLimit,
): readonly Condition[] | undefined {
    const holds = (without: readonly Condition[]): boolean => {
        if (limit.isExhausted()) {
            return false;
        }
        const changed = withoutParts(model, property, new Set(without.map(({ range }) => range)));
        const { sequential } = linearize(changed);
        return sequential !== undefined && keepsAllIn(sequential);
    };
    const places = placesOfProperty(model, property, textOf);
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

/** A condition in a property, which is neutralized by leaving it out. */
interface Condition extends TextPlace {
    /** Whether there is no smaller condition inside. */
    readonly isLeaf: boolean;
}

/** The conditions on states in an invariant or a property of runs, the shortest first. */
function placesOfProperty(model: Model, name: string, textOf: TextOfRange = NO_TEXT): Condition[] {
    const places: Condition[] = [];
    const note = (condition: Expression): boolean => {
        const { range } = condition;
        const text = wordsAt(range, textOf, () => formatExpression(model, undefined, condition));
        places.push({ range, text, isLeaf: isLeaf(condition) });
        return false;
    };
    model.invariants
        .filter(stated => stated.name === name)
        .forEach(({ expression }) => withoutConditions(expression, note));
    model.properties
        .filter(stated => stated.name === name)
        .forEach(({ expression }) => withoutConditionsIn(expression, note));
    return places.sort((a, b) => a.text.length - b.text.length);
}

function isLeaf(condition: Expression): boolean {
    let count = 0;
    withoutConditions(condition, () => ++count < 0);
    return count === 1;
}

function withoutParts(model: Model, name: string, parts: ReadonlySet<SourceRange>): Model {
    const isLeftOut = ({ range }: Expression): boolean => parts.has(range);
    return {
        ...model,
        invariants: model.invariants.map(stated =>
            stated.name === name
                ? {
                      ...stated,
                      expression: withoutConditions(stated.expression, isLeftOut) ?? always(stated.expression),
                  }
                : stated,
        ),
        properties: model.properties.map(stated =>
            stated.name === name ? { ...stated, expression: withoutPartsOfRuns(stated.expression, isLeftOut) } : stated,
        ),
    };
}

/** Where nothing is left, it is still a property of all states. */
function withoutPartsOfRuns(
    expression: TemporalExpression,
    isLeftOut: (condition: Expression) => boolean,
): TemporalExpression {
    const { range } = expression;
    const nothing: TemporalExpression = {
        kind: 'always',
        operand: { kind: 'state', condition: always(expression), range },
        range,
    };
    return withoutConditionsIn(expression, isLeftOut) ?? nothing;
}

/** The things that no longer move, or move less: instances first, then cells, then values. */
export function describeLoss(detection: Detection, kept: ModelGroup, isPlural: boolean): string {
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
