/**
 * The direct factors of a group in words: what each one permutes, and how. A factor is described by the first subject
 * on which it acts faithfully: instances, processes, values of a type or a variable, cells. If there is none, several
 * subjects are used together, and the subgroup that fixes all their members is described by its action on values.
 */
import { listed } from '../common/listed.js';
import type { WorkLimit } from '../common/work-limit.js';
import { moversAmong, moversOf } from '../group/support-index.js';
import { nontrivialOrbits } from '../group/orbits.js';
import { factorial } from '../group/permutation.js';
import { SPARSE_IDENTITY, type SparsePermutation } from '../group/sparse-permutation.js';
import { tryStabilizerChain, type StabilizerChain } from '../group/stabilizer-chain.js';
import { describeQuotient, directFactors, type DirectFactor, type GroupStructure } from '../group/structure.js';
import { CHAIN_ENTRY_LIMIT, denseGenerators, sideBySide, type PermutationGroup } from '../group/permutation-group.js';
import { as, describeAction, type ActionText } from './describe-action.js';
import type { DescribedGroup } from './describe.js';
import { factorsOf } from './factors.js';
import { pictureOf } from './picture.js';
import type { InstanceMoves } from '../symmetry/instance-action.js';
import type { LiteralPoints } from '../symmetry/model-symmetry.js';
import type { FactorReport } from './report.js';
import { declaredVariables, subjectsOf, type DeclaredVariable, type Subject } from './subjects.js';

/** More subjects are not used for one factor. */
const MOST_SUBJECTS = 3;

/** The action of a factor on the members of a subject. */
interface Action extends ActionText {
    readonly subject: Subject;
    readonly group: PermutationGroup;
    readonly structure: GroupStructure;
}

/** The factors of a complete group, the largest first, those of one order in the order of the text. */
export function describeFactors(
    described: DescribedGroup,
    /** The action of a symmetry on instances; undefined if nothing is known of it. */
    instancesOf: (symmetry: SparsePermutation) => InstanceMoves | undefined,
    limit: WorkLimit,
): readonly FactorReport[] {
    const { model, sequential, group } = described;
    const factors = factorsOf(group, limit);
    if (factors.length === 0) {
        return [];
    }
    const subjectsMovedBy = subjectsByMembers(subjectsOf(model, sequential, group));
    const variables = declaredVariables(model, sequential);
    return [...factors]
        .sort((a, b) =>
            a.structure.order === b.structure.order
                ? firstPointOf(a) - firstPointOf(b)
                : a.structure.order < b.structure.order
                  ? 1
                  : -1,
        )
        .map(factor => {
            // A single factor is best described by the generators of the group.
            const { generators } = factors.length === 1 ? group : factor;
            const instances = generators.map(instancesOf);
            const moving = { generators, instances, cells: generators.map(generator => movedCells(group, generator)) };
            const actions = subjectsMovedBy(moving).flatMap(subject =>
                limit.isExhausted() ? [] : actionOn(subject, factor, moving, limit),
            );
            const chosen = chooseActions(actions, factor, limit);
            const pointCount = group.firstPoint[group.cellCount];
            const rest =
                chosen.length === 0
                    ? [factor]
                    : directFactors(
                          kernel(chosen, factor, generators, pointCount, limit),
                          pointCount,
                          undefined,
                          limit,
                      );
            const values = describeValues(described, variables, rest);
            const whole = actions.find(action => action.structure.order === factor.structure.order);
            const clauses =
                values === undefined
                    ? [...chosen.map(({ text }) => text), whole?.text ?? `values are permuted${as(factor.structure)}`]
                    : [...chosen.map(({ text }) => text), ...values];
            // Together with others, or with values, the members are only a part of the action.
            const [only] = clauses.length === 1 ? chosen : [];
            const picture = only && pictureOf(only.subject, only.group, only.structure, limit);
            return {
                structure: factor.structure.name,
                order: factor.structure.order.toString(),
                permutes: clauses.join('; '),
                moves: movedBy(described, variables, moving),
                ...(picture !== undefined && { picture }),
                ...exampleOf(factor, group.generators),
            };
        });
}

