/** Values that the reader asks of each state, above the state itself. */
import type { TraceEntryDocument } from '../../language-server/document-schema.js';
import { button, element, extensionHost } from './elements.js';
import { ask } from './what-now.js';

/** The rows for a state, filled once the answers are there; those that differ from the state before are marked. */
export function askedValues(
    expressions: readonly string[],
    state: TraceEntryDocument['state'],
    before: TraceEntryDocument['state'] | undefined,
): HTMLElement {
    const cells = expressions.map(() => element('td', { class: 'now' }, '…'));
    const rows = expressions.map((expression, index) => {
        const remove = button(
            '×',
            { class: 'link', id: `unask-${index}`, 'aria-label': `Do not show ${expression}` },
            () => extensionHost.postMessage({ kind: 'removeAsked', expression }),
        );
        return element('tr', {}, element('th', { scope: 'row' }, expression), cells[index], element('td', {}, remove));
    });
    const add = button('+ show a value', { class: 'link', id: 'ask' }, () =>
        extensionHost.postMessage({ kind: 'addAsked' }),
    );
    if (expressions.length > 0) {
        const valuesIn = (of: TraceEntryDocument['state']): Promise<readonly string[] | undefined> =>
            ask({ state: of, asked: expressions }).then(({ values }) => values);
        void Promise.all([valuesIn(state), before && valuesIn(before)]).then(([now, was]) => {
            cells.forEach((cell, index) => {
                const [value = 'no value', earlier] = [now?.[index], was?.[index]];
                const isChanged = was !== undefined && earlier !== value;
                cell.replaceChildren(isChanged ? `${earlier ?? ''} → ${value}` : value);
                rows[index]?.classList.toggle('changed', isChanged);
            });
        });
    }
    return element(
        'section',
        { class: 'asked', 'aria-label': 'Values that were asked for' },
        rows.length === 0 ? undefined : element('table', {}, element('tbody', {}, ...rows)),
        add,
    );
}
