/**
 * "What now?": the steps that are possible in the chosen state. Taking one goes on from there, a label leads to the next
 * step of that name, and what was taken can be taken back.
 */
import { instanceAt } from '../../engine/describe/shown-state.js';
import type { TraceEntryDocument } from '../../language-server/document-schema.js';
import type { PossibleStepDocument, StepsResult } from '../../language-server/protocol.js';
import { button, element, extensionHost, oneStop, withCode } from './elements.js';
import type { PanelMessage, StepsMessage } from './messages.js';
import { reasonLine } from './shared-parts.js';
import { foldEntries, patternOf, rowsOf } from './trace-rows.js';

export interface WhatNowOptions {
    /** By template the greatest number of an instance up to the chosen state. */
    readonly created: Readonly<Record<string, number>>;
    /** The steps of the run that follow the chosen state. */
    readonly next: TraceEntryDocument | undefined;
    readonly onTake: (entries: readonly TraceEntryDocument[]) => void;
    /** Absent if no step was taken by hand. */
    readonly onBack: (() => void) | undefined;
    readonly onRestart: (() => void) | undefined;
    /** The first step has the focus as soon as it is there. */
    readonly takesFocus: boolean;
    /** Above the run stands already who waits for whom. */
    readonly isDeadlock: boolean;
}

let lastQuestion = 0;
const waiting = new Map<number, (result: StepsResult) => void>();

/** Passes an answer of the extension on to whoever has asked. */
export function receiveSteps({ question, result }: StepsMessage): void {
    waiting.get(question)?.(result);
    waiting.delete(question);
}

/** Asks the extension about the model; the answer says if there is none. */
export function ask(
    asked: Omit<Extract<PanelMessage, { readonly kind: 'steps' }>, 'kind' | 'question'>,
): Promise<StepsResult> {
    const question = ++lastQuestion;
    extensionHost.postMessage({ kind: 'steps', question, ...asked });
    return new Promise(resolve => waiting.set(question, resolve));
}

/** The part for a state, or for the initial states; filled once the answer is there. */
export function whatNowPart(entry: TraceEntryDocument | undefined, options: WhatNowOptions): HTMLElement {
    const part = element('section', { class: 'what-now', 'aria-label': 'What now?' });
    const show = (...body: readonly (Node | string | undefined)[]): void =>
        part.replaceChildren(headOf(options), ...body.filter(child => child !== undefined));
    if (entry?.fault !== undefined) {
        const end = entry.fault === 'slots' ? 'The search ends here.' : 'The run ends with this fault.';
        show(element('p', { class: 'muted' }, end));
        return part;
    }
    show(element('p', { class: 'muted' }, 'Looking for the steps …'));
    void ask(entry === undefined ? {} : { state: entry.state, created: options.created }).then(
        ({ steps, waits = [], problem }) => {
            if (steps === undefined) {
                const reason = problem ?? 'The model has changed since: this is no longer one of its states.';
                show(element('p', { class: 'muted', role: 'status' }, reason));
            } else {
                const list = stepList(entry, steps, options);
                const waiting = oneStop(element('div', { class: 'waits muted' }, ...waits.map(reasonLine)));
                show(
                    list,
                    waits.length === 0 || options.isDeadlock ? undefined : waiting,
                    entry === undefined ? undefined : runTo(entry, options),
                );
                if (options.takesFocus) {
                    (list.querySelector('button') ?? list).focus();
                }
            }
        },
    );
    return part;
}

function headOf({ onBack, onRestart }: WhatNowOptions): Node {
    return element(
        'div',
        { class: 'pane-head' },
        element('h2', {}, 'What now?'),
        onBack && button('Back', { class: 'link', id: 'step-back' }, onBack),
        onRestart && button('Restart', { class: 'link', id: 'step-restart' }, onRestart),
    );
}

