/**
 * A model with templates beside the reference, in which no name is used twice: the classes of states up to names, found here
 * by trying all permutations of slots on the successors of the engine, and the search of the engine.
 */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { exchangesInstances } from '../../engine/describe/describe-templates.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import type { ExplorationReport, TemplateOutcome } from '../../engine/explore/verdict.js';
import { NO_VALUE, templateOf } from '../../engine/model/domain.js';
import { withSlots } from '../../engine/model/with-slots.js';
import type { Model } from '../../engine/model/model.js';
import { findSymmetries, startExploration, type ReducedExploration, type Reduction } from '../../engine/pipeline.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import { Compiler } from '../../engine/sequential/expression/evaluate.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { literalGroup, type ModelGroup } from '../../engine/symmetry/model-symmetry.js';
import { referenceResult, type Classes } from '../reference/classes.js';
import { loadModel } from '../../language-server/load-model.js';

/** More permutations of slots are not tried for each state. */
const MOST_RENAMINGS = 200;

export interface Way {
    readonly reduction: Reduction;
    readonly isInterpreted: boolean;
}

export const WAYS: readonly Way[] = (['auto', 'unique', 'local', 'none'] as const).flatMap(reduction =>
    [true, false].map(isInterpreted => ({ reduction, isInterpreted })),
);

export type Comparison =
    | { readonly kind: 'skipped' }
    /** What shrinking leaves may be no model. */
    | { readonly kind: 'rejected' }
    | { readonly kind: 'agreed'; readonly reference: Classes; readonly report: ExplorationReport };

/** Throws where the two do not agree. */
export async function compare(
    text: string,
    classLimit: number,
    { reduction, isInterpreted }: Way,
): Promise<Comparison> {
    const { model } = await loadModel(text, 'file:///random.orbit');
    if (model === undefined) {
        return { kind: 'rejected' };
    }
    const reference = referenceResult(text, classLimit);
    if (reference === undefined) {
        return { kind: 'skipped' };
    }
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    if (analysis.sequential === undefined) {
        // A race that comes whenever the step does is an error of the model.
        assertEqual(
            analysis.problems.map(({ code }) => code).filter(code => code !== 'event/race'),
            [],
        );
        return { kind: 'skipped' };
    }
    const started = startExploration(analysis, { reduction, isInterpreted, continueAfterViolation: true }, UNLIMITED);
    while (!started.exploration.advance(UNLIMITED));
    const { report } = started.exploration.result();
    if (report === undefined) {
        throw new Error('the exploration has a report');
    }
    const { templates = [], violations } = report;
    const renamings = templates.reduce((product, { slots }) => product * factorial(slots), 1);
    if (renamings > MOST_RENAMINGS) {
        return { kind: 'skipped' };
    }
    const sequential = sequentialWith(model, new Map(templates.map(({ name, slots }) => [name, slots])));
    const classes = new SlotClasses(sequential);
    const found = classes.explore();
    const namesOf = (kind: string): string[] => [
        ...new Set(violations.filter(violation => violation.kind === kind).map(({ name }) => name)),
    ];
    const usage = (count: 'mostLive' | 'mostNamed'): Record<string, number> =>
        Object.fromEntries(templates.map(template => [template.name, template[count]]));
    const expected = {
        classes: reference.classes,
        transitions: reference.transitions,
        deadlocks: reference.deadlocks,
        faults: [...reference.faults].sort(),
        invariants: [...reference.violatedInvariants].sort(),
        isDeadlocked: reference.deadlocks > 0,
        mostLive: { ...reference.mostLive },
        mostNamed: { ...reference.mostNamed },
        limit: undefined,
    };
    const actual = {
        ...found,
        faults: namesOf('fault').sort(),
        invariants: namesOf('invariant').sort(),
        isDeadlocked: report.deadlocks > 0,
        mostLive: usage('mostLive'),
        mostNamed: usage('mostNamed'),
        limit: report.limit,
    };
    assertEqual(actual, expected);
    const told = started.group === undefined ? [] : toldApart(sequential, started.group, templates);
    assertEqual(told, []);
    const orbits = classes.orbitsUnder(started);
    // Fewer would be a class that is missing.
    assertEqual(
        report.reduction?.unique === true ? report.states : Math.max(report.states, orbits),
        report.reduction?.unique === true ? orbits : report.states,
    );
    return { kind: 'agreed', reference, report };
}

/** The templates whose instances a group does not exchange. */
function toldApart(
    { templates = [], cells }: SequentialModel,
    group: ModelGroup,
    outcomes: readonly TemplateOutcome[],
): string[] {
    return templates.flatMap((template, index) => {
        const { mostLive, mostNamed } = outcomes[index]!;
        const used = { ...template, usage: { mostLive, mostNamed } };
        return exchangesInstances(used, cells, group, group.generators) ? [] : [template.name];
    });
}

function assertEqual(actual: unknown, expected: unknown): void {
    const [first, second] = [JSON.stringify(actual, null, 1), JSON.stringify(expected, null, 1)];
    if (first !== second) {
        throw new Error(`the engine says ${first}\nthe reference says ${second}`);
    }
}

function sequentialWith(model: Model, slots: ReadonlyMap<string, number>): SequentialModel {
    const counts = model.processes.flatMap(({ name }, process): [number, number][] => {
        const count = slots.get(name);
        return count === undefined ? [] : [[process, count]];
    });
    const { sequential } = linearize(withSlots(model, new Map(counts)));
    if (sequential === undefined) {
        throw new Error('the model can be linearized');
    }
    return sequential;
}

