/**
 * A node of a syntax tree: what a tree that a parser has made has in common with one that was revived from plain data.
 * `language/` reads names, containers and links of nodes, and their places (source-text.ts); it knows no parser.
 */
import type { SourceRange } from '../../engine/common/source-range.js';

export interface Node {
    readonly $type: string;
    /** Absent at the root. */
    readonly $container?: Node;
    /** The property of the container that holds the node. */
    readonly $containerProperty?: string;
    /** Where the property is a list. */
    readonly $containerIndex?: number;
    /** Of a root: the text of the tree. */
    readonly $source?: SourceText;
}

/** A name that stands for a declaration; undefined if nothing is declared. */
export interface Link<Target extends Node = Node> {
    readonly ref: Target | undefined;
    /** The name in the text. */
    readonly $refText: string;
}

/** The text of a tree. A node has no place if no text stands for it: `self`, a built-in function. */
export interface SourceText {
    readonly uri: string;
    /** The path of the URI, decoded. */
    readonly path: string;
    /** All of it. */
    readonly text: string;
    placeOf(node: Node): Place | undefined;
    /** The place of the first word or node that is the value of a property. */
    placeOfProperty(node: Node, property: string): Place | undefined;
}

/** Offsets of the first character and of the one behind the last. */
export interface Span {
    readonly offset: number;
    readonly end: number;
}

/** A part of a text. */
export interface Place extends Span {
    readonly range: Pick<SourceRange, 'start' | 'end'>;
    readonly text: string;
}

/** The type of a node; undefined for anything else. */
export function typeOf(item: unknown): unknown {
    return typeof item === 'object' && item !== null && '$type' in item ? item.$type : undefined;
}

/** The innermost node of some kind around a node, or the node itself. O(depth) */
export function enclosing<Wanted extends Node>(
    node: Node | undefined,
    isWanted: (node: Node) => node is Wanted,
): Wanted | undefined {
    let outer = node;
    while (outer !== undefined && !isWanted(outer)) {
        outer = outer.$container;
    }
    return outer;
}

/** The root of the tree of a node. O(depth) */
export function treeRootOf(node: Node): Node {
    let root = node;
    while (root.$container !== undefined) {
        root = root.$container;
    }
    return root;
}
