/** A test of a path, or the rest of a path from its first initialization on, as a function of the state before the step. */
import { AbsentRead, type Compiler, Fault } from './expression/evaluate.js';
import type { PathElement } from './sequential-model.js';

/** `absent`: it reads a cell that holds no value, so no run comes to such a state. */
export type TestOutcome = 'true' | 'false' | 'fault' | 'absent';

export type StateTest = (state: Int32Array) => TestOutcome;

/** The elements hold one after the other; initializations are on a copy of the state. */
export function compileTest(elements: readonly PathElement[], compiler: Compiler, cellCount: number): StateTest {
    const [only] = elements;
    if (elements.length === 1 && only.kind === 'test') {
        const condition = compiler.condition(only.condition);
        return state => outcomeOf(() => condition(state));
    }
    const steps = elements.map(element => {
        if (element.kind === 'test') {
            return compiler.condition(element.condition);
        }
        const assign = compiler.assignment(element.cell, element.value, element.range);
        return (copy: Int32Array): boolean => {
            assign(copy);
            return true;
        };
    });
    const copy = new Int32Array(cellCount);
    return state => {
        copy.set(state);
        return outcomeOf(() => steps.every(step => step(copy)));
    };
}

function outcomeOf(holds: () => boolean): TestOutcome {
    try {
        return holds() ? 'true' : 'false';
    } catch (error) {
        if (error instanceof AbsentRead) {
            return 'absent';
        }
        if (error instanceof Fault) {
            return 'fault';
        }
        throw error;
    }
}
