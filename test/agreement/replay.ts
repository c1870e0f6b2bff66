/** Traces of the product as runs of the reference. */
import type { TraceEntry, Violation } from '../../engine/explore/verdict.js';
import type { Analysis } from '../../engine/pipeline.js';
import type { Semantics, State } from '../reference/interpreter.js';
import type { StateSpace } from '../reference/state-space.js';
import { agree, type EngineView } from './engine-view.js';

export interface Side {
    readonly analysis: Analysis;
    readonly view: EngineView;
    readonly semantics: Semantics;
    readonly space: StateSpace;
}

/** The trace of a violation is a run of the reference that ends with it. */
export function replay(side: Side, violation: Violation): void {
    const { semantics, space } = side;
    const states = violation.trace.map(entry => traceState(side, entry));
    const keys = states.map(state => semantics.key(state));
    agree(space.initial.includes(keys[0]!), () => `a trace begins in ${keys[0]!}, which is not initial`);
    violation.trace.forEach((entry, index) => {
        if (entry.step === null) {
            agree(index === 0, () => 'only the first entry of a trace has no step');
            return;
        }
        const { process, range } = entry.step;
        const firing = semantics
            .fire(states[index - 1]!)
            .find(
                ({ steps, successor, fault }) =>
                    steps.map(({ instance }) => instance.name).join(' & ') === process &&
                    steps[0]!.step.position!.line === range.start.line &&
                    steps[0]!.step.position!.character === range.start.character &&
                    (entry.fault === undefined
                        ? successor !== undefined && semantics.key(successor) === keys[index]!
                        : fault === entry.fault && keys[index] === keys[index - 1]),
            );
        agree(firing !== undefined, () => `step ${index} of a trace, by ${process}, is none of the reference`);
    });
    const last = space.states.get(keys.at(-1)!)!;
    const shows =
        violation.kind === 'deadlock'
            ? space.deadlocks.includes(keys.at(-1)!)
            : violation.kind === 'invariant'
              ? last.violated.has(violation.name)
              : violation.invariant === undefined || last.violated.has(`${violation.invariant}: ${violation.name}`);
    agree(shows, () => `a trace to ${violation.kind} ${violation.name} does not end there`);
}

/** The state that an entry of a trace shows. */
export function traceState({ analysis, view }: Side, entry: TraceEntry): State {
    const { cells } = analysis.sequential!;
    return view.stateOf(cells.map((_, cell) => view.codeOfTraceValue(cell, entry.state)));
}
