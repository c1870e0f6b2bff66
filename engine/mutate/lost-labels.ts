/** Labels that a mutant has no more, and what names them. */
import { controlsIn } from '../model/walk-model.js';
import type { Control, Model } from '../model/model.js';

/** Undefined if nothing names a label that is lost; `by` is the property that does, absent if a step or a function does. */
export function lostLabels(model: Model, mutant: Model): { readonly by?: string } | undefined {
    const lost = new Set(
        model.processes.flatMap(({ body }, process) => {
            const { body: after } = mutant.processes[process];
            const left = new Set(body === after ? labelsIn(body) : labelsIn(after));
            return labelsIn(body).flatMap(label => (left.has(label) ? [] : [`${process} ${label}`]));
        }),
    );
    if (lost.size === 0) {
        return undefined;
    }
    const { invariants, properties, assumptions, runs } = model;
    const named = [...invariants, ...properties, ...runs].find(each => namesSome(each, lost));
    if (named !== undefined) {
        return { by: named.name };
    }
    const { processes, functions, constraints, initialConditions } = mutant;
    return namesSome([processes, functions, constraints, initialConditions, assumptions], lost) ? {} : undefined;
}

function labelsIn(controls: readonly Control[]): string[] {
    return controls.flatMap(control => [
        ...(control.kind === 'labeled' ? [control.label] : []),
        ...labelsIn(controlsIn(control)),
    ]);
}

function namesSome(part: unknown, labels: ReadonlySet<string>): boolean {
    if (typeof part !== 'object' || part === null) {
        return false;
    }
    const { kind, process, label, action } = part as {
        readonly kind?: string;
        readonly process?: number;
        readonly label?: string;
        readonly action?: { readonly label?: string };
    };
    const isNamed =
        (kind === 'at' && labels.has(`${process} ${label}`)) ||
        (kind === 'takes' && labels.has(`${process} ${action?.label}`));
    return isNamed || Object.values(part).some(each => namesSome(each, labels));
}
