/** A run with a column for each instance: who takes part in a step is filled, and joined by a line; the rest is quiet. */
import { formatPlainValue } from '../../engine/describe/words.js';
import type { TraceEntry } from '../../language-server/protocol.js';
import { element } from './elements.js';
import type { Columns } from './trace-instances.js';
import { longestText, type TraceRow } from './trace-rows.js';
import { NO_VALUE } from './wording.js';

/** `0`, `1, 2`: an instance without its family; of a single process nothing. */
function indexOf(instance: string): string {
    return /\[(.*)\]$/.exec(instance)?.[1] ?? '';
}

/** The grid of the columns, numbers and then instances, with room for the labels; and its least width in pixels. */
export function gridOf(
    { instances }: Columns,
    rows: readonly TraceRow[],
): { readonly template: string; readonly width: number } {
    const longest = longestText(rows, ({ label }) => compact(label));
    const number = Math.max(40, String(rows.length).length * LETTER + 16);
    const column = Math.max(56, Math.min(LONGEST_LABEL, longest) * LETTER + 16);
    return {
        template: `${number}px repeat(${instances.length}, minmax(${column}px, 1fr))`,
        width: number + instances.length * column + 16,
    };
}

const LONGEST_LABEL = 14;
/** The width of a character in pixels. */
const LETTER = 7;

/** Two lines of headings: the families, and the indices of their instances. */
export function columnHeads({ instances, families }: Columns): Node {
    return element(
        'div',
        { class: 'column-heads', 'aria-hidden': 'true' },
        element('span', {}),
        ...families.map(({ name, count }) => {
            const head = element('b', { title: name }, name);
            head.style.gridColumn = `span ${count}`;
            return head;
        }),
        element('span', {}),
        ...instances.map(instance => element('span', { class: 'index' }, indexOf(instance))),
    );
}

/** The cells of a row; `waiting` is a row of what each instance stands before. */
export function columnCells(row: TraceRow, number: number, { instances }: Columns): readonly Node[] {
    const taking = instances
        .map((instance, column) => (row.movers.includes(instance) ? column : -1))
        .filter(c => c >= 0);
    const [first = 0, last = 0] = [taking.at(0), taking.at(-1)];
    const cells = instances.map((_, column) => {
        const isTaking = taking.includes(column);
        const isBetween = taking.length > 1 && column >= first && column <= last;
        const classes = ['cell', isTaking && 'moved', isBetween && 'joined', isBetween && column === last && 'end'];
        return element(
            'span',
            { class: classes.filter(Boolean).join(' '), role: 'gridcell' },
            isTaking ? element('code', { title: row.label }, compact(row.label)) : undefined,
        );
    });
    const what =
        row.movers.length === 0 ? element('span', { class: 'muted start', role: 'gridcell' }, 'start') : undefined;
    return [
        element('span', { class: 'number', role: 'rowheader' }, String(number)),
        ...(what === undefined ? cells : [what]),
    ];
}

/** What each instance waits for in the last state of a deadlock. */
export function waitingRow(state: TraceEntry['state'], { instances }: Columns): Node {
    const cells = instances.map(instance => {
        const place = formatPlainValue(state[`${instance}.at`], NO_VALUE);
        const isAtEnd = place === 'end' || place === NO_VALUE;
        return element(
            'span',
            { class: isAtEnd ? 'cell' : 'cell waits' },
            isAtEnd ? undefined : element('code', { title: `${instance} at ${place}` }, compact(place)),
        );
    });
    return element('div', { class: 'row waiting' }, element('span', { class: 'number' }, '✗'), ...cells);
}

/** `get[0,1]`: a column is narrow. */
function compact(label: string): string {
    return label.replaceAll(', ', ',');
}