/** Where an exchange of slots takes a cell, and for each code of the cell the code there. */
interface CellMove {
    readonly target: number;
    readonly codes: readonly number[];
}

class SlotClasses {
    readonly #model: SequentialModel;
    /** One for each element of the product of the symmetric groups on the slots. */
    readonly #moves: readonly (readonly CellMove[])[];
    /** By the text of a class its number, and a state of it. */
    readonly #numbers = new Map<string, number>();
    readonly #states: Int32Array[] = [];

    constructor(model: SequentialModel) {
        this.#model = model;
        const { templates = [], cells } = model;
        const cellNumbers = new Map(cells.map(({ name }, cell) => [name, cell]));
        let exchanges: ReadonlyMap<string, string>[] = [new Map()];
        for (const { slots, name } of templates) {
            const names = slots.map((_, slot) => `${name}@${slot + 1}`);
            const own = permutations(names).map(images =>
                names.map((from, slot): [string, string] => [from, images[slot]!]),
            );
            exchanges = exchanges.flatMap(exchange => own.map(pairs => new Map([...exchange, ...pairs])));
        }
        const processes = templates.map(({ process }) => process);
        this.#moves = exchanges.map(exchange => {
            const renamed = (text: string): string => text.replaceAll(/\w+@\d+/g, name => exchange.get(name) ?? name);
            return cells.map(({ name, domain }): CellMove => {
                const isNamed = processes.includes(templateOf(domain) ?? -1);
                const base = domain.kind === 'optional' ? domain.base : domain;
                const values = base.kind === 'enumeration' ? base.values : [];
                const codes = isNamed ? values.map(value => values.indexOf(renamed(value))) : [];
                const target = cellNumbers.get(renamed(name))!;
                return {
                    target,
                    codes: domain.kind === 'optional' && isNamed ? [0, ...codes.map(code => code + 1)] : codes,
                };
            });
        });
    }

    explore(): Pick<Classes, 'classes' | 'transitions' | 'deadlocks'> {
        const { cells, instances } = this.#model;
        const successors = interpretedSuccessors(this.#model);
        const initial = new InitialStates(this.#model);
        const state = new Int32Array(cells.length);
        while (initial.nextInto(state)) {
            this.#add(state);
        }
        let [transitions, deadlocks] = [0, 0];
        const mayStop = mayStopOf(this.#model);
        for (const here of this.#states) {
            let firings = 0;
            successors.forEachFiring(here, {
                fired: (_, successor) => {
                    transitions++;
                    firings++;
                    this.#add(successor);
                    return true;
                },
                faulted: () => ++firings > 0,
            });
            if (firings === 0 && !instances.every((_, instance) => mayStop(here, instance))) {
                deadlocks++;
            }
        }
        return { classes: this.#states.length, transitions, deadlocks };
    }

    /** In how many orbits the classes are under the group of a search, which may take them to some that are not reached. */
    orbitsUnder({ group }: ReducedExploration): number {
        const reached = this.#states.length;
        if (group === undefined) {
            return reached;
        }
        const canonicalizer = createCanonicalizer(literalGroup(group), {});
        const states = [...this.#states];
        const numbers = new Map(this.#numbers);
        const orbitOf = states.map((_, index) => index);
        const root = (index: number): number => (orbitOf[index] === index ? index : root(orbitOf[index]!));
        const renamed = new Int32Array(this.#model.cells.length);
        const image = new Int32Array(this.#model.cells.length);
        for (let index = 0; index < states.length; index++) {
            // Of a class all states: a symmetry may exchange instances of two templates.
            for (const moves of this.#moves) {
                move(states[index]!, moves, renamed);
                for (const generator of group.generators) {
                    canonicalizer.imageInto(image, renamed, generator);
                    const text = this.#textOf(image);
                    const other = numbers.get(text) ?? states.push(image.slice()) - 1;
                    numbers.set(text, other);
                    orbitOf[other] ??= other;
                    orbitOf[root(index)] = root(other);
                }
            }
        }
        return new Set(orbitOf.slice(0, reached).map(root)).size;
    }

    #add(state: Readonly<Int32Array>): void {
        const text = this.#textOf(state);
        if (!this.#numbers.has(text)) {
            this.#numbers.set(text, this.#states.length);
            this.#states.push(state.slice());
        }
    }

    /** The least of the texts of all images. */
    #textOf(state: Readonly<Int32Array>): string {
        let least: string | undefined;
        const image = new Int32Array(state.length);
        for (const moves of this.#moves) {
            move(state, moves, image);
            const text = image.join();
            least = least === undefined || text < least ? text : least;
        }
        return least!;
    }
}

function move(state: Readonly<Int32Array>, moves: readonly CellMove[], image: Int32Array): void {
    moves.forEach(({ target, codes }, cell) => {
        const code = state[cell]!;
        image[target] = code === NO_VALUE ? NO_VALUE : (codes[code] ?? code);
    });
}

function mayStopOf(model: SequentialModel): (state: Int32Array, instance: number) => boolean {
    const compiler = new Compiler(model.cells);
    const conditions = model.instances.map(({ mayStop }) => compiler.condition(mayStop));
    return (state, instance) => conditions[instance]!(state);
}

function factorial(count: number): number {
    return count < 2 ? 1 : count * factorial(count - 1);
}

function permutations(names: readonly string[]): string[][] {
    return names.length === 0
        ? [[]]
        : names.flatMap(first => permutations(names.filter(name => name !== first)).map(rest => [first, ...rest]));
}
