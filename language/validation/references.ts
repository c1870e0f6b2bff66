/**
 * Where references to instances, and arrays with a cell for each instance, may stand. No instance is there at the start,
 * how many there will be is not known, and they have no order: so nothing lists them.
 */
import type { Node } from '../tree/node.js';
import { unreachable } from '../../engine/common/assert.js';
import { isReference } from '../../engine/model/domain.js';
import { nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { domainTextOf } from '../references/binders.js';
import { isTemplate } from '../references/templates.js';
import { rangeOf, rangeOfProperty, textOf } from '../tree/source-text.js';
import { ScalarShape } from '../representation/cell.js';
import { ChannelShape } from '../representation/channel.js';
import { isOverTemplate } from '../representation/domains.js';
import { RecordShape } from '../representation/record.js';
import type { Leaf, Shape } from '../representation/shape.js';
import { isNameType, isReferenceType } from '../representation/type.js';
import { instead, type Advice } from '../problems/remedy.js';
import { choosesParts } from '../typing/any-literal.js';
import { holdsNames } from '../typing/one-cell.js';
import type { CheckContext } from './check-context.js';
import { isInitialized } from './reading-order.js';

const ONLY_SHARED = 'only a shared variable has a cell for each instance of a template';
const NOT_CONSTANT = 'no instance is there before a run, so a constant cannot refer to one';
const NO_NAME_CHOSEN =
    'values without end are not listed, so none is chosen here; begin with a named one or `none`, and choose in a step';
const NO_CONSTANT_NAME = 'a constant or a parameter is no value without end; `let` names a value';
const NO_NAME_IN_INIT = '`init` says nothing about values without end; they begin with a named one, or with `none`';
const NO_CHOICE = 'which instances there will be is not known, so none is chosen here; begin with `none`';

/** `declarations` are those of the model and its imports. */
export function checkReferences(declarations: readonly ast.Declaration[], context: CheckContext): void {
    for (const node of declarations.flatMap(nodesOf)) {
        switch (node.$type) {
            case 'Variable':
                checkVariable(node as ast.Variable, context);
                break;
            case 'Parameter':
            case 'Constant':
                checkConstant(node as ast.Parameter | ast.Constant, context);
                break;
            case 'RecordField':
            case 'FunctionParameter':
            case 'ProcedureParameter':
            case 'ProcessParameter':
                reportOverTemplate((node as ast.RecordField).type, context);
                break;
            case 'FunctionDeclaration':
                reportOverTemplate((node as ast.FunctionDeclaration).result, context);
                break;
            case 'ChannelDeclaration':
                reportOverTemplate((node as ast.ChannelDeclaration).message, context);
                break;
            case 'ProcessIndex':
                checkIndex(node as ast.ProcessIndex, context);
                break;
            case 'For':
            case 'ForStatement':
                checkLoop(node as ast.For | ast.ForStatement, context);
                break;
            case 'InitialBody':
            case 'InitialCondition':
                checkInitial(node, context);
                break;
            case 'ChannelType':
                checkChannelType(node as ast.ChannelType, context);
                break;
            default:
                break;
        }
    }
}

function checkVariable(variable: ast.Variable, context: CheckContext): void {
    const { constants, problems } = context;
    const shape = constants.shapeOf(variable.type);
    if (shape === undefined) {
        return;
    }
    const { $container: container, initializer } = variable;
    const asking =
        initializer !== undefined && isInitialized(variable) && !isOver(shape)
            ? nodesOf(initializer).find(node => asksForInstances(node, context))
            : undefined;
    if (asking !== undefined) {
        const message = 'no instance is there at the start, so an initial value does not ask which ones live';
        problems.error('reference/constant', message, rangeOf(asking));
    }
    if (!ast.isModel(container)) {
        reportOverTemplate(variable.type, context);
    } else if (isOverTemplate(shape.indices)) {
        checkInitialCells(variable, shape, context);
    }
    if (
        shape.holdsReference() &&
        (variable.any || variable.choices !== undefined || (initializer !== undefined && choosesParts(initializer)))
    ) {
        const property = variable.any ? 'any' : initializer === undefined ? 'choices' : 'initializer';
        const [code, message] = holdsNames(shape)
            ? (['name/first', NO_NAME_CHOSEN] as const)
            : (['reference/constant', NO_CHOICE] as const);
        problems.error(code, message, rangeOfProperty(variable, property));
    } else if (initializer === undefined && shape.leaves().some(needsReference)) {
        reportNoValue(variable, shape, context);
    }
}

/** Whether a part of a value is a reference from the start; a sequence has no element then. */
function needsReference({ element, within }: Leaf): boolean {
    return isReference(element) && (within === undefined || within.value !== undefined);
}

/** A local that is a single reference may get its value later: unset.ts looks for that. */
function reportNoValue(variable: ast.Variable, shape: Shape, { problems }: CheckContext): void {
    const { $container: container, type } = variable;
    const isRecord = shape.element instanceof RecordShape;
    const areNames = holdsNames(shape);
    const code = areNames ? 'name/first' : 'reference/no-first-value';
    switch (container.$type) {
        case 'Model': {
            const what = areNames
                ? 'of values without end none is the first, so a shared variable begins with a named one, or may be `none`'
                : 'no instance is there at the start, so a shared reference may be `none`';
            problems.advise(code, madeOptional(what, type, isRecord), rangeOf(type));
            return;
        }
        case 'Block':
            if (!(shape instanceof ScalarShape)) {
                const what = `the ${areNames ? 'values' : 'references'} in \`${variable.name}\` have no first value`;
                problems.advise(code, madeOptional(what, type, isRecord), rangeOf(type));
            }
            return;
        case 'Body': {
            const message = `\`${variable.name}\` holds no value here; give it one, or let it begin with \`none\`: \`${asOptional(type)}\``;
            problems.error('reference/unset', message, rangeOf(variable));
            return;
        }
        default:
            unreachable(container);
    }
}

/** What to do about references without a first value. */
function madeOptional(what: string, type: ast.Type, isRecord: boolean): Advice {
    const optional = asOptional(type);
    return isRecord
        ? { text: `${what}: let the field be optional` }
        : instead(`${what}: write \`${optional}\``, optional);
}

/** The text of a type with `?` behind the type of the elements. */
function asOptional(type: ast.Type): string {
    const element = textOf(type.element) ?? 'W';
    const rest = textOf(type)?.slice(element.length) ?? '';
    return `${element}?${rest}`;
}

/** One constant is the initial value of the cells of each instance, whenever it is created. */
function checkInitialCells(
    variable: ast.Variable,
    shape: Shape,
    { constants, inference, problems }: CheckContext,
): void {
    const { initializer, choices, any } = variable;
    const template = shape.indices.find(isReference)?.name ?? '';
    if (any || choices !== undefined) {
        const message = `the cells of an instance of \`${template}\` begin with one value, so nothing is chosen for them`;
        problems.error('reference/constant', message, rangeOfProperty(variable, any ? 'any' : 'choices'));
        return;
    }
    if (initializer === undefined) {
        return;
    }
    const isList = inference.typeOf(initializer).kind === 'array';
    if (isList || shape.element.leaves().some(({ indices }) => indices.length > 0)) {
        const message = `one value is given to all cells, since instances of \`${template}\` come and go`;
        problems.error('reference/constant', message, rangeOf(initializer));
        return;
    }
    constants.evaluate(initializer);
}

function checkConstant(constant: ast.Parameter | ast.Constant, { constants, inference, problems }: CheckContext): void {
    const { type, value } = constant;
    const shape = type && (ast.isConstant(constant) ? constants.shapeOf(type) : constants.shapeOfParameter(constant));
    const isOfNames =
        shape === undefined ? value !== undefined && isNameType(inference.typeOf(value)) : holdsNames(shape);
    if (isOfNames) {
        problems.error('name/place', NO_CONSTANT_NAME, rangeOf(type ?? value ?? constant));
    } else if (shape !== undefined && (shape.holdsReference() || isOver(shape))) {
        problems.error('reference/constant', NOT_CONSTANT, rangeOf(type ?? constant));
    } else if (value !== undefined && type === undefined && isReferenceType(inference.typeOf(value))) {
        problems.error('reference/constant', `${NOT_CONSTANT}; \`let\` names a value`, rangeOf(value));
    }
}

function checkIndex({ type }: ast.ProcessIndex, { constants, problems }: CheckContext): void {
    const domain = constants.scalarOf(type);
    if (domain !== undefined && isReference(domain)) {
        const message =
            'the instances of a family are there from the start, so no template can be its index; ' +
            'a process for each instance is created with it: `spawn P(w)`';
        problems.error('reference/constant', message, rangeOf(type));
    }
}

function checkLoop({ groups }: ast.For | ast.ForStatement, { constants, problems }: CheckContext): void {
    for (const group of groups) {
        const domain = constants.domainOfGroup(group);
        const text = domainTextOf(group);
        if (domain !== undefined && isReference(domain) && text !== undefined) {
            const name = textOf(text) ?? '';
            const message = `instances have no order; use \`choose w in ${name}\`, or \`[w in ${name}: …]\` for all at once`;
            problems.error('reference/order', message, rangeOf(text));
        }
    }
}

/** An initial value, or a part of `init`, that asks who lives. Another check reports where a process is. */
function asksForInstances(node: Node, { constants }: CheckContext): boolean {
    if (ast.isBinderGroup(node)) {
        const domain = constants.domainOfGroup(node);
        return domain !== undefined && isReference(domain);
    }
    const called = ast.isCall(node) ? node.function.ref : undefined;
    return (
        (ast.isBuiltinFunction(called) && called.name === 'alive') ||
        (ast.isReference(node) && isTemplate(node.target.ref))
    );
}

function checkInitial(initial: Node, context: CheckContext): void {
    const { constants, problems } = context;
    const found = nodesOf(initial).find(node => {
        if (asksForInstances(node, context)) {
            return true;
        }
        const variable = ast.isReference(node) ? node.target.ref : undefined;
        const shape = ast.isVariable(variable) ? constants.shapeOf(variable.type) : undefined;
        return shape !== undefined && (shape.holdsReference() || isOver(shape));
    });
    const variable = ast.isReference(found) ? found.target.ref : undefined;
    const shape = ast.isVariable(variable) ? constants.shapeOf(variable.type) : undefined;
    if (shape !== undefined && holdsNames(shape)) {
        problems.error('name/first', NO_NAME_IN_INIT, rangeOf(found ?? initial));
    } else if (found !== undefined) {
        const message = 'no instance is there at the start, so `init` says nothing about references';
        problems.error('reference/constant', message, rangeOf(found));
    }
}

/** The values of such a type would be listed, and with them the channels of instances. */
function checkChannelType(type: ast.ChannelType, { constants, problems }: CheckContext): void {
    const shape = constants.shapeOfElement(type);
    const member =
        shape instanceof ChannelShape
            ? constants.channels
                  .membersOf(shape.message)
                  .find(({ declaration }) => isOverTemplate(constants.indicesOf(declaration)))
            : undefined;
    if (member !== undefined) {
        const { name } = member.declaration;
        const message =
            `\`${name}\` has a channel for each instance and such messages, and channels of instances are no values yet; ` +
            'hold the instance instead of its channel';
        problems.error('reference/channel', message, rangeOf(type));
    }
}

function reportOverTemplate(type: ast.Type, { constants, problems }: CheckContext): void {
    const shape = constants.shapeOf(type);
    if (shape !== undefined && isOver(shape) && type.indices.length > 0) {
        problems.error('reference/array', ONLY_SHARED, rangeOf(type));
    }
}

/** Whether a shape has a cell for each instance of a template. */
function isOver(shape: Shape): boolean {
    return shape.leaves().some(({ indices }) => isOverTemplate(indices));
}
