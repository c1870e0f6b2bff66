/**
 * Summands as functions from a state to its successor, by the reference interpreter. The bodies run on copies of the state
 * and their writes are united. Since they write different cells and none reads a cell that another one writes (ensured by
 * linearization), they may also run one after the other on one copy.
 */
import type { Participant, PathElement, SequentialModel, Summand } from './sequential-model.js';
import { type Compiler, type Condition, type Effect, Fault, FAULT_KINDS } from './expression/evaluate.js';

/** Leaves the successor in `target` if the summand has fired. */
export type Fire = (state: Int32Array, target: Int32Array) => Outcome;

type Outcome = 'disabled' | 'fired' | Fault;

/** Why no firing leads to a state: the constraint is false there, or a fault. */
export function compileLeaving(
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

interface CompiledParticipant {
    /** The tests before the first initialization. */
    readonly before: Condition;
    /** The rest of the path, on a copy of the state: whether it holds. Absent without initializations. */
    readonly after?: (copy: Int32Array) => boolean;
    readonly body: Effect;
}

/** `cellCount` is the number of cells of a state. */
export function compileSummand(summand: Summand, compiler: Compiler, cellCount: number): Fire {
    const participants = summand.participants.map(participant => compileParticipant(participant, compiler));
    if (participants.length === 1) {
        return fireAlone(participants[0]);
    }
    return participants.some(participant => participant.after !== undefined)
        ? fireOnCopies(participants, cellCount)
        : fireTogether(participants);
}

function compileParticipant({ path, body: statements }: Participant, compiler: Compiler): CompiledParticipant {
    const body = compiler.statements(statements);
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

export function toFault(error: unknown): Fault {
    if (error instanceof Fault) {
        return error;
    }
    throw error;
}

/** The first fault in the order of the kinds. */
function firstOf(known: Fault | undefined, other: Fault): Fault {
    return known === undefined || FAULT_KINDS.indexOf(other.kind) < FAULT_KINDS.indexOf(known.kind) ? other : known;
}
