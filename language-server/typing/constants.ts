/**
 * What is known before a run: the values of parameters and constants, and the shapes that types stand for.
 *
 * Everything is computed on demand and once, so declarations may stand in any order; a declaration that needs itself is
 * an error. Undefined means that a problem has been reported, here or by the type check of the same expression.
 * How values look is said in typing/constant-value.ts, how types do in typing/shape.ts.
 */
import { BOOLEAN, domainSize, formatValue, valueOfCode, type Domain, type Value } from '../../engine/model/domain.js';
import type {
    BinderVariable,
    ChannelDeclaration,
    ChannelType,
    Constant,
    Declaration,
    ElementType,
    Enumeration,
    EventDeclaration,
    Expression,
    IndexType,
    Parameter,
    ProcessIndex,
    RangeType,
    RecordDeclaration,
    Type,
    TypeDeclaration,
} from '../generated/ast.js';
import * as ast from '../generated/ast.js';
import { nameRangeOf, rangeOf } from '../source-range.js';
import type { ProblemCode } from '../problems/codes.js';
import type { ProblemCollector, Replacement } from '../problems/problem-collector.js';
import { ConstantEvaluator, EXPANSION_LIMIT } from './constant-evaluation.js';
import { fieldValuesOf, isArrayValue, valueAs, type ConstantValue } from './constant-value.js';
import { describeNamed, formatCount } from './describe.js';
import {
    allTuples,
    atomicDomainOf,
    atomicFieldsOf,
    cellCount,
    formatShape,
    isDomain,
    isSameShape,
    RECORD_LIMIT,
    scalarCount,
    TUPLE_LIMIT,
    type ChannelShape,
    type FieldShape,
    type NotAtomic,
    type RecordShape,
    type Shape,
} from './shape.js';

/** The largest number of values of one type: codes of values are 32-bit integers. */
const DOMAIN_LIMIT = 2 ** 30;

/** The most combinations of the fields of a record among which a `where` chooses. */
const CANDIDATE_LIMIT = 4 * TUPLE_LIMIT;

/** A channel, or one of an array of channels. */
export interface ChannelMember {
    readonly declaration: ChannelDeclaration;
    /** Row by row. */
    readonly position: number;
}

/** All channels with messages of one shape. */
interface ChannelTypeEntry {
    readonly message: Shape;
    readonly members: readonly ChannelMember[];
    /** The position of the first element of each. */
    readonly firstOf: ReadonlyMap<ChannelDeclaration, number>;
    domain: Domain | undefined;
}

export class Constants {
    private readonly values = new Map<Parameter | Constant, ConstantValue | undefined>();
    private readonly shapes = new Map<Type | TypeDeclaration | RecordDeclaration | Parameter, Shape | undefined>();
    private readonly enumerations = new Map<Enumeration, Domain>();
    private readonly channelTypes: ChannelTypeEntry[] = [];
    private readonly inProgress = new Set<Parameter | Constant | TypeDeclaration | RecordDeclaration>();
    private readonly problems: ProblemCollector;
    private readonly declarations: readonly Declaration[];
    private readonly overrides: ReadonlyMap<string, Expression>;
    private readonly evaluator: ConstantEvaluator;

    /**
     * `declarations` are those of the model and of what it imports. `overrides` holds the values of parameters that were
     * given from outside (parsing/parameter-values.ts).
     */
    constructor(
        declarations: readonly Declaration[],
        overrides: ReadonlyMap<string, Expression>,
        problems: ProblemCollector,
    ) {
        this.declarations = declarations;
        this.problems = problems;
        this.overrides = overrides;
        this.evaluator = new ConstantEvaluator(this, problems);
    }

