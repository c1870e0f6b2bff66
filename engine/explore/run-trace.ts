/** A run as readers see it. */
import { changedNames, formatState } from '../describe/shown-state.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { namesAlong } from './instance-names.js';
import { describeStep } from './trace.js';
import type { FinalFault, Run, TraceEntry } from './verdict.js';

/** The steps and states of a run; one more firing than steps to states is the fault at its end. */
export function traceOf(model: SequentialModel, { states, firings }: Run, finalFault?: FinalFault): TraceEntry[] {
    const names = namesAlong(model, states);
    const formatted = states.map((state, index) => formatState(model, state, names[index]));
    const trace = formatted.map((state, index): TraceEntry =>
        index === 0
            ? { step: null, state, changed: [] }
            : {
                  step: describeStep(model, firings[index - 1], names[index - 1]),
                  state,
                  changed: changedNames(model, formatted[index - 1], state),
              },
    );
    const last = states.length - 1;
    if (finalFault !== undefined && firings.length > last) {
        const step = describeStep(model, firings[last], names[last]);
        trace.push({ step, state: formatted[last], changed: [], fault: finalFault.kind });
    }
    return trace;
}
