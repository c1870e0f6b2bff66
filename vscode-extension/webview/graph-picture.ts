/**
 * The picture of a state graph: a row for each depth, an orbit as a circle with its size, the nearest violation's path
 * thick, a double ring where something is violated. Steps that do not lead to the next row are drawn for the chosen
 * orbit only.
 */
import type { GraphDocument } from '../../language-server/protocol.js';
import { showWithin } from './elements.js';
import { layOutGraph, ROW } from './graph-layout.js';
import { shape, textShape } from './shapes.js';

export interface GraphPicture {
    readonly svg: SVGSVGElement;
    /** Marks an orbit as chosen, and draws its steps back. */
    choose(orbit: number): void;
    /** The orbit that an arrow key leads to from another. */
    neighbor(orbit: number, key: string): number | undefined;
}

const RADIUS = 13;
/** Of what is left of the circles: the depth. */
const MARGIN = 44;

interface Point {
    readonly x: number;
    readonly y: number;
}

/** `path` has the orbits on the way to the nearest violation; `onChoose` hears of clicks. */
export function drawGraph(
    { orbits, edges }: Pick<GraphDocument, 'orbits' | 'edges'>,
    path: ReadonlySet<number>,
    onChoose: (orbit: number) => void,
): GraphPicture {
    const layout = layOutGraph({ depths: orbits.map(({ depth }) => depth), edges });
    const at = (orbit: number): Point => {
        const { x, y } = layout.positions[orbit] ?? { x: 0, y: 0 };
        return { x: x + MARGIN, y };
    };
    const [width, height] = [layout.width + MARGIN + RADIUS, layout.height];
    const isForward = ({ from, to }: Edge): boolean => orbits[to]?.depth === (orbits[from]?.depth ?? 0) + 1;
    const isOnPath = ({ from, to }: Edge): boolean => path.has(to) && orbits[to]?.from === from;
    const forward = edges
        .filter(isForward)
        .map(edge => arrow(at(edge.from), at(edge.to), isOnPath(edge) ? 'edge on-path' : 'edge'));
    const back = shape('g', {});
    const nodes = orbits.map((orbit, number) => {
        const violates = orbit.violates.length > 0;
        const classes = ['node', violates && 'violated', path.has(number) && 'on-path', !orbit.isExpanded && 'open'];
        const node = shape(
            'g',
            { class: classes.filter(Boolean).join(' '), transform: `translate(${at(number).x} ${at(number).y})` },
            shape('circle', { class: 'halo', r: String(RADIUS + 5) }),
            shape('circle', { class: 'ring', r: String(RADIUS) }),
            ...(violates ? [shape('circle', { class: 'inner', r: String(RADIUS - 3) })] : []),
            textShape(shorten(orbit.size), { class: 'size', dy: '0.35em' }),
            textShape(`#${number}`, { class: 'number', x: String(RADIUS + 5), y: String(-RADIUS + 4) }),
        );
        node.addEventListener('click', () => onChoose(number));
        return node;
    });
    const depths = Array.from({ length: Math.round(layout.height / ROW) }, (_, depth) =>
        textShape(String(depth), { class: 'depth', x: '12', y: String((depth + 0.5) * ROW), dy: '0.35em' }),
    );
    const svg = shape(
        'svg',
        { viewBox: `0 0 ${width} ${height}`, width: String(width), height: String(height), 'aria-hidden': 'true' },
        ...depths,
        ...forward,
        back,
        ...nodes,
    );
    return {
        svg,
        choose(chosen) {
            nodes.forEach((node, number) => node.classList.toggle('chosen', number === chosen));
            const others = edges.filter(edge => edge.from === chosen && edge.to !== chosen && !isForward(edge));
            showWithin(svg.parentElement, nodes[chosen]);
            back.replaceChildren(...others.map(({ to }) => curve(at(chosen), at(to))));
        },
        neighbor: (orbit, key) => neighborOf(orbit, key, { orbits, edges: edges.filter(isForward), at }),
    };
}

type Edge = GraphDocument['edges'][number];

interface Places {
    readonly orbits: GraphDocument['orbits'];
    readonly edges: readonly Edge[];
    readonly at: (orbit: number) => Point;
}

/** Down and up along the edges, left and right in the row. */
function neighborOf(orbit: number, key: string, { orbits, edges, at }: Places): number | undefined {
    const row = [...orbits.keys()]
        .filter(other => orbits[other]?.depth === orbits[orbit]?.depth)
        .sort((a, b) => at(a).x - at(b).x);
    switch (key) {
        case 'ArrowDown':
            return edges.find(({ from }) => from === orbit)?.to;
        case 'ArrowUp':
            return orbits[orbit]?.from;
        case 'ArrowLeft':
            return row[row.indexOf(orbit) - 1];
        case 'ArrowRight':
            return row[row.indexOf(orbit) + 1];
        default:
            return undefined;
    }
}

/** From rim to rim, with a head. */
function arrow(from: Point, to: Point, name: string): SVGElement {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const start = { x: from.x + dx * RADIUS, y: from.y + dy * RADIUS };
    const end = { x: to.x - dx * (RADIUS + 2), y: to.y - dy * (RADIUS + 2) };
    return shape(
        'g',
        { class: name },
        shape('path', { d: `M ${start.x} ${start.y} L ${end.x} ${end.y}` }),
        head(end, dx, dy),
    );
}

/** A step back, or beside: an arc to the side of the target. */
function curve(from: Point, to: Point): SVGElement {
    const side = to.x >= from.x ? 1 : -1;
    const [start, end] = [
        { x: from.x + side * (RADIUS + 5), y: from.y },
        { x: to.x + side * 4, y: to.y + (RADIUS + 3) },
    ];
    const bend = { x: Math.max(from.x * side, to.x * side) * side + side * 40, y: (start.y + end.y) / 2 };
    const length = Math.hypot(end.x - bend.x, end.y - bend.y) || 1;
    return shape(
        'g',
        { class: 'edge back' },
        shape('path', { d: `M ${start.x} ${start.y} Q ${bend.x} ${bend.y} ${end.x} ${end.y}` }),
        head(end, (end.x - bend.x) / length, (end.y - bend.y) / length),
    );
}

function head({ x, y }: Point, dx: number, dy: number): SVGElement {
    const corner = (side: number): string => `${x - 7 * dx + 3.5 * side * dy} ${y - 7 * dy - 3.5 * side * dx}`;
    return shape('path', { class: 'head', d: `M ${x} ${y} L ${corner(1)} L ${corner(-1)} Z` });
}

/** A circle has room for three digits. */
function shorten(size: string | undefined): string {
    if (size === undefined) {
        return '?';
    }
    const value = Number(size);
    const steps = ['', 'k', 'M', 'G', 'T'];
    const step = Math.min(steps.length - 1, Math.floor((size.length - 1) / 3));
    return step === 0 || value >= 1e15
        ? step === 0
            ? size
            : '∞'
        : `${Math.floor(value / 1000 ** step)}${steps[step]}`;
}
