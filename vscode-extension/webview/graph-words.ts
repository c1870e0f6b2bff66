/** The sentences about a state graph, and the graph as a table for other programs. */
import { formatNumberOf, formatRoundedCount } from '../../engine/describe/words.js';
import type { GraphDocument, OrbitDocument } from '../../language-server/protocol.js';
import { tableOf } from './graph-table.js';
import { quoteField } from './trace-export.js';

/** The orbits on a shortest way to the nearest violation, in this order; empty if nothing is violated. */
export function pathOf({ orbits }: Pick<GraphDocument, 'orbits'>): ReadonlySet<number> {
    const path: number[] = [];
    const violated = orbits.findIndex(({ violates }) => violates.length > 0);
    for (let orbit = violated < 0 ? undefined : violated; orbit !== undefined; orbit = orbits[orbit]?.from) {
        path.unshift(orbit);
    }
    return new Set(path);
}

/** `alone is violated in 11 of 24 orbits`, with names of the model in backquotes. */
export function titleOfGraph(graph: GraphDocument): string {
    const nouns = nounOf(graph, graph.orbits.length);
    const violated = graph.orbits.filter(({ violates }) => violates.length > 0);
    if (violated.length === 0) {
        return graph.isWhole ? `Nothing is violated in ${nouns}` : `Nothing is violated in the nearest ${nouns}`;
    }
    const names = [...new Set(violated.flatMap(({ violates }) => violates.map(nameOf)))];
    const what = names.length === 1 ? `${names[0]} ${names[0]?.startsWith('`') ? 'is violated' : ''}` : 'Violations';
    return `${what.trim()} in ${violated.length} of ${nouns}`;
}

function nameOf({ kind, name }: OrbitDocument['violates'][number]): string {
    switch (kind) {
        case 'deadlock':
            return 'Deadlock';
        case 'fault':
            return `Fault (${name})`;
        default:
            return `\`${name}\``;
    }
}

function nounOf({ group }: Pick<GraphDocument, 'group'>, count: number): string {
    return formatNumberOf(count, group.order === '1' ? 'state' : 'orbit');
}

/** `The nearest is 4 steps away: #0 look → #1 look → #2`; undefined if nothing is violated. */
export function wayTo({ orbits }: GraphDocument, path: ReadonlySet<number>): string | undefined {
    const way = [...path];
    const [last] = way.slice(-1);
    if (last === undefined) {
        return undefined;
    }
    // A label is not divided between two lines.
    const labelOf = (orbit: number): string => (orbits[orbit]?.step?.label ?? '').replaceAll(' ', '\u00a0');
    const steps = way.slice(1).map(orbit => ` ${labelOf(orbit)} → #${orbit}`);
    const shortened = steps.length > MOST_STEPS ? [...steps.slice(0, MOST_STEPS - 2), ' …', ...steps.slice(-1)] : steps;
    const distance = formatNumberOf(steps.length, 'step');
    return steps.length === 0
        ? 'The start itself.'
        : `The nearest is ${distance} away: #${way[0]}${shortened.join('')}`;
}

const MOST_STEPS = 10;

/** `24 orbits stand for 145 states. …`: how the picture is to be read. */
export function readingOf({ orbits, group, isWhole, around }: GraphDocument): string {
    const total = totalOf(orbits);
    const isFolded = group.order !== '1';
    const count = isFolded
        ? `${nounOf({ group }, orbits.length)} ${orbits.length === 1 ? 'stands' : 'stand'} for ${total === undefined ? 'more' : formatNumberOf(total, 'state')}. A circle is an orbit, the number in it is its size.`
        : 'A circle is a state.';
    const where = around.length > 0 ? 'the chosen state' : 'the start';
    return isWhole ? count : `The part nearest to ${where}: ${count} From dashed circles there are more steps.`;
}

/** The states of all orbits; undefined if some size is not known. */
function totalOf(orbits: readonly Pick<OrbitDocument, 'size'>[]): bigint | undefined {
    return orbits.every(({ size }) => size !== undefined)
        ? orbits.reduce((sum, { size = '0' }) => sum + BigInt(size), 0n)
        : undefined;
}

/** `24 orbits · 145 states · 45 edges · depth 10`. */
export function figuresOf({ orbits, edges, group }: GraphDocument): string {
    const total = totalOf(orbits);
    return [
        nounOf({ group }, orbits.length),
        ...(group.order === '1' || total === undefined ? [] : [formatNumberOf(total, 'state')]),
        formatNumberOf(edges.length, 'edge'),
        `depth ${Math.max(0, ...orbits.map(({ depth }) => depth))}`,
    ].join(' · ');
}

/** For a screen reader: `Orbit 4, 12 states, depth 3, on the path`. */
export function spokenOf(graph: GraphDocument, orbit: number, path: ReadonlySet<number>): string {
    const { size, depth, violates, isExpanded } = graph.orbits[orbit] ?? {
        size: '0',
        depth: 0,
        violates: [],
        isExpanded: true,
    };
    return [
        `${graph.group.order === '1' ? 'State' : 'Orbit'} ${orbit}`,
        ...(size === undefined || graph.group.order === '1' ? [] : [formatNumberOf(size, 'state')]),
        `depth ${depth}`,
        ...(path.has(orbit) ? ['on the path'] : []),
        ...violates.map(violation => `violated: ${violation.name}`),
        ...(isExpanded ? [] : ['more steps from here are not drawn']),
    ].join(', ');
}

/** One line for each orbit, as RFC 4180 has it. */
export function graphToCsv(graph: GraphDocument): string {
    const { columns, rows } = tableOf(graph);
    const titles = ['orbit', 'depth', 'size', 'violated', ...columns.map(({ title }) => title)];
    const lines = graph.orbits.map(({ depth, size = '', violates }, orbit) => [
        String(orbit),
        String(depth),
        size,
        violates.map(({ name }) => name).join(' '),
        ...(rows[orbit] ?? []),
    ]);
    return [titles, ...lines].map(line => `${line.map(quoteField).join(',')}\r\n`).join('');
}

/** `#4, one of 12 states`. */
export function graphSubject({ orbits, group }: GraphDocument, orbit: number): string {
    const size = orbits[orbit]?.size;
    return group.order === '1' || size === undefined || size === '1'
        ? `#${orbit}`
        : `#${orbit}, one of ${formatRoundedCount(size)} symmetric states`;
}

/** How many steps are not drawn. */
export function hiddenSteps({ orbits, edges }: GraphDocument): string {
    const back = edges.filter(({ from, to }) => orbits[to]?.depth !== (orbits[from]?.depth ?? 0) + 1);
    const are = back.length === 1 ? 'is' : 'are';
    return back.length === 0
        ? ''
        : `${formatNumberOf(back.length, 'step')} back or beside ${are} drawn for the chosen orbit only (dashed).`;
}
