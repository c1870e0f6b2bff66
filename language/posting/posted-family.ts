/** A family as plain data: what crosses to a thread that has no parser. */
import type { Problem } from '../../engine/common/problem.js';
import { invariant } from '../../engine/common/assert.js';
import type { LinearBounds } from '../../engine/model/domain.js';
import { isExpression, isModel, isParameter, isRangeType } from '../generated/nodes.js';
import type { Family, SizeParameter } from '../instantiate.js';
import { declarationsOf, modelsOf } from '../references/imports.js';
import { sourceOf, textOf, spanOf } from '../tree/source-text.js';
import { copyTrees, reviveTrees, type NodeNumber, type PlainTree } from './plain-tree.js';

export interface PostedFamily {
    /** The files, then the values of parameters from outside. */
    readonly trees: readonly PlainTree[];
    readonly root: NodeNumber;
    readonly problems: readonly Problem[];
    readonly parameters: readonly SizeParameter[];
    /** By the names of parameters the numbers of trees. */
    readonly overrides: readonly (readonly [name: string, tree: number])[];
    readonly bounds: readonly (readonly [range: NodeNumber, bounds: LinearBounds])[];
}

/** O(size of the text) */
export function toPosted({ root, problems, parameters, given }: Family): PostedFamily {
    const files = modelsOf(root).map(model => ({ root: model, text: sourceOf(model)?.text ?? '' }));
    const values = [...given.overrides.values()].map(value => ({
        root: value,
        // A value has a text of its own, of which the tree knows what belongs to the value.
        text: ' '.repeat(spanOf(value).offset) + (textOf(value) ?? ''),
    }));
    const { trees, numberOf } = copyTrees([...files, ...values]);
    return {
        trees,
        root: numberOf(root),
        problems,
        parameters,
        overrides: [...given.overrides].map(([name, value]) => [name, numberOf(value)[0]]),
        bounds: [...given.bounds].map(([range, bounds]) => [numberOf(range), bounds]),
    };
}

/** O(size of the text) */
export function revived({ trees, root: place, problems, parameters, overrides, bounds }: PostedFamily): Family {
    const nodes = reviveTrees(trees);
    const root = nodes[place[0]]?.[place[1]];
    invariant(isModel(root), 'the root of a family is a model');
    const declared = new Map(declarationsOf(root).flatMap(node => (isParameter(node) ? [[node.name, node]] : [])));
    return {
        root,
        problems,
        parameters,
        given: {
            overrides: new Map(
                overrides.map(([name, tree]) => {
                    const value = nodes[tree]?.[0];
                    invariant(isExpression(value), 'the value of a parameter is an expression');
                    Object.assign(value, { $container: declared.get(name), $containerProperty: 'value' });
                    return [name, value];
                }),
            ),
            bounds: new Map(
                bounds.map(([[tree, node], sums]) => {
                    const range = nodes[tree]?.[node];
                    invariant(isRangeType(range), 'bounds belong to a range');
                    return [range, sums];
                }),
            ),
        },
    };
}
