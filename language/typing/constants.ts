/**
 * The values of parameters and constants, and the shapes of types (representation/shape.ts).
 *
 * Each is computed on demand and once, so declarations may stand in any order; a declaration that needs itself is an
 * error. A result is undefined if a problem has been reported, here or by the type check of the same expression.
 */
import { remembered } from '../../engine/common/list-map.js';
import { BOOLEAN, domainSize, type Domain, type LinearBounds } from '../../engine/model/domain.js';
import * as ast from '../generated/nodes.js';
import { collectionOf, domainTextOf } from '../references/binders.js';
import { hasCases, type Constructor } from '../references/constructors.js';
import { isTemplate, isTypeOfNames } from '../references/templates.js';
import { nameRangeOf, rangeOf } from '../tree/source-text.js';
import type { ProblemCode } from '../problems/codes.js';
import { instead } from '../problems/remedy.js';
import type { ProblemCollector, Replacement } from '../problems/problem-collector.js';
import { describeNamed, formatCount } from '../problems/describe.js';
import { slotNames } from '../../engine/model/with-slots.js';
import { NUMBERS } from '../../engine/model/with-numbers.js';
import { ChannelTypes, messageTypeNamedBy } from './channel-types.js';
import { ComputedOnce, type Declared } from './computed-once.js';
import { ConstantEvaluator } from './constant-evaluation.js';
import { ArrayShape, ConstantArray } from '../representation/array.js';
import { BagShape } from '../representation/bag.js';
import { ScalarShape } from '../representation/cell.js';
import { ChannelShape } from '../representation/channel.js';
import { countOf } from '../representation/domains.js';
import { EnumerationShape, type ConstructorShapes } from '../representation/enumeration.js';
import { RecordShape } from '../representation/record.js';
import { SequenceShape } from '../representation/sequence.js';
import { SetShape } from '../representation/set.js';
import { EXPANSION_LIMIT, type Shape, type ConstantValue } from '../representation/shape.js';
import { memberShapeOf, withoutReferences, withOptional } from './one-cell.js';
import { enumerationShapeOf, recordShapeOf, type RecordContext } from './record-shapes.js';

/** The largest number of values of one type: codes of values are 32-bit integers. */
const DOMAIN_LIMIT = 2 ** 30;

/** The slots for instances of each template, before the engine puts in other numbers. */
const SLOTS = 3;

/** The ends of a range. */
interface Bounds {
    readonly low: number;
    readonly high: number;
}

/** The shapes of expressions, by their types. */
interface ExpressionTypes {
    shapeOf(expression: ast.Expression): Shape | undefined;
    /** Of a sequence, or of the messages of a channel. */
    sequenceShapeOf(expression: ast.Expression): SequenceShape | undefined;
}

export class Constants {
    readonly channels: ChannelTypes;
    /** Of the sets that variables run through; the inference of types sets it. */
    types: ExpressionTypes | undefined;
    private readonly values = new Map<ast.Parameter | ast.Constant, ConstantValue | undefined>();
    private readonly shapes = new Map<ast.Type | Declared, Shape | undefined>();
    private readonly enumerations = new Map<ast.Enumeration, Domain & { readonly kind: 'enumeration' }>();
    private readonly templates = new Map<ast.Process, Domain & { readonly kind: 'enumeration' }>();
    private readonly channelIndices = new Map<ast.ChannelDeclaration, readonly (Domain | undefined)[] | undefined>();
    private readonly once: ComputedOnce;
    /** The message of a channel may depend on its indices, which is no cycle. */
    private readonly indicesOnce: ComputedOnce;
    /** In the order of the model's processes: those without end follow the processes. */
    private readonly templateOrder: readonly (ast.Process | ast.Enumeration)[];
    private readonly problems: ProblemCollector;
    private readonly overrides: ReadonlyMap<string, ast.Expression>;
    private readonly evaluator: ConstantEvaluator;
    private readonly recordContext: RecordContext;
    private readonly bounds: ReadonlyMap<ast.RangeType, LinearBounds>;

    /**
     * `declarations`: with those of imports. `overrides`: parameters from outside (parsing/parameter-values.ts).
     * `bounds`: of the ranges that depend on parameters that stand for all their values (family/linear-bounds.ts).
     */
    constructor(
        declarations: readonly ast.Declaration[],
        overrides: ReadonlyMap<string, ast.Expression>,
        problems: ProblemCollector,
        bounds: ReadonlyMap<ast.RangeType, LinearBounds> = new Map(),
    ) {
        this.bounds = bounds;
        this.problems = problems;
        this.once = new ComputedOnce(problems);
        this.indicesOnce = new ComputedOnce(problems);
        this.templateOrder = [...declarations.filter(ast.isProcess), ...declarations.filter(isTypeOfNames)];
        this.overrides = overrides;
        this.evaluator = new ConstantEvaluator(this, problems);
        this.recordContext = { shapeOf: type => this.shapeOf(type), evaluator: this.evaluator, problems };
        this.channels = new ChannelTypes(declarations, this);
    }

