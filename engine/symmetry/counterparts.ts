/**
 * What has no counterpart where a permutation of a declared type is no symmetry: steps whose image is no step of the
 * model, the initial states, and values that one variable can have and its image cannot.
 *
 * This says where to look for what breaks the symmetry, and shows a reader what is missing. Whether a symmetry is there
 * is decided elsewhere.
 */
import type { SourceRange } from '../common/source-range.js';
import { formatValue, valueOfCode, type Domain } from '../model/domain.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { SequentialModel, Summand } from '../sequential/sequential-model.js';
import { DeclaredAction } from './candidates.js';
import type { Trial } from './guilty-places.js';
import { forEachLiteral, literalPoints, type LiteralPoints } from './model-symmetry.js';
import type { GraphEncoding } from './graph-encoding.js';
import { INITIAL, ownerOfProcess, ownerOfStep, type Owner } from './neutralize.js';

/** Something without a counterpart. */
export interface Missing {
    /** The parts of the model of which one must change for it to get one. */
    readonly owners: ReadonlySet<Owner>;
    /** Where a reader sees it, and what is to be said there. */
    readonly range: SourceRange;
    readonly message: string;
}

/** What has no counterpart when the codes of a type go where `images` says; empty where it is a symmetry. */
export function missingCounterparts(trial: Trial, type: Domain, images: readonly number[]): Missing[] {
    const { model, problem, encoding } = trial;
    const points = literalPoints(problem);
    const declared = new DeclaredAction(model, problem.sequential, points);
    const permutation = declared.ofIndexType(type, images);
    if (permutation === undefined) {
        return unlikeValues(trial, declared.unlikeCells(type, images));
    }
    const instances = declared.ofInstances(type, images);
    const imageOf = vertexImages(encoding, points, permutation);
    const steps = sharedOwners(
        problem.summands.flatMap(({ sources }, index) =>
            imageOf[encoding.summandVertex[index]] >= 0
                ? []
                : [missingStep(sources[0], trial, instances, type, images)],
        ),
        problem.sequential,
    );
    const initial = encoding.kinds.findIndex(kind => kind.startsWith('initial:'));
    return imageOf[initial] >= 0
        ? steps
        : [
              ...steps,
              {
                  owners: new Set([INITIAL, ...model.processes.map((_, process) => ownerOfProcess(process))]),
                  range: model.nameRange,
                  message: `not every initial state has a counterpart with ${describeImages(type, images)}`,
              },
          ];
}

/**
 * What a step lacks may be another step of the same processes, which is written elsewhere: that one lacks its counterpart,
 * too, and a change of either may help both.
 */
function sharedOwners(
    steps: readonly (Missing & { readonly source: number })[],
    { instances, summands }: SequentialModel,
): Missing[] {
    const groupOf = ({ source }: { readonly source: number }): string =>
        summands[source].participants.map(({ instance }) => instances[instance].process).join();
    const groups = new Map<string, Set<Owner>>();
    for (const step of steps) {
        const group = groups.get(groupOf(step)) ?? new Set();
        step.owners.forEach(owner => group.add(owner));
        groups.set(groupOf(step), group);
    }
    return steps.map(step => ({ ...step, owners: groups.get(groupOf(step)) ?? step.owners }));
}

function missingStep(
    source: number,
    { problem }: Trial,
    moves: ReadonlyMap<number, number>,
    type: Domain,
    images: readonly number[],
): Missing & { readonly source: number } {
    const { instances, summands } = problem.sequential;
    const summand = summands[source];
    const [first] = summand.participants;
    const moved = summand.participants.find(({ instance }) => (moves.get(instance) ?? instance) !== instance);
    const message =
        moved === undefined
            ? `this step of \`${instances[first.instance].name}\` has no counterpart with ${describeImages(type, images)}`
            : `\`${instances[moves.get(moved.instance) ?? moved.instance].name}\` has no counterpart of this step of ` +
              `\`${instances[moved.instance].name}\``;
    const owners = ownersOf(summand, problem.sequential.instances);
    return { owners, range: (moved ?? first).range, message, source };
}

function ownersOf({ participants }: Summand, instances: Trial['problem']['sequential']['instances']): Set<Owner> {
    return new Set(
        participants.flatMap(({ instance, range }) => {
            const { process } = instances[instance];
            return [ownerOfProcess(process), ownerOfStep(process, range)];
        }),
    );
}