/** A generator of the whole group that moves nothing but what the factor moves. */
function exampleOf(
    { generators: own }: DirectFactor,
    generators: readonly SparsePermutation[],
): Pick<FactorReport, 'example'> {
    const moved = new Set(own.flatMap(({ points }) => [...points]));
    const example = generators.findIndex(({ points }) => points.every(point => moved.has(point)));
    return example < 0 ? {} : { example };
}

/** The least point that it moves: points are in the order of the declarations. */
function firstPointOf({ generators }: DirectFactor): number {
    return generators.reduce((least, { points }) => Math.min(least, points[0]), Infinity);
}

/** The generators of a factor, their actions on instances as far as known, and the cells of which each moves a literal. */
interface Moving {
    readonly generators: readonly SparsePermutation[];
    readonly instances: readonly (InstanceMoves | undefined)[];
    readonly cells: readonly ReadonlySet<number>[];
}

/** Maps a factor to the subjects with members that it may move, most natural first. In a large model they are few. */
function subjectsByMembers(subjects: readonly Subject[]): (moving: Moving) => readonly Subject[] {
    const ofCell = moversOf(subjects, ({ cells }) => cells);
    const ofInstance = moversOf(
        subjects.map(({ instances }) => instances),
        own => own,
    );
    return ({ cells, instances }) => {
        // If its moves are not known, any instance may move.
        if (instances.some(moves => moves === undefined || moves.unknown.size > 0)) {
            return subjects;
        }
        const found = new Set([
            ...cells.flatMap(own => moversAmong(ofCell, own)),
            ...instances.flatMap(moves => moversAmong(ofInstance, moves?.permutation.points ?? [])),
        ]);
        return [...found].sort((a, b) => a - b).map(index => subjects[index]);
    };
}

function actionOn(subject: Subject, factor: DirectFactor, moving: Moving, limit: WorkLimit): Action[] {
    const permutations = moving.generators.map(() => SPARSE_IDENTITY);
    for (const index of moversOfSubject(subject, moving)) {
        const permutation = subject.permute(moving.generators[index], moving.instances[index]);
        if (permutation === undefined) {
            return [];
        }
        permutations[index] = permutation;
    }
    if (permutations.every(({ points }) => points.length === 0)) {
        return [];
    }
    const group = { generators: permutations, degree: subject.members.length };
    const structure = describeQuotient(permutations, group.degree, factor.structure, limit);
    return [{ subject, group, structure, ...describeAction(subject, group, structure, limit) }];
}

/** The generators that may move a member. */
function moversOfSubject(subject: Subject, { instances, cells }: Moving): readonly number[] {
    const ofCells = moversOf(cells, own => own);
    const ofInstances = moversOf(instances, moves => (moves === undefined ? [] : [...moves.permutation.points]));
    return [
        ...new Set([
            ...moversAmong(ofCells, subject.cells),
            ...moversAmong(ofInstances, subject.instances),
            // If its moves are not known, any instance may move.
            ...(subject.instances.length === 0
                ? []
                : instances.flatMap((moves, index) => (moves === undefined || moves.unknown.size > 0 ? [index] : []))),
        ]),
    ];
}

/** A faithful action that has a description, else several actions of which each enlarges the group that they show. */
function chooseActions(actions: readonly Action[], { structure }: DirectFactor, limit: WorkLimit): readonly Action[] {
    const natural = actions.filter(action => action.isNatural);
    const faithful = natural.find(action => action.structure.order === structure.order);
    if (faithful !== undefined) {
        return [faithful];
    }
    const chosen: Action[] = [];
    let order = 1n;
    for (const action of [...natural].sort((a, b) => Number(b.structure.order - a.structure.order))) {
        const orderTogether =
            chosen.length === 0
                ? action.structure.order
                : chainOfActions(
                      [...chosen, action].map(({ group }) => group),
                      0,
                      structure.order,
                      limit,
                  )?.order;
        if (chosen.length < MOST_SUBJECTS && orderTogether !== undefined && orderTogether > order) {
            chosen.push(action);
            order = orderTogether;
        }
    }
    return chosen;
}

/** A chain for several actions of one group side by side, whose base begins with the first `baseLength` points. */
function chainOfActions(
    actions: readonly PermutationGroup[],
    baseLength: number,
    bound: bigint,
    limit: WorkLimit,
): StabilizerChain | undefined {
    const group = actions.reduce(sideBySide);
    return tryStabilizerChain(denseGenerators(group), group.degree, {
        base: Array.from({ length: baseLength }, (_, point) => point),
        bound,
        entryLimit: CHAIN_ENTRY_LIMIT,
        limit,
    });
}

