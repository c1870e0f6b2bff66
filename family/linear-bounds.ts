/**
 * Where parameters that stand for all their values occur in a text. In goes the text with the names of the parameters,
 * out come the ranges that depend on them, with bounds as sums, and the places where the text needs one value: a
 * parameter that is a number, a bound that is no sum, a table with an entry for each element.
 */
import type { Node } from '../language/tree/node.js';
import type { Problem } from '../engine/common/problem.js';
import type { LinearBounds, LinearSum } from '../engine/model/domain.js';
import { nodesOf } from '../language/tree/descendants.js';
import * as ast from '../language/generated/nodes.js';
import { collectionOf } from '../language/references/binders.js';
import { declaredTypeOf } from '../language/references/declared-type.js';
import { isTypeName } from '../language/references/templates.js';
import { rangeOf } from '../language/tree/source-text.js';
import type { Family } from '../language/instantiate.js';
import { ProblemCollector } from '../language/problems/problem-collector.js';
import { declarationsOf } from '../language/references/imports.js';
import { Constants, isNumberOfValues } from '../language/typing/constants.js';
import { ConstantBounds } from './constant-bounds.js';
import type { Polynomial } from '../language/typing/polynomial.js';
import { refusal } from './refusal.js';

export interface BoundsOfText {
    readonly bounds: ReadonlyMap<ast.RangeType, LinearBounds>;
    /** If there are any, nothing can be said for all values. */
    readonly refusals: readonly Problem[];
}

/**
 * `declarations`: with those of imports; `sizes`: the names of the parameters; `given`: values of other parameters that
 * replace their defaults; `constants`: the names that do not depend on the parameters. O(size of the text).
 */
export function linearBounds(
    declarations: readonly ast.Declaration[],
    sizes: ReadonlySet<string>,
    given: ReadonlyMap<string, ast.Expression>,
    constants: Constants,
): BoundsOfText {
    const sized = declarationsWithSize(declarations, sizes);
    const polynomials = constantsBeside(sized, constants);
    const sumOf: SumOf = expression => {
        const polynomial = polynomials.of(expression);
        return polynomial && toSum(polynomial, sizes);
    };
    const bounds = new Map<ast.RangeType, LinearBounds>();
    const refusals: Problem[] = [];
    const refuse = (node: Node, message: string): void => {
        refusals.push(refusal(message, rangeOf(node)));
    };
    for (const declaration of declarations) {
        for (const node of nodesInForce(declaration, given)) {
            if (isLengthOfArray(node) && nodesOf(node).some(part => namesOneOf(part, sized))) {
                refuse(node, 'the length of this array depends on the number of members');
                continue;
            }
            const target = targetOf(node);
            if (target === undefined || !sized.has(target)) {
                continue;
            }
            const name = target.name;
            if (!isNumber(target)) {
                const around = node.$container;
                const isRightOfIn = ast.isBinaryExpression(around) && around.operator === 'in' && around.right === node;
                if (isRightOfIn && isTypeName(target)) {
                    refuse(node, 'the ends of this type are numbers here');
                } else if (mustBeKnown(node)) {
                    refuse(node, `this must be known before the run, and \`${name}\` depends on the number of members`);
                }
                continue;
            }
            if (ast.isConstant(target) && sumOf(target.value) === undefined) {
                // It is refused where it is declared.
                continue;
            }
            const place = placeOfSum(node);
            if (ast.isRangeType(place)) {
                const [low, high] = boundsOf(place, sumOf);
                if (low === undefined || high === undefined) {
                    refuse(place, `the bounds of this range are no sums, so \`${name}\` stands for one value`);
                } else if (mustBeKnown(place)) {
                    refuse(place, `this must be known before the run, and \`${name}\` stands for all its values`);
                } else {
                    bounds.set(place, { low, high, range: rangeOf(place) });
                }
            } else if (place === undefined) {
                const isRing = ast.isBinaryExpression(node.$container) && node.$container.operator === 'mod';
                refuse(
                    node,
                    isRing
                        ? `\`${name}\` is the length of a ring here, and its neighbors are not alike`
                        : `\`${name}\` is a number here, and more than the bound of a range`,
                );
            } else if (sumOf(place.value) === undefined) {
                refuse(node, `\`${place.name}\` is no sum, so \`${name}\` stands for one value`);
            }
        }
    }
    return { bounds, refusals };
}

/** The constants of a family as polynomials over its parameters. What does not depend on these is a number. */
export function constantsOfFamily({ root, parameters, given }: Family): ConstantBounds {
    const declarations = declarationsOf(root);
    const sized = declarationsWithSize(declarations, new Set(parameters.map(({ name }) => name)));
    return constantsBeside(sized, new Constants(declarations, given.overrides, new ProblemCollector()));
}

function constantsBeside(sized: ReadonlySet<ast.Named>, constants: Constants): ConstantBounds {
    return new ConstantBounds(
        declaration => {
            const value = sized.has(declaration) ? undefined : constants.valueOf(declaration);
            return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
        },
        call => !nodesOf(call).some(node => namesOneOf(node, sized)) && constants.evaluate(call) !== undefined,
    );
}