    /** The value of a parameter or constant; of a process's constant only if it does not depend on the instance. */
    valueOf(declaration: ast.Parameter | ast.Constant): ConstantValue | undefined {
        return this.once.of(this.values, declaration, () => {
            const override = ast.isParameter(declaration) ? this.overrides.get(declaration.name) : undefined;
            const value =
                override !== undefined
                    ? this.problems.elsewhere(problemOfGiven(declaration), () => this.evaluator.evaluate(override))
                    : declaration.value && this.evaluator.evaluate(declaration.value);
            return value === undefined || typeof value === 'number' ? value : this.asDeclared(declaration, value);
        });
    }

    /** The value of an expression that must be known before a run. */
    evaluate(expression: ast.Expression): ConstantValue | undefined {
        return this.evaluator.evaluate(expression);
    }

    shapeOf(type: ast.Type): Shape | undefined {
        if (!this.shapes.has(type)) {
            this.shapes.set(type, this.computeShape(type, undefined));
        }
        return this.shapes.get(type);
    }

    /** The shape of a parameter. Its value decides the lengths that the type leaves open. */
    shapeOfParameter(parameter: ast.Parameter): Shape | undefined {
        if (!parameter.type.indices.some(index => index.open)) {
            return this.shapeOf(parameter.type);
        }
        if (!this.shapes.has(parameter)) {
            const value = this.valueOf(parameter);
            // `valueOf` enters the shape if the value is an array.
            if (value !== undefined && !this.shapes.has(parameter)) {
                this.shapes.set(parameter, this.computeShape(parameter.type, value));
            }
        }
        return this.shapes.get(parameter);
    }

    /** The shape of a parameter for a value that is not its own: the default, if another one is given. */
    shapeOfParameterFor(parameter: ast.Parameter, value: ConstantValue): Shape | undefined {
        return parameter.type.indices.some(index => index.open)
            ? this.computeShape(parameter.type, value)
            : this.shapeOf(parameter.type);
    }

    shapeOfRecord(declaration: ast.RecordDeclaration): RecordShape | undefined {
        const shape = this.once.of(this.shapes, declaration, () => recordShapeOf(declaration, this.recordContext));
        return shape instanceof RecordShape ? shape : undefined;
    }

    /** The shape of an enumeration of which some case has fields. */
    shapeOfCases(declaration: ast.Enumeration): EnumerationShape | undefined {
        const shape = this.once.of(this.shapes, declaration, () => enumerationShapeOf(declaration, this.recordContext));
        return shape instanceof EnumerationShape ? shape : undefined;
    }

    /** The shapes of what a call builds. */
    shapesOfConstructor(declaration: Constructor): ConstructorShapes | undefined {
        const { $container: owner } = declaration;
        const whole = ast.isRecordDeclaration(declaration)
            ? this.shapeOfRecord(declaration)
            : ast.isEnumeration(owner)
              ? this.shapeOfCases(owner)
              : undefined;
        const fields = whole?.cases.find(each => each.declaration === declaration);
        return whole && fields && { fields, whole };
    }

    /** The shape of the type that an expression names, without the name of the type; undefined if it names no type. */
    shapeOfTypeName(expression: ast.Expression): Shape | undefined {
        const target = ast.isReference(expression) ? expression.target.ref : undefined;
        switch (target?.$type) {
            case 'RecordDeclaration':
                return this.shapeOfRecord(target);
            case 'TypeDeclaration':
                return this.shapeOf(target.type);
            case 'Enumeration':
                return hasCases(target) ? this.shapeOfCases(target) : new ScalarShape(this.domainOfEnumeration(target));
            case 'Process':
                return target.isTemplate ? new ScalarShape(this.domainOfTemplate(target)) : undefined;
            default:
                return undefined;
        }
    }

    /** The domain of a type whose values fit into one cell: a record may, an array does not. */
    scalarOf(type: ast.Type): Domain | undefined {
        return withoutReferences(this.shapeOf(type), type, 'an array type cannot stand here', this.problems);
    }

