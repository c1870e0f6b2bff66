/**
 * What a state can turn into. `Successors` is what exploration needs to know of a model; the interpreted one here is the
 * reference.
 *
 * A state has a firing for each summand whose participants' paths all hold. The bodies of the participants run on copies
 * of the state and what they write is united; because they write different cells and none reads what another one
 * writes (linearization sees to that), they may as well run one after the other on one copy.
 */
import { FAULT_KINDS, Compiler, Fault } from '../sequential/evaluate.js';
import type { Condition, Effect } from '../sequential/evaluate.js';
import type { Cell, Participant, PathElement, SequentialModel, Summand } from '../sequential/sequential-model.js';

/** Receives the firings of one state, in the order of the summands. Each method returns whether to go on. */
export interface FiringVisitor {
    /** `successor` is valid during the call only. */
    fired(summand: number, successor: Readonly<Int32Array>): boolean;
    /** The firing is a fault and has no successor. */
    faulted(summand: number, fault: Fault): boolean;
}

export interface Successors {
    /** Visits each firing of `state`. */
    forEachFiring(state: Readonly<Int32Array>, visitor: FiringVisitor): void;
}

/** The reference: compiled to closures, one state at a time. */
export function interpretedSuccessors(model: SequentialModel): Successors {
    let groups = compiledGroups.get(model);
    if (groups === undefined) {
        groups = groupByLocation(model);
        compiledGroups.set(model, groups);
    }
    const compiled = groups;
    const scratch = new Int32Array(model.cells.length);
    return {
        forEachFiring(state, visitor): void {
            for (let instance = 0; instance < compiled.length; instance++) {
                const { counter, summandsAt } = compiled[instance];
                const summands = summandsAt[counter < 0 ? 0 : state[counter]];
                for (let index = 0; index < summands.length; index++) {
                    const { number, fire } = summands[index];
                    const outcome = fire(state, scratch);
                    if (outcome === 'disabled') {
                        continue;
                    }
                    const goOn =
                        outcome === 'fired' ? visitor.fired(number, scratch) : visitor.faulted(number, outcome);
                    if (!goOn) {
                        return;
                    }
                }
            }
        },
    };
}

/** A model is run for one purpose after the other: to try its symmetries, for estimates, to be explored. */
const compiledGroups = new WeakMap<SequentialModel, readonly InstanceSummands[]>();

/** The summands whose first participant is one instance. */
interface InstanceSummands {
    /** The cell of its program counter, or -1. */
    readonly counter: number;
    /** By its location. */
    readonly summandsAt: readonly (readonly CompiledSummand[])[];
}

interface CompiledSummand {
    /** Index into `SequentialModel.summands`. */
    readonly number: number;
    /** Leaves the successor in `target` where it has fired. */
    readonly fire: (state: Int32Array, target: Int32Array) => Outcome;
}

type Outcome = 'disabled' | 'fired' | Fault;

function groupByLocation(model: SequentialModel): InstanceSummands[] {
    const compile = summandCompiler(model);
    const groups = model.instances.map(instance => ({
        counter: instance.counter,
        summandsAt: instance.locations.map((): CompiledSummand[] => []),
    }));
    model.summands.forEach((summand, number) => {
        const [first] = summand.participants;
        groups[first.instance].summandsAt[first.source].push({ number, fire: compile(summand) });
    });
    return groups.filter(group => group.summandsAt.some(summands => summands.length > 0));
}

/** Most summands are those of the model before an edit, and so are the cells that they were compiled for. */
const compiledSummands = new WeakMap<
    Summand,
    { readonly cells: readonly Cell[]; readonly fire: CompiledSummand['fire'] }
>();

function summandCompiler(model: SequentialModel): (summand: Summand) => CompiledSummand['fire'] {
    const { cells } = model;
    const compiler = new Compiler(cells);
    const areSame = new Map([[cells, true]]);
    return summand => {
        const known = compiledSummands.get(summand);
        if (known !== undefined) {
            const isSame =
                areSame.get(known.cells) ??
                (cells.length === known.cells.length && cells.every((cell, index) => cell === known.cells[index]));
            areSame.set(known.cells, isSame);
            if (isSame) {
                return known.fire;
            }
        }
        const fire = compileSummand(summand, compiler, model);
        compiledSummands.set(summand, { cells, fire });
        return fire;
    };
}

interface CompiledParticipant {
    /** The tests before the first initialization. */
    readonly before: Condition;
    /** The rest of the path, on a copy of the state; whether it holds. Absent where nothing is initialized. */
    readonly after?: (copy: Int32Array) => boolean;
    readonly body: Effect;
}

