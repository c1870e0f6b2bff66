/** The smallest part of a condition that makes it false in a state, with the values that do. */
import { isArithmetic, type Comparison } from '../sequential/expression/arithmetic.js';
import { supportOf } from '../sequential/cell-access.js';
import type { SequentialExpression } from '../sequential/sequential-model.js';
import { domainOf, locationTest, phraseValue } from './phrase.js';
import type { ReasonLine } from './reason.js';
import type { Scene } from './scene.js';

/** Cells whose values a line lists. */
const MOST_VALUES = 4;

/** The lines for a condition that is false in the scene. O(size of the condition). */
export function falsePart(condition: SequentialExpression, scene: Scene): readonly ReasonLine[] {
    return partThatIs(0, condition, scene);
}

/** The part that makes the condition true or false, whichever it is. */
function partThatIs(value: 0 | 1, condition: SequentialExpression, scene: Scene): readonly ReasonLine[] {
    switch (condition.kind) {
        case 'not':
            return partThatIs(value === 0 ? 1 : 0, condition.operand, scene);
        case 'and':
        case 'or':
        case 'all':
        case 'some': {
            const decides = condition.kind === 'and' || condition.kind === 'all' ? 0 : 1;
            return value === decides
                ? decidingPart(value, condition.operands, scene)
                : partsTogether(value, condition.operands, scene);
        }
        case 'conditional': {
            const { condition: test, then, otherwise } = condition;
            return partThatIs(value, scene.valueOf(test) === 1 ? then : otherwise, scene);
        }
        case 'binary':
            return isArithmetic(condition.operator)
                ? [{ text: scene.valued(condition) }]
                : comparisonLines(value, { ...condition, operator: condition.operator }, scene);
        case 'cell':
        case 'element':
            return [{ text: `${scene.quote(condition)} is ${value === 1}`, range: condition.range }];
        case 'constant':
            return [{ text: `it is ${value === 1} in every state` }];
        default:
            return [
                {
                    text: `${scene.quote(condition)} is ${value === 1}${readValues(condition, scene)}`,
                    range: condition.range,
                },
            ];
    }
}

/** One operand is enough; the others are named if they are as bad. */
function decidingPart(value: 0 | 1, operands: readonly SequentialExpression[], scene: Scene): readonly ReasonLine[] {
    const deciding = operands.filter(operand => scene.valueOf(operand) === value);
    const [first, ...more] = deciding;
    if (first === undefined) {
        return [];
    }
    const lines = partThatIs(value, first, scene);
    if (more.length === 0) {
        return lines;
    }
    const others = more.slice(0, MOST_FOLDED).flatMap(operand => partThatIs(value, operand, scene).slice(0, 1));
    const [head, ...rest] = lines;
    return [{ ...head, alike: { text: `and ${more.length} more`, lines: others } }, ...rest];
}

const MOST_FOLDED = 100;

/** All operands together: an implication is told as one. */
function partsTogether(value: 0 | 1, operands: readonly SequentialExpression[], scene: Scene): readonly ReasonLine[] {
    const informative = operands.filter(operand => operand.kind !== 'constant');
    if (informative.length === 1) {
        return partThatIs(value, informative[0], scene);
    }
    const lines = informative.flatMap(operand => partThatIs(value, operand, scene).slice(0, 1));
    const [head, ...rest] = lines;
    if (lines.length === 2) {
        return [{ ...head, text: joined(head.text, rest[0].text) }];
    }
    const enough = value === 0 ? 'one that holds' : 'one that does not hold';
    return [{ ...head, alike: { text: `and ${rest.length} more; ${enough} would be enough`, lines: rest } }];
}

/** `` `k` = 0, must be above 0 or 5 ``: two demands on one value are said as one. */
function joined(first: string, second: string): string {
    const [shared] = /^.*?, must be /.exec(first) ?? [''];
    return shared !== '' && second.startsWith(shared)
        ? `${first} or ${second.slice(shared.length)}`
        : `${first}, and ${second}`;
}

type ComparisonExpression = Extract<SequentialExpression, { kind: 'binary' }> & { readonly operator: Comparison };

