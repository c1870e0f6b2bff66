/** Checks that the place of an expression allows its type. `typeOf` reports problems inside the expression. */
import type { Domain } from '../../engine/model/domain.js';
import {
    isBinaryExpression,
    isChannelDeclaration,
    isConditional,
    isConstant,
    isLet,
    isReference,
    isSetLiteral,
} from '../generated/nodes.js';
import type * as ast from '../generated/nodes.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import type { Node } from '../tree/node.js';
import { fixIntoRange } from './fix-into-range.js';
import { rangeOf, textOf } from '../tree/source-text.js';
import type { Constants } from './constants.js';
import { whyMayBeNone } from './may-be-none.js';
import { hasValue } from './narrowing.js';
import type { Interval } from '../../engine/common/interval.js';
import { ScalarShape } from '../representation/cell.js';
import { channelOf, type ChannelShape } from '../representation/channel.js';
import { shapeOfType } from '../representation/place-of-type.js';
import { SequenceShape } from '../representation/sequence.js';
import { SetShape } from '../representation/set.js';
import type { Shape, Type } from '../representation/shape.js';
import {
    asSequence,
    UNKNOWN,
    describeType,
    describeInterval,
    isNumberType,
    isNameType,
    isReferenceType,
    fitOf,
    fitOfIndex,
    join,
    partOfType,
    sequenceType,
    type Fit,
} from '../representation/type.js';

/** An expression that may have indices. */
export type Indexed = ast.Reference | ast.Call | ast.FieldAccess;

/** The words of messages about the expressions in brackets. */
const INDEX = { one: 'index', many: 'indices', code: 'type/index-count' } as const;
export const ARGUMENT = { one: 'argument', many: 'arguments', code: 'type/argument-count' } as const;

export abstract class ExpressionChecks {
    readonly constants: Constants;
    readonly problems: ProblemCollector;

    constructor(constants: Constants, problems: ProblemCollector) {
        this.constants = constants;
        this.problems = problems;
    }

    /** The type of an expression. The first call reports the problems inside the expression. */
    abstract typeOf(expression: ast.Expression): Type;

    /** Checks the types of the variables of a quantifier, and returns the number of combinations of their values. */
    abstract checkBinders(groups: readonly ast.BinderGroup[], what: string, node: Node): number;

    /** Checks expressions whose types do not matter. */
    visit(expressions: readonly ast.Expression[]): void {
        expressions.forEach(expression => this.typeOf(expression));
    }

    /** Checks that an expression is a truth value, and returns the value if it is known. `what` begins the message. */
    checkCondition(expression: ast.Expression, what: string): boolean | undefined {
        const type = this.typeOf(expression);
        if (type.kind === 'boolean') {
            return type.known;
        }
        if (type.kind !== 'unknown') {
            const message = `${what} must be a truth value, but this is ${describeType(type)}`;
            this.problems.error('type/mismatch', message, rangeOf(expression));
        }
        return undefined;
    }

    /** The type of a value without `none`, if tests before it exclude that. */
    testedType(expression: ast.Expression): Type {
        const type = this.typeOf(expression);
        if (type.kind !== 'optional') {
            return type;
        }
        if (isConditional(expression)) {
            const [then, otherwise] = [this.testedType(expression.then), this.testedType(expression.otherwise)];
            return join(then, otherwise) ?? type;
        }
        const named = isReference(expression) && expression.indices.length === 0 ? expression.target.ref : undefined;
        return hasValue(expression) ? type.base : isLet(named) ? this.testedType(named.value) : type;
    }

    protected reportMayBeNone(needed: string, expression: ast.Expression): void {
        this.problems.error('type/may-be-none', whyMayBeNone(needed, expression), rangeOf(expression));
    }

    /** Checks the condition behind `where`, if there is one. */
    checkWhere(where: ast.Expression | undefined): boolean | undefined {
        return where && this.checkCondition(where, 'the condition after `where`');
    }

