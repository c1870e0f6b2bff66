/** Properties, assumptions and fairness: where words about runs may stand. */
import type { Node } from '../tree/node.js';
import { nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { isLabelOfStep, labelsOf } from '../references/labels.js';
import {
    fairnessOf,
    isTemporal,
    isTemporalNode,
    isTemporalOperator,
    temporalWordOf,
    type TemporalNode,
} from '../references/temporal.js';
import { nameRangeOf, rangeOf, rangeOfProperty } from '../tree/source-text.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { CheckContext } from './check-context.js';
import { readingsOf, unclearIn } from './unclear.js';

export function checkProperty(property: ast.Property, context: CheckContext): void {
    const { inference, problems } = context;
    const { name, expression } = property;
    inference.checkCondition(expression, `property \`${name}\``);
    checkOperators(expression, problems);
    checkPlaces(expression, context);
    checkClear(expression, problems);
    if (!nodesOf(expression).some(node => isTemporalNode(node))) {
        const message =
            `this property is about initial states only; write \`invariant ${name} = …\` ` +
            `or \`property ${name} = always …\``;
        problems.error('property/no-run-word', message, nameRangeOf(property));
    }
}

export function checkAssumption(assumption: ast.Assumption, context: CheckContext): void {
    const { inference, problems } = context;
    const { name, expression } = assumption;
    inference.checkCondition(expression, `assumption \`${name}\``);
    checkOperators(expression, problems);
    checkPlaces(expression, context);
    checkClear(expression, problems);
    const wrong = unlikeAssumption(expression);
    if (wrong !== undefined) {
        const message =
            'an assumption is `infinitely often …`, `eventually always …` or ' +
            '`(infinitely often …) implies (infinitely often …)`, for all indices';
        problems.error('assume/form', message, rangeOf(wrong));
    }
}

/** Checks that words of fairness stand before steps, and tells where two of them may be mistaken for one. */
export function checkFairness(process: ast.Process, problems: ProblemCollector): void {
    const own = fairnessOf(process);
    for (const label of labelsOf(process)) {
        const fairness = fairnessOf(label);
        if (fairness === undefined) {
            continue;
        }
        if (!isLabelOfStep(label)) {
            const message = '`fair` stands before a process, an event or the label of a step; here it changes nothing';
            problems.error('fair/nothing', message, rangeOfFairness(label));
        } else if (own !== undefined && (process.strong || !label.strong)) {
            const message =
                `\`${own} process ${process.name}\` says nothing about \`${label.name}\`, ` +
                `which is \`${fairness}\` already, but still about the other steps`;
            problems.information('fair/twice', message, rangeOfFairness(label));
        }
    }
}

/** What stands at a place of a sequence may be another element later in a run. */
function checkPlaces(expression: ast.Expression, { constants, problems }: CheckContext): void {
    for (const { groups, body } of nodesOf(expression).filter(ast.isQuantifier)) {
        const group = groups.find(each => constants.sequenceOfGroup(each) !== undefined);
        if (group !== undefined && isTemporal(body)) {
            const message =
                'what stands at a place changes along a run, so behind this binder stands a condition on states; ' +
                'a value stays the same one: `forall x in T: x in q implies …`';
            problems.error('property/place', message, rangeOf(group));
        }
    }
}

function rangeOfFairness(label: ast.Labeled): SourceRange {
    const range = rangeOfProperty(label, 'fair');
    return label.strong ? { ...range, start: rangeOfProperty(label, 'strong').start } : range;
}

/** Checks where temporal operators and `takes` stand. */
export function checkOperators(expression: ast.Expression, problems: ProblemCollector): void {
    if (ast.isTemporalPrefix(expression) && expression.operator === 'possible') {
        checkPossible(expression.operand, problems);
        return;
    }
    const parts = operandsOf(expression);
    if (parts === undefined) {
        checkStateOnly(expression, problems);
        return;
    }
    parts.forEach(part => {
        checkOperators(part, problems);
    });
    otherPartsOf(expression).forEach(part => {
        checkStateOnly(part, problems, expression);
    });
}

/** Checks the operand of `possible`: a condition on states, which may ask again what is possible. */
function checkPossible(operand: ast.Expression, problems: ProblemCollector): void {
    const isPossible = ast.isTemporalPrefix(operand) && operand.operator === 'possible';
    if (isTemporalNode(operand) && !isPossible) {
        const message =
            'behind `possible` stands a condition on states, without `always` or `eventually` and without `takes`';
        problems.error('property/possible', message, rangeOfWord(operand));
        return;
    }
    const parts = operandsOf(operand);
    if (parts === undefined) {
        checkStateOnly(operand, problems);
        return;
    }
    parts.forEach(part => {
        checkPossible(part, problems);
    });
    otherPartsOf(operand).forEach(part => {
        checkStateOnly(part, problems, operand);
    });
}

/** The parts of an expression that may be about runs; undefined if it is an operator on values. */
function operandsOf(expression: ast.Expression): readonly ast.Expression[] | undefined {
    switch (expression.$type) {
        case 'TemporalPrefix':
            return [expression.operand];
        case 'UnaryExpression':
            return expression.operator === '!' ? [expression.operand] : undefined;
        case 'BinaryExpression':
            return isLogical(expression.operator) ? [expression.left, expression.right] : undefined;
        case 'Quantifier':
            return expression.quantifier === 'forall' || expression.quantifier === 'exists'
                ? [expression.body]
                : undefined;
        case 'Reference':
            return expression.action === undefined ? undefined : [];
        default:
            return undefined;
    }
}

function isLogical(operator: string): boolean {
    return operator === '&&' || operator === '||' || operator === 'implies' || isTemporalOperator(operator);
}

/** The other parts of such an expression: the condition of a quantifier, the indices before `takes`. */
function otherPartsOf(expression: ast.Expression): readonly ast.Expression[] {
    if (ast.isQuantifier(expression)) {
        return expression.where === undefined ? [] : [expression.where];
    }
    return ast.isReference(expression) ? expression.indices : [];
}

/** Reports the first word about runs in an expression that is about a state only: a part of `owner`. */
function checkStateOnly(expression: ast.Expression, problems: ProblemCollector, owner: Node = expression): void {
    const found = nodesOf(expression).find(isTemporalNode);
    if (found !== undefined) {
        const message = `\`${temporalWordOf(found)}\` is about runs and cannot stand ${describePlace(valueAround(found, expression) ?? owner)}`;
        problems.error('property/place', message, rangeOfWord(found));
    }
}

/** The innermost value in an expression that a node is a part of. */
function valueAround(node: Node, expression: ast.Expression): Node | undefined {
    let inner = node;
    while (inner !== expression && inner.$container !== undefined) {
        inner = inner.$container;
        if (!ast.isExpression(inner) || operandsOf(inner) === undefined) {
            return inner;
        }
    }
    return undefined;
}

function describePlace(owner: Node): string {
    switch (owner.$type) {
        case 'Conditional':
            return 'in `if`; write `(c implies a) && (!c implies b)`';
        case 'Quantifier': {
            const { quantifier } = owner as ast.Quantifier;
            return quantifier === 'forall' || quantifier === 'exists' ? 'behind `where`' : `in \`${quantifier}\``;
        }
        case 'BinaryExpression': {
            const { operator } = owner as ast.BinaryExpression;
            return ['+', '-', '*', 'div', 'mod'].includes(operator) ? 'in arithmetic' : 'in a comparison';
        }
        case 'UnaryExpression':
            return 'in arithmetic';
        case 'Call':
            return 'in an argument';
        case 'Reference':
        case 'FieldAccess':
            return 'in an index';
        default:
            return 'in a value';
    }
}

function rangeOfWord(node: TemporalNode): SourceRange {
    return ast.isTemporalPrefix(node) ? rangeOfProperty(node, 'operator') : rangeOf(node);
}

/** Reports operators with two readings. */
function checkClear(expression: ast.Expression, problems: ProblemCollector): void {
    for (const node of unclearIn(expression)) {
        const { operator, texts } = readingsOf(node);
        const message = `it is not clear how far \`${operator}\` reaches; write ${texts.map(text => `\`${text}\``).join(' or ')}`;
        problems.error('property/unclear', message, ast.isTemporalPrefix(node) ? rangeOfWord(node) : rangeOf(node));
    }
}

/** The part of an assumption that is not of its form. */
function unlikeAssumption(expression: ast.Expression): ast.Expression | undefined {
    if (ast.isQuantifier(expression) && expression.quantifier === 'forall') {
        return unlikeAssumption(expression.body);
    }
    if (ast.isBinaryExpression(expression) && expression.operator === '&&') {
        return unlikeAssumption(expression.left) ?? unlikeAssumption(expression.right);
    }
    if (ast.isBinaryExpression(expression) && expression.operator === 'implies') {
        return [expression.left, expression.right].find(part => !isRecurrence(part));
    }
    const isPersistence =
        isPrefix(expression, 'eventually') &&
        isPrefix(expression.operand, 'always') &&
        isPlain(expression.operand.operand);
    return isPersistence || isRecurrence(expression) ? undefined : expression;
}

function isRecurrence(expression: ast.Expression): boolean {
    return isPrefix(expression, 'infinitely often') && isPlain(expression.operand);
}

function isPrefix(expression: ast.Expression, operator: string): expression is ast.TemporalPrefix {
    return ast.isTemporalPrefix(expression) && expression.operator === operator;
}

/** Whether an expression has no temporal operators; `takes` is allowed. */
function isPlain(expression: ast.Expression): boolean {
    return !nodesOf(expression).some(node => isTemporalNode(node) && !ast.isReference(node));
}
