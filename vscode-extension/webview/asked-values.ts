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
    const problem = element('p', { class: 'muted', role: 'status' });
    if (expressions.length > 0) {
        const answerIn = (of: TraceEntryDocument['state']): ReturnType<typeof ask> =>
            ask({ state: of, asked: expressions });
        void Promise.all([answerIn(state), before && answerIn(before)]).then(([now, was]) => {
            problem.replaceChildren(now.problem ?? '');
            cells.forEach((cell, index) => {
                const [value = 'no value', earlier] = [now.values?.[index], was?.values?.[index]];
                const isChanged = earlier !== undefined && earlier !== value;
                cell.replaceChildren(isChanged ? `${earlier} → ${value}` : value);
                rows[index]?.classList.toggle('changed', isChanged);
            });
        });
    }
    return element(
        'section',
        { class: 'asked', 'aria-label': 'Values that were asked for' },
        rows.length === 0 ? undefined : element('table', {}, element('tbody', {}, ...rows)),
        problem,
        add,
    );
}
