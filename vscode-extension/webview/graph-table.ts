/**
 * The columns of the table beside a state graph: how many instances of a process are at each of its places, and the
 * values of variables; only those that tell orbits apart.
 */
import { formatPlainValue } from '../../engine/describe/words.js';
import type { DocumentValue, TraceEntryDocument } from '../../language-server/document-schema.js';
import type { GraphDocument } from '../../language-server/protocol.js';
import { NO_VALUE_MARK } from './wording.js';

export interface GraphTable {
    readonly columns: readonly { readonly title: string; readonly isNumber: boolean }[];
    /** By orbit, then by column. */
    readonly rows: readonly (readonly string[])[];
}

/** More columns are left out: the state of the chosen orbit is shown as a whole. */
const MOST_COLUMNS = 8;
/** A value that is longer is left out. */
const LONGEST_VALUE = 24;

type State = TraceEntryDocument['state'];

interface Column {
    readonly title: string;
    readonly valueOf: (state: State) => string;
}

/** The table of a graph with at least one orbit. */
export function tableOf({ orbits, places }: Pick<GraphDocument, 'orbits' | 'places'>): GraphTable {
    const states = orbits.map(({ state }) => state);
    const columns = [...placeColumns(states, places), ...variableColumns(states, places)]
        .map(({ title, valueOf }) => ({ title, values: states.map(valueOf) }))
        .filter(({ values }) => new Set(values).size > 1 && values.every(({ length }) => length <= LONGEST_VALUE))
        .slice(0, MOST_COLUMNS);
    return {
        columns: columns.map(({ title, values }) => ({
            title,
            isNumber: values.every(value => /^-?\d*$/.test(value)),
        })),
        rows: states.map((_, orbit) => columns.map(({ values }) => values[orbit] ?? '')),
    };
}

/** A family has a column for each place, with the number of its instances there; a single process has its place. */
function placeColumns(states: readonly State[], places: GraphDocument['places']): readonly Column[] {
    const families = new Map<string, string[]>();
    for (const [field, process] of Object.entries(places)) {
        families.set(process, [...(families.get(process) ?? []), field]);
    }
    return [...families].flatMap(([process, members]): readonly Column[] => {
        const [first = ''] = members;
        if (members.length === 1) {
            return [{ title: process, valueOf: state => textOf(state[first]) }];
        }
        const names = new Set(states.flatMap(state => members.map(member => textOf(state[member]))));
        const isOnly = families.size === 1;
        return [...names].map(place => ({
            title: isOnly ? place : `${process} ${place}`,
            valueOf: state => String(members.filter(member => textOf(state[member]) === place).length),
        }));
    });
}

/** One for each variable; the cells of an array are in one column. */
function variableColumns(states: readonly State[], places: GraphDocument['places']): readonly Column[] {
    const cells = new Set(states.flatMap(state => Object.keys(state)).filter(name => !(name in places)));
    const variables = new Map<string, string[]>();
    for (const cell of cells) {
        const variable = cell.replace(/\[[^\]]*\]/g, '[]');
        variables.set(variable, [...(variables.get(variable) ?? []), cell]);
    }
    return [...variables].map(([variable, names]) => ({
        title: variable.endsWith('[]') ? variable.slice(0, -2) : variable,
        valueOf: state => names.map(name => textOf(state[name])).join(' '),
    }));
}

function textOf(value: DocumentValue | undefined): string {
    return formatPlainValue(value, NO_VALUE_MARK);
}