    /** Checks that an expression is an integer, and returns its interval. */
    checkInteger(expression: ast.Expression, what: string): Interval | undefined {
        const type = this.testedType(expression);
        if (type.kind === 'integer') {
            return type;
        }
        if (type.kind === 'optional' && type.base.kind === 'integer') {
            this.reportMayBeNone(`${what} must be an integer`, expression);
        } else if (isNumberType(type)) {
            const message = `${what} must have an end, but this is ${describeType(type)}; give it a bound, \`0 .. 9\``;
            this.problems.error('number/finite', message, rangeOf(expression));
        } else if (isReferenceType(type) || isNameType(type)) {
            const [code, values] = isNameType(type)
                ? (['name/order', 'these values'] as const)
                : (['reference/order', 'instances'] as const);
            const message =
                `${what} must be an integer, but this is ${describeType(type)}; ` +
                `${values} have no order and no numbers`;
            this.problems.error(code, message, rangeOf(expression));
        } else if (type.kind !== 'unknown') {
            const message = `${what} must be an integer, but this is ${describeType(type)}`;
            this.problems.error('type/mismatch', message, rangeOf(expression));
        }
        return undefined;
    }

    /** Checks that an expression is a number without end, or an integer beside one; whether it is. */
    checkNumber(expression: ast.Expression, what: string): boolean {
        const type = this.testedType(expression);
        if (type.kind === 'number') {
            return true;
        }
        if (type.kind === 'optional' && type.base.kind === 'number') {
            this.reportMayBeNone(`${what} must be a number`, expression);
            return false;
        }
        return this.checkInteger(expression, what) !== undefined;
    }

    /** Checks that an expression refers to an instance of a template. `what` begins the message. */
    checkReference(expression: ast.Expression, what: string): void {
        const type = this.typeOf(expression);
        if (type.kind !== 'unknown' && !isReferenceType(type)) {
            this.problems.error('type/mismatch', `${what}, but this is ${describeType(type)}`, rangeOf(expression));
        }
    }

    /** Checks that an expression is a channel. */
    checkChannel(expression: ast.Expression, what: string): ChannelShape | undefined {
        const type = this.testedType(expression);
        const channel = channelOf(type);
        if (channel !== undefined) {
            return channel;
        }
        if (type.kind === 'optional' && channelOf(type.base) !== undefined) {
            this.reportMayBeNone(`${what} must be a channel`, expression);
        } else if (type.kind !== 'unknown') {
            const message = `${what} must be a channel, but ${describeNoChannel(expression, type)}`;
            this.problems.error('type/not-a-channel', message, rangeOf(expression));
        }
        return undefined;
    }

    /** Checks that an expression is a set. */
    checkSet(expression: ast.Expression, what: string): Type | undefined {
        const type = this.testedType(expression);
        if (type.kind === 'set' && type.copies === undefined) {
            return type;
        }
        if (type.kind === 'set') {
            const text = textOf(expression) ?? '';
            const message =
                `${what} must be a set, but \`${text}\` is a bag: \`{ x in ${text} }\` has each of its values once, and ` +
                `\`${text}[x] := ${text}[x] + 1\` puts in one`;
            this.problems.error('type/bag-operator', message, rangeOf(expression));
        } else if (type.kind === 'optional' && type.base.kind === 'set') {
            this.reportMayBeNone(`${what} must be a set`, expression);
        } else if (type.kind !== 'unknown') {
            const message = `${what} must be a set, but this is ${describeType(type)}`;
            this.problems.error('type/not-a-set', message, rangeOf(expression));
        }
        return undefined;
    }

    /** Checks that a place of this shape can hold the value. `fills`: one value may stand for all cells of an array. */
    checkFit(expression: ast.Expression, shape: Shape | undefined, what: string, fills = false, remedy = ''): void {
        const own = this.typeOf(expression);
        if (shape !== undefined) {
            // A sequence takes the messages of a channel.
            const messages = channelOf(own) && this.messagesFor(expression, fills ? shape.element : shape);
            const type = messages ?? own;
            const target = fills && type.kind !== 'array' ? shape.element : shape;
            const fit = fitOf(type, target);
            this.reportFit(fit, expression, type, what, target, remedy);
            if (fit === 'fits' && target instanceof SetShape) {
                this.checkListed(expression, target.member, `an element of ${what}`);
            }
        }
    }

    /** The messages of a channel where a place holds sequences. */
    protected abstract messagesFor(channel: ast.Expression, shape: Shape): Type | undefined;

    /** Checks the elements that the text of a set lists. */
    private checkListed(set: ast.Expression, member: Shape, what: string): void {
        if (isBinaryExpression(set) && set.operator === 'union') {
            this.checkListed(set.left, member, what);
            this.checkListed(set.right, member, what);
        } else if (isSetLiteral(set)) {
            const ends = set.elements.flatMap(({ low, high }) => (high === undefined ? [low] : []));
            ends.forEach(element => this.checkFit(element, member, what));
        }
    }