/** One stop for the keyboard: up and down choose a step, Enter takes it, Backspace takes the last one back. */
function stepList(
    entry: TraceEntryDocument | undefined,
    steps: readonly PossibleStepDocument[],
    { next, onTake, onBack }: WhatNowOptions,
): HTMLElement {
    const toChoice = (step: PossibleStepDocument) => {
        const [, row] = entry === undefined ? [undefined, undefined] : rowsOf([entry, step.entry]);
        const isNext = next !== undefined && JSON.stringify(next.state) === JSON.stringify(step.entry.state);
        const violated = step.violates.map(({ name }) => name).join(', ');
        return { step, row, isNext, violated };
    };
    const buttonOf = ({ step, row, isNext, violated }: ReturnType<typeof toChoice>): HTMLElement => {
        const what =
            row === undefined
                ? [initialText(step.entry)]
                : [element('code', {}, `${row.movers.join(' · ')} ${row.label}`), ' '];
        const note = [row?.note ?? '', isNext ? 'the next step here' : ''].filter(part => part !== '').join(' · ');
        const created = button('', { class: 'choice' }, () => onTake([step.entry]));
        created.replaceChildren(
            element(
                'span',
                violated === ''
                    ? { class: 'to', 'aria-hidden': 'true' }
                    : { class: 'violated', title: `violates ${violated}` },
                violated === '' ? '→' : '✗',
            ),
            ...what,
            element(
                'span',
                { class: 'muted' },
                violated === '' ? note : `${note}${note === '' ? '' : ' · '}violates ${violated}`,
            ),
        );
        return created;
    };
    const patternOfChoice = ({ row, violated, step }: ReturnType<typeof toChoice>): string =>
        row === undefined ? JSON.stringify(step.entry.state) : `${violated} ${patternOf(row)}`;
    const buttons = foldEntries(steps.map(toChoice), patternOfChoice, ({ isNext }) => isNext).flatMap(
        ({ shown, folded }) => {
            const more = button(`and ${folded.length} more, alike`, { class: 'choice muted' }, () => {
                const unfolded = folded.map(buttonOf);
                unfolded.forEach(each => (each.tabIndex = -1));
                more.replaceWith(...unfolded);
                unfolded[0]?.focus();
            });
            return [...shown.map(buttonOf), ...(folded.length === 0 ? [] : [more])];
        },
    );
    // Without a step it is a stop for the keyboard itself: Backspace leads back from there, too.
    const list =
        buttons.length === 0
            ? element('div', { class: 'choices muted', tabindex: '0' }, 'No step is possible.')
            : oneStop(element('div', { class: 'choices' }, ...buttons));
    list.addEventListener('keydown', event => {
        if (event.key === 'Backspace' && onBack !== undefined) {
            event.preventDefault();
            onBack();
        }
    });
    return list;
}

/** Says what tells an initial state from others. */
function initialText({ state }: TraceEntryDocument): string {
    const values = Object.entries(state).filter(([name]) => instanceAt(name) === undefined);
    const shown = values.slice(0, MOST_VALUES).map(([name, value]) => `${name} = ${String(value as string | number)}`);
    return `start${shown.length > 0 ? `: ${shown.join(', ')}` : ''}${values.length > MOST_VALUES ? ', …' : ''} `;
}

const MOST_VALUES = 6;

/** A box for a label: the shortest way to the next step of that name is taken. */
function runTo(entry: TraceEntryDocument, { created, onTake }: WhatNowOptions): Node {
    const input = element('input', { type: 'text', placeholder: 'run to a label', 'aria-label': 'Run to a label' });
    const answer = element('span', { class: 'muted', role: 'status' });
    input.addEventListener('keydown', event => {
        const wanted = input.value.trim();
        event.stopPropagation();
        if (event.key === 'Enter' && wanted !== '') {
            answer.textContent = 'searching …';
            void ask({ state: entry.state, created, towards: wanted }).then(({ way, problem }) => {
                if (way === undefined) {
                    answer.replaceChildren(...withCode(problem ?? `no way to \`${wanted}\` was found`));
                } else {
                    onTake(way);
                }
            });
        }
    });
    return element('div', { class: 'run-to' }, input, ' ', answer);
}
