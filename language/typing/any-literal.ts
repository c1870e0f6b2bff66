/** `any` within an initial value: a part that has cells of its own, and so a choice of its own. */
import { isReference } from '../../engine/model/domain.js';
import * as ast from '../generated/nodes.js';
import { shapeWithFields } from '../representation/enumeration.js';
import { nodesOf } from '../tree/descendants.js';
import type { Node } from '../tree/node.js';
import { rangeOf } from '../tree/source-text.js';
import { isConstructor } from '../references/constructors.js';
import { variablesOf } from '../references/locals.js';
import type { Constants } from './constants.js';
import type { ExpressionChecks } from './expression-checks.js';

export function choosesParts(initializer: ast.Expression): boolean {
    return nodesOf(initializer).some(ast.isAnyLiteral);
}

export function checkAny(literal: ast.AnyLiteral, { constants, problems }: ExpressionChecks): void {
    if (!isInitialPart(literal, constants)) {
        const message =
            '`any` is an initial value, or a field or an element of one that has cells of its own; ' +
            'inside a process use `choose`';
        problems.error('type/any-not-allowed', message, rangeOf(literal));
    }
}

function isInitialPart(part: ast.Expression, constants: Constants): boolean {
    const { $container: container, $containerProperty: property } = part;
    switch (container.$type) {
        case 'Variable':
            return property === 'initializer' && !ast.isBody(container.$container);
        case 'ArrayLiteral':
            return isInitialPart(container, constants);
        case 'Comprehension': {
            const { $container: array, groups } = container;
            const domains = variablesOf(groups).map(variable => constants.domainOfBinder(variable));
            const isOverInstances = domains.some(domain => domain !== undefined && isReference(domain));
            return property === 'body' && !isOverInstances && isInitialPart(array, constants);
        }
        case 'Call':
            return isSplitRecord(container, constants) && isInitialPart(container, constants);
        default:
            return false;
    }
}

/** Whether the fields of a record or a case have cells of their own where it stands. */
function isSplitRecord(call: ast.Call, constants: Constants): boolean {
    const place = placeOf(call);
    const type = place && constants.shapeOf(place.type)?.element.type;
    const shape = type && shapeWithFields(type.kind === 'optional' ? type.base : type);
    const own = shape?.cases.find(({ declaration }) => declaration === call.function.ref);
    return own !== undefined && own.atomic === undefined;
}

/** The variable or the field that a part of an initial value is given to, alone or as an element. */
function placeOf(part: Node): ast.Variable | ast.RecordField | undefined {
    const { $container: container } = part;
    if (ast.isVariable(container)) {
        return container;
    }
    if (ast.isArrayLiteral(container) || ast.isComprehension(container)) {
        return placeOf(container);
    }
    const record = ast.isCall(container) ? container.function.ref : undefined;
    return ast.isCall(container) && isConstructor(record)
        ? record.fields[container.arguments.findIndex(argument => argument === part)]
        : undefined;
}