    /** Checks the indices of an array element, a process, a channel or an event. `owner` begins the message. */
    checkIndices(
        node: Indexed,
        domains: readonly (Domain | undefined)[],
        owner: string,
        words: typeof INDEX | typeof ARGUMENT = INDEX,
    ): void {
        const { indices } = node;
        if (indices.length !== domains.length) {
            this.visit(indices);
            const expected = domains.length === 1 ? `one ${words.one}` : `${domains.length || 'no'} ${words.many}`;
            const found = indices.length === 1 ? 'is one' : `are ${indices.length || 'none'}`;
            this.problems.error(words.code, `${owner} takes ${expected}, but here ${found}`, rangeOf(node));
            return;
        }
        indices.forEach((index, position) => {
            const domain = domains[position];
            const type = this.typeOf(index);
            if (domain !== undefined && type.kind !== 'unknown') {
                const which = domains.length === 1 ? `the ${words.one}` : `${words.one} ${position + 1}`;
                const shape = new ScalarShape(domain);
                const remedy = this.remedyOfList(node, type);
                this.reportFit(fitOfIndex(type, domain), index, type, `${which} of ${owner}`, shape, remedy);
            }
        });
    }

    /** How a constant that is a list gets indices of a type: lists are numbered where nothing is declared. */
    private remedyOfList(node: Indexed, index: Type): string {
        const list = isReference(node) ? node.target.ref : undefined;
        if (!isConstant(list) || list.type !== undefined) {
            return '';
        }
        const type = this.typeOf(list.value);
        const [element, over] = [type.kind === 'array' ? type.element : UNKNOWN, index].map(shapeOfType);
        return element === undefined || over === undefined
            ? ''
            : `; declare it for these: \`const ${list.name}: ${`${element.describe()}[${over.describe()}]`.replaceAll('`', '')} = …\``;
    }

    /** The type of an element of `type` at the indices of the node, or of a row; `type` itself if there are none. */
    elementType(type: Type, node: Indexed, owner: string): Type {
        const count = node.indices.length;
        if (count === 0) {
            return type;
        }
        const channel = channelOf(type);
        const whole = channel === undefined ? type : sequenceType(channel.message.type, channel.capacity);
        const [part, domains] = partOfType(whole, count);
        if (domains.length > 0) {
            this.checkIndices(node, domains, owner);
            return domains.length < count ? UNKNOWN : part;
        }
        this.visit(node.indices);
        if (type.kind !== 'unknown') {
            const message = `${owner} is no array, so it has no cells; it is ${describeType(type)}`;
            this.problems.error('type/not-an-array', message, rangeOf(node));
        }
        return UNKNOWN;
    }

    /** The type of a place that is declared with a type. */
    typeOfPlace(type: ast.Type): Type {
        const shape = this.constants.shapeOf(type);
        return shape === undefined ? UNKNOWN : shape.type;
    }

    reportFit(fit: Fit, expression: ast.Expression, type: Type, what: string, shape: Shape, remedy = ''): void {
        const range = rangeOf(expression);
        const expected = shape.describe();
        const list = shape instanceof SequenceShape && type.kind === 'array' ? asSequence(type) : undefined;
        if (shape instanceof SequenceShape && list !== undefined && list.most > shape.capacity) {
            const message = `a sequence of ${list.most} does not fit ${expected}`;
            this.problems.error('type/mismatch', message, range);
        } else if (fit === 'mismatch' && isNumberType(type)) {
            const message = `${what} has the type ${expected}, but this is ${describeType(type)}; its rest has an end: \`x mod 4\``;
            this.problems.error('number/finite', message, range);
        } else if (fit === 'mismatch') {
            const message = `${what} has the type ${expected}, but this is ${describeType(type)}${remedy}`;
            this.problems.error('type/mismatch', message, range);
        } else if (fit === 'outside') {
            const message = `${what} has the type ${expected}, but this is ${describeInterval(type)}`;
            this.problems.faultWhenReached('type/out-of-range', message, range, fixIntoRange(shape, expression));
        }
    }
}

/** With brackets behind one channel a message of it is meant, which is seldom what was wanted. */
function describeNoChannel(expression: ast.Expression, type: Type): string {
    const target = isReference(expression) ? expression.target.ref : undefined;
    return isChannelDeclaration(target)
        ? `\`${textOf(expression) ?? ''}\` is a message of \`${target.name}\`; the indices of channels stand behind ` +
              `their name where they are declared: \`channel ${target.name}[…]: …\``
        : `this is ${describeType(type)}`;
}
