/** The reason of a violation, from the run that leads to it. */
import { sameData } from '../common/same-data.js';
import type { TextOfRange } from '../common/source-text.js';
import { namesAlong } from '../explore/instance-names.js';
import type { Violation } from '../explore/verdict.js';
import type { FaultKind, SequentialModel } from '../sequential/sequential-model.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import { reasonOfDeadlock } from './deadlock.js';
import { falsePart } from './false-part.js';
import { reasonOfFault, reasonOfFaultIn } from './fault.js';
import { reasonOfLoop } from './loop.js';
import { brokenPromise } from './promise.js';
import { withNames, type Reason } from './reason.js';
import { Scene } from './scene.js';

/** The parts of an exploration that reasons are made from. */
export interface ReasonContext {
    /** As written. */
    readonly model: SequentialModel;
    /** Symmetries that keep what is checked, by their action on states; alike lines are folded by them. */
    readonly symmetries: readonly LiteralImage[];
    readonly textOf: TextOfRange;
}

/** Empty if nothing can be said beyond what the violation is. O(steps of the run * cells + size of the model). */
export function reasonOf(violation: Violation, context: ReasonContext): Reason {
    const reason = withAssertionText(reasonBySlots(violation, context), violation, context.model);
    const names = namesAlong(context.model, violation.run.states).at(-1);
    return names === undefined ? reason : withNames(reason, names);
}

/** What the author says about an assertion stands in front of why it does not hold. */
function withAssertionText(reason: Reason, { kind, range }: Violation, { assertionTexts }: SequentialModel): Reason {
    const stated = kind === 'fault' ? assertionTexts.find(assertion => sameData(assertion.range, range)) : undefined;
    const [first, ...rest] = reason;
    return stated === undefined || first === undefined
        ? reason
        : [{ ...first, text: `${stated.text}: ${first.text}` }, ...rest];
}

function reasonBySlots({ kind, name, run, loop }: Violation, { model, symmetries, textOf }: ReasonContext): Reason {
    const scene = new Scene(model, run.states[run.states.length - 1], textOf);
    switch (kind) {
        case 'deadlock':
            return reasonOfDeadlock(scene, run, symmetries);
        case 'invariant': {
            const property = model.invariants.find(invariant => invariant.name === name);
            return property === undefined ? [] : falsePart(property.expression, scene);
        }
        case 'property': {
            const { members = [] } = model.properties.find(property => property.name === name) ?? {};
            const member = members.find(({ values }) => sameData(values, loop?.member));
            const promise = member && loop && brokenPromise(member, run, loop.start, scene);
            return loop === undefined ? [] : reasonOfLoop(loop, run.states.length - 1, promise);
        }
        case 'fault': {
            const faultKind = name as FaultKind;
            if (run.firings.length === run.states.length) {
                return reasonOfFault(run.firings[run.firings.length - 1], faultKind, scene);
            }
            const checked = [
                ...model.invariants.map(({ expression }) => expression),
                ...model.instances.map(({ mayStop }) => mayStop),
            ];
            const faulty = checked.find(expression => scene.valueOf(expression) === undefined);
            return faulty === undefined ? [] : reasonOfFaultIn(faulty, faultKind, scene);
        }
    }
}