function compileSummand(
    summand: Summand,
    compiler: Compiler,
    model: SequentialModel,
): (state: Int32Array, target: Int32Array) => Outcome {
    const participants = summand.participants.map((participant, index) =>
        compileParticipant(participant, compiler, index === 0 && model.instances[participant.instance].counter >= 0),
    );
    if (participants.length === 1) {
        return fireAlone(participants[0]);
    }
    return participants.some(participant => participant.after !== undefined)
        ? fireOnCopies(participants, model.cells.length)
        : fireTogether(participants);
}

/** `isDispatched`: the test of the program counter, first of the path, is known to hold. */
function compileParticipant(participant: Participant, compiler: Compiler, isDispatched: boolean): CompiledParticipant {
    const path = isDispatched ? participant.path.slice(1) : participant.path;
    const body = compiler.statements(participant.body);
    const firstAssignment = path.findIndex(element => element.kind === 'assign');
    if (firstAssignment < 0) {
        return { before: allTests(path, compiler), body };
    }
    const elements = path.slice(firstAssignment).map((element): ((copy: Int32Array) => boolean) => {
        if (element.kind === 'test') {
            return compiler.condition(element.condition);
        }
        const assign = compiler.assignment(element.cell, element.value, element.range);
        return copy => {
            assign(copy);
            return true;
        };
    });
    return {
        before: allTests(path.slice(0, firstAssignment), compiler),
        after: copy => elements.every(element => element(copy)),
        body,
    };
}

function allTests(path: readonly PathElement[], compiler: Compiler): Condition {
    const tests = path.flatMap(element => (element.kind === 'test' ? [compiler.condition(element.condition)] : []));
    switch (tests.length) {
        case 0:
            return () => true;
        case 1:
            return tests[0];
        default:
            return state => {
                for (let index = 0; index < tests.length; index++) {
                    if (!tests[index](state)) {
                        return false;
                    }
                }
                return true;
            };
    }
}

function fireAlone({ before, after, body }: CompiledParticipant): (state: Int32Array, target: Int32Array) => Outcome {
    return (state, target) => {
        try {
            if (!before(state)) {
                return 'disabled';
            }
            target.set(state);
            if (after !== undefined && !after(target)) {
                return 'disabled';
            }
            body(target);
            return 'fired';
        } catch (error) {
            return toFault(error);
        }
    };
}

/** Without initializations: all paths in the state itself, then the bodies one after the other. */
function fireTogether(
    participants: readonly CompiledParticipant[],
): (state: Int32Array, target: Int32Array) => Outcome {
    /** Whether each participant's path is a fault; only these do not run their body. */
    const faulty = participants.map(() => false);
    return (state, target) => {
        let fault: Fault | undefined;
        for (let index = 0; index < participants.length; index++) {
            faulty[index] = false;
            try {
                if (!participants[index].before(state)) {
                    return 'disabled';
                }
            } catch (error) {
                faulty[index] = true;
                fault = firstOf(fault, toFault(error));
            }
        }
        target.set(state);
        for (let index = 0; index < participants.length; index++) {
            if (!faulty[index]) {
                try {
                    participants[index].body(target);
                } catch (error) {
                    fault = firstOf(fault, toFault(error));
                }
            }
        }
        return fault ?? 'fired';
    };
}

/** With initializations: each participant on a copy of its own, for another path may read what one initializes. */
function fireOnCopies(
    participants: readonly CompiledParticipant[],
    cellCount: number,
): (state: Int32Array, target: Int32Array) => Outcome {
    const copies = participants.map(() => new Int32Array(cellCount));
    const faulty = participants.map(() => false);
    return (state, target) => {
        let fault: Fault | undefined;
        for (let index = 0; index < participants.length; index++) {
            const { before, after } = participants[index];
            faulty[index] = false;
            try {
                if (!before(state)) {
                    return 'disabled';
                }
                copies[index].set(state);
                if (after !== undefined && !after(copies[index])) {
                    return 'disabled';
                }
            } catch (error) {
                faulty[index] = true;
                fault = firstOf(fault, toFault(error));
            }
        }
        target.set(state);
        for (let index = 0; index < participants.length; index++) {
            if (faulty[index]) {
                continue;
            }
            try {
                participants[index].body(copies[index]);
            } catch (error) {
                fault = firstOf(fault, toFault(error));
            }
            for (let cell = 0; cell < cellCount; cell++) {
                if (copies[index][cell] !== state[cell]) {
                    target[cell] = copies[index][cell];
                }
            }
        }
        return fault ?? 'fired';
    };
}

function toFault(error: unknown): Fault {
    if (error instanceof Fault) {
        return error;
    }
    throw error;
}

/** Of several faults the first in the order of the kinds counts. */
function firstOf(known: Fault | undefined, other: Fault): Fault {
    return known === undefined || FAULT_KINDS.indexOf(other.kind) < FAULT_KINDS.indexOf(known.kind) ? other : known;
}
