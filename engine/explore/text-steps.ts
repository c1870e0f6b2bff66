/** The steps of the text, and the places that connect them with summands. */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import type { Control, Model, Statement } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';

/** A step of the text that no run takes. */
export interface UnreachedStep {
    /** The name of the process in the text. */
    readonly process: string;
    /** The label of the step, else its event, else its line. */
    readonly label: string;
    /** The range of the label, else of the step. */
    readonly range: SourceRange;
}

interface TextStep extends UnreachedStep {
    /** The place of the step, which its participants of summands share. */
    readonly place: string;
    readonly body: readonly Statement[];
}

/** In the order of the text. */
export function textSteps(model: Model): TextStep[] {
    return model.processes.flatMap(({ name, body }) => stepsOf(body, { process: name, model }));
}

/** A key of the place. */
export function placeOf({ uri, start, end }: SourceRange): string {
    return JSON.stringify([uri, start.line, start.character, end.line, end.character]);
}

interface Surroundings {
    readonly process: string;
    readonly model: Model;
    /** The label directly before. */
    readonly label?: { readonly name: string; readonly range: SourceRange };
}

function stepsOf(controls: readonly Control[], { process, model, label }: Surroundings): TextStep[] {
    return controls.flatMap((control): TextStep[] => {
        switch (control.kind) {
            case 'step': {
                const { range, communication, body } = control;
                const event = communication?.kind === 'event' ? model.events[communication.event].name : undefined;
                const name = label?.name ?? event ?? `line ${range.start.line + 1}`;
                return [{ process, label: name, range: label?.range ?? range, place: placeOf(range), body }];
            }
            case 'labeled': {
                const inFront = { name: control.label, range: control.labelRange };
                return stepsOf([control.control], { process, model, label: inFront });
            }
            case 'loop':
            case 'while':
            case 'for':
                return stepsOf(control.body, { process, model });
            case 'if':
                return stepsOf([...control.then, ...control.otherwise], { process, model });
            case 'choose':
                return control.alternatives.flatMap(alternative => stepsOf(alternative, { process, model }));
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

/** In the order of the text; `hasFired` is about the summands of the second parameter. */
export function unreachedSteps(
    model: Model,
    { summands }: SequentialModel,
    hasFired: (summand: number) => boolean,
): UnreachedStep[] {
    const reached = new Set(
        summands.flatMap(({ participants }, summand) =>
            hasFired(summand) ? participants.map(({ range }) => placeOf(range)) : [],
        ),
    );
    return textSteps(model)
        .filter(({ place }) => !reached.has(place))
        .map(({ process, label, range }) => ({ process, label, range }));
}