    /** The shape of an array index, of a channel's index or of an event argument. `3` is `0 .. 2`, and so is a constant of this value. */
    indexShapeOf(index: ast.IndexType): Shape | undefined {
        const { element } = index;
        if (element === undefined) {
            const message = '`*` leaves the length to a value, which only a parameter has: give the index type here';
            this.problems.error('type/open-index', message, rangeOf(index));
            return undefined;
        }
        if (ast.isRangeType(element) && isNumberOfValues(element)) {
            const count = this.boundOf(element.low);
            return count === undefined ? undefined : this.shapeOfRange({ low: 0, high: count - 1 }, element);
        }
        return this.shapeOfElement(element);
    }

    indexDomainOf(index: ast.IndexType): Domain | undefined {
        const shape = this.indexShapeOf(index);
        if (shape instanceof SequenceShape) {
            const message = 'a sequence is no index and no argument of an event; take its elements one by one';
            this.problems.error('type/array-not-allowed', message, rangeOf(index));
            return undefined;
        }
        return withoutReferences(shape, index, 'an array cannot be an index', this.problems);
    }

    /** Of values without end those that are named, and slots for others. */
    domainOfEnumeration(enumeration: ast.Enumeration): Domain & { readonly kind: 'enumeration' } {
        return remembered(this.enumerations, enumeration, () => {
            const { name } = enumeration;
            const values = enumeration.values.map(value => value.name);
            return enumeration.isOpen
                ? {
                      kind: 'enumeration',
                      name,
                      values: [...values, ...slotNames(name, SLOTS)],
                      template: this.positionOfTemplate(enumeration),
                      named: values.length,
                  }
                : { kind: 'enumeration', name, values };
        });
    }

    /** The position of a template, or of a type whose values have no end, among the processes of the model. */
    positionOfTemplate(template: ast.Process | ast.Enumeration): number {
        return this.templateOrder.indexOf(template);
    }

    /** The references to the instances of a template. The engine decides later how many slots there are. */
    domainOfTemplate(template: ast.Process): Domain & { readonly kind: 'enumeration' } {
        return remembered(this.templates, template, () => {
            const { name } = template;
            const values = slotNames(name, SLOTS);
            return { kind: 'enumeration', name, values, template: this.positionOfTemplate(template) };
        });
    }

    shapeOfBinder(binder: ast.ProcessIndex | ast.BinderVariable): Shape | undefined {
        return ast.isProcessIndex(binder) ? this.shapeOf(binder.type) : this.shapeOfGroup(binder.$container);
    }

    /** The sequence whose places the variables of a group run through, in order; undefined if it is no sequence. */
    sequenceOfGroup(group: ast.BinderGroup): SequenceShape | undefined {
        const collection = collectionOf(group);
        return collection && this.types?.sequenceShapeOf(collection);
    }

    /** The shape of the variables of a group: of the elements of a set or a sequence, or of the values of a type. */
    shapeOfGroup(group: ast.BinderGroup): Shape | undefined {
        const collection = collectionOf(group);
        const set = collection && this.types?.shapeOf(collection);
        return set instanceof SetShape
            ? set.member
            : (this.sequenceOfGroup(group)?.member ?? (group.type && this.shapeOf(group.type)));
    }

    /** The domain that the variables of a group run through: of a sequence its places. */
    domainOfGroup(group: ast.BinderGroup): Domain | undefined {
        const text = domainTextOf(group);
        return (
            this.sequenceOfGroup(group)?.places ??
            (text &&
                withoutReferences(
                    this.shapeOfGroup(group),
                    text,
                    'an array type cannot stand here',
                    this.problems,
                    ast.isAlternative(group.$container),
                ))
        );
    }

    /** The values of a family's index or of a quantifier's variable. */
    domainOfBinder(binder: ast.ProcessIndex | ast.BinderVariable): Domain | undefined {
        return ast.isProcessIndex(binder) ? this.scalarOf(binder.type) : this.domainOfGroup(binder.$container);
    }

    /** The number of instances of a family, whatever its `where` leaves out. */
    instancesOf({ indices }: ast.Process): number {
        return countOf(indices.map(index => this.domainOfBinder(index)));
    }

    argumentsOf(event: ast.EventDeclaration): (Domain | undefined)[] {
        return event.arguments.map(argument => this.indexDomainOf(argument));
    }

    indicesOf(channel: ast.ChannelDeclaration): readonly (Domain | undefined)[] {
        const { indices } = channel;
        return (
            this.indicesOnce.of(this.channelIndices, channel, () => indices.map(index => this.indexDomainOf(index))) ??
            indices.map(() => undefined)
        );
    }

    /** The number of messages that a channel can hold; 0 for a rendezvous. */
    capacityOf(channel: ast.ChannelDeclaration): number | undefined {
        const value = this.evaluate(channel.capacity);
        return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
    }

