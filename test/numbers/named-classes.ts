/** The classes that the engine's steps reach from the start of a text, each by its name in the reference. */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { NumberOrder } from '../../engine/explore/number-order.js';
import { numberSuccessors, type NumberSteps } from '../../engine/explore/number-successors.js';
import { NO_VALUE } from '../../engine/model/domain.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { codesIn } from '../../engine/sequential/numbers/enough-codes.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { loadModel } from '../../language-server/load-model.js';
import { type EngineView, viewEngine } from '../agreement/engine-view.js';
import type { Semantics } from '../reference/interpreter.js';
import { bounded, type Sort } from '../reference/real-numbers.js';

/** Larger than all numbers of runs and of states that are made longer; such a run is passed over. */
export const HIGH = 200;

/** Temporaries, which hold no values and are the last cells, need not be those of the text without a bound. */
export function viewOf(model: SequentialModel, semantics: Semantics): Pick<EngineView, 'stateOf'> {
    const view = viewEngine(model, semantics);
    const isTemporary = model.cells.map(({ kind }) => kind === 'temporary');
    return { stateOf: codes => view.stateOf(isTemporary.map((is, cell) => (is ? NO_VALUE : codes[cell]!))) };
}

/** The same text with a bound: it has the same cells. */
export async function boundedModel(text: string): Promise<SequentialModel> {
    const { model, problems } = await loadModel(bounded(text, HIGH), 'file:///bounded.orbit');
    const sequential = model && linearize(model).sequential;
    if (sequential === undefined) {
        throw new Error(`the bounded text is no model: ${problems.map(({ message }) => message).join()}`);
    }
    return sequential;
}

export function sortsOf({ cells, numbers }: SequentialModel, kept: readonly number[]): readonly Sort[] {
    return (numbers?.sorts ?? []).map(({ cells: own, told, modulus }, sort) => ({
        places: own.map(cell => cells[cell]!.name),
        told,
        modulus,
        kept: kept[sort]!,
    }));
}

export interface Classes {
    /** By its name a state of each class. */
    readonly states: ReadonlyMap<string, Int32Array>;
    /** By the name of a class those to which its steps lead. */
    readonly targets: ReadonlyMap<string, ReadonlySet<string>>;
    readonly isExact: boolean;
}

/** All classes by the engine's steps; undefined if there are more than `most`. */
export function classesOf(
    model: SequentialModel,
    kept: readonly number[],
    most: number,
    nameOf: (state: Int32Array) => string,
): Classes | undefined {
    const { sorts = [] } = model.numbers ?? {};
    const order = new NumberOrder(model.cells, sorts, kept, codesIn({ sequential: model }) * 4);
    const steps: NumberSteps = { order, inexact: new Map() };
    const successors = numberSuccessors(model, steps);
    const states = new Map<string, Int32Array>();
    const targets = new Map<string, Set<string>>();
    const waiting: Int32Array[] = [];
    const add = (state: Int32Array): string => {
        const name = nameOf(state);
        if (!states.has(name)) {
            states.set(name, state);
            waiting.push(state);
        }
        return name;
    };
    const initial = new InitialStates(model);
    const state = new Int32Array(model.cells.length);
    while (initial.nextInto(state, UNLIMITED)) {
        const first = state.slice();
        order.normalize(first);
        add(first);
    }
    let isTooMany = false;
    for (let next = waiting.pop(); next !== undefined && states.size <= most && !isTooMany; next = waiting.pop()) {
        const own = new Set<string>();
        targets.set(nameOf(next), own);
        successors.forEachFiring(next, {
            fired: (_, successor) => {
                own.add(add(successor.slice()));
                return true;
            },
            faulted: (_, { kind }) => {
                isTooMany ||= kind === 'numbers';
                return true;
            },
        });
    }
    return states.size > most || isTooMany ? undefined : { states, targets, isExact: steps.inexact.size === 0 };
}
