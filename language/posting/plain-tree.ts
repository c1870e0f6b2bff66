/**
 * Linked trees as plain data, and back: nodes have numbers, and links name the numbers of their targets. The trees are
 * all that a model stands on, so a link leads to a node of one of them, to a built-in function or to a `self`.
 */
import { invariant } from '../../engine/common/assert.js';
import { isImport, isModel, isProcess, isSelf } from '../generated/nodes.js';
import { BUILTIN_NODES, isBuiltin } from '../references/builtin-functions.js';
import { importedModel, setImportedModel } from '../references/imports.js';
import { selfOf } from '../references/templates.js';
import { nodesOf } from '../tree/descendants.js';
import type { Link, Node, Place, SourceText } from '../tree/node.js';
import { sourceOf } from '../tree/source-text.js';

export interface PlainTree {
    readonly uri: string;
    readonly path: string;
    readonly text: string;
    /** The root first, parents before children. */
    readonly nodes: readonly PlainNode[];
}

interface PlainNode {
    readonly type: string;
    readonly place?: PlainPlace;
    readonly properties: Readonly<Record<string, PlainValue>>;
    /** The places of properties. */
    readonly places: Readonly<Record<string, PlainPlace>>;
    /** Of an import: the number of its tree. */
    readonly imported?: number;
}

/** Offsets, then lines and characters, of the beginning and the end. */
type PlainPlace = readonly [
    offset: number,
    end: number,
    startLine: number,
    startCharacter: number,
    endLine: number,
    endCharacter: number,
];

/** A word or number as it is; a node by its number in its tree. */
type PlainValue =
    | string
    | number
    | boolean
    | { readonly node: number }
    | { readonly nodes: readonly number[] }
    | { readonly link: string; readonly target: PlainTarget };

type PlainTarget = NodeNumber | { readonly builtin: string } | { readonly self: NodeNumber } | undefined;

/** A node by the number of its tree and its number in that. */
export type NodeNumber = readonly [tree: number, node: number];

/** A root with its text: a file, or an expression that stands in none. */
export interface TreeWithText {
    readonly root: Node;
    readonly text: string;
}

export interface PlainCopy {
    readonly trees: readonly PlainTree[];
    readonly numberOf: (node: Node) => NodeNumber;
}

/** O(nodes · depth) */
export function copyTrees(trees: readonly TreeWithText[]): PlainCopy {
    const numbers = new Map<Node, NodeNumber>();
    trees.forEach(({ root }, tree) => nodesOf(root).forEach((node, position) => numbers.set(node, [tree, position])));
    const numberOf = (node: Node): NodeNumber => {
        const number = numbers.get(node);
        invariant(number !== undefined, 'a node belongs to one of the trees that are copied');
        return number;
    };
    return { numberOf, trees: trees.map(({ root, text }) => plainTree(root, text, numberOf)) };
}

type NumberOf = PlainCopy['numberOf'];

function plainTree(root: Node, text: string, numberOf: NumberOf): PlainTree {
    const source = sourceOf(root);
    invariant(source !== undefined, 'the root of a tree has its text');
    return {
        uri: source.uri,
        path: source.path,
        text,
        nodes: nodesOf(root).map(node => plainNode(node, source, numberOf)),
    };
}

function plainNode(node: Node, source: SourceText, numberOf: NumberOf): PlainNode {
    const properties: Record<string, PlainValue> = {};
    const places: Record<string, PlainPlace> = {};
    for (const [name, value] of propertiesOf(node)) {
        properties[name] = plainValue(value, numberOf);
        const place = source.placeOfProperty(node, name);
        if (place !== undefined) {
            places[name] = plainPlace(place);
        }
    }
    const place = source.placeOf(node);
    const imported = isImport(node) ? importedModel(node) : undefined;
    return {
        type: node.$type,
        ...(place !== undefined && { place: plainPlace(place) }),
        properties,
        places,
        ...(imported !== undefined && { imported: numberOf(imported)[0] }),
    };
}

/** Properties of the tree itself begin with `$`. */
function propertiesOf(node: Node): [name: string, value: unknown][] {
    return Object.entries(node).filter(([name, value]) => !name.startsWith('$') && value !== undefined);
}

function isLink(value: unknown): value is Link {
    return typeof value === 'object' && value !== null && '$refText' in value;
}

function plainPlace({ offset, end, range: { start, end: last } }: Place): PlainPlace {
    return [offset, end, start.line, start.character, last.line, last.character];
}