    /** The value of a parameter or constant; of a process's constant only where it does not depend on the instance. */
    valueOf(declaration: Parameter | Constant): ConstantValue | undefined {
        if (this.values.has(declaration)) {
            return this.values.get(declaration);
        }
        if (this.inProgress.has(declaration)) {
            this.reportCycle(declaration);
            return undefined;
        }
        this.inProgress.add(declaration);
        const override = ast.isParameter(declaration) ? this.overrides.get(declaration.name) : undefined;
        const value =
            override !== undefined
                ? this.problems.elsewhere(problemOfGiven(declaration), () => this.evaluator.evaluate(override))
                : declaration.value !== undefined
                  ? this.evaluator.evaluate(declaration.value)
                  : undefined;
        // The index types of an array are those of the declared type.
        const typed = value === undefined || typeof value === 'number' ? value : this.asDeclared(declaration, value);
        this.inProgress.delete(declaration);
        // A cycle found on the way has already entered it.
        if (!this.values.has(declaration)) {
            this.values.set(declaration, typed);
        }
        return this.values.get(declaration);
    }

    /** The value of an expression that must be known before a run. */
    evaluate(expression: Expression): ConstantValue | undefined {
        return this.evaluator.evaluate(expression);
    }

    /** What `type` stands for. */
    shapeOf(type: Type): Shape | undefined {
        if (!this.shapes.has(type)) {
            this.shapes.set(type, this.computeShape(type, undefined));
        }
        return this.shapes.get(type);
    }

    /** The same for a parameter, whose value may say how long it is. */
    shapeOfParameter(parameter: Parameter): Shape | undefined {
        if (!parameter.type.indices.some(index => index.open)) {
            return this.shapeOf(parameter.type);
        }
        if (!this.shapes.has(parameter)) {
            const value = this.valueOf(parameter);
            // The value has been given the declared type on the way.
            if (value !== undefined && !this.shapes.has(parameter)) {
                this.shapes.set(parameter, this.computeShape(parameter.type, value));
            }
        }
        return this.shapes.get(parameter);
    }

    /** The shape of a parameter with the lengths that one of its values has: the default, where another one is given. */
    shapeOfParameterFor(parameter: Parameter, value: ConstantValue): Shape | undefined {
        return parameter.type.indices.some(index => index.open)
            ? this.computeShape(parameter.type, value)
            : this.shapeOf(parameter.type);
    }

    shapeOfRecord(declaration: RecordDeclaration): RecordShape | undefined {
        if (!this.shapes.has(declaration)) {
            if (this.inProgress.has(declaration)) {
                this.reportCycle(declaration);
                return undefined;
            }
            this.inProgress.add(declaration);
            const shape = this.computeRecord(declaration);
            this.inProgress.delete(declaration);
            if (!this.shapes.has(declaration)) {
                this.shapes.set(declaration, shape);
            }
        }
        const shape = this.shapes.get(declaration);
        return shape?.kind === 'record' ? shape : undefined;
    }

    /** The domain of a type whose values must be single ones: records count as such, arrays do not. */
    scalarOf(type: Type): Domain | undefined {
        return this.atomicOf(this.shapeOf(type), type, 'an array type cannot stand here');
    }

    /** The shape of an array index, of a channel's index or of an event argument. `3` is `0 .. 2`. */
    indexShapeOf(index: IndexType): Shape | undefined {
        const { element } = index;
        if (element === undefined) {
            this.problems.error(
                'type/open-index',
                '`*` leaves the length to a value, which only a parameter has: give the index type here',
                rangeOf(index),
            );
            return undefined;
        }
        if (ast.isRangeType(element) && element.high === undefined && ast.isNumberLiteral(element.low)) {
            const domain = this.checkSize({ kind: 'range', low: 0, high: element.low.value - 1 }, element);
            return domain && { kind: 'scalar', domain };
        }
        return this.shapeOfElement(element);
    }

    indexDomainOf(index: IndexType): Domain | undefined {
        return this.atomicOf(this.indexShapeOf(index), index, 'an array cannot be an index');
    }

    domainOfEnumeration(enumeration: Enumeration): Domain {
        let domain = this.enumerations.get(enumeration);
        if (domain === undefined) {
            const values = enumeration.values.map(value => value.name);
            domain = { kind: 'enumeration', name: enumeration.name, values };
            this.enumerations.set(enumeration, domain);
        }
        return domain;
    }

    shapeOfBinder(binder: ProcessIndex | BinderVariable): Shape | undefined {
        return this.shapeOf(ast.isProcessIndex(binder) ? binder.type : binder.$container.type);
    }

