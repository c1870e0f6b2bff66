/** Digests of graphs. */
import { sha256OfAscii } from '../common/sha256.js';
import type { ColoredGraph } from './colored-graph.js';
import { toDimacs } from './dimacs.js';

/** `sha256:` and the digest of the graph as DIMACS text, which other programs can compute from an export. */
export function digestOf(graph: ColoredGraph): string {
    return `sha256:${sha256OfAscii(toDimacs(graph))}`;
}
