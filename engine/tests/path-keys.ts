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
import { argumentsOf, stepFacts, type NamedValue } from '../match/step-facts.js';
import { symmetriesOf, type LogSymmetries } from '../match/symmetries.js';
import { baseOf, codeOfValue, formatValue, NONE, valueOfCode, type Domain } from '../model/domain.js';
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

/** A mark of a step: an instance takes part in it, or an argument of its event, or what it chooses, is of an index type. */
type Mark = { readonly kind: 'instance'; readonly instance: number } | MarkOfValue;

interface MarkOfValue {
    readonly kind: 'argument' | 'choice';
    /** Its number, or its name. */
    readonly position: string;
    readonly type: string;
    readonly code: number;
}

/** What a key is about: so many copies of the state, and perhaps a step with so many of the marks. */
interface Form {
    readonly copies: number;
    readonly markCount: number;
}

export class PathKeys {
    /** Absent if there are none, or they were not found within the limit. */
    readonly symmetries: LogSymmetries | undefined;
    readonly #model: Model;
    readonly #sequential: SequentialModel;
    readonly #types: SaidTypes;
    /** Those of what a step chooses are the last ones. */
    readonly #marks: readonly Mark[];
    readonly #numbers: ReadonlyMap<string, number>;
    readonly #forms: { readonly state: Form; readonly transition: Form; readonly request: Form };
    readonly #canonicalizers = new Map<Form, Canonicalizer | 'none'>();
    #isExact = true;
    readonly #stepsOf = new Map<number, StepMarks>();
    readonly #requestsOf = new Map<number, StepMarks>();

    /** Without a limit each path has a key of its own. */
    constructor(model: Model, sequential: SequentialModel, limit?: WorkLimit) {
        this.#model = model;
        this.#sequential = sequential;
        this.#types = indexTypesOf(model);
        this.symmetries = limit && symmetriesOf(model, sequential, this.#types, limit, { keepsPlaces: true });
        const ofStep = [
            ...sequential.instances.map((_, instance): Mark => ({ kind: 'instance', instance })),
            ...this.#marksOfValues(
                'argument',
                model.events.flatMap(event => event.arguments.map((domain, position) => [String(position), domain])),
            ),
        ];
        this.#marks = [
            ...ofStep,
            ...this.#marksOfValues(
                'choice',
                model.processes.flatMap(({ locals }) => locals.map(({ name, element }) => [name, element])),
            ),
        ];
        this.#forms = {
            state: { copies: 1, markCount: 0 },
            transition: { copies: 2, markCount: ofStep.length },
            request: { copies: 1, markCount: this.#marks.length },
        };
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
        return this.#key(this.#forms.state, [state]);
    }

    /** Of the state, the processes and the label as a trace shows them, and the next state. */
    ofTransition({ before, summand, after }: Passing): string {
        return this.#key(this.#forms.transition, [before, after], this.#stepOf(summand));
    }

    /** A part of the key of a transition that needs no representative. */
    kindOfTransition({ before, summand, after }: Passing): string {
        const changed = before.reduce((count, code, cell) => count + (code === after[cell] ? 0 : 1), 0);
        return `${this.#stepOf(summand).name} ${changed}`;
    }

    #stepOf(summand: number): StepMarks {
        return remembered(this.#stepsOf, summand, () => this.#marksOf(summand, false));
    }

    /** Of a state in which a step is asked for, which need not be possible, and of what it chooses. */
    ofRequest(state: Readonly<Int32Array>, summand: number): string {
        const step = remembered(this.#requestsOf, summand, () => this.#marksOf(summand, true));
        return this.#key(this.#forms.request, [state], step);
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

    /** Each value of index types at each of these positions. */
    #marksOfValues(kind: MarkOfValue['kind'], typed: readonly (readonly [string, Domain])[]): readonly Mark[] {
        const found = new Map<string, Mark>();
        const sizes = this.#types.types();
        for (const [position, domain] of typed) {
            const type = this.#types.typeOf(domain);
            for (let code = 0; type !== undefined && code < (sizes.get(type) ?? 0); code++) {
                const mark: Mark = { kind, position, type, code };
                found.set(JSON.stringify(mark), mark);
            }
        }
        return [...found.values()];
    }

    #key(form: Form, states: readonly Readonly<Int32Array>[], step?: StepMarks): string {
        const size = this.#sequential.cells.length;
        const all = new Int32Array(form.copies * size + form.markCount);
        states.forEach((state, copy) => {
            all.set(state, copy * size);
        });
        step?.marks.forEach(mark => (all[form.copies * size + mark] = 1));
        const canonicalizer = remembered(this.#canonicalizers, form, () => this.#canonicalizer(form));
        if (canonicalizer !== 'none') {
            this.#isExact = canonicalizer.canonicalizeInto(all, all) && this.#isExact;
        }
        return `${step?.name ?? ''} ${all.join()}`;
    }

    #marksOf(summand: number, isRequest: boolean): StepMarks {
        const step = this.#sequential.summands[summand];
        const marks: Mark[] = step.participants.map(({ instance }) => ({ kind: 'instance', instance }));
        const texts: string[] = [];
        const add = (kind: MarkOfValue['kind'], values: readonly NamedValue[]): void => {
            values.forEach(({ name: position, domain, value }) => {
                const base = baseOf(domain);
                const type = value === NONE ? undefined : this.#types.typeOf(base);
                if (type === undefined) {
                    texts.push(
                        kind === 'argument'
                            ? formatValue(domain, value)
                            : `${position} = ${formatValue(domain, value)}`,
                    );
                } else {
                    marks.push({ kind, position, type, code: codeOfValue(base, value) });
                }
            });
        };
        add('argument', argumentsOf(this.#model, step));
        if (isRequest) {
            stepFacts(this.#model, this.#sequential)[summand].participants.forEach(({ chosen }) => {
                add('choice', chosen);
            });
        }
        const event = step.event === undefined ? undefined : this.#model.events[step.event.event].name;
        return {
            name: JSON.stringify([event ?? step.label.replaceAll(INDICES, ''), ...texts]),
            marks: marks.map(mark => {
                const number = this.#numbers.get(JSON.stringify(mark));
                invariant(number !== undefined, 'each part of a step has a mark');
                return number;
            }),
        };
    }

    /** Of paths of so many states. None if representatives would not be unique, which alone make keys equal. */
    #canonicalizer({ copies, markCount }: Form): Canonicalizer | 'none' {
        const { symmetries } = this;
        if (symmetries === undefined) {
            return 'none';
        }
        const { group } = symmetries;
        const size = this.#sequential.cells.length;
        const own = Array.from({ length: size }, (_, cell) => group.codes[cell]);
        const domains = [
            ...Array.from({ length: copies }, () => own).flat(),
            ...Array.from({ length: markCount }, () => [0, 1]),
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
            this.#marks.slice(0, markCount).forEach((mark, number) => {
                const image = this.#imageOfMark(mark, point => imageOf(generator, point));
                for (const code of image === number ? [] : [0, 1]) {
                    const [from, to] = [number, image].map(each => points.firstPoint[firstMark + each] + code);
                    pairs.push([from, to]);
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
