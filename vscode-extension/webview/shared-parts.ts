/**
 * Parts of every panel: a header with the title and the file, links to places of the text, and a list
 * of the errors of the model.
 */
import type { DocumentLocation, DocumentProblem, ReasonLineDocument } from '../../language-server/document-schema.js';
import type { ExploreParams } from '../../language-server/protocol.js';
import { button, element, extensionHost, withCode } from './elements.js';

export interface Header {
    readonly mark: 'holds' | 'violated' | 'undecided' | 'running' | 'symmetries' | 'none';
    readonly title: string;
    readonly subtitle?: string;
    /** Stands at the right, beside the title. */
    readonly aside?: Node;
    readonly fileName: string;
    readonly isStale: boolean;
    /** Why it is stale, if not by an edit. */
    readonly otherValues?: string | undefined;
}

const MARKS = { holds: '✓', violated: '✗', undecided: '?', running: '', symmetries: '⟲', none: '' } as const;

/** The title with its mark, the subject, and whether the text has changed since. */
export function headerOf(header: Header): Node {
    return element(
        'header',
        { class: header.mark },
        element('span', { class: 'mark', 'aria-hidden': 'true' }, MARKS[header.mark]),
        element(
            'div',
            {},
            element('h1', { id: 'title', 'aria-live': 'polite' }, ...withCode(header.title)),
            header.subtitle === undefined ? undefined : element('p', { class: 'subtitle' }, header.subtitle),
            header.isStale
                ? element(
                      'p',
                      { id: 'stale', class: 'stale', role: 'status' },
                      header.otherValues ?? `older than the text: ${header.fileName} has changed since`,
                  )
                : undefined,
        ),
        header.aside,
    );
}

/** Whether one state of each orbit is stored, or all: a choice that takes effect at once. */
export function reductionChoice(
    reduction: ExploreParams['reduction'],
    choose: (reduction: 'unique' | 'none') => void,
): Node {
    const select = element('select', { id: 'reduction', 'aria-label': 'Which states are stored' });
    for (const [value, text] of [
        ['unique', 'with symmetry'],
        ['none', 'without symmetry'],
    ] as const) {
        const option = element('option', { value }, text);
        option.selected = value === reduction;
        select.append(option);
    }
    select.addEventListener('change', () => choose(select.value === 'none' ? 'none' : 'unique'));
    return select;
}

/** The errors of a model, each a button that shows its place. */
export function problemList(problems: readonly DocumentProblem[]): Node {
    const items = problems.map(problem => element('li', {}, placeLink(problem, problem.message)));
    return element('ul', { class: 'problems' }, ...items);
}

/** Warnings about the model although it has a result. */
export function warningList(warnings: readonly DocumentProblem[]): Node {
    const items = warnings.map(warning =>
        element('p', { class: 'notice' }, ...withCode(warning.message), ' ', lineLink(warning)),
    );
    return element('div', { id: 'warnings' }, ...items);
}

/** `Line 7: text`, a button that shows the place. */
export function placeLink(location: DocumentLocation, text: string): HTMLElement {
    return lineLink(location, `Line ${location.line}: ${text}`);
}

/** A button that shows the place. */
export function lineLink(location: DocumentLocation, text = `line ${location.line}`): HTMLElement {
    return button(text, { class: 'link' }, () => extensionHost.postMessage({ kind: 'reveal', location }));
}

/** A line of a reason, with what is alike folded below it. */
export function reasonLine({ text, location, alike }: ReasonLineDocument): Node {
    const folded =
        alike === undefined
            ? undefined
            : element(
                  'details',
                  {},
                  element('summary', { class: 'muted' }, alike.text),
                  ...alike.lines.map(reasonLine),
              );
    return element(
        'div',
        { class: 'reason-line' },
        element('p', {}, ...withCode(text)),
        location === undefined ? undefined : lineLink(location),
        folded,
    );
}