    /** The shape of a declared channel, or of an element of an array of channels, as a value. */
    shapeOfDeclaredChannel(declaration: ast.ChannelDeclaration): ChannelShape | undefined {
        const shape = this.once.of(this.shapes, declaration, () => {
            const message = this.shapeOf(declaration.message);
            return message && this.channels.shapeOf(() => message);
        });
        return shape instanceof ChannelShape ? shape : undefined;
    }

    /** The value with the index types of the declared type. */
    private asDeclared(declaration: ast.Parameter | ast.Constant, value: ConstantValue): ConstantValue | undefined {
        if (declaration.type === undefined) {
            return value;
        }
        if (declaration.type.indices.some(index => index.open) && ast.isParameter(declaration)) {
            this.shapes.set(declaration, this.computeShape(declaration.type, value));
        }
        const shape = ast.isParameter(declaration)
            ? this.shapeOfParameter(declaration)
            : this.shapeOf(declaration.type);
        return shape && shape.constantAs(value);
    }

    /** `value` gives the lengths that the type leaves open. */
    private computeShape(type: ast.Type, value: ConstantValue | undefined): Shape | undefined {
        const shape = this.shapeOfElement(type.element);
        const indices = type.indices.map((index, position) =>
            index.open && value !== undefined
                ? openIndexOf(index, value, position, this.problems)
                : this.indexDomainOf(index),
        );
        if (shape === undefined || indices.some(index => index === undefined)) {
            return undefined;
        }
        const all = [...shape.indices, ...indices.filter(index => index !== undefined)];
        const result = all.length === 0 ? shape : new ArrayShape(all, shape.element);
        const cells = result.scalarCount();
        if (cells > EXPANSION_LIMIT) {
            this.problems.tooLarge(
                `an array of ${formatCount(cells)} cells is too large`,
                EXPANSION_LIMIT,
                rangeOf(type),
            );
            return undefined;
        }
        return result;
    }

    shapeOfElement(element: ast.ElementType): Shape | undefined {
        if (ast.isBooleanType(element)) {
            return withOptional(new ScalarShape(BOOLEAN), element, this.problems);
        }
        if (ast.isChannelType(element)) {
            return this.shapeOfChannel(element);
        }
        if (ast.isSetType(element)) {
            const member = memberShapeOf(this.shapeOfElement(element.member), element, this.problems);
            return member && new SetShape(member);
        }
        if (ast.isSequenceType(element)) {
            return this.shapeOfSequence(element);
        }
        if (ast.isBagType(element)) {
            return this.shapeOfBag(element);
        }
        if (element.high === undefined) {
            return withOptional(this.shapeOfName(element), element, this.problems);
        }
        const bounds = this.boundsOf(element);
        return bounds && this.shapeOfRange(bounds, element);
    }

    /** `bounds` as written: the low one may be above the high one. */
    private shapeOfRange({ low, high }: Bounds, element: ast.RangeType): Shape | undefined {
        const linear = this.bounds.get(element);
        const domain: Domain = { kind: 'range', low, high: Math.max(high, low - 1), ...(linear && { bounds: linear }) };
        const size = domainSize(domain);
        if (size > DOMAIN_LIMIT) {
            const what = `a type of ${formatCount(size)} values is too large`;
            this.problems.tooLarge(what, DOMAIN_LIMIT, rangeOf(element));
            return undefined;
        }
        return withOptional(new ScalarShape(domain), element, this.problems);
    }

    private shapeOfSequence({ length, member }: ast.SequenceType): Shape | undefined {
        const capacity = this.boundOf(length);
        const shape = this.shapeOfElement(member);
        if (capacity !== undefined && capacity < 0) {
            const message = `a sequence holds at most so many elements as stand here, but this is ${capacity}`;
            this.problems.error('type/out-of-range', message, rangeOf(length));
        }
        return capacity === undefined || shape === undefined
            ? undefined
            : new SequenceShape(Math.max(0, capacity), shape);
    }

    private shapeOfBag(bag: ast.BagType): Shape | undefined {
        const member = memberShapeOf(this.shapeOfElement(bag.member), bag, this.problems);
        const copies = this.boundOf(bag.copies);
        if (copies !== undefined && copies < 1) {
            const message = `a bag holds at most so many copies of each value, so this cannot be ${copies}`;
            this.problems.error('type/bag-copies', message, rangeOf(bag.copies));
            return undefined;
        }
        return member && copies !== undefined ? new BagShape(member, copies) : undefined;
    }

