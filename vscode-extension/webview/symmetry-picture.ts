/**
 * Pictures of what a factor of a group does to its members: a row of those that are interchangeable, a ring, groups in
 * boxes, pairs. Each is an image with the sentence beside it as its name, so nothing in it has to be read.
 */
import type { SymmetryDocument } from '../../language-server/document-schema.js';
import { shape, textShape } from './shapes.js';

type Picture = NonNullable<SymmetryDocument['factors'][number]['picture']>;

/** More members, or groups, are only said. */
const MOST_MEMBERS = 12;
const MOST_GROUPS = 6;
const RADIUS = 15;
/** From one member of a row to the next. */
const STEP = 46;
const LETTER = 7;

/** Undefined if there are too many members for a picture. `label` is the sentence. */
export function drawPicture({ kind, members }: Picture, label: string): SVGSVGElement | undefined {
    const largest = Math.max(...members.map(group => group.length));
    if (largest > MOST_MEMBERS || members.length > MOST_GROUPS) {
        return undefined;
    }
    const [first = []] = members;
    switch (kind) {
        case 'interchangeable':
            return picture(rowOf(shortNames(first), 0), label);
        case 'ring':
        case 'mirrored-ring':
            return picture(ringOf(shortNames(first), kind === 'mirrored-ring'), label);
        case 'groups':
        case 'pairs':
            return picture(groupsOf(members, kind === 'groups'), label);
    }
}

/** Shapes and the room that they need. */
interface Drawing {
    readonly shapes: readonly SVGElement[];
    readonly width: number;
    readonly height: number;
}

function picture({ shapes, width, height }: Drawing, label: string): SVGSVGElement {
    const size = { viewBox: `0 0 ${width} ${height}`, width: String(width), height: String(height) };
    return shape('svg', { class: 'factor-picture', role: 'img', 'aria-label': label, ...size }, ...shapes);
}

/** `0` of `Link[0]`; whole names where that does not tell them apart. */
function shortNames(names: readonly string[]): readonly string[] {
    const short = names
        .map(name => /^\w+\[(.*)\]$/.exec(name)?.[1] ?? name)
        .map(name => name.replace(/^\w+\((.*)\)$/, '$1'));
    return new Set(short).size === names.length ? short.map(name => name.replaceAll(', ', ',')) : names;
}

function member(name: string, x: number, y: number): readonly SVGElement[] {
    const width = Math.max(2 * RADIUS, name.length * LETTER + 12);
    const box = { x: String(x - width / 2), y: String(y - RADIUS), width: String(width), height: String(2 * RADIUS) };
    return [
        shape('rect', { class: 'member', ...box, rx: String(RADIUS) }),
        textShape(name, { x: String(x), y: String(y), dy: '0.35em' }),
    ];
}

/** From one member to the next of a row. */
function stepOf(names: readonly string[]): number {
    return Math.max(STEP, ...names.map(name => name.length * LETTER + 28));
}

/** Members beside each other, each pair of neighbors joined by an arc. */
function rowOf(names: readonly string[], left: number): Drawing {
    const step = stepOf(names);
    const x = (index: number): number => left + step * (index + 0.5);
    const y = RADIUS + 4;
    const arcs = names.slice(1).map((_, index) => {
        const [from, to] = [x(index), x(index + 1)];
        const base = y + RADIUS + 3;
        return shape('path', {
            class: 'exchange',
            d: `M ${from + 4} ${base} Q ${(from + to) / 2} ${base + 14} ${to - 4} ${base}`,
        });
    });
    return {
        shapes: [...arcs, ...names.flatMap((name, index) => member(name, x(index), y))],
        width: step * names.length,
        height: 2 * RADIUS + 26,
    };
}

/** Members around a circle, with arrows from each to the next; without direction lines, and the axis of a mirror. */
function ringOf(names: readonly string[], isMirrored: boolean): Drawing {
    const widest = stepOf(names) - 28 + 2 * RADIUS;
    const circle = Math.max(46, (names.length * Math.max(STEP, widest)) / (2 * Math.PI));
    const [width, height] = [2 * circle + widest + 24, 2 * circle + 2 * RADIUS + 16];
    const place = (index: number, distance = circle): readonly [number, number] => {
        const angle = (2 * Math.PI * index) / names.length - Math.PI / 2;
        return [width / 2 + distance * Math.cos(angle), height / 2 + distance * Math.sin(angle)];
    };
    const links = names.map((_, index) => {
        const [x1, y1] = place(index);
        const [x2, y2] = place(index + 1);
        const length = Math.hypot(x2 - x1, y2 - y1) || 1;
        const cut = (RADIUS + 4) / length;
        const [dx, dy] = [(x2 - x1) * cut, (y2 - y1) * cut];
        const line = shape('path', { class: 'link', d: `M ${x1 + dx} ${y1 + dy} L ${x2 - dx} ${y2 - dy}` });
        if (!isMirrored) {
            line.setAttribute('marker-end', 'url(#arrow)');
        }
        return line;
    });
    const axis = isMirrored ? [shape('path', { class: 'axis', d: `M ${width / 2} 0 V ${height}` })] : [arrowHead()];
    return {
        shapes: [...axis, ...links, ...names.flatMap((name, index) => member(name, ...place(index)))],
        width,
        height,
    };
}

function arrowHead(): SVGElement {
    const marker = shape(
        'marker',
        { id: 'arrow', viewBox: '0 0 8 8', refX: '7', refY: '4', markerWidth: '8', markerHeight: '8', orient: 'auto' },
        shape('path', { class: 'tip', d: 'M 0 1 L 7 4 L 0 7 Z' }),
    );
    return shape('defs', {}, marker);
}

/** A box for each group, side by side; of interchangeable groups each is joined with the next. */
function groupsOf(groups: readonly (readonly string[])[], areInterchangeable: boolean): Drawing {
    const short = shortNames(groups.flat());
    let taken = 0;
    let left = 0;
    const shapes: SVGElement[] = [];
    const height = 2 * RADIUS + 34;
    groups.forEach((group, index) => {
        const names = short.slice(taken, taken + group.length);
        taken += group.length;
        const row = rowOf(names, left + 8);
        const width = row.width + 16;
        shapes.push(
            shape('rect', {
                class: 'group',
                x: String(left),
                y: '0',
                width: String(width),
                height: String(height - 8),
                rx: '2',
            }),
            ...row.shapes,
        );
        if (areInterchangeable && index > 0) {
            shapes.push(shape('path', { class: 'exchange', d: `M ${left - 18} ${RADIUS + 4} H ${left - 2}` }));
        }
        left += width + 20;
    });
    return { shapes, width: left - 20, height };
}
