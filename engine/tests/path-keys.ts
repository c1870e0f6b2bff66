/**
 * Keys of states and of short paths, equal for paths that a symmetry maps to each other: one that keeps the start, labels,
 * families, binders, places of the text and all else that a log can say (match/said.ts). A path is brought to a
 * representative as one state of several copies of the model, with marks of who takes its steps.
 */
import { invariant } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import { imageOf, sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import type { SaidTypes } from '../match/said.js';
import { argumentsOf } from '../match/step-facts.js';
import { symmetriesOf, type LogSymmetries } from '../match/symmetries.js';
import { baseOf, codeOfValue, formatValue, NONE, valueOfCode } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { createCanonicalizer, type Canonicalizer } from '../representative/representative.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { literalGroup, literalPoints } from '../symmetry/model-symmetry.js';
import { indexTypesOf } from './index-types.js';

export interface Passing {
    readonly before: Readonly<Int32Array>;
    readonly summand: number;
    readonly after: Readonly<Int32Array>;
}

/** The work for one representative. */
const WORK = 10_000_000;

/** In the name of a step without a label: `receive request[1]`. Who takes it and what it does says which they are. */
const INDICES = /\[.*\]|@\d+/gs;

/** A mark of a step: an instance takes part in it, or an argument of its event has a value of an index type. */
type Mark =
    | { readonly kind: 'instance'; readonly instance: number }
    | { readonly kind: 'argument'; readonly position: string; readonly type: string; readonly code: number };

export class PathKeys {
    /** Absent if there are none, or they were not found within the limit. */
    readonly symmetries: LogSymmetries | undefined;
    readonly #model: Model;
    readonly #sequential: SequentialModel;
    readonly #types: SaidTypes;
    readonly #marks: readonly Mark[];
    readonly #numbers: ReadonlyMap<string, number>;
    readonly #canonicalizers = new Map<number, Canonicalizer | 'none'>();
    #isExact = true;
    readonly #stepsOf = new Map<number, StepMarks>();

    /** Without a limit each path has a key of its own. */
    constructor(model: Model, sequential: SequentialModel, limit?: WorkLimit) {
        this.#model = model;
        this.#sequential = sequential;
        this.#types = indexTypesOf(model);
        this.symmetries = limit && symmetriesOf(model, sequential, this.#types, limit, { keepsPlaces: true });
        const types = new Map<string, Set<string>>();
        model.events.forEach(event => {
            event.arguments.forEach((domain, position) => {
                const type = this.#types.typeOf(domain);
                if (type !== undefined) {
                    remembered(types, type, () => new Set<string>()).add(String(position));
                }
            });
        });
        const sizes = this.#types.types();
        this.#marks = [
            ...sequential.instances.map((_, instance): Mark => ({ kind: 'instance', instance })),
            ...[...types].flatMap(([type, positions]) =>
                [...positions].flatMap(position =>
                    Array.from({ length: sizes.get(type) ?? 0 }, (_, code): Mark => ({
                        kind: 'argument',
                        position,
                        type,
                        code,
                    })),
                ),
            ),
        ];
        this.#numbers = new Map(this.#marks.map((mark, number) => [JSON.stringify(mark), number]));
    }

    /** The number of symmetries. */
    get order(): bigint {
        return this.symmetries?.group.order ?? 1n;
    }

    /** False if a representative took too long, so that keys of paths that are alike may differ. */
    get isExact(): boolean {
        return this.#isExact;
    }

    /** The points of all values of index types. */
    get memberPoints(): readonly number[] {
        const { symmetries } = this;
        return symmetries === undefined
            ? []
            : [...this.#types.types()].flatMap(([type, length]) =>
                  Array.from({ length }, (_, code) => symmetries.pointOf(type, code)),
              );
    }

    ofState(state: Readonly<Int32Array>): string {
        return this.#key([state], []);
    }

    /** Of the state, the processes and the label as a trace shows them, and the next state. */
    ofTransition({ before, summand, after }: Passing): string {
        return this.#key([before, after], [summand]);
    }

    /** The instance to which a symmetry, on the points of the group, maps an instance. */
    imageOfInstance(instance: number, imageOfPoint: (point: number) => number): number {
        const { process, indices } = this.#sequential.instances[instance];
        const images = this.#model.processes[process].indices.map(({ domain }, position) => {
            const base = baseOf(domain);
            const type = this.#types.typeOf(base);
            const { symmetries } = this;
            if (type === undefined || symmetries === undefined) {
                return indices[position];
            }
            const point = symmetries.pointOf(type, codeOfValue(base, indices[position]));
            return valueOfCode(base, symmetries.codeOf(type, imageOfPoint(point)));
        });
        const found = this.#instances().get(JSON.stringify([process, images]));
        invariant(found !== undefined, 'a symmetry maps instances to instances');
        return found;
    }

    #known: ReadonlyMap<string, number> | undefined;

    #instances(): ReadonlyMap<string, number> {
        this.#known ??= new Map(
            this.#sequential.instances.map(({ process, indices }, instance) => [
                JSON.stringify([process, indices]),
                instance,
            ]),
        );
        return this.#known;
    }

    #key(states: readonly Readonly<Int32Array>[], summands: readonly number[]): string {
        const size = this.#sequential.cells.length;
        const steps = summands.map(summand => this.#marksOf(summand));
        const all = new Int32Array(states.length * size + steps.length * this.#marks.length);
        states.forEach((state, copy) => {
            all.set(state, copy * size);
        });
        steps.forEach(({ marks }, step) => {
            marks.forEach(mark => (all[states.length * size + step * this.#marks.length + mark] = 1));
        });
        const canonicalizer = remembered(this.#canonicalizers, states.length, () => this.#canonicalizer(states.length));
        if (canonicalizer !== 'none') {
            this.#isExact = canonicalizer.canonicalizeInto(all, all) && this.#isExact;
        }
        return `${steps.map(({ name }) => name).join()} ${all.join()}`;
    }

    #marksOf(summand: number): StepMarks {
        return remembered(this.#stepsOf, summand, () => {
            const step = this.#sequential.summands[summand];
            const marks: Mark[] = step.participants.map(({ instance }) => ({ kind: 'instance', instance }));
            const texts: string[] = [];
            argumentsOf(this.#model, step).forEach(({ name: position, domain, value }) => {
                const base = baseOf(domain);
                const type = value === NONE ? undefined : this.#types.typeOf(base);
                if (type === undefined) {
                    texts.push(formatValue(domain, value));
                } else {
                    marks.push({ kind: 'argument', position, type, code: codeOfValue(base, value) });
                }
            });
            const event = step.event === undefined ? undefined : this.#model.events[step.event.event].name;
            return {
                name: JSON.stringify([event ?? step.label.replaceAll(INDICES, ''), ...texts]),
                marks: marks.map(mark => this.#numbers.get(JSON.stringify(mark)) ?? -1),
            };
        });
    }

    /** Of paths of so many states. None if representatives would not be unique, which alone make keys equal. */
    #canonicalizer(copies: number): Canonicalizer | 'none' {
        const { symmetries } = this;
        if (symmetries === undefined) {
            return 'none';
        }
        const { group } = symmetries;
        const size = this.#sequential.cells.length;
        const own = Array.from({ length: size }, (_, cell) => group.codes[cell]);
        const steps = copies - 1;
        const domains = [
            ...Array.from({ length: copies }, () => own).flat(),
            ...Array.from({ length: steps * this.#marks.length }, () => [0, 1]),
        ];
        const points = literalPoints({ domains });
        const firstMark = copies * size;
        const generators = group.generators.map((generator): SparsePermutation => {
            const pairs: [number, number][] = [];
            generator.points.forEach((point, index) => {
                const [cell, image] = [point, generator.images[index]].map(each => group.cellOfPoint[each]);
                if (cell >= size) {
                    return;
                }
                const position = point - group.firstPoint[cell];
                const target = generator.images[index] - group.firstPoint[image];
                for (let copy = 0; copy < copies; copy++) {
                    pairs.push([
                        points.firstPoint[copy * size + cell] + position,
                        points.firstPoint[copy * size + image] + target,
                    ]);
                }
            });
            this.#marks.forEach((mark, number) => {
                const image = this.#imageOfMark(mark, point => imageOf(generator, point));
                for (let step = 0; step < steps && image !== number; step++) {
                    for (const code of [0, 1]) {
                        const [from, to] = [number, image].map(
                            each => points.firstPoint[firstMark + step * this.#marks.length + each] + code,
                        );
                        pairs.push([from, to]);
                    }
                }
            });
            return sparsePermutation(pairs);
        });
        const moving = generators.filter(generator => generator.points.length > 0);
        if (moving.length === 0) {
            return 'none';
        }
        // Its order is not that of the group: what moves no state and no step is left out.
        const acting = literalGroup({ ...points, generators: moving, order: 0n, complete: false });
        const canonicalizer = createCanonicalizer(acting, { workPerState: WORK });
        return canonicalizer.strategy.unique ? canonicalizer : 'none';
    }

    #imageOfMark(mark: Mark, imageOfPoint: (point: number) => number): number {
        if (mark.kind === 'instance') {
            return this.imageOfInstance(mark.instance, imageOfPoint);
        }
        const { symmetries } = this;
        const { type, code } = mark;
        const image = symmetries?.codeOf(type, imageOfPoint(symmetries.pointOf(type, code))) ?? code;
        return this.#numbers.get(JSON.stringify({ ...mark, code: image })) ?? -1;
    }
}

interface StepMarks {
    readonly name: string;
    readonly marks: readonly number[];
}
