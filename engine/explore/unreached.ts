/**
 * The steps of the text that no run takes, after all states were explored: none of the instances, choices and ways that
 * lead to such a step fires in any state.
 */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import type { Control, Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';

export interface UnreachedStep {
    /** The name of the process in the text. */
    readonly process: string;
    /** The label in front of the step, else its event, else the line. */
    readonly label: string;
    /** The label, else the step. */
    readonly range: SourceRange;
}

/** In the order of the text. `hasFired` is asked for summands of `sequential`, which come from `model`. */
export function unreachedSteps(
    model: Model,
    { summands }: SequentialModel,
    hasFired: (summand: number) => boolean,
): UnreachedStep[] {
    const reached = new Set<string>();
    summands.forEach(({ participants }, summand) => {
        if (hasFired(summand)) {
            for (const { range } of participants) {
                reached.add(placeOf(range));
            }
        }
    });
    return model.processes.flatMap(({ name, body }) =>
        stepsOf(body, undefined, model)
            .filter(({ step }) => !reached.has(placeOf(step)))
            .map(({ label, range }) => ({ process: name, label, range })),
    );
}

interface StepPlace {
    readonly label: string;
    readonly range: SourceRange;
    readonly step: SourceRange;
}

function stepsOf(
    body: readonly Control[],
    label: { readonly name: string; readonly range: SourceRange } | undefined,
    model: Model,
): StepPlace[] {
    return body.flatMap((control): StepPlace[] => {
        switch (control.kind) {
            case 'step': {
                const { range, communication } = control;
                const event = communication?.kind === 'event' ? model.events[communication.event].name : undefined;
                const name = label?.name ?? event ?? `line ${range.start.line + 1}`;
                return [{ label: name, range: label?.range ?? range, step: range }];
            }
            case 'labeled':
                return stepsOf([control.control], { name: control.label, range: control.labelRange }, model);
            case 'loop':
            case 'while':
            case 'for':
                return stepsOf(control.body, undefined, model);
            case 'if':
                return stepsOf([...control.then, ...control.otherwise], undefined, model);
            case 'choose':
                return control.alternatives.flatMap(alternative => stepsOf(alternative, undefined, model));
            case 'assume':
            case 'declare':
            case 'break':
            case 'terminate':
                return [];
            default:
                return unreachable(control);
        }
    });
}

function placeOf({ uri, start, end }: SourceRange): string {
    return JSON.stringify([uri, start.line, start.character, end.line, end.character]);
}
