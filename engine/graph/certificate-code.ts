/**
 * The certificate (certify.ts) as WebAssembly, in a memory of its own: whether a permutation is an automorphism. Nothing of
 * the search is in here.
 */
import { ModuleWriter } from '../webassembly/module-writer.js';
import { MOST_PAGES } from './compiled-code.js';
import type { Layout } from './compiled-code.js';
import { Body } from '../webassembly/function-body.js';

export interface CertificateFunctions {
    /** Says of how many vertices the graph is. */
    begin(vertexCount: number): void;
    /** Whether the permutation that maps `points[i]` to `images[i]`, for i below `count`, is an automorphism: 0 or 1. */
    holds(count: number): number;
}

/**
 * `imageOf[v]` is the image of v under the permutation being checked; v itself between two checks. `seenAt[v]` is the last
 * stamp that v was marked with.
 */
export const CERTIFICATE_ARRAYS = ['colors', 'points', 'images', 'imageOf', 'seenAt'] as const;

export type CertificateLayout = Layout<(typeof CERTIFICATE_ARRAYS)[number]>;

/** Where the number of vertices and the last stamp are. */
const VERTEX_COUNT = 0;
const STAMP = 4;
/** Where arrays may begin. */
export const FIRST_ARRAY = 64;
/** After this many stamps all marks are wiped. */
const LAST_STAMP = 2 ** 30;

/** The module for a layout; it imports the memory. */
export function certificateModule(layout: CertificateLayout): Uint8Array {
    const module = new ModuleWriter();
    const begin = module.announce({ parameters: ['i32'], results: [] });
    const holds = module.announce({ parameters: ['i32'], results: ['i32'] });
    const areEdgesMapped = module.announce({ parameters: ['i32', 'i32'], results: ['i32'] });
    module.define(begin, beginBody(layout).writer);
    module.define(holds, holdsBody(layout, areEdgesMapped).writer);
    module.define(areEdgesMapped, areEdgesMappedBody(layout).writer);
    module.export('begin', begin);
    module.export('holds', holds);
    return module.toBytes(MOST_PAGES, false);
}

function beginBody({ imageOf, seenAt }: CertificateLayout): Body {
    const b = new Body(1);
    const vertexCount = b.parameter(0);
    b.global(VERTEX_COUNT).set(vertexCount);
    b.global(STAMP).set(0);
    b.for(0, vertexCount, vertex => {
        b.at(imageOf, vertex).set(vertex);
        b.at(seenAt, vertex).set(0);
    });
    return b;
}

function holdsBody({ colors, points, images, imageOf, seenAt }: CertificateLayout, areEdgesMapped: number): Body {
    const b = new Body(1);
    const count = b.parameter(0);
    const vertexCount = b.variable(b.global(VERTEX_COUNT));
    const stamp = b.variable(b.global(STAMP));
    b.if(stamp.isAtLeast(LAST_STAMP), () => {
        b.for(0, vertexCount, vertex => {
            b.at(seenAt, vertex).set(0);
        });
        stamp.set(0);
    });
    stamp.add(1);
    // One stamp here, and one for each row.
    b.global(STAMP).set(stamp.plus(count));
    const next = b.variable(0);
    b.block(leaveIf => {
        b.while(next.isLess(count), () => {
            const point = b.variable(b.at(points, next));
            const image = b.variable(b.at(images, next));
            // Both are vertices, different ones, of one color, the first has no image yet, and the second is none yet.
            leaveIf(point.isAtLeastUnsigned(vertexCount));
            leaveIf(image.isAtLeastUnsigned(vertexCount));
            leaveIf(point.is(image));
            leaveIf(b.at(colors, point).isNot(b.at(colors, image)));
            leaveIf(b.at(imageOf, point).isNot(point));
            leaveIf(b.at(seenAt, image).is(stamp));
            b.at(imageOf, point).set(image);
            b.at(seenAt, image).set(stamp);
            next.add(1);
        });
    });
    const holds = b.variable(0);
    b.if(next.is(count), () => {
        holds.set(b.call(areEdgesMapped, count, stamp));
    });
    b.for(0, next, i => {
        const point = b.variable(b.at(points, i));
        b.at(imageOf, point).set(point);
    });
    b.result(holds);
    return b;
}

/**
 * Whether each of `count` images has an image, and the row of each moved vertex goes to the row of its image. The stamps after
 * `stamp` have not been used.
 */
function areEdgesMappedBody(layout: CertificateLayout): Body {
    const { points, imageOf, seenAt, firstNeighbor, neighbors } = layout;
    const b = new Body(2);
    const count = b.parameter(0);
    const stamp = b.parameter(1);
    b.for(0, count, i => {
        const vertex = b.variable(b.at(points, i));
        const image = b.variable(b.at(imageOf, vertex));
        stamp.add(1);
        b.if(b.at(imageOf, image).is(image), () => {
            b.return(0);
        });
        const rowStart = b.variable(b.at(firstNeighbor, vertex));
        const rowEnd = b.variable(b.at(firstNeighbor, vertex, 1));
        const imageStart = b.variable(b.at(firstNeighbor, image));
        const imageEnd = b.variable(b.at(firstNeighbor, image, 1));
        b.if(rowEnd.minus(rowStart).isNot(imageEnd.minus(imageStart)), () => {
            b.return(0);
        });
        b.for(imageStart, imageEnd, j => {
            b.at(seenAt, b.at(neighbors, j)).set(stamp);
        });
        const missing = b.variable(0);
        b.for(rowStart, rowEnd, j => {
            missing.add(b.at(seenAt, b.at(imageOf, b.at(neighbors, j))).isNot(stamp));
        });
        b.if(missing, () => {
            b.return(0);
        });
    });
    b.result(1);
    return b;
}