function plainValue(value: unknown, numberOf: NumberOf): PlainValue {
    if (Array.isArray(value)) {
        return { nodes: (value as Node[]).map(node => numberOf(node)[1]) };
    }
    if (isLink(value)) {
        return { link: value.$refText, target: value.ref && plainTarget(value.ref, numberOf) };
    }
    return typeof value === 'object' ? { node: numberOf(value as Node)[1] } : (value as PlainValue);
}

function plainTarget(target: Node, numberOf: NumberOf): PlainTarget {
    if (isBuiltin(target)) {
        return { builtin: target.name };
    }
    const { $container } = target;
    return isSelf(target) && $container !== undefined ? { self: numberOf($container) } : numberOf(target);
}

/** The nodes of trees that were copied, by the numbers of trees. O(nodes) */
export function reviveTrees(trees: readonly PlainTree[]): readonly (readonly Node[])[] {
    const nodes = trees.map(tree => tree.nodes.map(({ type }): Node => ({ $type: type })));
    const nodeAt: NodeAt = ([tree, number]) => {
        const node = nodes[tree]?.[number];
        invariant(node !== undefined, 'a number of a copy is that of one of its nodes');
        return node;
    };
    const placed = new Map<Node, Placed>();
    trees.forEach((tree, number) => {
        tree.nodes.forEach((plain, position) => {
            const node = nodeAt([number, position]);
            placed.set(node, { plain, text: tree.text });
            for (const [name, value] of Object.entries(plain.properties)) {
                const property = revivedValue(value, number, nodeAt);
                Object.assign(node, { [name]: property });
                adopt(node, name, property);
            }
            const imported = plain.imported === undefined ? undefined : nodeAt([plain.imported, 0]);
            if (isImport(node) && isModel(imported)) {
                setImportedModel(node, () => imported);
            }
        });
        Object.assign(nodeAt([number, 0]), { $source: new RevivedText(tree, placed) });
    });
    return nodes;
}

type NodeAt = (number: NodeNumber) => Node;

function revivedValue(value: PlainValue, tree: number, nodeAt: NodeAt): unknown {
    if (typeof value !== 'object') {
        return value;
    }
    if ('link' in value) {
        return { $refText: value.link, ref: value.target && targetOf(value.target, nodeAt) };
    }
    return 'nodes' in value ? value.nodes.map(node => nodeAt([tree, node])) : nodeAt([tree, value.node]);
}

/** Tells the nodes in a property where they are. */
function adopt($container: Node, $containerProperty: string, property: unknown): void {
    if (Array.isArray(property)) {
        property.forEach((node, $containerIndex) =>
            Object.assign(node as Node, { $container, $containerProperty, $containerIndex }),
        );
    } else if (typeof property === 'object' && property !== null && !isLink(property)) {
        Object.assign(property, { $container, $containerProperty });
    }
}

function targetOf(target: NonNullable<PlainTarget>, nodeAt: NodeAt): Node | undefined {
    if ('builtin' in target) {
        return BUILTIN_NODES.get(target.builtin);
    }
    const node = nodeAt('self' in target ? target.self : target);
    return 'self' in target && isProcess(node) ? selfOf(node) : node;
}

interface Placed {
    readonly plain: PlainNode;
    /** The text of its tree. */
    readonly text: string;
}

class RevivedText implements SourceText {
    readonly uri: string;
    readonly path: string;
    readonly text: string;
    private readonly placed: ReadonlyMap<Node, Placed>;

    /** `placed`: the nodes of all trees, for an expression in the place of another one belongs to two. */
    constructor({ uri, path, text }: PlainTree, placed: ReadonlyMap<Node, Placed>) {
        this.uri = uri;
        this.path = path;
        this.text = text;
        this.placed = placed;
    }

    placeOf(node: Node): Place | undefined {
        const placed = this.placed.get(node);
        return placed?.plain.place && placeIn(placed.text, placed.plain.place);
    }

    placeOfProperty(node: Node, property: string): Place | undefined {
        const placed = this.placed.get(node);
        const place = placed?.plain.places[property];
        return placed && place && placeIn(placed.text, place);
    }
}

function placeIn(text: string, place: PlainPlace): Place {
    const [offset, end, startLine, startCharacter, endLine, endCharacter] = place;
    return {
        offset,
        end,
        range: {
            start: { line: startLine, character: startCharacter },
            end: { line: endLine, character: endCharacter },
        },
        text: text.slice(offset, end),
    };
}
