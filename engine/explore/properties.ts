/** Checks of single states: the invariants, and deadlock. A fault of an invariant is a violation, too. */
import { allMayStop } from '../sequential/expression/alive.js';
import { Compiler, type Condition, Fault } from '../sequential/expression/evaluate.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { Traced } from './verdict.js';

/** A violation, or a run that is to exist, without its trace. */
export type Finding = Pick<Traced, 'kind' | 'name' | 'range' | 'invariant'>;

/** The finding in a state without firings in which some process has not ended. */
export const DEADLOCK: Finding = { kind: 'deadlock', name: 'deadlock' };

/** The name by which the model can say that a violation is meant. */
export function statementOf({ kind, name }: Pick<Traced, 'kind' | 'name'>): string {
    return kind === 'fault' ? 'faults' : name;
}

export class Properties {
    /** Whether a deadlock is a violation. */
    readonly checksDeadlock: boolean;
    readonly #invariants: readonly CheckedInvariant[];
    readonly #allMayStop: Condition;

    /** `selected` has the names of the invariants to check, and `deadlock`; all properties if undefined. */
    constructor(model: SequentialModel, selected: readonly string[] | undefined) {
        const compiler = new Compiler(model.cells);
        this.checksDeadlock = selected === undefined ? !model.allowsDeadlock : selected.includes('deadlock');
        this.#invariants = model.invariants
            .filter(({ name }) => selected === undefined || selected.includes(name))
            .map(({ kind, name, range, expression }) => ({
                finding: { kind, name, range },
                holds: compiler.condition(expression),
            }));
        this.#allMayStop = compiler.condition(allMayStop(model));
    }

    /** Calls `report` for each invariant that does not hold, always with the same object for one invariant. */
    checkState(state: Readonly<Int32Array>, report: (finding: Finding) => void): void {
        for (const invariant of this.#invariants) {
            const finding = findingIn(state, invariant);
            if (finding !== undefined) {
                report(finding);
            }
        }
    }

    /** What is found of one invariant in a state; undefined if it holds. */
    findingOf(name: string, state: Readonly<Int32Array>): Finding | undefined {
        const invariant = this.#invariants.find(({ finding }) => finding.name === name);
        return invariant && findingIn(state, invariant);
    }

    /** Whether some instance may not stop, in a state without firings. Faults count only if deadlocks are checked. */
    isDeadlock(state: Readonly<Int32Array>, report: (finding: Finding) => void): boolean {
        try {
            return !this.#allMayStop(state);
        } catch (error) {
            const finding = faultFinding(error);
            if (this.checksDeadlock) {
                report(finding);
            }
            return false;
        }
    }
}

interface CheckedInvariant {
    readonly finding: Finding;
    readonly holds: Condition;
}

function findingIn(state: Readonly<Int32Array>, { finding, holds }: CheckedInvariant): Finding | undefined {
    try {
        return holds(state) ? undefined : finding;
    } catch (error) {
        return { ...faultFinding(error), invariant: finding.name };
    }
}

/** A fault as a finding; other exceptions are thrown again. */
function faultFinding(error: unknown): Finding {
    if (error instanceof Fault) {
        return { kind: 'fault', name: error.kind, range: error.range };
    }
    throw error;
}