    private shapeOfChannel(element: ast.ChannelType): Shape | undefined {
        const named = messageTypeNamedBy(element.message);
        if (named !== undefined && this.once.isInProgress(named)) {
            // The message contains a channel of such messages: its fields are known only later.
            return ast.isEnumeration(named)
                ? this.channels.shapeOf(() => this.shapeOfCases(named) ?? new EnumerationShape(named, []))
                : this.channels.shapeOf(() => this.shapeOfRecord(named) ?? new RecordShape(named, []));
        }
        const message = this.shapeOfElement(element.message);
        return message && this.channels.shapeOf(() => message);
    }

    /** The ends of a range as written, where the low one may be above the high one; undefined for a name. */
    boundsOf({ low, high }: ast.RangeType): Bounds | undefined {
        const first = high && this.boundOf(low);
        const last = high && this.boundOf(high);
        return first === undefined || last === undefined ? undefined : { low: first, high: last };
    }

    private boundOf(bound: ast.Expression): number | undefined {
        const value = this.evaluator.evaluate(bound);
        return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
    }

    private shapeOfName(element: ast.RangeType): Shape | undefined {
        const name = element.low;
        if (!ast.isReference(name)) {
            const message = 'a type is expected here: a name, `bool`, or a range `low .. high`';
            this.problems.error('type/not-a-type', message, rangeOf(element));
            return undefined;
        }
        const target = name.target.ref;
        if (target === undefined) {
            return undefined;
        }
        if (ast.isTypeDeclaration(target)) {
            return this.once.of(this.shapes, target, () => {
                const shape = this.shapeOf(target.type);
                return shape && withName(shape, target.name);
            });
        }
        if (ast.isBuiltinType(target)) {
            return new ScalarShape(NUMBERS);
        }
        if (ast.isEnumeration(target) || ast.isRecordDeclaration(target) || isTemplate(target)) {
            return this.shapeOfTypeName(name);
        }
        const what = `\`${target.name}\` is ${mayBeSet(element) ? 'neither a type nor a set' : 'not a type'}`;
        const range = `0 .. ${target.name} - 1`;
        const advice =
            ast.isParameter(target) || ast.isConstant(target)
                ? instead(`${what}; write \`${range}\``, range)
                : { text: ast.isVariable(target) ? what : `${what} but ${describeNamed(target)}` };
        this.problems.advise('type/not-a-type', advice, rangeOf(element));
        return undefined;
    }
}

/** Whether a set may stand in the place of a type. */
function mayBeSet({ $container: { $container: group } }: ast.RangeType): boolean {
    return ast.isBinderGroup(group) && !ast.isFor(group.$container) && !ast.isComprehension(group.$container);
}

/** Whether an index type is a number, by itself or as the name of a parameter or a constant: it means `0 .. N - 1`. */
export function isNumberOfValues({ low, high, $container }: ast.RangeType): boolean {
    const named = ast.isReference(low) ? low.target.ref : undefined;
    return (
        ast.isIndexType($container) &&
        high === undefined &&
        (ast.isNumberLiteral(low) || ast.isParameter(named) || ast.isConstant(named))
    );
}

/** Shows a problem of a value given from outside at the name of its parameter. */
export function problemOfGiven(
    parameter: ast.Parameter | ast.Constant,
): (code: ProblemCode, message: string) => Replacement {
    const range = nameRangeOf(parameter);
    return (code, message) =>
        code === 'type/out-of-range'
            ? { code: 'parameter/out-of-range', message, range }
            : { code: 'parameter/invalid', message: `the value given to \`${parameter.name}\`: ${message}`, range };
}

/** The index that a type leaves open, of so many values as the given value has there. */
function openIndexOf(
    index: ast.IndexType,
    value: ConstantValue,
    position: number,
    problems: ProblemCollector,
): Domain | undefined {
    const given = value instanceof ConstantArray ? value.indices[position] : undefined;
    if (given === undefined) {
        problems.error(
            'type/mismatch',
            position === 0
                ? 'the value is no array, so its length is not known'
                : 'the value has fewer indices than the type, so its lengths are not known; ' +
                      'with two indices it is written `[[1, 2], [3, 4]]`',
            rangeOf(index),
        );
        return undefined;
    }
    return { kind: 'range', low: 0, high: domainSize(given) - 1 };
}

/** A scalar gets the name of its type; arrays, records and channels keep their own names. */
function withName(shape: Shape, name: string): Shape {
    return shape instanceof ScalarShape ? shape.withDomain(nameDomain(shape.domain, name)) : shape;
}

function nameDomain(domain: Domain, name: string): Domain {
    return domain.kind === 'enumeration' || domain.kind === 'record' ? domain : { ...domain, name };
}