/** Generators of the subgroup of a factor that fixes all members in these actions; none if the chain is too large. */
function kernel(
    actions: readonly Action[],
    factor: DirectFactor,
    generators: readonly SparsePermutation[],
    pointCount: number,
    limit: WorkLimit,
): readonly SparsePermutation[] {
    if (actions.some(action => action.structure.order === factor.structure.order)) {
        return [];
    }
    const members = actions.map(({ group }) => group);
    const memberCount = members.reduce((sum, { degree }) => sum + degree, 0);
    const literals = { generators, degree: pointCount };
    const chain = chainOfActions([...members, literals], memberCount, factor.structure.order, limit);
    const rest = chain?.stabilizerGenerators(memberCount).map(generator => {
        const points = Array.from({ length: pointCount }, (_, point) => point).filter(
            point => generator[memberCount + point] !== memberCount + point,
        );
        return {
            points: Int32Array.from(points),
            images: Int32Array.from(points, point => generator[memberCount + point] - memberCount),
        };
    });
    return rest ?? [];
}

/** The action of factors on the values of single cells; undefined if they also move cells. */
function describeValues(
    { sequential, group }: DescribedGroup,
    variables: readonly DeclaredVariable[],
    factors: readonly DirectFactor[],
): readonly string[] | undefined {
    const { cellOfPoint: cellOf } = group;
    const ofCell = moversOf(variables, ({ cells }) => cells);
    const clauses = factors.map(({ generators: own, structure }) => {
        const moved = nontrivialOrbits(own);
        const movedPlaces = moversAmong(
            ofCell,
            moved.map(([point]) => cellOf[point]),
        );
        const places = movedPlaces.flatMap(place => {
            const { name, cells } = variables[place];
            const among = new Set(cells);
            const classes = moved.filter(orbit => orbit.every(point => among.has(cellOf[point])));
            const isSteady = classes.every(orbit => orbit.every(point => cellOf[point] === cellOf[orbit[0]]));
            if (classes.length === 0 || !isSteady) {
                return [];
            }
            const steady = [...new Set(classes.map(orbit => cellOf[orbit[0]]))];
            const all = steady.length === cells.length;
            const where = all ? `\`${name}\`` : namedInShort(steady.map(cell => sequential.cells[cell].name));
            const isNatural = classes.every(orbit => factorial(orbit.length) === structure.order);
            const together = steady.length === 1 ? '' : all ? ', everywhere at once' : ', in all of them at once';
            const text = isNatural
                ? `the values of ${where} are interchangeable${together}`
                : `the values of ${where} are permuted${as(structure)}`;
            return [{ text, isAll: all }];
        });
        // A whole variable is a better answer than some of its cells.
        const [place] = places.sort((a, b) => Number(b.isAll) - Number(a.isAll) || a.text.length - b.text.length);
        return place?.text;
    });
    const known = clauses.filter(clause => clause !== undefined);
    return known.length < clauses.length ? undefined : known.sort();
}

function namedInShort(names: readonly string[]): string {
    return names.length <= 4 ? listed(names) : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}

function movedCells({ cellOfPoint }: LiteralPoints, { points }: SparsePermutation): ReadonlySet<number> {
    return new Set(Array.from(points, point => cellOfPoint[point]));
}

/** The families and variables of which something moves, in the order of the text. */
function movedBy(
    { model, sequential }: DescribedGroup,
    variables: readonly DeclaredVariable[],
    { cells, instances }: Moving,
): readonly string[] {
    const processes = new Set<number>();
    instances.forEach(moves =>
        moves?.permutation.points.forEach(instance => processes.add(sequential.instances[instance].process)),
    );
    const ofCell = moversOf(variables, variable => variable.cells);
    const names = [
        ...[...processes].sort((a, b) => a - b).map(process => model.processes[process].name),
        ...moversAmong(
            ofCell,
            cells.flatMap(own => [...own]),
        ).map(index => variables[index].name),
    ];
    // Locals of different blocks may have the same name.
    return [...new Set(names)];
}
