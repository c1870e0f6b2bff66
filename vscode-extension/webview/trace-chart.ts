/**
 * A run as a sequence chart: a lane for each instance that moves, a dot for each step, a message to the right and then
 * down while it lies in its channel, a level line where several meet in an event. Thick is what led to the chosen step.
 */
import type { TraceEntryDocument } from '../../language-server/document-schema.js';
import { shape, textShape } from './shapes.js';
import { columnsOf } from './trace-instances.js';
import { chainTo, UNSEEN, type Message, type TraceRow } from './trace-rows.js';

export interface Chart {
    readonly svg: SVGSVGElement;
    choose(row: number): void;
}

const ROW = 24;
const LANE = 96;
/** A character of a label. */
const LETTER = 7;
const TOP = 34;
/** Longer runs are shown by their last steps. */
const MOST_ROWS = 1000;

/** Whether there is anything for a chart: a message, or a step of several. */
export function hasChart(rows: readonly TraceRow[], messages: readonly Message[]): boolean {
    return messages.length > 0 || rows.some(({ movers }) => movers.length > 1);
}

export interface ChartOptions {
    /** Hears of clicks on steps. */
    readonly onChoose: (row: number) => void;
    /** The row with the state that the run comes back to. */
    readonly loopStart: number | undefined;
}

export function drawChart(
    entries: readonly TraceEntryDocument[],
    rows: readonly TraceRow[],
    messages: readonly Message[],
    { onChoose, loopStart }: ChartOptions,
): Chart {
    const first = Math.max(0, rows.length - MOST_ROWS);
    const shown = messages.filter(({ sent, received = Infinity }) => sent !== UNSEEN && received >= first);
    const partners = shown.flatMap(({ sender, receiver }) => [sender, ...(receiver === undefined ? [] : [receiver])]);
    const moving = new Set([...rows.slice(first).flatMap(({ movers }) => movers), ...partners]);
    const inText = columnsOf(entries, rows).instances.filter(instance => moving.has(instance));
    const lanes = [...new Set([...inText, ...moving])];
    const longest = Math.max(...rows.slice(first).map(({ label }) => label.length), 5);
    const left = 52 + Math.min(longest, 20) * LETTER;
    const x = (instance: string): number => left + (lanes.indexOf(instance) + 0.5) * LANE;
    const y = (row: number): number => TOP + (row - first + 0.5) * ROW;
    const [width, height] = [left + lanes.length * LANE, TOP + (rows.length - first + 1) * ROW];
    const marker = shape('rect', { class: 'chosen-row', x: '0', width: String(width), height: String(ROW) });
    const arrows = shown.map(message => ({
        message,
        node: drawMessage(message, { x, y, bottom: height - ROW / 2, first }),
    }));
    const steps = rows.slice(first).map((row, index) => {
        const number = first + index;
        const level = row.movers.length > 1 ? levelOf(row.movers.map(x), y(number)) : [];
        const node = shape(
            'g',
            { class: 'step' },
            shape('rect', {
                class: 'hit',
                x: '0',
                y: String(y(number) - ROW / 2),
                width: String(width),
                height: String(ROW),
            }),
            textShape(String(number), { class: 'number', x: '28', y: String(y(number)), dy: '0.35em' }),
            textShape(row.movers.length === 0 ? 'start' : row.label, { x: '44', y: String(y(number)), dy: '0.35em' }),
            ...level,
            ...row.movers.map(mover => shape('circle', { cx: String(x(mover)), cy: String(y(number)), r: '4' })),
        );
        node.addEventListener('click', () => onChoose(number));
        return node;
    });
    const lines = lanes.map(lane => shape('path', { class: 'lane', d: `M ${x(lane)} ${TOP} V ${height}` }));
    const heads = lanes.map(lane => textShape(lane, { class: 'head', x: String(x(lane)), y: '20' }));
    const svg = shape(
        'svg',
        { viewBox: `0 0 ${width} ${height}`, width: String(width), height: String(height), 'aria-hidden': 'true' },
        marker,
        ...lines,
        ...heads,
        ...arrows.map(({ node }) => node),
        ...(loopStart === undefined ? [] : wayBack(y(Math.max(loopStart, first)), y(rows.length - 1))),
        ...steps,
    );
    return {
        svg,
        choose(row) {
            const chain = chainTo(messages, entries, row);
            arrows.forEach(({ message, node }) => node.classList.toggle('cause', chain.has(message)));
            marker.setAttribute('y', String(y(Math.max(row, first)) - ROW / 2));
            steps.forEach((node, index) => node.classList.toggle('chosen', first + index === row));
        },
    };
}

/** From the last state of a loop to its first, left of the numbers. */
function wayBack(top: number, bottom: number): readonly SVGElement[] {
    return [
        shape('path', { class: 'back', d: `M 10 ${bottom} H 4 V ${top} H 8` }),
        shape('path', { class: 'back-tip', d: `M 12 ${top} l -6 -3.5 v 7 Z` }),
    ];
}

interface Places {
    readonly x: (instance: string) => number;
    readonly y: (row: number) => number;
    readonly bottom: number;
    readonly first: number;
}

/** To the lane of the receiver, then down to where it is received; without one down to the end of the run. */
function drawMessage({ sender, sent, receiver, received, text }: Message, { x, y, bottom, first }: Places): SVGElement {
    const [from, top] = [x(sender), y(Math.max(sent, first))];
    const to = receiver === undefined ? from + LANE * 0.7 : x(receiver);
    const side = to > from ? 1 : -1;
    const isOwn = to === from;
    const turn = isOwn ? from + 18 : to - side * 12;
    const end = received === undefined ? bottom : y(received);
    const path =
        received === undefined
            ? `M ${from} ${top} H ${turn} V ${end}`
            : `M ${from} ${top} H ${turn} V ${end} H ${isOwn ? to + 6 : to - side * 6}`;
    const tip = isOwn ? to + 5 : to - side * 5;
    const back = isOwn ? 1 : -side;
    return shape(
        'g',
        { class: received === undefined ? 'message open' : 'message' },
        shape('path', { d: path }),
        ...(received === undefined
            ? []
            : [shape('path', { class: 'tip', d: `M ${tip} ${end} l ${7 * back} -3.5 v 7 Z` })]),
        textShape(text, {
            x: String(from + side * 10),
            y: String(top - 4),
            'text-anchor': side > 0 || isOwn ? 'start' : 'end',
        }),
    );
}

function levelOf(xs: readonly number[], y: number): readonly SVGElement[] {
    return [shape('path', { class: 'level', d: `M ${Math.min(...xs)} ${y} H ${Math.max(...xs)}` })];
}
