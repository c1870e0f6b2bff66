/** A tree that was posted has the nodes, links and places of the parsed one. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { NO_VALUES } from '../../language/check-values.js';
import { revived, toPosted } from '../../language/posting/posted-family.js';
import { documentationOf } from '../../language/references/documentation.js';
import { declarationsOf } from '../../language/references/imports.js';
import { nodesOf } from '../../language/tree/descendants.js';
import type { Link, Node } from '../../language/tree/node.js';
import { rangeOf, rangeOfProperty, textOf } from '../../language/tree/source-text.js';
import { loadModel } from '../../language-server/load-model.js';

/** A node without those inside it, with what its links lead to. */
function described(node: Node): unknown {
    const own = Object.entries(node).filter(([name]) => !name.startsWith('$'));
    return [
        node.$type,
        node.$container?.$type,
        node.$containerProperty,
        node.$containerIndex,
        rangeOf(node),
        textOf(node),
        documentationOf(node),
        ...own.map(([name, value]: [string, unknown]) => [name, valueOf(value), rangeOfProperty(node, name)]),
    ];
}

function valueOf(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) {
        return value;
    }
    if ('$refText' in value) {
        const { $refText, ref } = value as Link;
        return [$refText, ref?.$type, ref && rangeOf(ref), ref?.$container && rangeOf(ref.$container)];
    }
    return Array.isArray(value) ? value.length : 'a node';
}

test.each(readdirSync('models').filter(file => file.endsWith('.orbit')))('%s', async file => {
    const { checked } = await loadModel(readFileSync(`models/${file}`, 'utf8'), `file:///${file}`);
    invariant(checked !== undefined, 'a published model has no errors');
    const family = { root: checked.model, problems: [], parameters: [], given: NO_VALUES };
    const copy = revived(structuredClone(toPosted(family)));
    const nodesIn = (root: typeof copy.root): unknown[] => declarationsOf(root).flatMap(nodesOf).map(described);
    expect(nodesIn(copy.root)).toEqual(nodesIn(checked.model));
});