    /** The domain that a family's index or a quantifier's variable runs through. */
    domainOfBinder(binder: ProcessIndex | BinderVariable): Domain | undefined {
        return this.scalarOf(ast.isProcessIndex(binder) ? binder.type : binder.$container.type);
    }

    argumentsOf(event: EventDeclaration): (Domain | undefined)[] {
        return event.arguments.map(argument => this.indexDomainOf(argument));
    }

    indicesOf(channel: ChannelDeclaration): (Domain | undefined)[] {
        return channel.indices.map(index => this.indexDomainOf(index));
    }

    /** The number of messages that a channel can hold; 0 for a rendezvous. */
    capacityOf(channel: ChannelDeclaration): number | undefined {
        const value = this.evaluate(channel.capacity);
        return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
    }

    /** The domain of a type whose values are channels: an enumeration of all that carry such messages. */
    channelDomainOf(message: Shape): Domain {
        const entry = this.channelTypeOf(message);
        entry.domain ??= {
            kind: 'enumeration',
            name: `channel of ${formatShape(message)}`,
            values: entry.members.map(member => this.nameOfChannel(member)),
        };
        return entry.domain;
    }

    /** The channels that carry such messages, in the order of the text: the values of `channelDomainOf`. */
    channelsOf(message: Shape): readonly ChannelMember[] {
        return this.channelTypeOf(message).members;
    }

    /** The channel as a value of its type. */
    channelValueOf(declaration: ChannelDeclaration, position: number): Value | undefined {
        const message = this.shapeOf(declaration.message);
        const first = message && this.channelTypeOf(message).firstOf.get(declaration);
        return first === undefined ? undefined : first + position;
    }

    /** The shape of a declared channel, or of an element of it, as a value. */
    shapeOfDeclaredChannel(declaration: ChannelDeclaration): ChannelShape | undefined {
        const message = this.shapeOf(declaration.message);
        return message && this.channelShape(() => message, false);
    }

    private channelTypeOf(message: Shape): ChannelTypeEntry {
        let entry = this.channelTypes.find(known => isSameShape(known.message, message));
        if (entry === undefined) {
            const members: ChannelMember[] = [];
            const firstOf = new Map<ChannelDeclaration, number>();
            for (const declaration of this.declarations.filter(ast.isChannelDeclaration)) {
                const indices = this.indicesOf(declaration).filter(domain => domain !== undefined);
                const isKnown = indices.length === declaration.indices.length;
                if (isKnown && this.carries(declaration, message)) {
                    firstOf.set(declaration, members.length);
                    const count = Math.min(cellCount(indices), EXPANSION_LIMIT);
                    for (let position = 0; position < count; position++) {
                        members.push({ declaration, position });
                    }
                }
            }
            entry = { message, members, firstOf, domain: undefined };
            this.channelTypes.push(entry);
        }
        return entry;
    }

    /** Whether the messages of a channel have this shape. Records are told apart by name, also while they are computed. */
    private carries({ message: type }: ChannelDeclaration, message: Shape): boolean {
        const record = type.indices.length === 0 ? recordNamedBy(type.element) : undefined;
        if (record !== undefined) {
            return message.kind === 'record' && message.declaration === record;
        }
        const own = this.shapeOf(type);
        return own !== undefined && isSameShape(own, message);
    }

    private nameOfChannel({ declaration, position }: ChannelMember): string {
        const domains = this.indicesOf(declaration).filter(domain => domain !== undefined);
        if (domains.length === 0) {
            return declaration.name;
        }
        const indices: string[] = [];
        let rest = position;
        for (const domain of [...domains].reverse()) {
            const size = domainSize(domain);
            indices.unshift(formatValue(domain, valueOfCode(domain, rest % size)));
            rest = Math.floor(rest / size);
        }
        return `${declaration.name}[${indices.join(', ')}]`;
    }

    private asDeclared(declaration: Parameter | Constant, value: ConstantValue): ConstantValue | undefined {
        if (declaration.type === undefined) {
            return value;
        }
        if (declaration.type.indices.some(index => index.open) && ast.isParameter(declaration)) {
            this.shapes.set(declaration, this.computeShape(declaration.type, value));
        }
        const shape = ast.isParameter(declaration)
            ? this.shapeOfParameter(declaration)
            : this.shapeOf(declaration.type);
        return shape && valueAs(shape, value);
    }