/** One answer for all variables that have other values than their images: what is to blame for one may be for all. */
function unlikeValues(
    { problem }: Trial,
    unlike: readonly { readonly cell: number; readonly target?: number }[],
): Missing[] {
    const { cells, instances, summands } = problem.sequential;
    const among = new Set(unlike.flatMap(({ cell, target }) => (target === undefined ? [cell] : [cell, target])));
    const writers = problem.summands.filter(({ effects }) => effects.some(({ cell }) => among.has(cell)));
    const owners = new Set<Owner>([
        INITIAL,
        ...writers.flatMap(({ sources }) => sources.flatMap(source => [...ownersOf(summands[source], instances)])),
        ...[...among].flatMap(cell => {
            const owner = instances[cells[cell].instance];
            return owner === undefined ? [] : [ownerOfProcess(owner.process)];
        }),
    ]);
    const shown = unlike.find(({ cell }) => cells[cell].kind !== 'counter') ?? unlike[0];
    const { name, declaration, domain } = cells[shown.cell];
    const other = shown.target === undefined ? undefined : cells[shown.target];
    const range = declaration;
    if (other === undefined || other === cells[shown.cell]) {
        return [{ owners, range, message: `\`${name}\` has other values than its counterpart` }];
    }
    const codes = problem.domains[shown.cell].filter(code => code >= 0);
    const values = codes.map(code => formatValue(domain, valueOfCode(domain, code))).join(', ');
    const others = problem.domains[shown.target ?? shown.cell].filter(code => code >= 0);
    const otherValues = others.map(code => formatValue(other.domain, valueOfCode(other.domain, code))).join(', ');
    const message = `\`${name}\` can be ${values}; its counterpart \`${other.name}\` can be ${otherValues}`;
    return [{ owners, range, message }];
}

/** `0 and 1 exchanged`, else `0 in the place of 1` for what moves first. */
function describeImages(type: Domain, images: readonly number[]): string {
    const first = images.findIndex((image, code) => image !== code);
    const name = (code: number): string => `\`${formatValue(type, valueOfCode(type, code))}\``;
    return images[images[first]] === first
        ? `${name(first)} and ${name(images[first])} exchanged`
        : `${name(images[first])} in the place of ${name(first)}`;
}

/** Where the literals take each vertex, from the literals up; -1 for one without an image. */
function vertexImages(
    { graph, children, ...encoding }: GraphEncoding,
    points: LiteralPoints,
    permutation: SparsePermutation,
): Int32Array {
    const images = Int32Array.from({ length: graph.vertexCount }, (_, vertex) => vertex);
    const vertexOfPoint = new Map<number, number>();
    const absent = new Map<number, number>();
    const cellOfPoint = new Map<number, number>();
    forEachLiteral({ graph, children, ...encoding }, points, (vertex, point, cell) => {
        if (point < 0) {
            absent.set(cell, vertex);
        } else {
            vertexOfPoint.set(point, vertex);
            cellOfPoint.set(point, cell);
        }
    });
    permutation.points.forEach((point, index) => {
        const [from, to] = [point, permutation.images[index]].map(each => vertexOfPoint.get(each));
        if (from !== undefined) {
            images[from] = to ?? -1;
        }
        const [empty, emptyImage] = [point, permutation.images[index]].map(each =>
            absent.get(cellOfPoint.get(each) ?? -1),
        );
        if (empty !== undefined) {
            images[empty] = emptyImage ?? -1;
        }
    });
    const keyOf = (vertex: number, below: readonly number[]): string =>
        `${graph.colors[vertex]}:${[...below].sort((a, b) => a - b).join()}`;
    const vertexOfKey = new Map(
        children.flatMap((below, vertex) => (below.length === 0 ? [] : [[keyOf(vertex, below), vertex] as const])),
    );
    // Children have smaller numbers.
    children.forEach((below, vertex) => {
        if (below.length > 0) {
            const imagesBelow = below.map(child => images[child]);
            images[vertex] = imagesBelow.includes(-1) ? -1 : (vertexOfKey.get(keyOf(vertex, imagesBelow)) ?? -1);
        }
    });
    return images;
}
