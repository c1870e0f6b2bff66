/**
 * The successors of a state, interpreted here as the reference.
 *
 * A state has a firing for each summand whose participants' paths all hold; one that the constraint of the model cuts off
 * is the fault `outside`. The bodies run on copies of the state and
 * their writes are united. Since they write different cells and none reads a cell that another one writes (ensured by
 * linearization), they may also run one after the other on one copy.
 */
import { remembered } from '../common/list-map.js';
import { Compiler, type Condition, type Effect, Fault, FAULT_KINDS } from '../sequential/expression/evaluate.js';
import type {
    Cell,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialModel,
    Summand,
} from '../sequential/sequential-model.js';

/** Receives the firings of one state, in the order of the summands. Each method returns whether to go on. */
export interface FiringVisitor {
    /**
     * The states are valid during the call only. The representative is that of the orbit of the successor, of successors
     * that come with it (compiled-successors.ts).
     */
    fired(summand: number, successor: Readonly<Int32Array>, representative?: Readonly<Int32Array>): boolean;
    /** The firing is a fault and has no successor. */
    faulted(summand: number, fault: Fault): boolean;
}

export interface Successors {
    forEachFiring(state: Readonly<Int32Array>, visitor: FiringVisitor): void;
}

/** The reference: compiled to closures, one state at a time. */
export function interpretedSuccessors(model: SequentialModel): Successors {
    const { instances, compile, leaving } = remembered(compiledGroups, model, () => groupByLocation(model));
    const scratch = new Int32Array(model.cells.length);
    return {
        forEachFiring(state, visitor): void {
            for (let instance = 0; instance < instances.length; instance++) {
                const { counter, groupsAt } = instances[instance];
                const groupsHere = groupsAt[counter < 0 ? 0 : state[counter]];
                for (let group = 0; group < groupsHere.length; group++) {
                    const { numbers, test, fires } = groupsHere[group];
                    if (test !== undefined && !mayHold(test, state)) {
                        continue;
                    }
                    for (let index = 0; index < numbers.length; index++) {
                        const fire = (fires[index] ??= compile(numbers[index]));
                        let outcome = fire(state, scratch);
                        if (outcome === 'disabled') {
                            continue;
                        }
                        if (leaving !== undefined && outcome === 'fired') {
                            outcome = leaving(scratch) ?? outcome;
                        }
                        const goOn =
                            outcome === 'fired'
                                ? visitor.fired(numbers[index], scratch)
                                : visitor.faulted(numbers[index], outcome);
                        if (!goOn) {
                            return;
                        }
                    }
                }
            }
        },
    };
}

/** Models are used for several purposes: symmetries, estimates, exploration. */
const compiledGroups = new WeakMap<SequentialModel, CompiledGroups>();

interface CompiledGroups {
    readonly instances: readonly InstanceSummands[];
    /** Compiles a summand on its first use; many are never used. */
    readonly compile: (number: number) => Fire;
    /** Why no firing leads to a state: the constraint is false there, or a fault. Absent without a constraint. */
    readonly leaving?: (state: Int32Array) => Fault | undefined;
}

/** The summands whose first participant is one instance. */
interface InstanceSummands {
    /** The cell of the program counter, or -1. */
    readonly counter: number;
    /** By location, in the order of the summands. */
    readonly groupsAt: readonly (readonly SummandGroup[])[];
}

/** Consecutive summands whose first participants begin with the same test. */
interface SummandGroup {
    /** Absent for one summand. */
    readonly test?: Condition;
    /** Indices into `SequentialModel.summands`. */
    readonly numbers: readonly number[];
    /** By index in `numbers`, once compiled. */
    readonly fires: Fire[];
}

/** Leaves the successor in `target` if the summand has fired. */
type Fire = (state: Int32Array, target: Int32Array) => Outcome;

type Outcome = 'disabled' | 'fired' | Fault;

/** True for a fault, too, which the summand then raises. */
function mayHold(test: Condition, state: Int32Array): boolean {
    try {
        return test(state);
    } catch (error) {
        toFault(error);
        return true;
    }
}

function groupByLocation(model: SequentialModel): CompiledGroups {
    const compiler = new Compiler(model.cells);
    const compile = summandCompiler(model, compiler);
    const begun = model.instances.map(({ locations }) =>
        locations.map((): { readonly condition: SequentialExpression | undefined; readonly numbers: number[] }[] => []),
    );
    model.summands.forEach(({ participants: [first] }, number) => {
        const groups = begun[first.instance][first.source];
        const [begin] = pathOf(first, model.instances[first.instance].counter >= 0);
        const condition = begin?.kind === 'test' ? begin.condition : undefined;
        const last = groups.at(-1);
        if (condition !== undefined && last?.condition === condition) {
            last.numbers.push(number);
        } else {
            groups.push({ condition, numbers: [number] });
        }
    });
    const instances = begun.map((groupsAt, instance) => ({
        counter: model.instances[instance].counter,
        groupsAt: groupsAt.map(groups =>
            groups.map(({ condition, numbers }): SummandGroup => {
                const test = condition && numbers.length > 1 ? compiler.condition(condition) : undefined;
                return { ...(test !== undefined && { test }), numbers, fires: [] };
            }),
        ),
    }));
    const { constraint } = model;
    return {
        ...(constraint !== undefined && { leaving: compileLeaving(constraint, compiler) }),
        instances: instances.filter(({ groupsAt }) => groupsAt.some(groups => groups.length > 0)),
        compile: number => compile(model.summands[number]),
    };
}

function compileLeaving(
    { expression, range }: NonNullable<SequentialModel['constraint']>,
    compiler: Compiler,
): (state: Int32Array) => Fault | undefined {
    const isInside = compiler.condition(expression);
    const outside = new Fault('outside', range);
    return state => {
        try {
            return isInside(state) ? undefined : outside;
        } catch (error) {
            return toFault(error);
        }
    };
}

/** The path of a participant, with `isDispatched` without the test of the program counter, which comes first. */
function pathOf({ path }: Participant, isDispatched: boolean): readonly PathElement[] {
    return isDispatched ? path.slice(1) : path;
}

/** After an edit most summands and cells are the same objects. */
const compiledSummands = new WeakMap<Summand, { readonly cells: readonly Cell[]; readonly fire: Fire }>();

function summandCompiler(model: SequentialModel, compiler: Compiler): (summand: Summand) => Fire {
    const { cells } = model;
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
    /** The rest of the path, on a copy of the state: whether it holds. Absent without initializations. */
    readonly after?: (copy: Int32Array) => boolean;
    readonly body: Effect;
}

function compileSummand(summand: Summand, compiler: Compiler, model: SequentialModel): Fire {
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

/** With `isDispatched` the test of the program counter is known to hold. */
function compileParticipant(participant: Participant, compiler: Compiler, isDispatched: boolean): CompiledParticipant {
    const path = pathOf(participant, isDispatched);
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

function fireAlone({ before, after, body }: CompiledParticipant): Fire {
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
function fireTogether(participants: readonly CompiledParticipant[]): Fire {
    /** By participant: whether its path is a fault; then its body does not run. */
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

/** With initializations: each participant on its own copy, since other paths may read an initialized cell. */
function fireOnCopies(participants: readonly CompiledParticipant[], cellCount: number): Fire {
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

/** The first fault in the order of the kinds. */
function firstOf(known: Fault | undefined, other: Fault): Fault {
    return known === undefined || FAULT_KINDS.indexOf(other.kind) < FAULT_KINDS.indexOf(known.kind) ? other : known;
}
