/** A state beside its run: what the step has changed, or all of it, also against another state of the run. */
import type { TraceEntryDocument } from '../../language-server/document-schema.js';
import { button, element } from './elements.js';
import { stateRows } from './trace-rows.js';

export interface StatePaneOptions {
    readonly entries: readonly TraceEntryDocument[];
    readonly row: number;
    readonly showsAll: boolean;
    /** The row that is compared with; the one before if undefined. */
    readonly comparedWith: number | undefined;
    readonly onShowAll: (showsAll: boolean) => void;
    readonly onCompare: (row: number | undefined) => void;
}

export function statePane({
    entries,
    row,
    showsAll,
    comparedWith,
    onShowAll,
    onCompare,
}: StatePaneOptions): HTMLElement {
    const entry = entries[row];
    const before = entries[comparedWith ?? row - 1]?.state;
    const { rows, unchanged } = stateRows(entry?.state ?? {}, before, showsAll);
    const lines = rows.map(({ name, before: was, now, isChanged }) =>
        element(
            'tr',
            isChanged ? { class: 'changed' } : {},
            element('th', { scope: 'row' }, name),
            element('td', { class: 'before muted' }, isChanged ? `${was ?? ''} →` : ''),
            element('td', { class: 'now' }, now),
        ),
    );
    const toggle = (text: string, all: boolean): HTMLElement =>
        button(text, { class: 'link', 'aria-pressed': String(showsAll === all), id: `show-${text}` }, () =>
            onShowAll(all),
        );
    return element(
        'section',
        { class: 'state', 'aria-label': 'State' },
        element(
            'div',
            { class: 'pane-head' },
            element('h2', {}, row === 0 ? 'At the start' : `After step ${row}`),
            toggle('changed', false),
            toggle('all', true),
        ),
        entries.length < 2
            ? undefined
            : element(
                  'label',
                  { class: 'muted compare' },
                  'compared with ',
                  comparison(entries.length, row, comparedWith, onCompare),
              ),
        element('table', {}, element('tbody', {}, ...lines)),
        unchanged === 0
            ? undefined
            : element(
                  'p',
                  { class: 'muted' },
                  `${unchanged} ${lines.length === 0 ? '' : unchanged === 1 ? 'other ' : 'others '}unchanged`,
              ),
    );
}

/** A box for the number of a step; empty for the step before. */
function comparison(
    count: number,
    row: number,
    comparedWith: number | undefined,
    onCompare: (row: number | undefined) => void,
): HTMLElement {
    const input = element('input', {
        type: 'number',
        min: '0',
        max: String(count - 1),
        placeholder: row === 0 ? 'step' : String(row - 1),
        value: comparedWith === undefined ? '' : String(comparedWith),
        'aria-label': 'Step that the state is compared with',
    });
    input.addEventListener('change', () => {
        const value = input.valueAsNumber;
        onCompare(Number.isInteger(value) && value >= 0 && value < count ? value : undefined);
    });
    return input;
}
