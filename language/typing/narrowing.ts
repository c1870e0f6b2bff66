/**
 * Which places are known to have a value at a node: an optional place that is tested before, `x != none && x < b`.
 *
 * Why it is right: a node is evaluated only after each test around it (`testsAround`), in the state of the test but for
 * the writes of its own step in between, since a test and its step are one transition and each joint body runs on its own
 * copy of the state. A place keeps its value if none of these writes may change it, its fields or an index of it. A write
 * is compared by its variable and its fields alone, so that indices which may be equal are never taken for different.
 */
import { isFunctionOperator } from '../../engine/common/interval.js';
import { enclosing, type Node } from '../tree/node.js';
import { spanOf } from '../tree/source-text.js';
import * as ast from '../generated/nodes.js';
import { isLocalDeclaration } from '../references/locals.js';
import { isAssignable, placesWrittenIn } from '../references/places.js';
import { isTemporalNode } from '../references/temporal.js';

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', 'div', 'mod']);

/** A place that has a value where the test stands. */
export interface Test {
    readonly place: ast.Expression;
    readonly condition: ast.Expression;
    /** The places that are written between the test and the node, in any order. */
    readonly written: readonly ast.Expression[];
}

/**
 * Whether an expression is a place that a test before it shows to have a value. `within`, if given, is the node whose tests
 * count, with those inside it. O(size of the step around it)
 */
export function hasValue(expression: ast.Expression, within?: Node): boolean {
    if (!isPlaceOrName(expression)) {
        return false;
    }
    for (const { place, written } of testsAround(expression, within)) {
        if (isSame(place, expression) && !written.some(write => mayChange(write, place))) {
            return true;
        }
    }
    const isName = ast.isReference(expression) && expression.indices.length === 0;
    const named = isName ? expression.target.ref : undefined;
    // The value of a name of a body is taken where the name is declared.
    return ast.isLet(named) && ast.isBody(named.$container) && hasValue(named.value);
}

/**
 * Whether `none` is a fault where an expression stands: as an operand, an index or a value that is stored. Elsewhere, as
 * in `==` and `<`, it is a value of the engine like others, and a read has no fault to lose.
 */
export function mustHaveValue(expression: ast.Expression): boolean {
    const { $container: container, $containerProperty: property } = expression;
    switch (container.$type) {
        case 'BinaryExpression':
            return ARITHMETIC.has(container.operator);
        case 'UnaryExpression':
            return container.operator === '-';
        case 'Quantifier':
            return property === 'body' && container.quantifier === 'sum';
        case 'Conditional':
            return property !== 'condition' && mustHaveValue(container);
        case 'Reference':
            return property === 'indices';
        case 'FieldAccess':
            return property === 'indices' || property === 'record';
        case 'Call':
            return property === 'indices' || isFunctionOperator(container.function.ref?.name ?? '');
        case 'Assignment':
            return property === 'value';
        case 'Step':
            return property === 'value' || property === 'message';
        default:
            return false;
    }
}

/** The tests of the step that hold before a node, from the nearest to the farthest. */
export function* testsAround(node: Node, within?: Node): Generator<Test> {
    for (const { condition, outcome, written } of conditionsAround(node, within)) {
        yield* tested(condition, outcome, written);
    }
}

/** A condition that has been evaluated before a node, with its outcome and the places that are written in between. */
interface Evaluated {
    readonly condition: ast.Expression;
    readonly outcome: boolean;
    readonly written: readonly ast.Expression[];
}

/** The conditions of the step that decide whether a node is evaluated, from the nearest to the farthest. */
export function* conditionsAround(node: Node, within?: Node): Generator<Evaluated> {
    const written: ast.Expression[] = [];
    for (let inner = node, outer = node.$container; outer !== undefined; inner = outer, outer = outer.$container) {
        if (inner === within || isBeyond(inner, outer)) {
            return;
        }
        if (ast.isBody(outer)) {
            for (const statement of outer.statements.slice(0, inner.$containerIndex).reverse()) {
                if (ast.isAssertion(statement)) {
                    yield { condition: statement.condition, outcome: true, written: [...written] };
                }
                written.push(...placesWrittenIn(statement));
            }
        }
        if (ast.isStep(outer) && outer.pattern !== undefined && isAfterMatching(inner)) {
            written.push(...placesWrittenIn(outer.pattern));
        }
        const before = conditionBefore(inner, outer);
        if (before?.condition !== undefined) {
            yield { condition: before.condition, outcome: before.outcome, written: [...written] };
        }
        if (ast.isWhileStatement(outer) || ast.isForStatement(outer)) {
            written.push(...placesWrittenIn(outer.body));
        }
    }
}