function boundsOf({ low, high }: ast.RangeType, sumOf: SumOf): (LinearSum | undefined)[] {
    const first = sumOf(low);
    // As an index type `N` is `0 .. N - 1`.
    return high === undefined
        ? [{ constant: 0, factors: {} }, first && { ...first, constant: first.constant - 1 }]
        : [first, sumOf(high)];
}

/** The text of a declaration, with the value that is given to a parameter in the place of its default. */
function nodesInForce(declaration: ast.Declaration, given: ReadonlyMap<string, ast.Expression>): readonly Node[] {
    const value = ast.isParameter(declaration) ? given.get(declaration.name) : undefined;
    return ast.isParameter(declaration) && value !== undefined
        ? [...nodesOf(declaration.type), ...nodesOf(value)]
        : nodesOf(declaration);
}

/** The parameters, and all that has a name and whose text names one of them, directly or not. */
function declarationsWithSize(declarations: readonly ast.Declaration[], sizes: ReadonlySet<string>): Set<ast.Named> {
    const sized = new Set<ast.Named>(
        declarations.filter(ast.isParameter).filter(parameter => sizes.has(parameter.name)),
    );
    const candidates = declarations.flatMap(nodesOf).filter(node => ast.isNamed(node) && !ast.isParameter(node));
    for (let before = -1; before < sized.size;) {
        before = sized.size;
        for (const candidate of candidates) {
            if (!sized.has(candidate) && nodesOf(candidate).some(node => namesOneOf(node, sized))) {
                sized.add(candidate);
            }
        }
    }
    return sized;
}

function targetOf(node: unknown): ast.Named | undefined {
    return ast.isReference(node) ? node.target.ref : ast.isCall(node) ? node.function.ref : undefined;
}

function namesOneOf(node: Node, names: ReadonlySet<ast.Named>): boolean {
    const target = targetOf(node);
    return target !== undefined && names.has(target);
}

/** A call of `len`, but for that of a set, a sequence, a bag, and a declared channel: these are no lengths of types. */
function isLengthOfArray(node: Node): boolean {
    if (!ast.isCall(node) || !ast.isBuiltinFunction(node.function.ref) || node.function.ref.name !== 'len') {
        return false;
    }
    const [argument] = node.arguments;
    const isChannel = ast.isReference(argument) && ast.isChannelDeclaration(argument.target.ref);
    const type = argument && declaredTypeOf(argument);
    const isCollected = ast.isSequenceType(type) || ast.isBagType(type) || (argument !== undefined && isSet(argument));
    return !isChannel && !isCollected;
}

/** Whether an expression is a set by its form or by its declared type. */
export function isSet(expression: ast.Expression): boolean {
    return (
        ast.isSetLiteral(expression) ||
        (ast.isBinaryExpression(expression) && isSet(expression.left)) ||
        ast.isSetType(declaredTypeOf(expression))
    );
}

function isNumber(target: ast.Named): target is ast.Parameter | ast.Constant {
    return ast.isParameter(target) || ast.isConstant(target);
}

/** The range or the constant whose bound or value is a sum with this node; undefined if it is none. */
function placeOfSum(node: Node): ast.RangeType | ast.Constant | undefined {
    for (let inside = node; ;) {
        const around = inside.$container;
        if (ast.isRangeType(around)) {
            return around.high === undefined && !isNumberOfValues(around) ? undefined : around;
        }
        if (ast.isConstant(around)) {
            return around.value === inside ? around : undefined;
        }
        if (!ast.isBinaryExpression(around) && !ast.isUnaryExpression(around)) {
            return undefined;
        }
        inside = around;
    }
}

/** Whether the value of the expression or type with this node must be known before a run. */
function mustBeKnown(node: Node): boolean {
    for (let inside = node; ;) {
        const around = inside.$container;
        if (ast.isConstant(around) || ast.isParameter(around)) {
            return true;
        }
        if (ast.isRangeType(around) && !isNameOfType(inside, around) && !isCollection(around)) {
            return true;
        }
        if (ast.isRecordDeclaration(around) && around.where === inside) {
            return true;
        }
        if (ast.isChannelDeclaration(around) && around.capacity === inside) {
            return true;
        }
        if (around === undefined || ast.isModel(around)) {
            return false;
        }
        inside = around;
    }
}

/** Whether what a binder runs through is the name of a set, or a set in parentheses. */
function isCollection({ $container: type }: ast.RangeType): boolean {
    const group = type.$container;
    return ast.isBinderGroup(group) && collectionOf(group) !== undefined;
}

/** `Proc` as a type stands where the low bound of a range would. */
function isNameOfType(bound: Node, { high }: ast.RangeType): boolean {
    const target = high === undefined ? targetOf(bound) : undefined;
    return ast.isTypeDeclaration(target) || ast.isRecordDeclaration(target) || ast.isEnumeration(target);
}

/** An expression as a sum; undefined if it is none. */
type SumOf = (expression: ast.Expression) => LinearSum | undefined;

/** Undefined for a product of parameters, and for a parameter that has one value which is no number. */
function toSum({ terms }: Polynomial, sizes: ReadonlySet<string>): LinearSum | undefined {
    const factors = Object.fromEntries([...terms].filter(([name]) => name !== ''));
    return Object.keys(factors).every(name => sizes.has(name)) ? { constant: terms.get('') ?? 0, factors } : undefined;
}