const OPPOSITE: Readonly<Record<Comparison, Comparison>> = {
    '==': '!=',
    '!=': '==',
    '<': '>=',
    '<=': '>',
    '>': '<=',
    '>=': '<',
};

const DEMANDS: Readonly<Record<Comparison, string>> = {
    '==': 'must be',
    '!=': 'must not be',
    '<': 'must be below',
    '<=': 'must be at most',
    '>': 'must be above',
    '>=': 'must be at least',
};

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
    '==': '==',
    '!=': '!=',
    '<': '>',
    '<=': '>=',
    '>': '<',
    '>=': '<=',
};

function comparisonLines(value: 0 | 1, comparison: ComparisonExpression, scene: Scene): readonly ReasonLine[] {
    const { left, right, range } = comparison;
    const location = locationTest(comparison, scene.model);
    if (location !== undefined) {
        const { instance } = scene.model.cells[location.cell];
        const isThere = location.isThere === (value === 1);
        const wanted = isThere ? '' : `, not at \`${location.name}\``;
        return [{ text: `${scene.locationText(instance)}${wanted}`, range }];
    }
    if (left.kind === 'constant' && right.kind !== 'constant') {
        const operator = MIRRORED[comparison.operator];
        return comparisonLines(value, { ...comparison, left: right, right: left, operator }, scene);
    }
    // A comparison that is true and should not be is told as its opposite that is false.
    const operator = value === 1 ? OPPOSITE[comparison.operator] : comparison.operator;
    const domain = domainOf(left, scene.model) ?? domainOf(right, scene.model);
    const show = (expression: SequentialExpression): string => {
        const shown = scene.valueOf(expression);
        const isOfCases = expression.kind === 'cell' && scene.model.cells[expression.cell].format?.kind === 'cases';
        return isOfCases ? scene.valueText(expression) : shown === undefined ? 'a fault' : phraseValue(shown, domain);
    };
    if (operator === '!=') {
        const same =
            right.kind === 'constant' ? `is ${show(left)}` : `and ${scene.quote(right)} are both ${show(left)}`;
        return [{ text: `${scene.quote(left)} ${same}${readValues(left, scene)}`, range }, ...counted(left, scene)];
    }
    const wanted = right.kind === 'constant' ? show(right) : `${scene.quote(right)} = ${show(right)}`;
    return [
        {
            text: `${scene.quote(left)} = ${show(left)}, ${DEMANDS[operator]} ${wanted}${readValues(left, scene)}`,
            range,
        },
        ...counted(left, scene),
    ];
}

/** The operands that a count has counted: `` `P[1]`, `P[2]` are at `leave` ``. */
function counted(expression: SequentialExpression, scene: Scene): readonly ReasonLine[] {
    if (expression.kind !== 'count') {
        return [];
    }
    const holding = expression.operands.filter(operand => scene.valueOf(operand) === 1);
    if (holding.length === 0) {
        return [];
    }
    const tests = holding.map(operand => (operand.kind === 'binary' ? locationTest(operand, scene.model) : undefined));
    const [first] = tests;
    const isOnePlace = first !== undefined && tests.every(test => test?.isThere === true && test.name === first.name);
    const names = isOnePlace ? tests.map(test => `\`${test?.process}\``) : holding.map(operand => scene.quote(operand));
    const listed = listOf(names);
    return [
        {
            text: isOnePlace
                ? `${listed} ${names.length === 1 ? 'is' : 'are'} at \`${first.name}\``
                : `true: ${listed}`,
        },
    ];
}

/** The values that a larger expression is computed from, if they are few: ` (`x` is 1, `y` is 2)`. */
function readValues(expression: SequentialExpression, scene: Scene): string {
    if (expression.kind === 'cell' || expression.kind === 'element' || expression.kind === 'count') {
        return '';
    }
    const cells = supportOf(expression);
    return cells.length === 0 || cells.length > MOST_VALUES
        ? ''
        : ` (${cells.map(cell => scene.cellText(cell)).join(', ')})`;
}

/** `a`, `a, b`, `a, b, c, d and 3 more`. */
export function listOf(names: readonly string[]): string {
    return names.length <= MOST_VALUES + 1
        ? names.join(', ')
        : `${names.slice(0, MOST_VALUES).join(', ')} and ${names.length - MOST_VALUES} more`;
}