    private reportCycle(declaration: Parameter | Constant | TypeDeclaration | RecordDeclaration): void {
        this.problems.error(
            'name/cyclic',
            `\`${declaration.name}\` is defined in terms of itself`,
            nameRangeOf(declaration),
        );
        if (ast.isParameter(declaration) || ast.isConstant(declaration)) {
            this.values.set(declaration, undefined);
        } else {
            this.shapes.set(declaration, undefined);
        }
    }

    private atomicOf(shape: Shape | undefined, node: Type | IndexType, reason: string): Domain | undefined {
        const domain = shape && atomicDomainOf(shape);
        if (domain === undefined || isDomain(domain)) {
            return domain;
        }
        this.reportNotAtomic(domain, node, reason);
        return undefined;
    }

    private reportNotAtomic(problem: NotAtomic, node: ast.Type | IndexType | ElementType, reason: string): void {
        if (problem.problem === 'array') {
            this.problems.error('type/array-not-allowed', reason, rangeOf(node));
            return;
        }
        this.problems.error(
            'type/too-large',
            `a record of ${formatTuples(problem.count)} values is too large here; ` +
                `at most ${formatCount(TUPLE_LIMIT)} are possible`,
            rangeOf(node),
        );
    }

    /** `value` gives the lengths that the type leaves open. */
    private computeShape(type: Type, value: ConstantValue | undefined): Shape | undefined {
        const shape = this.shapeOfElement(type.element);
        const indices = type.indices.map((index, position) =>
            index.open && value !== undefined ? this.openIndexOf(index, value, position) : this.indexDomainOf(index),
        );
        if (shape === undefined || indices.some(index => index === undefined)) {
            return undefined;
        }
        const inner = shape.kind === 'array' ? shape.indices : [];
        const all = [...inner, ...indices.filter(index => index !== undefined)];
        const result: Shape =
            all.length === 0
                ? shape
                : { kind: 'array', indices: all, element: shape.kind === 'array' ? shape.element : shape };
        const cells =
            cellCount(all) * (result.kind === 'array' && cellCount(all) > 0 ? scalarCount(result.element) : 1);
        if (cells > EXPANSION_LIMIT) {
            this.problems.error(
                'type/too-large',
                `an array of ${formatCount(cells)} cells is too large; at most ${formatCount(EXPANSION_LIMIT)} are possible`,
                rangeOf(type),
            );
            return undefined;
        }
        return result;
    }

