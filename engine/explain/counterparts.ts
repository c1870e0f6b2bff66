/**
 * The parts of a model without a counterpart under a permutation of a declared type: steps, initial states, and values
 * that one variable can have and its image cannot. They guide the search for the places that break a symmetry, and are
 * shown to readers; they do not decide whether a symmetry is there.
 */
import { appendTo } from '../common/list-map.js';
import { formatValue, valueOfCode, type Domain } from '../model/domain.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import type { Model } from '../model/model.js';
import { stepsIn } from '../model/walk-model.js';
import type { SequentialModel, Summand } from '../sequential/sequential-model.js';
import { declaredActionOf } from '../symmetry/declared-action.js';
import type { Missing, Trial } from './trials.js';
import { forEachLiteral, literalPoints, type LiteralPoints } from '../symmetry/model-symmetry.js';
import type { GraphEncoding } from '../symmetry/graph-encoding.js';
import { INITIAL, ownerOfProcess, ownerOfStep, type Owner } from './places.js';

/** The parts without a counterpart if each code of a type goes to `images[code]`; none for a symmetry. */
export function missingCounterparts(trial: Trial, type: Domain, images: readonly number[]): Missing[] {
    const { model, encoding } = trial;
    const { problem } = encoding;
    const points = literalPoints(problem);
    const declared = declaredActionOf(model, problem);
    const permutation = declared.ofIndexType(type, images);
    if (permutation === undefined) {
        return unlikeValues(trial, declared.unlikeCells(type, images));
    }
    const instances = declared.ofInstances(type, images);
    const imageOf = vertexImages(encoding, points, permutation);
    const steps = stepsWithout(trial, instances, imageOf).map(step =>
        missingStep(step, trial, instances, type, images),
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

/** A summand, as an index into those of the model, and the owners of the places that may give it its counterpart. */
interface LonelyStep {
    readonly source: number;
    readonly owners: ReadonlySet<Owner>;
}

/** The summands without an image; if all have one, those whose image belongs to other instances than it should. */
function stepsWithout(
    { model, encoding }: Trial,
    moves: ReadonlyMap<number, number>,
    imageOf: Int32Array,
): readonly LonelyStep[] {
    const { problem, cellVertex, summandVertex } = encoding;
    const { summands, instances } = problem.sequential;
    const written = problem.summands.map(({ effects }) => new Set(effects.map(({ cell }) => cellVertex[cell])));
    const lonely: { readonly index: number; readonly source: number }[] = [];
    problem.summands.forEach(({ sources }, index) => {
        if (imageOf[summandVertex[index]] < 0) {
            lonely.push({ index, source: sources[0] });
        }
    });
    if (lonely.length === 0) {
        const indexAt = new Map([...summandVertex].map((vertex, index) => [vertex, index]));
        problem.summands.forEach(({ sources }, index) => {
            const image = indexAt.get(imageOf[summandVertex[index]]);
            const there = new Set(
                image === undefined
                    ? []
                    : problem.summands[image].sources.map(each => roleOf(summands[each], NO_MOVES)),
            );
            for (const source of sources.filter(each => !there.has(roleOf(summands[each], moves)))) {
                lonely.push({ index, source });
            }
        });
    }
    const partnersOf = eventPartners(model);
    const lonelyTexts = new Set(lonely.map(({ source }) => textOf(summands[source], instances)));
    /** The summands that may become the counterpart of one that lacks it, by their roles. */
    const others = new Map<string, { readonly index: number; readonly owners: ReadonlySet<Owner> }[]>();
    problem.summands.forEach(({ sources }, index) => {
        const summand = summands[sources[0]];
        if (lonelyTexts.has(textOf(summand, instances))) {
            appendTo(others, roleOf(summand, NO_MOVES), { index, owners: ownersOf(summand, instances) });
        }
    });
    return lonely.map(({ index, source }) => {
        const summand = summands[source];
        const wanted = new Set([...written[index]].map(vertex => (vertex < 0 ? vertex : imageOf[vertex])));
        const owners = ownersOf(summand, instances);
        for (const other of others.get(roleOf(summand, moves)) ?? []) {
            if (isSubset(wanted, written[other.index]) || isSubset(written[other.index], wanted)) {
                other.owners.forEach(owner => owners.add(owner));
            }
        }
        const [{ instance, range }] = summand.participants;
        if (summand.participants.length === 1) {
            const own = ownerOfStep(instances[instance].process, range);
            partnersOf.get(own)?.forEach(partner => owners.add(partner));
        }
        return { source, owners };
    });
}

/** For each step of an event, the owners of all steps of that event: a step that fires alone may need a partner. */
function eventPartners({ processes }: Model): ReadonlyMap<Owner, readonly Owner[]> {
    const steps = processes.flatMap(({ body }, process) =>
        stepsIn(body).flatMap(({ communication, range }) =>
            communication?.kind === 'event' ? [{ event: communication.event, process, range }] : [],
        ),
    );
    return new Map(
        steps.map(({ event, process, range }) => [
            ownerOfStep(process, range),
            steps
                .filter(other => other.event === event)
                .flatMap(other => [ownerOfProcess(other.process), ownerOfStep(other.process, other.range)]),
        ]),
    );
}

const NO_MOVES: ReadonlyMap<number, number> = new Map();

/** The participants after instances are moved, and their control locations: the same for a step and its image. */
function roleOf({ participants }: Summand, moves: ReadonlyMap<number, number>): string {
    return participants
        .map(({ instance, source }) => `${moves.get(instance) ?? instance} ${source}`)
        .sort()
        .join();
}

/** The steps of the text that a summand was made of. */
function textOf({ participants }: Summand, instances: SequentialModel['instances']): string {
    return participants.map(({ instance, range }) => ownerOfStep(instances[instance].process, range)).join();
}

function isSubset(first: ReadonlySet<number>, second: ReadonlySet<number>): boolean {
    for (const each of first) {
        if (!second.has(each)) {
            return false;
        }
    }
    return true;
}

function missingStep(
    { source, owners }: LonelyStep,
    { encoding }: Trial,
    moves: ReadonlyMap<number, number>,
    type: Domain,
    images: readonly number[],
): Missing {
    const { instances, summands } = encoding.problem.sequential;
    const summand = summands[source];
    const [first] = summand.participants;
    const moved = summand.participants.find(({ instance }) => (moves.get(instance) ?? instance) !== instance);
    const message =
        moved === undefined
            ? `this step of \`${instances[first.instance].name}\` has no counterpart with ${describeImages(type, images)}`
            : `\`${instances[moves.get(moved.instance) ?? moved.instance].name}\` has no counterpart of this step of ` +
              `\`${instances[moved.instance].name}\``;
    return { owners, range: (moved ?? first).range, message };
}

function ownersOf({ participants }: Summand, instances: SequentialModel['instances']): Set<Owner> {
    return new Set(
        participants.flatMap(({ instance, range }) => {
            const { process } = instances[instance];
            return [ownerOfProcess(process), ownerOfStep(process, range)];
        }),
    );
}

/** One result for all variables that have other values than their images: one place may break all of them. */
function unlikeValues(
    { encoding: { problem } }: Trial,
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

/** More values are abbreviated. */
const MOST_NAMED = 8;

/** `0 and 1 exchanged` if nothing else moves, else `1, 2, 0 in the place of 0, 1, 2`. */
function describeImages(type: Domain, images: readonly number[]): string {
    const moved = images.flatMap((image, code) => (image === code ? [] : [code]));
    const name = (code: number): string => `\`${formatValue(type, valueOfCode(type, code))}\``;
    const namesOf = (codes: readonly number[]): string =>
        (codes.length <= MOST_NAMED
            ? codes.map(name)
            : [...codes.slice(0, 2).map(name), '…', ...codes.slice(-1).map(name)]
        ).join(', ');
    return moved.length === 2
        ? moved.map(name).join(' and ') + ' exchanged'
        : `${namesOf(moved.map(code => images[code]))} in the place of ${namesOf(moved)}`;
}

/** The image of each vertex, which follows from those of the literals; -1 for a vertex without an image. */
function vertexImages(encoding: GraphEncoding, points: LiteralPoints, permutation: SparsePermutation): Int32Array {
    const { graph, children } = encoding;
    const { cellOfPoint } = points;
    const images = Int32Array.from({ length: graph.vertexCount }, (_, vertex) => vertex);
    const vertexOfPoint = new Map<number, number>();
    const absent = new Map<number, number>();
    forEachLiteral(encoding, points, (vertex, point, cell) => {
        if (point < 0) {
            absent.set(cell, vertex);
        } else {
            vertexOfPoint.set(point, vertex);
        }
    });
    permutation.points.forEach((point, index) => {
        const [from, to] = [point, permutation.images[index]].map(each => vertexOfPoint.get(each));
        if (from !== undefined) {
            images[from] = to ?? -1;
        }
        const [empty, emptyImage] = [point, permutation.images[index]].map(each => absent.get(cellOfPoint[each]));
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
