/** The numbers of orbits and states by the value of the parameter, on a logarithmic scale. The table beside it has them all. */
import { formatCount } from '../../engine/describe/words.js';
import type { SweptValue } from './messages.js';
import { shape, textShape } from './shapes.js';

const [WIDTH, HEIGHT] = [640, 264];
const [LEFT, RIGHT, TOP, BOTTOM] = [76, 110, 12, 30];
/** More values have no label each. */
const MOST_LABELS = 16;

/** `Orbits from 13 at N = 3 to 1,788 at N = 8`, for those who do not see the picture. */
export function describeSweep(rows: readonly SweptValue[], name: string): string {
    const [first, last] = [rows.at(0), rows.at(-1)];
    return first === undefined || last === undefined
        ? ''
        : `From ${formatCount(first.document.states)} at ${name} = ${first.value} to ` +
              `${formatCount(last.document.states)} at ${name} = ${last.value}`;
}

/** For at least two values. */
export function drawSweep(rows: readonly SweptValue[], name: string, isReduced: boolean): SVGSVGElement {
    const allOf = ({ document: { allStates } }: SweptValue): number | undefined =>
        isReduced && allStates !== undefined ? Number(allStates) : undefined;
    const counts = rows.flatMap(row => [row.document.states, allOf(row) ?? []].flat());
    const exponents = counts.map(count => Math.log10(Math.max(1, count)));
    const low = Math.floor(exponents.reduce((least, exponent) => Math.min(least, exponent), Infinity));
    const high = Math.max(low + 1, Math.ceil(exponents.reduce((most, exponent) => Math.max(most, exponent), 0)));
    const x = (index: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * index) / (rows.length - 1);
    const y = (count: number): number =>
        HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (Math.log10(Math.max(1, count)) - low)) / (high - low);
    const lines = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)).flatMap(count => [
        shape('path', { class: 'grid', d: `M ${LEFT} ${y(count)} H ${WIDTH - RIGHT}` }),
        textShape(formatCount(count), { class: 'axis', x: String(LEFT - 8), y: String(y(count)), dy: '0.35em' }),
    ]);
    const every = Math.ceil(rows.length / MOST_LABELS);
    const labels = rows.flatMap(({ value }, index) =>
        index % every === 0
            ? [
                  textShape(index === 0 ? `${name} = ${value}` : String(value), {
                      class: 'value',
                      x: String(x(index)),
                      y: String(HEIGHT - BOTTOM + 18),
                  }),
              ]
            : [],
    );
    const stored = rows.map(({ document }, index) => [x(index), y(document.states)] as const);
    const all = rows.flatMap((row, index) => {
        const count = allOf(row);
        return count === undefined ? [] : [[x(index), y(count)] as const];
    });
    const [[endX, endY] = [0, 0], [, allY] = [0, 0]] = [stored.at(-1), all.at(-1)];
    const endLabel = (what: string, atY: number, count: number): readonly SVGElement[] => [
        textShape(what, { class: 'name', x: String(endX + 10), y: String(atY - 4) }),
        textShape(formatCount(count), { x: String(endX + 10), y: String(atY + 10) }),
    ];
    const last = rows.at(-1);
    const lastOfAll = last && allOf(last);
    return shape(
        'svg',
        {
            viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
            width: String(WIDTH),
            height: String(HEIGHT),
            role: 'img',
            'aria-label': `${isReduced ? 'Orbits' : 'States'}: ${describeSweep(rows, name)}`,
        },
        ...lines,
        ...labels,
        ...(all.length < 2 ? [] : [shape('path', { class: 'all', d: pathOf(all) })]),
        ...all.map(([cx, cy]) =>
            shape('rect', { class: 'all', x: String(cx - 3), y: String(cy - 3), width: '6', height: '6' }),
        ),
        shape('path', { class: 'stored', d: pathOf(stored) }),
        ...stored.map(([cx, cy]) => shape('circle', { class: 'stored', cx: String(cx), cy: String(cy), r: '3.5' })),
        ...endLabel(isReduced ? 'orbits' : 'states', endY, last?.document.states ?? 0),
        // Beside the other label there must be room for two lines.
        ...(lastOfAll === undefined || endY - allY < 28 ? [] : endLabel('all states', allY, lastOfAll)),
    );
}

function pathOf(points: readonly (readonly [number, number])[]): string {
    return points.map(([px, py], index) => `${index === 0 ? 'M' : 'L'} ${px} ${py}`).join(' ');
}