    private openIndexOf(index: IndexType, value: ConstantValue, position: number): Domain | undefined {
        const given = isArrayValue(value) ? value.indices[position] : undefined;
        if (given === undefined) {
            this.problems.error(
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

    private shapeOfElement(element: ElementType): Shape | undefined {
        if (ast.isBooleanType(element)) {
            return this.withOptional({ kind: 'scalar', domain: BOOLEAN }, element);
        }
        if (ast.isChannelType(element)) {
            return this.shapeOfChannel(element);
        }
        if (element.high === undefined) {
            return this.withOptional(this.shapeOfName(element), element);
        }
        const bounds = this.boundsOf(element);
        if (bounds === undefined) {
            return undefined;
        }
        const { low, high } = bounds;
        const domain = this.checkSize({ kind: 'range', low, high: Math.max(high, low - 1) }, element);
        return domain && this.withOptional({ kind: 'scalar', domain }, element);
    }

    private shapeOfChannel(element: ChannelType): Shape | undefined {
        const record = recordNamedBy(element.message);
        if (record !== undefined && this.inProgress.has(record)) {
            // A record that holds a channel of such records: what its fields are is known only afterwards.
            const unknown: RecordShape = { kind: 'record', declaration: record, name: record.name, fields: [] };
            return this.channelShape(() => this.shapeOfRecord(record) ?? unknown, false);
        }
        const message = this.shapeOfElement(element.message);
        return message && this.channelShape(() => message, false);
    }

    /** Which channels there are is computed when it is asked for: their own messages may be channels. */
    private channelShape(message: () => Shape, isOptional: boolean): ChannelShape {
        const domainOf = (): Domain => this.channelDomainOf(message());
        return {
            kind: 'channel',
            get message() {
                return message();
            },
            isOptional,
            get domain(): Domain {
                return isOptional ? { kind: 'optional', base: domainOf() } : domainOf();
            },
        };
    }

    /** The ends of a range as they are written, be it that the low one is above the high one; undefined for a name. */
    boundsOf({ low, high }: RangeType): { readonly low: number; readonly high: number } | undefined {
        const first = high && this.boundOf(low);
        const last = high && this.boundOf(high);
        return first === undefined || last === undefined ? undefined : { low: first, high: last };
    }

    private boundOf(bound: Expression): number | undefined {
        const value = this.evaluator.evaluate(bound);
        return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
    }

    private checkSize(domain: Domain, element: ElementType): Domain | undefined {
        const size = domainSize(domain);
        if (size <= DOMAIN_LIMIT) {
            return domain;
        }
        this.problems.error(
            'type/too-large',
            `a type of ${formatCount(size)} values is too large; at most ${formatCount(DOMAIN_LIMIT)} are possible`,
            rangeOf(element),
        );
        return undefined;
    }

    private withOptional(shape: Shape | undefined, element: RangeType | ast.BooleanType): Shape | undefined {
        if (!element.optional || shape === undefined) {
            return shape;
        }
        const isTwice = shape.kind === 'channel' ? shape.isOptional : false;
        const base = shape.kind === 'channel' ? undefined : atomicDomainOf(shape);
        if (base !== undefined && !isDomain(base)) {
            this.reportNotAtomic(base, element, 'an array cannot be optional');
            return undefined;
        }
        if (isTwice || base?.kind === 'optional') {
            this.problems.error('type/optional-twice', 'the type is optional already', rangeOf(element));
            return undefined;
        }
        if (shape.kind === 'channel' || base === undefined) {
            return shape.kind === 'channel' ? this.channelShape(() => shape.message, true) : undefined;
        }
        const domain: Domain = { kind: 'optional', base };
        return shape.kind === 'record' ? { kind: 'scalar', domain, record: shape } : { kind: 'scalar', domain };
    }

    private shapeOfName(element: RangeType): Shape | undefined {
        const name = element.low;
        if (!ast.isReference(name)) {
            this.problems.error(
                'type/not-a-type',
                'a type is expected here: a name, `bool`, or a range `low .. high`',
                rangeOf(element),
            );
            return undefined;
        }
        const target = name.target.ref;
        if (target === undefined) {
            return undefined;
        }
        if (ast.isEnumeration(target)) {
            return { kind: 'scalar', domain: this.domainOfEnumeration(target) };
        }
        if (ast.isTypeDeclaration(target)) {
            return this.shapeOfDeclaration(target);
        }
        if (ast.isRecordDeclaration(target)) {
            return this.shapeOfRecord(target);
        }
        const isNumber = ast.isParameter(target) || ast.isConstant(target);
        const hint = isNumber
            ? `; write \`0 .. ${target.name} - 1\``
            : ast.isVariable(target)
              ? ''
              : ` but ${describeNamed(target)}`;
        this.problems.error('type/not-a-type', `\`${target.name}\` is not a type${hint}`, rangeOf(element));
        return undefined;
    }

    private shapeOfDeclaration(declaration: TypeDeclaration): Shape | undefined {
        if (this.shapes.has(declaration)) {
            return this.shapes.get(declaration);
        }
        if (this.inProgress.has(declaration)) {
            this.reportCycle(declaration);
            return undefined;
        }
        this.inProgress.add(declaration);
        const shape = this.shapeOf(declaration.type);
        this.inProgress.delete(declaration);
        const named = shape && withName(shape, declaration.name);
        if (!this.shapes.has(declaration)) {
            this.shapes.set(declaration, named);
        }
        return this.shapes.get(declaration);
    }

    private computeRecord(declaration: RecordDeclaration): RecordShape | undefined {
        const fields: FieldShape[] = [];
        for (const field of declaration.fields) {
            const shape = this.shapeOf(field.type);
            if (shape !== undefined) {
                fields.push({ name: field.name, shape });
            }
        }
        if (fields.length < declaration.fields.length) {
            return undefined;
        }
        const shape: RecordShape = { kind: 'record', declaration, name: declaration.name, fields };
        const scalars = scalarCount(shape);
        if (scalars > RECORD_LIMIT) {
            this.problems.error(
                'type/too-large',
                `a record of ${formatCount(scalars)} parts is too large; at most ${formatCount(RECORD_LIMIT)} are possible`,
                nameRangeOf(declaration),
            );
            return undefined;
        }
        return declaration.where === undefined ? shape : this.filtered(shape, declaration.where);
    }

    /** A record with a `where`: the list of its values. */
    private filtered(shape: RecordShape, where: Expression): RecordShape | undefined {
        const parts = atomicFieldsOf(shape.fields);
        if (!Array.isArray(parts)) {
            this.problems.error(
                'type/too-large',
                'a record with a `where` is one value; its fields are too large for that',
                nameRangeOf(shape.declaration),
            );
            return undefined;
        }
        const domains = parts.map(part => part.domain);
        const count = cellCount(domains);
        if (count > CANDIDATE_LIMIT) {
            this.reportTooManyTuples(shape.declaration, count, CANDIDATE_LIMIT);
            return undefined;
        }
        const candidates = allTuples(domains);
        const included = this.evaluator.evaluateForAll(
            where,
            candidates.map(tuple => {
                const values = fieldValuesOf(shape.fields, tuple);
                return new Map(shape.declaration.fields.map((field, index) => [field, values[index] ?? 0]));
            }),
        );
        if (included === undefined) {
            return undefined;
        }
        const tuples = candidates.filter((_, index) => included[index] !== 0);
        if (tuples.length > TUPLE_LIMIT) {
            this.reportTooManyTuples(shape.declaration, tuples.length, TUPLE_LIMIT);
            return undefined;
        }
        return { ...shape, atomic: { kind: 'record', name: shape.name, fields: parts, tuples } };
    }

    private reportTooManyTuples(declaration: RecordDeclaration, count: number, limit: number): void {
        this.problems.error(
            'type/too-large',
            `a record with a \`where\` that has ${formatCount(count)} values is too large; ` +
                `at most ${formatCount(limit)} are possible`,
            nameRangeOf(declaration),
        );
    }
}

/** The record that a type is, be it by the name of another type; not an array of it, nor what may be `none`. */
function recordNamedBy(element: ElementType): RecordDeclaration | undefined {
    const seen = new Set<ElementType>();
    let current = element;
    while (!seen.has(current)) {
        seen.add(current);
        const name =
            ast.isRangeType(current) && current.high === undefined && !current.optional ? current.low : undefined;
        const target = ast.isReference(name) ? name.target.ref : undefined;
        if (!ast.isTypeDeclaration(target) || target.type.indices.length > 0) {
            return ast.isRecordDeclaration(target) ? target : undefined;
        }
        current = target.type.element;
    }
    return undefined;
}

/** A problem in the value that a parameter is given from outside is shown at the parameter's name. */
export function problemOfGiven(parameter: Parameter | Constant): (code: ProblemCode, message: string) => Replacement {
    const range = nameRangeOf(parameter);
    return (code, message) =>
        code === 'type/out-of-range'
            ? { code: 'parameter/out-of-range', message, range }
            : { code: 'parameter/invalid', message: `the value given to \`${parameter.name}\`: ${message}`, range };
}

function formatTuples(count: number): string {
    return Number.isFinite(count) ? formatCount(count) : 'too many';
}

/** The name of a type names the values of a scalar; arrays, records and channels keep the names that they have. */
function withName(shape: Shape, name: string): Shape {
    return shape.kind === 'scalar' ? { ...shape, domain: nameDomain(shape.domain, name) } : shape;
}

function nameDomain(domain: Domain, name: string): Domain {
    return domain.kind === 'enumeration' || domain.kind === 'record' ? domain : { ...domain, name };
}