/** The places that have a value if a condition is `outcome`. */
export function* tested(
    condition: ast.Expression,
    outcome: boolean,
    written: readonly ast.Expression[],
): Generator<Test> {
    const test = valueOfName(condition);
    if (ast.isUnaryExpression(test) && test.operator === '!') {
        yield* tested(test.operand, !outcome, written);
    } else if (ast.isBinaryExpression(test) && isLogical(test.operator)) {
        const first = [...tested(test.left, outcome !== (test.operator === 'implies'), written)];
        const second = [...tested(test.right, outcome, written)];
        const areBothKnown = outcome === (test.operator === '&&');
        yield* areBothKnown
            ? [...first, ...second]
            : first.filter(({ place }) => second.some(other => isSame(other.place, place)));
    }
    for (const { left, right, isEqual } of comparisonsOf(condition, outcome)) {
        const isNone = ast.isNoneLiteral(left) || ast.isNoneLiteral(right);
        if (isEqual ? isCase(left) || isCase(right) : isNone) {
            yield { place: ast.isNoneLiteral(left) || isCase(left) ? right : left, condition, written };
        }
    }
}

function isLogical(operator: string): boolean {
    return operator === '&&' || operator === '||' || operator === 'implies';
}

/** Whether an expression is the name of a value of an enumeration, which is no `none`. */
function isCase(expression: ast.Expression): boolean {
    return ast.isReference(expression) && ast.isEnumerationValue(expression.target.ref);
}

/** Two values of which a condition shows that they are equal, or different. */
interface Compared {
    readonly left: ast.Expression;
    readonly right: ast.Expression;
    readonly isEqual: boolean;
    /** The part of the condition that compares them, or a name for it. */
    readonly condition: ast.Expression;
}

/** What is equal, or different, if a condition is `outcome`. */
export function* comparisonsIn(condition: ast.Expression, outcome: boolean): Generator<Compared> {
    const test = valueOfName(condition);
    if (ast.isUnaryExpression(test) && test.operator === '!') {
        yield* comparisonsIn(test.operand, !outcome);
    } else if (ast.isBinaryExpression(test) && isLogical(test.operator) && outcome === (test.operator === '&&')) {
        yield* comparisonsIn(test.left, outcome !== (test.operator === 'implies'));
        yield* comparisonsIn(test.right, outcome);
    }
    yield* comparisonsOf(condition, outcome);
}

/** A comparison itself. */
function* comparisonsOf(condition: ast.Expression, outcome: boolean): Generator<Compared> {
    const test = valueOfName(condition);
    const operator = ast.isBinaryExpression(test) ? test.operator : undefined;
    if (ast.isBinaryExpression(test) && (operator === 'is' || operator === '==' || operator === '!=')) {
        yield { left: test.left, right: test.right, isEqual: outcome === (operator !== '!='), condition };
    }
}

/** Whether a write may change a place, or a part of it: an index, a field. */
export function mayChange(write: ast.Expression, place: ast.Expression): boolean {
    const target = accessOf(write);
    for (const part of partsOf(place)) {
        const read = accessOf(part);
        if (read.root !== target.root && mayBeOnePlace(read.root, target.root)) {
            return true;
        }
        // A field that is written leaves it a value: the same case.
        const isField = part === valueOfName(place) && target.fields.length > read.fields.length;
        if (
            !isField &&
            read.root === target.root &&
            read.fields.every((field, depth) => depth >= target.fields.length || field === target.fields[depth])
        ) {
            return true;
        }
    }
    return false;
}

/** Whether two names may stand for one place: what is given to a procedure may be what it names itself. */
function mayBeOnePlace(first: ast.Named | undefined, second: ast.Named | undefined): boolean {
    const [isFirstGiven, isSecondGiven] = [first, second].map(ast.isProcedureParameter);
    const canBeGiven = (named: ast.Named | undefined): boolean => isAssignable(named) && !ast.isBody(named.$container);
    return (isFirstGiven === true || isSecondGiven === true) && canBeGiven(first) && canBeGiven(second);
}

/** Whether two expressions are the same place, or the same index, written the same way. */
export function isSame(first: ast.Expression, second: ast.Expression): boolean {
    const [one, other] = [valueOfName(first), valueOfName(second)];
    const areSame = (some: readonly ast.Expression[], others: readonly ast.Expression[]): boolean =>
        some.length === others.length && some.every((each, at) => others[at] !== undefined && isSame(each, others[at]));
    if (ast.isReference(one) && ast.isReference(other)) {
        const isPlace = isPlaceOrName(rootValueOf(one)) && one.label === undefined && other.label === undefined;
        return isPlace && one.target.ref === other.target.ref && areSame(one.indices, other.indices);
    }
    if (ast.isFieldAccess(one) && ast.isFieldAccess(other)) {
        const isField = one.field.ref === other.field.ref;
        return isField && isSame(one.record, other.record) && areSame(one.indices, other.indices);
    }
    if (ast.isNumberLiteral(one) && ast.isNumberLiteral(other)) {
        return one.value === other.value;
    }
    if (ast.isBooleanLiteral(one) && ast.isBooleanLiteral(other)) {
        return one.value === other.value;
    }
    if (ast.isUnaryExpression(one) && ast.isUnaryExpression(other)) {
        return one.operator === other.operator && isSame(one.operand, other.operand);
    }
    if (ast.isBinaryExpression(one) && ast.isBinaryExpression(other)) {
        return one.operator === other.operator && isSame(one.left, other.left) && isSame(one.right, other.right);
    }
    // What other calls return may change with anything that they read.
    return (
        ast.isCall(one) &&
        ast.isCall(other) &&
        ast.isRecordDeclaration(one.function.ref) &&
        one.function.ref === other.function.ref &&
        areSame(one.arguments, other.arguments)
    );
}

