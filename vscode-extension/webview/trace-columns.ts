/** A run with a column for each instance: who takes part in a step is filled, and joined by a line; the rest is quiet. */
import { shownValues } from '../../engine/describe/shown-state.js';
import type { TraceEntryDocument } from '../../language-server/document-schema.js';
import { element } from './elements.js';
import type { Columns } from './trace-instances.js';
import { longestText, type TraceRow } from './trace-rows.js';
import { NO_VALUE_MARK } from './wording.js';

/** `0`, `1, 2`: an instance without its family; of a single process nothing. */
function indexOf(instance: string): string {
    return /\[(.*)\]$/.exec(instance)?.[1] ?? '';
}

/** The grid of the columns, numbers, instances and then variables, with room for the labels; and its least width in pixels. */
export function gridOf(
    { instances, shared }: Columns,
    rows: readonly TraceRow[],
): { readonly template: string; readonly width: number } {
    const longest = longestText(rows, ({ label }) => compact(label));
    const number = Math.max(40, String(rows.length).length * LETTER + 16);
    const column = Math.max(56, Math.min(LONGEST_LABEL, longest) * LETTER + 16);
    const variables = shared.map(name => Math.max(MOST_OF_A_VALUE, name.length) * LETTER + 8);
    return {
        template:
            `${number}px repeat(${instances.length}, minmax(${column}px, 1fr))` +
            variables.map(width => ` ${width}px`).join(''),
        width: variables.reduce((sum, width) => sum + width, number + instances.length * column + 16),
    };
}

const LONGEST_LABEL = 14;
/** More letters of a value are cut. */
const MOST_OF_A_VALUE = 6;
/** The width of a character in pixels. */
const LETTER = 7;

/** Two lines of headings: the families, and the indices of their instances. */
export function columnHeads({ instances, families, shared }: Columns): Node {
    return element(
        'div',
        { class: 'column-heads', 'aria-hidden': 'true' },
        element('span', {}),
        ...families.map(({ name, count }) => {
            const head = element('b', { title: name }, name);
            head.style.gridColumn = `span ${count}`;
            return head;
        }),
        ...shared.map(() => element('span', {})),
        element('span', {}),
        ...instances.map(instance => element('span', { class: 'index' }, indexOf(instance))),
        ...shared.map(name => element('span', { class: 'index' }, name)),
    );
}

/** The cells of a row, and after them the values of the variables in its state. */
export function columnCells(
    row: TraceRow,
    number: number,
    { instances, shared }: Columns,
    entries: readonly TraceEntryDocument[],
): readonly Node[] {
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
        ...(what === undefined ? cells : [what, ...cells.slice(1)]),
        ...valueCells(shared, entries, number),
    ];
}

function valueCells(shared: readonly string[], entries: readonly TraceEntryDocument[], row: number): readonly Node[] {
    const [now, before] = [row, Math.max(0, row - 1)].map(each =>
        shownValues(entries[each]?.state ?? {}, NO_VALUE_MARK),
    );
    return shared.map(name => {
        const value = now?.get(name) ?? NO_VALUE_MARK;
        const look = value === before?.get(name) ? 'value muted' : 'value';
        return element('code', { class: look, role: 'gridcell', title: `${name} = ${value}` }, value);
    });
}

/** A row with what each instance waits for in the last state of a deadlock. */
export function waitingRow(state: TraceEntryDocument['state'], { instances }: Columns): Node {
    const values = shownValues(state, NO_VALUE_MARK);
    const cells = instances.map(instance => {
        const place = values.get(instance) ?? NO_VALUE_MARK;
        const isAtEnd = place === 'end' || place === NO_VALUE_MARK;
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
