/**
 * Places of a sequence that are known to be in use: `q[i]` where a binder says `i in places(q)`, within its expression or its
 * condition, which no write comes between. Their reads have no fault, so all places stand alike.
 */
import * as ast from '../generated/nodes.js';
import { collectionOf } from '../references/binders.js';
import { enclosing } from '../tree/node.js';
import { nodesOf } from '../tree/descendants.js';
import { isSame } from './narrowing.js';

/**
 * Whether the last index of a reference is such a place. What a name of a body or a parameter has beyond the length is some
 * value, which is not read without its fault: it would be one that stands apart from all others.
 */
export function isPlaceInUse({ target, indices }: ast.Reference): boolean {
    const index = indices.at(-1);
    const variable = ast.isReference(index) && index.indices.length === 0 ? index.target.ref : undefined;
    const group = ast.isBinderVariable(variable) ? enclosing(variable, ast.isBinderGroup) : undefined;
    const places = group && collectionOf(group);
    const isPlaces = ast.isCall(places) && ast.isBuiltinFunction(places.function.ref);
    const named = target.ref;
    const isStored = ast.isChannelDeclaration(named) || (ast.isVariable(named) && !ast.isBody(named.$container));
    if (
        !isStored ||
        index === undefined ||
        group === undefined ||
        !isPlaces ||
        places.function.ref?.name !== 'places'
    ) {
        return false;
    }
    const [sequence] = places.arguments;
    const before = indices.slice(0, -1);
    return (
        ast.isReference(sequence) &&
        sequence.target.ref === target.ref &&
        sequence.indices.length === before.length &&
        sequence.indices.every((own, position) => before[position] !== undefined && isSame(own, before[position])) &&
        isWithin(index, group)
    );
}

/** Whether an expression belongs to the quantifier, the comprehension or the condition of the choice that has the group. */
function isWithin(expression: ast.Expression, { $container: binding }: ast.BinderGroup): boolean {
    return (
        ast.isQuantifier(binding) ||
        ast.isSetComprehension(binding) ||
        (ast.isAlternative(binding) && binding.where !== undefined && nodesOf(binding.where).includes(expression))
    );
}