/** A condition of a node that has been evaluated, with this outcome, before a part of the node. */
function conditionBefore(
    inner: Node,
    outer: Node,
): { readonly condition: ast.Expression | undefined; readonly outcome: boolean } | undefined {
    const { $containerProperty: property } = inner;
    if (ast.isBinaryExpression(outer)) {
        const { left, operator } = outer;
        const decides = operator === '&&' || operator === '||' || operator === 'implies';
        return property === 'right' && decides ? { condition: left, outcome: operator !== '||' } : undefined;
    }
    if (ast.isConditional(outer) || ast.isIfStatement(outer) || ast.isIfControl(outer)) {
        const { condition } = outer;
        return property === 'condition' ? undefined : { condition, outcome: property === 'then' };
    }
    if (property === 'body') {
        return ast.isWhileStatement(outer) || ast.isWhile(outer)
            ? { condition: outer.condition, outcome: true }
            : ast.isQuantifier(outer) ||
                ast.isComprehension(outer) ||
                ast.isSetComprehension(outer) ||
                ast.isAlternative(outer) ||
                ast.isForStatement(outer)
              ? { condition: outer.where, outcome: true }
              : ast.isStep(outer)
                ? { condition: outer.guard, outcome: true }
                : undefined;
    }
    return ast.isStep(outer) && property !== 'guard' ? { condition: outer.guard, outcome: true } : undefined;
}

/** Whether tests outside of `outer` say nothing about `inner`: other steps or other rounds of a loop come between them. */
function isBeyond(inner: Node, outer: Node): boolean {
    if (ast.isWhile(inner) || ast.isLoop(inner) || ast.isFor(inner) || isTemporalNode(inner)) {
        return true;
    }
    // A name of a block stands for its expression, wherever that is.
    return (
        ast.isBlock(outer) &&
        (isLocalDeclaration(inner) || !outer.items.slice(0, inner.$containerIndex).every(isLocalDeclaration))
    );
}

/** Whether a part of a step is evaluated behind its pattern, or with it. */
function isAfterMatching({ $containerProperty: property }: Node): boolean {
    return property === 'pattern' || property === 'body';
}

/** The places in an expression: itself, and those that its indices and operands read. */
function* partsOf(expression: ast.Expression): Generator<ast.Expression> {
    const value = valueOfName(expression);
    if (isPlaceOrName(value)) {
        yield value;
    }
    for (let part = value; isPlaceOrName(part);) {
        for (const index of part.indices) {
            yield* partsOf(index);
        }
        if (ast.isReference(part)) {
            const root = rootValueOf(part);
            if (root !== part) {
                yield* partsOf(root);
            }
            break;
        }
        part = part.record;
    }
    const operands = ast.isBinaryExpression(value)
        ? [value.left, value.right]
        : ast.isUnaryExpression(value)
          ? [value.operand]
          : ast.isCall(value)
            ? value.arguments
            : [];
    for (const operand of operands) {
        yield* partsOf(operand);
    }
}

/** The name with which a place begins, and its fields from the outside in. */
function accessOf(place: ast.Expression): {
    readonly root?: ast.Named;
    readonly fields: readonly (ast.Member | undefined)[];
} {
    const fields: (ast.Member | undefined)[] = [];
    let base = valueOfName(place);
    while (ast.isFieldAccess(base)) {
        fields.unshift(base.field.ref);
        base = valueOfName(base.record);
    }
    const root = ast.isReference(base) ? base.target.ref : undefined;
    return root === undefined ? { fields } : { root, fields };
}

function isPlaceOrName(expression: ast.Expression): expression is ast.Reference | ast.FieldAccess {
    return ast.isReference(expression) || ast.isFieldAccess(expression);
}

/** What a name of a block stands for; any other expression itself. */
export function valueOfName(expression: ast.Expression): ast.Expression {
    return ast.isReference(expression) && expression.indices.length === 0 ? rootValueOf(expression) : expression;
}

/** What the name of a reference stands for, without its indices; of any other name the reference itself. */
function rootValueOf(reference: ast.Reference): ast.Expression {
    const named = reference.target.ref;
    const isName = isLocalName(named) && ast.isBlock(named.$container) && isBefore(named, reference);
    return isName ? valueOfName(named.value) : reference;
}

/** Whether a name does not stand for itself: in the value of another name of a block it is declared before that one. */
function isBefore(named: ast.Let | ast.Constant, use: ast.Expression): boolean {
    const around = enclosing(use, isLocalName);
    return around === undefined || spanOf(named).offset < spanOf(around).offset;
}

function isLocalName(node: Node | undefined): node is ast.Let | ast.Constant {
    return ast.isLet(node) || ast.isConstant(node);
}
