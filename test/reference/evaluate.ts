/**
 * The meaning of types, expressions and statements. Without a memory, an expression that reads the state throws
 * NotStatic. An operand that is never evaluated (`false && x`) is not looked at.
 */
import { apply, FaultError, FAULTS, INTEGER_FUNCTIONS, integer, type Fault } from './operators.js';
import type {
    Binder,
    ChannelDeclaration,
    Declaration,
    Expression,
    FunctionDeclaration,
    ProcedureDeclaration,
    IndexType,
    PlaceExpression,
    RecordDeclaration,
    Statement,
    Type,
    Variable,
} from './syntax.js';
import {
    arrayOf,
    assemble,
    bagValue,
    cellOfElement,
    convert,
    copiesIn,
    countDomain,
    equal,
    filled,
    firstValue,
    flatten,
    formatIndices,
    formatValue,
    isArrayValue,
    isBag,
    isRecord,
    isSequence,
    isSet,
    isSplitSequence,
    isGrowing,
    isSplit,
    isTagged,
    fieldName,
    leavesOf,
    lengthCell,
    listedIn,
    positionOf,
    positionsOf,
    present,
    presentIndices,
    recordValue,
    rowsOf,
    referencesIn,
    sequenceValue,
    setValue,
    templateOf,
    valuesOf,
    type ArrayValue,
    type Cell,
    type Dimension,
    type Domain,
    type Indices,
    type RecordDomain,
    type SequenceDomain,
    type Value,
} from './values.js';

export interface Memory {
    read(cell: Cell): Value;
    /** Without a value the cell holds none from here on. */
    write(cell: Cell, value: Value | undefined): void;
    length(channel: Channel): number;
    isAt(process: string, indices: readonly Value[], label: string): boolean;
    /** The instances of a template that live, in the order of their creation. */
    living(template: string): readonly Value[];
    /** The same where nothing depends on it but which cells there are, so that it is no read. */
    indices(template: string): readonly Value[];
    isAlive(reference: Value): boolean;
    /** A new instance, and the reference to it. */
    create(template: string, values: readonly Value[]): Value;
    /** The same for equal states only. */
    key(): string;
}

export class NotStatic extends Error {}

/** Thrown where a cell is read that holds no value: nothing that is used does. */
export class NoValue extends Error {}

export type Meaning =
    | { readonly kind: 'value'; readonly value: Value; readonly type?: Domain }
    /** Evaluated when it is first asked for, as declarations may stand in any order. */
    | { readonly kind: 'constant'; readonly value: () => Value }
    | { readonly kind: 'variable'; readonly variable: VariableInfo }
    /** A `let` between steps. */
    | { readonly kind: 'alias'; readonly meant: Closure }
    | { readonly kind: 'temporary'; readonly temporary: Temporary }
    /** A parameter of a procedure that is the place given to it. */
    | { readonly kind: 'place'; readonly place: Place }
    | { readonly kind: 'channels'; readonly indices: readonly Dimension[] }
    | {
          readonly kind: 'template';
          readonly parameters: readonly Domain[];
          /** The type of a parameter, or of a local declared at the head. */
          readonly domainOf: (name: string) => Domain;
          readonly localOf: (reference: Value, local: string) => VariableInfo;
      }
    /** A process, by whose name properties name its locals; undefined where there is no such instance. */
    | {
          readonly kind: 'process';
          readonly localOf: (indices: readonly Value[], local: string) => VariableInfo | undefined;
      }
    | { readonly kind: 'unknown' };

export type Scope = ReadonlyMap<string, Meaning>;

export interface Closure {
    readonly expression: Expression;
    readonly names: Scope;
}

export interface VariableInfo {
    /** `flag` or `P[1].seen`; the element at 2 is the cell `flag[2]`. */
    readonly name: string;
    readonly domain: Domain;
    readonly local?: string;
}

/** A parameter of a function, or a `var` in a body. */
interface Temporary {
    readonly domain: Domain;
    value: Value;
}

export interface Channel {
    /** `queue[1]`. */
    readonly name: string;
    readonly capacity: number;
    readonly message: Domain;
    /** For channels with the same text messages are of the same type. */
    readonly messageText: string;
}

interface Place {
    readonly domain: Domain;
    read(): Value;
    write(value: Value): void;
}

export interface Evaluator {
    readonly globals: Scope;
    /** By their names, in the order of their declarations; without those of instances. */
    readonly channels: ReadonlyMap<string, Channel>;
    channelNamed(name: string): Channel | undefined;
    isTemplate(type: Type): boolean;
    /** Functions see shared variables too, which are declared later. */
    addGlobal(name: string, meaning: Meaning): void;
    domainOf(type: Type, names: Scope): Domain;
    dimensionsOf(types: readonly IndexType[], names: Scope): Dimension[];
    domainOfVariable(variable: Variable, names: Scope): Domain;
    evaluate(expression: Expression, names: Scope, memory: Memory | undefined): Value;
    /** The value where it does not depend on the state, or the fault that its evaluation is. */
    staticOutcome(
        expression: Expression,
        names: Scope,
    ): { readonly value: Value } | { readonly fault: Fault } | undefined;
    staticValue(expression: Expression, names: Scope): Value;
    /** The scopes that bind the binders to all their values, in order. Instances are known with a memory only. */
    valuations(binders: readonly Binder[], names: Scope, memory?: Memory): Scope[];
    execute(statements: readonly Statement[], names: Scope, memory: Memory | undefined): { value: Value } | undefined;
    assign(target: PlaceExpression, value: Value, names: Scope, memory: Memory): void;
    /** The type of a place, of a channel with a buffer that of what is in it; undefined if the text does not say. */
    typeOf(expression: Expression, names: Scope): Domain | undefined;
    /** Whether the text says that the value is a sequence, or a channel with a buffer. */
    isListed(expression: Expression, names: Scope): boolean;
    sequenceOf(expression: Expression, names: Scope): SequenceDomain;
    /** `net[1]` of a channel that is a bag. */
    nameOfPlace(expression: Expression, names: Scope, memory: Memory): string;
    /** What a channel with a buffer holds at the start. */
    contentsAtStart(channel: string): Value;
    /** What a name with indices and fields stands for, where it can be written. */
    isPlace(expression: Expression, names: Scope): boolean;
    /** What it may begin with, or the first `most` of that. */
    initialValues(
        variable: Variable,
        domain: Domain,
        names: Scope,
        memory: Memory | undefined,
        most?: number,
    ): readonly Value[];
    isRecordName(name: string): boolean;
    constructedField(expression: Extract<Expression, { kind: 'field' }>, names: Scope): Closure | undefined;
    /** Whether a record of a type with a `where` may begin with what is known of these values. */
    mayBegin(name: string, values: readonly Expression[], names: Scope): boolean;
    functionNamed(name: string): FunctionDeclaration | undefined;
    procedureNamed(name: string): ProcedureDeclaration;
}

/** Values of the types called `symmetric` are names, `Server#1`, so no literal of the model is one of them. */
export function createEvaluator(
    declarations: readonly Declaration[],
    parameters: ReadonlyMap<string, Value>,
    symmetric: readonly string[] = [],
): Evaluator {
    const globals = new Map<string, Meaning>();
    const types = new Map<string, Type>();
    const enumerations = new Map<string, readonly string[]>();
    const functions = new Map<string, FunctionDeclaration>();
    const procedures = new Map<string, ProcedureDeclaration>();
    /** With the cases of enumerations. */
    const recordDeclarations = new Map<string, RecordDeclaration>();
    const enumerationsWithFields = new Map<string, readonly string[]>();
    /** The names of cases of such enumerations. */
    const cases = new Set<string>();
    const channelDeclarations: ChannelDeclaration[] = [];
    const channels = new Map<string, Channel>();
    const records = new Map<string, RecordDomain>();
    const namedDomains = new Map<string, Domain>();
    const templates = new Set(
        declarations.flatMap(declaration =>
            declaration.kind === 'process' && declaration.parameters !== undefined ? [declaration.name] : [],
        ),
    );
    const growingChannels = new Map<string, ChannelDeclaration>();

    function domainOf(type: Type, names: Scope): Domain {
        switch (type.kind) {
            case 'bool':
                return { kind: 'scalar', values: [false, true] };
            case 'range': {
                const low = integer(staticValue(type.low, names));
                const high = integer(staticValue(type.high, names));
                const values = Array.from({ length: Math.max(0, high - low + 1) }, (_, offset) => low + offset);
                return { kind: 'scalar', values };
            }
            case 'named': {
                const domain = namedDomains.get(type.name) ?? namedDomain(type.name);
                namedDomains.set(type.name, domain);
                return domain;
            }
            case 'optional':
                return { kind: 'optional', base: domainOf(type.base, names) };
            case 'channel': {
                const text = textOf(type.message, names);
                return {
                    kind: 'scalar',
                    values: [...channels.values()]
                        .filter(channel => channel.messageText === text)
                        .map(channel => channel.name),
                    admits: value => channelNamed(formatValue(value))?.messageText === text,
                };
            }
            case 'set':
                return { kind: 'set', member: domainOf(type.member, names) };
            case 'sequence':
            case 'bag': {
                const most = integer(staticValue(type.most, names));
                const member = domainOf(type.member, names);
                return type.kind === 'bag'
                    ? { kind: 'bag', copies: most, member }
                    : { kind: 'sequence', capacity: most, member };
            }
            case 'members':
                return membersOf(type.of, names);
            case 'array':
                return arrayOf(domainOf(type.element, names), dimensionsOf(type.indices, names));
        }
    }

    /** The type of the elements of a set, a bag or a sequence, by what is declared. */
    function membersOf(set: Expression, names: Scope): Domain {
        switch (set.kind) {
            case 'name':
            case 'field':
            case 'call': {
                const [asked] = set.kind === 'call' ? set.arguments : [];
                if (set.kind === 'call' && asked !== undefined && (set.name === 'places' || set.name === 'elements')) {
                    const sequence = typeDomain(asked, names);
                    return sequence?.kind !== 'sequence'
                        ? fail('a sequence')
                        : set.name === 'elements'
                          ? sequence.member
                          : countDomain(Math.max(0, sequence.capacity - 1));
                }
                const domain = typeDomain(set, names);
                const element = domain?.kind === 'array' ? domain.element : domain;
                return element?.kind === 'set' || element?.kind === 'bag' || element?.kind === 'sequence'
                    ? element.member
                    : fail('a set');
            }
            case 'binary':
                return membersOf(set.left, names);
            case 'each':
                return domainOf(set.binders[0]!.type, names);
            case 'set':
                return { kind: 'scalar', values: orderedChoices(set, names) };
            default:
                return fail('a set of which the elements are known');
        }
    }

    function orderedChoices(set: Expression, names: Scope): readonly Value[] {
        const choices = [...choicesOf(set, names, undefined)];
        return choices.every(choice => typeof choice === 'number')
            ? choices.map(Number).sort((first, second) => first - second)
            : choices;
    }

    function namedDomain(name: string): Domain {
        const values = enumerations.get(name);
        const named = types.get(name);
        if (values !== undefined) {
            return { kind: 'scalar', values };
        }
        const withFields = enumerationsWithFields.get(name);
        if (withFields !== undefined) {
            return { kind: 'cases', name, cases: withFields.map(each => recordNamed(each)!) };
        }
        if (templates.has(name)) {
            return { kind: 'reference', template: name };
        }
        if (named !== undefined && symmetric.includes(name)) {
            const known = valuesOf(domainOf(named, globals));
            return { kind: 'scalar', values: known.map(value => `${name}#${formatValue(value)}`) };
        }
        return named === undefined ? (recordNamed(name) ?? fail(`unknown type ${name}`)) : domainOf(named, globals);
    }

    function dimensionsOf(types: readonly IndexType[], names: Scope): Dimension[] {
        return types.map(type => {
            const domain = type.kind === 'open' ? fail('an open index') : domainOf(type, names);
            return domain.kind === 'reference' ? domain.template : valuesOf(domain);
        });
    }

    /** The same for types with the same values. Does not look into records: they are what they are called. */
    function textOf(type: Type, names: Scope): string {
        switch (type.kind) {
            case 'bool':
                return 'bool';
            case 'range':
                return `${formatValue(staticValue(type.low, names))} .. ${formatValue(staticValue(type.high, names))}`;
            case 'named': {
                const named = types.get(type.name);
                return named === undefined ? type.name : textOf(named, globals);
            }
            case 'optional':
                return `${textOf(type.base, names)}?`;
            case 'set':
                return `set of (${textOf(type.member, names)})`;
            case 'sequence':
            case 'bag': {
                const most = formatValue(staticValue(type.most, names));
                return `${type.kind} ${most} of (${textOf(type.member, names)})`;
            }
            case 'members':
                return fail('a type');
            case 'channel':
                return `channel of (${textOf(type.message, names)})`;
            case 'array':
                return `${textOf(type.element, names)}[${type.indices
                    .map(index => (index.kind === 'open' ? '*' : textOf(index, names)))
                    .join(', ')}]`;
        }
    }

    function recordNamed(name: string): RecordDomain | undefined {
        const declaration = recordDeclarations.get(name);
        if (declaration === undefined || records.has(name)) {
            return records.get(name);
        }
        const { where } = declaration;
        const domain: RecordDomain = {
            kind: 'record',
            name,
            fields: declaration.fields.map(field => ({ name: field.name, domain: domainOf(field.type, globals) })),
            ...(where && {
                holds: (values: readonly Value[]) => {
                    const names = new Map(globals);
                    declaration.fields.forEach((field, position) =>
                        names.set(field.name, { kind: 'value', value: values[position]! }),
                    );
                    return staticValue(where, names) === true;
                },
            }),
        };
        records.set(name, domain);
        return domain;
    }

    function domainOfVariable(variable: Variable, names: Scope): Domain {
        return arrayOf(domainOf(variable.type, names), dimensionsOf(variable.indices, names));
    }

    function presentDomain(domain: Domain, memory: Memory | undefined): Domain {
        return present(domain, template => looked(memory).indices(template));
    }

    /** The value of a parameter or a constant with its declared type; `[*]` takes the length of the value. */
    function declaredValue(value: Value, type: Type | undefined): Value {
        if (type === undefined) {
            return value;
        }
        if (type.kind === 'array' && type.indices.some(index => index.kind === 'open') && isArrayValue(value)) {
            const element = domainOf(type.element, globals);
            const indices = value.indices.map(index => index.map((_, position) => position));
            return { indices, items: value.items.map(item => convert(item, element)) };
        }
        return fitted(value, domainOf(type, globals));
    }

    /** One value for all cells of an array, or one of the type. */
    function fitted(value: Value, domain: Domain): Value {
        return domain.kind === 'array' && (!isArrayValue(value) || isListForEach(value, domain))
            ? filled(domain, convert(value, domain.element))
            : convert(value, domain);
    }

    /** A list may stand for each sequence of an array of them. */
    function isListForEach(value: ArrayValue, { element }: Extract<Domain, { kind: 'array' }>): boolean {
        return element.kind === 'sequence' && value.indices.length === 1 && !value.items.some(isSequence);
    }

    function evaluate(expression: Expression, names: Scope, memory: Memory | undefined): Value {
        const valueOf = (operand: Expression): Value => evaluate(operand, names, memory);
        const isStanding = (operand: Expression): boolean => {
            const { label } = expression as Extract<Expression, { kind: 'at' | 'standing' }>;
            const reference = instance(valueOf(operand));
            return looked(memory).isAlive(reference) && looked(memory).isAt(formatValue(reference), [], label);
        };
        switch (expression.kind) {
            case 'literal':
                return expression.value;
            case 'name': {
                const place = placeOf(expression, names, memory);
                return place === undefined
                    ? elementOf(named(expression.name, names, memory), expression.indices.map(valueOf), memory)
                    : place.read();
            }
            case 'field': {
                const argument = constructedField(expression, names);
                if (argument !== undefined) {
                    const value = fitted(evaluate(argument.expression, argument.names, memory), argument.domain);
                    return elementOf(value, expression.indices.map(valueOf));
                }
                const place = placeOf(expression, names, memory);
                return place === undefined
                    ? elementOf(fieldOf(valueOf(expression.record), expression.field), expression.indices.map(valueOf))
                    : place.read();
            }
            case 'unary':
                return expression.operator === '!'
                    ? valueOf(expression.operand) === false
                    : -integer(valueOf(expression.operand));
            case 'binary':
                switch (expression.operator) {
                    case '&&':
                        return valueOf(expression.left) === true && valueOf(expression.right) === true;
                    case '||':
                        return valueOf(expression.left) === true || valueOf(expression.right) === true;
                    case 'implies':
                        return valueOf(expression.left) === false || valueOf(expression.right) === true;
                    case 'union':
                    case 'minus':
                    case 'intersect':
                    case 'subset':
                        return ofSets(
                            expression.operator,
                            elements(valueOf(expression.left)),
                            elements(valueOf(expression.right)),
                        );
                    case 'is': {
                        const value = valueOf(expression.left);
                        const own = expression.right.kind === 'name' ? expression.right.name : fail('a case');
                        return isRecord(value) ? value.record === own : value === own;
                    }
                    case 'in':
                        return isElement(valueOf(expression.left), expression.right, names, memory);
                    case '==':
                        return isEqual(expression.left, expression.right, names, memory);
                    case '!=':
                        return !isEqual(expression.left, expression.right, names, memory);
                    default: {
                        const left = valueOf(expression.left);
                        return apply(expression.operator, left, valueOf(expression.right));
                    }
                }
            case 'if':
                return valueOf(expression.condition) === true
                    ? valueOf(expression.then)
                    : valueOf(expression.otherwise);
            case 'quantifier':
                return quantified(expression, names, memory);
            case 'at': {
                const indices = expression.indices.map(valueOf);
                const kind = names.get(expression.process)?.kind ?? 'process';
                if (kind !== 'process') {
                    return isStanding({ ...expression, kind: 'name', name: expression.process });
                }
                return looked(memory).isAt(expression.process, indices, expression.label);
            }
            case 'standing':
                return isStanding(expression.reference);
            case 'call':
                return elementOf(called(expression, names, memory), expression.indices.map(valueOf), memory);
            case 'array':
                return joined([expression.elements.map((_, position) => position)], expression.elements.map(valueOf));
            case 'comprehension': {
                const indices = expression.binders.map(binder => valuesBound(binder, names, memory));
                const items = valuations(expression.binders, names, memory).map(inner =>
                    evaluate(expression.body, inner, memory),
                );
                return joined(indices, items);
            }
            case 'each':
                return setValue(
                    valuations(expression.binders, names, memory).flatMap(inner =>
                        expression.where === undefined || evaluate(expression.where, inner, memory) === true
                            ? [evaluate(expression.body, inner, memory)]
                            : [],
                    ),
                );
            case 'set':
                return expression.elements.some(({ copies }) => copies !== undefined)
                    ? bagValue(
                          expression.elements.flatMap(element => {
                              const values = choicesOf({ ...expression, elements: [element] }, names, memory);
                              const count = element.copies === undefined ? 1 : integer(valueOf(element.copies));
                              return values.map(value => [value, count] as const);
                          }),
                      )
                    : setValue(choicesOf(expression, names, memory));
            case 'any':
                return fail('`any` is a part of an initial value');
        }
    }

    /** What a name for an expression stands for, as if the text had that in its place. */
    function withoutAlias(closure: Closure): Closure {
        const { expression, names } = closure;
        const meaning =
            expression.kind === 'name' && expression.indices.length === 0 ? names.get(expression.name) : undefined;
        return meaning?.kind === 'alias' ? withoutAlias(meaning.meant) : closure;
    }

    /** The field of a record that is just made is what it is made of; the other fields are not looked at. */
    function constructedField(
        expression: Extract<Expression, { kind: 'field' }>,
        names: Scope,
    ): (Closure & { readonly domain: Domain }) | undefined {
        const record = withoutAlias({ expression: expression.record, names });
        const { expression: made } = record;
        const domain = made.kind === 'call' ? recordNamed(made.name) : undefined;
        if (made.kind !== 'call' || domain === undefined || domain.holds !== undefined) {
            return undefined;
        }
        const position = fieldPosition(domain, expression.field);
        return {
            expression: made.arguments[position]!,
            names: record.names,
            domain: domain.fields[position]!.domain,
        };
    }

    /** Arrays and records are compared part by part, in order; after the first difference no part is evaluated. */
    function isEqual(left: Expression, right: Expression, names: Scope, memory: Memory | undefined): boolean {
        if (isListed(left, names) || isListed(right, names)) {
            const [one, other] = [evaluate(left, names, memory), evaluate(right, names, memory)];
            // Channels are compared as channels, but with a sequence by what is in them.
            return typeof one === 'string' && typeof other === 'string'
                ? one === other
                : areListsEqual(contentsOf(one, memory), contentsOf(other, memory));
        }
        const sides = [left, right].map(side => placeDomain(side, names, memory));
        if (sides.some(domain => domain?.kind === 'optional' && domain.base.kind === 'record' && isTagged(domain))) {
            // Whether there are records comes first, then their fields.
            const [one, other] = [isNone(left, names, memory), isNone(right, names, memory)];
            return one || other
                ? one && other
                : haveEqualParts(partsOfRecord(left, names, memory), partsOfRecord(right, names, memory));
        }
        if (isWhole(left, names, memory) || isWhole(right, names, memory)) {
            const [one, other] = [evaluate(left, names, memory), evaluate(right, names, memory)];
            return isBag(one) || isBag(other) ? bagOf(one) === bagOf(other) : equal(one, other);
        }
        return haveEqualParts(partsOf(left, names, memory), partsOf(right, names, memory));
    }

    function haveEqualParts(parts: Generator<Value>, others: Generator<Value>): boolean {
        for (const part of parts) {
            const other = others.next();
            if (other.done === true || !equal(part, other.value)) {
                return false;
            }
        }
        return true;
    }

    function areListsEqual(left: readonly Value[], right: readonly Value[]): boolean {
        return (
            left.length === right.length &&
            left.every((value, place) => {
                const other = right[place]!;
                const isList = isSequence(value) || isSequence(other);
                return isList ? areListsEqual(listedIn(value)!, listedIn(other)!) : equal(value, other);
            })
        );
    }

    function isListed(expression: Expression, names: Scope): boolean {
        return typeDomain(expression, names)?.kind === 'sequence';
    }

    /** The elements of a sequence or a list, or the messages of a channel. */
    function contentsOf(value: Value, memory: Memory | undefined): readonly Value[] {
        const channel = typeof value === 'string' ? channelNamed(value) : undefined;
        if (channel !== undefined) {
            const contents = assemble(contentsDomain(channel), channel.name, cell => looked(memory).read(cell));
            return listedIn(contents)!;
        }
        return listedIn(value) ?? fail('a sequence');
    }

    function contentsDomain({ capacity, message }: Channel): SequenceDomain {
        return { kind: 'sequence', capacity, member: message };
    }

    function placeDomain(expression: Expression, names: Scope, memory: Memory | undefined): Domain | undefined {
        const isName = expression.kind === 'name' || expression.kind === 'field';
        return isName ? placeOf(expression, names, memory)?.domain : undefined;
    }

    /** What a value is made of is looked at only where there is one. */
    function isNone(expression: Expression, names: Scope, memory: Memory | undefined): boolean {
        return expression.kind === 'call' && recordNamed(expression.name) !== undefined
            ? false
            : evaluate(expression, names, memory) === null;
    }

    function* partsOfRecord(expression: Expression, names: Scope, memory: Memory | undefined): Generator<Value> {
        if (expression.kind === 'call' && recordNamed(expression.name) !== undefined) {
            yield* partsOf(expression, names, memory);
        } else {
            yield* partsOfValue(evaluate(expression, names, memory));
        }
    }

    /** A set, and a record that may be `none`, is one part. */
    function* partsOfCells(domain: Domain, cell: string, memory: Memory | undefined): Generator<Value> {
        if (domain.kind === 'array') {
            for (const position of positionsOf(domain.indices)) {
                yield* partsOfCells(domain.element, cell + formatIndices(position), memory);
            }
        } else if (domain.kind === 'record' && domain.holds === undefined) {
            for (const field of domain.fields) {
                yield* partsOfCells(field.domain, `${cell}.${field.name}`, memory);
            }
        } else {
            yield assemble(domain, cell, leaf => looked(memory).read(leaf));
        }
    }

    /** Whether a set is named, or a cell that holds a record or `none`: it has no parts. */
    function isWhole(expression: Expression, names: Scope, memory: Memory | undefined): boolean {
        const place =
            expression.kind === 'name' || expression.kind === 'field' ? placeOf(expression, names, memory) : undefined;
        const domain = place?.domain;
        const base = domain?.kind === 'optional' ? domain.base : domain;
        const isCase = expression.kind === 'call' && cases.has(expression.name);
        return (
            isCase ||
            base?.kind === 'set' ||
            base?.kind === 'bag' ||
            base?.kind === 'cases' ||
            (base !== domain && base?.kind === 'record')
        );
    }

    /** What is compared one after the other: the items of an array, the fields of a record, else the value itself. */
    function* partsOf(expression: Expression, names: Scope, memory: Memory | undefined): Generator<Value> {
        switch (expression.kind) {
            case 'array':
                for (const element of expression.elements) {
                    yield* partsOf(element, names, memory);
                }
                break;
            case 'comprehension':
                for (const inner of valuations(expression.binders, names, memory)) {
                    yield* partsOf(expression.body, inner, memory);
                }
                break;
            case 'if': {
                const chosen = evaluate(expression.condition, names, memory) === true;
                yield* partsOf(chosen ? expression.then : expression.otherwise, names, memory);
                break;
            }
            case 'name':
            case 'field': {
                const place = placeOf(expression, names, memory);
                if (place?.domain.kind === 'set') {
                    yield place.read();
                    break;
                }
                if (place !== undefined && isCellPlace(place)) {
                    yield* partsOfCells(place.domain, place.name, memory);
                    break;
                }
                const meant = withoutAlias({ expression, names });
                if (meant.expression === expression) {
                    yield* partsOfValue(evaluate(expression, names, memory));
                } else {
                    yield* partsOf(meant.expression, meant.names, memory);
                }
                break;
            }
            case 'call': {
                const record = recordNamed(expression.name);
                if (record !== undefined && record.holds === undefined) {
                    for (const [position, argument] of expression.arguments.entries()) {
                        const { domain } = record.fields[position]!;
                        for (const part of partsOf(argument, names, memory)) {
                            yield isSplit(domain) ? part : convert(part, domain);
                        }
                    }
                } else {
                    yield* partsOfValue(evaluate(expression, names, memory));
                }
                break;
            }
            default:
                yield* partsOfValue(evaluate(expression, names, memory));
        }
    }

    function partsOfValue(value: Value): Value[] {
        if (isArrayValue(value)) {
            return value.items.flatMap(partsOfValue);
        }
        return isRecord(value) && !cases.has(value.record) && recordNamed(value.record)!.holds === undefined
            ? value.fields.flatMap(partsOfValue)
            : [value];
    }

    function looked(memory: Memory | undefined): Memory {
        if (memory === undefined) {
            throw new NotStatic();
        }
        return memory;
    }

    function named(name: string, names: Scope, memory: Memory | undefined): Value {
        const meaning = names.get(name) ?? fail(`unknown name ${name}`);
        switch (meaning.kind) {
            case 'value':
                return meaning.value;
            case 'constant':
                return meaning.value();
            case 'alias':
                return evaluate(meaning.meant.expression, meaning.meant.names, memory);
            case 'channels': {
                const indices = presentIndices(meaning.indices, template => looked(memory).indices(template));
                return { indices, items: positionsOf(indices).map(position => name + formatIndices(position)) };
            }
            case 'unknown':
                throw new NotStatic();
            default:
                return fail(`${name} is a place`);
        }
    }

    function bagOf(value: Value): Value {
        return isSet(value) ? bagValue(value.elements.map(each => [each, 1])) : value;
    }

    function elementOf(value: Value, indices: readonly Value[], memory?: Memory): Value {
        const dimensions = isArrayValue(value) ? value.indices.length : 0;
        if (indices.length > dimensions) {
            // A place of a sequence or of a channel, or the count of a bag, and then what is in there.
            const whole = elementOf(value, indices.slice(0, dimensions), memory);
            const [at, ...others] = indices.slice(dimensions);
            const found = isBag(whole)
                ? copiesIn(whole, at!)
                : (contentsOf(whole, memory)[Number(at)] ?? raise('index'));
            return elementOf(found, others, memory);
        }
        if (isArrayValue(value) && (indices.length > 0 || value.indices.length === 0)) {
            const rest = value.indices.slice(indices.length);
            const position = positionOf(value.indices.slice(0, indices.length), indices);
            const size = positionsOf(rest).length;
            return rest.length === 0
                ? value.items[position]!
                : { indices: rest, items: value.items.slice(position * size, (position + 1) * size) };
        }
        return indices.length === 0 ? value : fail('what has an index is an array');
    }

    function fieldOf(value: Value, field: string): Value {
        if (value === null) {
            throw new FaultError('case');
        }
        if (!isRecord(value)) {
            return fail('what has a field is a record');
        }
        const { fields } = recordNamed(value.record)!;
        const position = fields.findIndex(({ name }) => name === field);
        return position < 0 ? absentField() : value.fields[position]!;
    }

    function absentField(): never {
        throw new FaultError('case');
    }

    function isElement(value: Value, set: Expression, names: Scope, memory: Memory | undefined): boolean {
        if (set.kind === 'set') {
            return set.elements.some(({ low, high }) => {
                const first = evaluate(low, names, memory);
                return high === undefined
                    ? equal(value, first)
                    : integer(first) <= integer(value) && integer(value) <= integer(evaluate(high, names, memory));
            });
        }
        if (set.kind !== 'name' || !isTypeName(set.name)) {
            return elements(evaluate(set, names, memory), memory).some(element => equal(element, value));
        }
        if (templates.has(set.name)) {
            return value !== null && looked(memory).isAlive(value);
        }
        try {
            convert(value, domainOf({ kind: 'named', name: set.name }, names));
            return true;
        } catch (error) {
            if (error instanceof FaultError) {
                return false;
            }
            throw error;
        }
    }

    function isTypeName(name: string): boolean {
        return (
            types.has(name) ||
            enumerations.has(name) ||
            enumerationsWithFields.has(name) ||
            recordDeclarations.has(name) ||
            templates.has(name)
        );
    }

    /** The different elements of a set or a bag, or all of a sequence. */
    function elements(value: Value, memory?: Memory): readonly Value[] {
        return isSet(value)
            ? value.elements
            : isBag(value)
              ? value.counts.flatMap(([each, count]) => (count > 0 ? [each] : []))
              : contentsOf(value, memory);
    }

    function ofSets(operator: string, left: readonly Value[], right: readonly Value[]): Value {
        switch (operator) {
            case 'union':
                return setValue([...left, ...right]);
            case 'minus':
                return setValue(left.filter(value => !right.includes(value)));
            case 'intersect':
                return setValue(left.filter(value => right.includes(value)));
            default:
                return left.every(value => right.includes(value));
        }
    }

    function quantified(
        expression: Extract<Expression, { kind: 'quantifier' }>,
        names: Scope,
        memory: Memory | undefined,
    ): Value {
        const values: Value[] = [];
        const faults: Fault[] = [];
        const decides = {
            forall: false,
            exists: true,
            count: undefined,
            sum: undefined,
            min: undefined,
            max: undefined,
            the: undefined,
        };
        // Instances have no order, and neither have numbers that are counted or added.
        const isOrdered =
            decides[expression.quantifier] !== undefined &&
            !expression.binders.some(({ type }) => domainOf(type, names).kind === 'reference');
        for (const inner of valuations(expression.binders, names, memory)) {
            try {
                if (expression.where === undefined || evaluate(expression.where, inner, memory) === true) {
                    values.push(evaluate(expression.body, inner, memory));
                }
            } catch (error) {
                if (isOrdered || !(error instanceof FaultError)) {
                    throw error;
                }
                faults.push(error.fault);
            }
            if (isOrdered && values.at(-1) === decides[expression.quantifier]) {
                break;
            }
        }
        if (faults.length > 0) {
            throw new FaultError(FAULTS.find(fault => faults.includes(fault))!);
        }
        switch (expression.quantifier) {
            case 'forall':
                return !values.includes(false);
            case 'exists':
                return values.includes(true);
            case 'count':
                return values.filter(value => value === true).length;
            case 'sum':
                return values.reduce((sum, value) => apply('+', sum, value), 0);
            case 'min':
            case 'max':
                if (values.length === 0) {
                    throw new FaultError('undefined');
                }
                return INTEGER_FUNCTIONS[expression.quantifier]!(...values.map(integer));
            case 'the': {
                const [first, ...others] = values;
                if (first === undefined || others.some(other => !equal(first, other))) {
                    throw new FaultError('undefined');
                }
                return first;
            }
        }
    }

    function valuesBound({ type }: Binder, names: Scope, memory: Memory | undefined): readonly Value[] {
        if (type.kind === 'members' && isListed(type.of, names)) {
            return contentsOf(evaluate(type.of, names, memory), memory);
        }
        const domain = domainOf(type, names);
        return domain.kind === 'reference' ? looked(memory).living(domain.template) : valuesOf(domain);
    }

    function valuations(binders: readonly Binder[], names: Scope, memory?: Memory): Scope[] {
        return binders.reduce<Scope[]>(
            (scopes, binder) =>
                scopes.flatMap(outer =>
                    valuesBound(binder, outer, memory).map(value =>
                        new Map(outer).set(binder.name, { kind: 'value', value }),
                    ),
                ),
            [names],
        );
    }

    function called(
        expression: Extract<Expression, { kind: 'call' }>,
        names: Scope,
        memory: Memory | undefined,
    ): Value {
        const { name, arguments: given } = expression;
        const integers = INTEGER_FUNCTIONS[name];
        if (name === 'alive') {
            return looked(memory).isAlive(instance(evaluate(given[0]!, names, memory)));
        }
        const [asked] = given;
        if (name === 'first' && !functions.has(name) && asked?.kind === 'name') {
            return firstValue(domainOf({ kind: 'named', name: asked.name }, globals));
        }
        if (SEQUENCE_FUNCTIONS.includes(name) && !functions.has(name)) {
            return ofSequence(
                name,
                given.map(argument => evaluate(argument, names, memory)),
                memory,
            );
        }
        if (['len', 'full', 'empty'].includes(name)) {
            const [argument] = given;
            const place = placeOf(argument!, names, memory);
            if (place?.domain.kind === 'array') {
                return place.domain.indices[0]!.length;
            }
            const value = place === undefined ? evaluate(argument!, names, memory) : place.read();
            if (isBag(value)) {
                const total = value.counts.reduce((sum, [, count]) => sum + count, 0);
                return name === 'len' ? total : value.counts.every(([, count]) => count <= 0);
            }
            if (isSequence(value) || (isListed(argument!, names) && typeof value !== 'string')) {
                const domain = typeDomain(argument!, names);
                const { length } = contentsOf(value, memory);
                const most = domain?.kind === 'sequence' ? domain.capacity : Infinity;
                return name === 'len' ? length : length === (name === 'full' ? most : 0);
            }
            if (isSet(value)) {
                return name === 'len' ? value.elements.length : value.elements.length === 0;
            }
            if (isArrayValue(value)) {
                return value.indices.length === 0 ? lengthOf(name, value.items[0]!, memory) : value.indices[0]!.length;
            }
            return lengthOf(name, value, memory);
        }
        const valueOf = (argument: Expression): Value => evaluate(argument, names, memory);
        if (integers !== undefined) {
            return integers(...given.map(valueOf).map(integer));
        }
        const record = recordNamed(name);
        if (record !== undefined) {
            // Field by field: where no record begins like that, the others are not looked at.
            const values: Value[] = [];
            given.forEach((argument, position) => {
                values.push(convert(valueOf(argument), record.fields[position]!.domain));
                if (!hasRecord(record, values)) {
                    throw new FaultError('range');
                }
            });
            return recordValue(name, values);
        }
        const declaration = functions.get(name) ?? fail(`unknown function ${name}`);
        const inner = new Map(globals);
        declaration.parameters.forEach((parameter, position) => {
            const domain = domainOf(parameter.type, globals);
            try {
                const value = fitted(valueOf(given[position]!), domain);
                inner.set(parameter.name, { kind: 'temporary', temporary: { domain, value } });
            } catch (error) {
                // What the function does not use need not have a value, or one that is known.
                if (!(error instanceof NoValue || error instanceof NotStatic)) {
                    throw error;
                }
                inner.set(parameter.name, { kind: 'unknown' });
            }
        });
        const result = execute(declaration.body, inner, memory) ?? fail(`${name} returns nothing`);
        return fitted(result.value, domainOf(declaration.result, globals));
    }

    function ofSequence(name: string, [value, ...others]: readonly Value[], memory: Memory | undefined): Value {
        const places = contentsOf(value!, memory);
        const [first, second] = others;
        switch (name) {
            case 'head':
                return places[0] ?? raise('undefined');
            case 'last':
                return places.at(-1) ?? raise('undefined');
            case 'tail':
                return places.length === 0 ? raise('undefined') : sequenceValue(places.slice(1));
            case 'places':
                return setValue(places.map((_, place) => place));
            case 'elements':
                return setValue(places);
            case 'append':
                return sequenceValue([...places, first!]);
            case 'concat':
                return sequenceValue([...places, ...contentsOf(first!, memory)]);
            case 'without': {
                const left = integer(first!);
                return left < 0 || left >= places.length
                    ? raise('index')
                    : sequenceValue(places.filter((_, place) => place !== left));
            }
            default: {
                const [from, to] = [integer(first!), integer(second!)];
                return from < 0 || from > to || to > places.length
                    ? raise('index')
                    : sequenceValue(places.slice(from, to));
            }
        }
    }

    /** Whether some record of the type has these values in its first fields. */
    function hasRecord(record: RecordDomain, values: readonly Value[]): boolean {
        return (
            record.holds === undefined ||
            valuesOf(record).some(
                other => isRecord(other) && values.every((value, position) => equal(other.fields[position]!, value)),
            )
        );
    }

    function lengthOf(name: string, value: Value, memory: Memory | undefined): Value {
        const channel = channelNamed(formatValue(value)) ?? fail('a channel');
        if (!referencesIn(channel.name).every(owner => looked(memory).isAlive(owner))) {
            throw new FaultError('index');
        }
        if (channel.capacity === 0) {
            throw new FaultError('undefined');
        }
        const length = looked(memory).length(channel);
        return name === 'len' ? length : name === 'full' ? length === channel.capacity : length === 0;
    }

    function joined(indices: Indices, items: readonly Value[]): Value {
        const [first] = items;
        if (items.some(isSequence) || new Set(items.map(item => listedIn(item)?.length)).size > 1) {
            // Lists of different lengths are sequences.
            return { indices, items: items.map(item => sequenceValue(listedIn(item) ?? fail('a sequence'))) };
        }
        return first !== undefined && isArrayValue(first)
            ? {
                  indices: [...indices, ...first.indices],
                  items: items.flatMap(item => (isArrayValue(item) ? item.items : fail('an array'))),
              }
            : { indices, items };
    }

    function placeOf(expression: Expression, names: Scope, memory: Memory | undefined): Place | undefined {
        if (expression.kind === 'name') {
            const meaning = names.get(expression.name) ?? fail(`unknown name ${expression.name}`);
            let place: Place | undefined;
            if (meaning.kind === 'variable') {
                place = cellPlace(meaning.variable.name, presentDomain(meaning.variable.domain, memory), memory);
            } else if (meaning.kind === 'temporary') {
                place = temporaryPlace(meaning.temporary);
            } else if (meaning.kind === 'place') {
                place = meaning.place;
            } else if (meaning.kind === 'alias') {
                place = placeOf(meaning.meant.expression, meaning.meant.names, memory);
            }
            return place && elementPlace(place, expression.indices, names, memory);
        }
        if (expression.kind === 'field') {
            const local = localPlace(expression, names, memory) ?? instancePlace(expression, names, memory);
            if (local !== undefined) {
                return elementPlace(local, expression.indices, names, memory);
            }
            const record = placeOf(expression.record, names, memory);
            return (
                record && elementPlace(fieldPlace(record, expression.field, memory), expression.indices, names, memory)
            );
        }
        return undefined;
    }

    /** `P[i].k` in a property. */
    function localPlace(
        { record, field }: Extract<Expression, { kind: 'field' }>,
        names: Scope,
        memory: Memory | undefined,
    ): Place | undefined {
        const meaning = record.kind === 'name' ? names.get(record.name) : undefined;
        if (record.kind !== 'name' || meaning?.kind !== 'process') {
            return undefined;
        }
        const indices = record.indices.map(index => evaluate(index, names, memory));
        const variable = meaning.localOf(indices, field);
        if (variable === undefined) {
            throw new FaultError('index');
        }
        return cellPlace(variable.name, variable.domain, memory);
    }

    /** `w.x` of an instance that lives. Undefined where `w` is no reference. */
    function instancePlace(
        { record, field }: Extract<Expression, { kind: 'field' }>,
        names: Scope,
        memory: Memory | undefined,
    ): Place | undefined {
        if (templates.size === 0 || !isReference(record, names)) {
            return undefined;
        }
        const reference = instance(evaluate(record, names, memory));
        if (!looked(memory).isAlive(reference)) {
            throw new FaultError('index');
        }
        const template = globals.get(templateOf(reference)!);
        const variable = template?.kind === 'template' ? template.localOf(reference, field) : fail('a template');
        return cellPlace(variable.name, presentDomain(variable.domain, memory), memory);
    }

    /** Whether the text of an expression says that its value is a reference, or none. */
    function isReference(expression: Expression, names: Scope): boolean {
        const domain = typeDomain(expression, names);
        return (domain?.kind === 'optional' ? domain.base : domain)?.kind === 'reference';
    }

    /** The type of what is a place, a bound instance, or what a function returns; undefined for other expressions. */
    function typeDomain(expression: Expression, names: Scope): Domain | undefined {
        const element = (domain: Domain | undefined, indices: readonly Expression[]): Domain | undefined => {
            if (indices.length === 0 || domain === undefined) {
                return domain;
            }
            switch (domain.kind) {
                case 'array':
                    return element(domain.element, indices.slice(domain.indices.length));
                case 'growing':
                    return element(domain.element, indices.slice(domain.dimensions.length));
                case 'sequence':
                    return element(domain.member, indices.slice(1));
                case 'bag':
                    return countDomain(domain.copies);
                default:
                    return domain;
            }
        };
        switch (expression.kind) {
            case 'name': {
                const meaning = names.get(expression.name);
                switch (meaning?.kind) {
                    case 'value':
                        return meaning.type ?? typeOfValue(meaning.value);
                    case 'variable':
                        return element(meaning.variable.domain, expression.indices);
                    case 'temporary':
                        return element(meaning.temporary.domain, expression.indices);
                    case 'place':
                        return element(meaning.place.domain, expression.indices);
                    case 'alias':
                        return element(typeDomain(meaning.meant.expression, meaning.meant.names), expression.indices);
                    case 'channels': {
                        const own = channelDeclarations.find(({ name }) => name === expression.name)!;
                        const capacity = integer(staticValue(own.capacity, globals));
                        const isOne = expression.indices.length >= own.indices.length;
                        const contents = {
                            kind: 'sequence',
                            capacity,
                            member: domainOf(own.message, globals),
                        } as const;
                        return isOne && capacity > 0
                            ? element(contents, expression.indices.slice(own.indices.length))
                            : undefined;
                    }
                    default:
                        return undefined;
                }
            }
            case 'field': {
                const record = typeDomain(expression.record, names);
                const base = record?.kind === 'optional' ? record.base : record;
                if (base?.kind === 'record') {
                    return element(
                        base.fields.find(({ name }) => name === expression.field)?.domain,
                        expression.indices,
                    );
                }
                if (base?.kind === 'cases') {
                    const fields = base.cases.flatMap(each => each.fields);
                    return element(fields.find(({ name }) => name === expression.field)?.domain, expression.indices);
                }
                const template = base?.kind === 'reference' ? globals.get(base.template) : undefined;
                return template?.kind === 'template'
                    ? element(template.domainOf(expression.field), expression.indices)
                    : undefined;
            }
            case 'call': {
                const declaration = functions.get(expression.name);
                const [first, second] = expression.arguments.map(argument => typeDomain(argument, names));
                if (declaration === undefined && SEQUENCE_FUNCTIONS.includes(expression.name)) {
                    // A list has the type of what it stands beside.
                    const blank: Domain = { kind: 'sequence', capacity: 0, member: { kind: 'scalar', values: [] } };
                    const whole = first?.kind === 'sequence' ? first : second?.kind === 'sequence' ? second : blank;
                    switch (expression.name) {
                        case 'head':
                        case 'last':
                            return element(whole.member, expression.indices);
                        case 'places':
                        case 'elements':
                            return undefined;
                        default:
                            return element(whole, expression.indices);
                    }
                }
                return declaration && element(domainOf(declaration.result, globals), expression.indices);
            }
            case 'if':
                return typeDomain(expression.then, names) ?? typeDomain(expression.otherwise, names);
            default:
                return undefined;
        }
    }

    function typeOfValue(value: Value): Domain | undefined {
        const template = templateOf(value);
        return template === undefined
            ? isRecord(value)
                ? recordNamed(value.record)
                : undefined
            : { kind: 'reference', template };
    }

    interface CellPlace extends Place {
        readonly name: string;
    }

    function cellPlace(name: string, domain: Domain, memory: Memory | undefined): CellPlace {
        return {
            name,
            domain,
            read: () => assemble(domain, name, cell => looked(memory).read(cell)),
            write(value) {
                const cells = leavesOf(domain, name);
                flatten(domain, convert(value, domain)).forEach((item, position) =>
                    looked(memory).write(cells[position]!.cell, item),
                );
            },
        };
    }

    function temporaryPlace(temporary: Temporary): Place {
        return {
            domain: temporary.domain,
            read: () => temporary.value,
            write: value => void (temporary.value = convert(value, temporary.domain)),
        };
    }

    function elementPlace(
        place: Place,
        indices: readonly Expression[],
        names: Scope,
        memory: Memory | undefined,
    ): Place {
        if (indices.length === 0) {
            return place;
        }
        const { domain } = place;
        if (domain.kind === 'sequence' || domain.kind === 'bag') {
            const [index, ...others] = indices;
            const at = evaluate(index!, names, memory);
            const inner = domain.kind === 'bag' ? countPlace(place, at, memory) : placeBelow(place, at, memory);
            return elementPlace(inner, others, names, memory);
        }
        if (domain.kind !== 'array') {
            return fail('what has an index is an array');
        }
        if (indices.length > domain.indices.length) {
            const outer = elementPlace(place, indices.slice(0, domain.indices.length), names, memory);
            return elementPlace(outer, indices.slice(domain.indices.length), names, memory);
        }
        const at = indices.map(index => evaluate(index, names, memory));
        const rest = domain.indices.slice(at.length);
        if (rest.length > 0) {
            // Its indices are looked at once, also where the row is empty.
            positionOf(domain.indices.slice(0, at.length), at);
            const row: Domain = { kind: 'array', indices: rest, element: domain.element };
            const cells = positionsOf(rest).map(inner => placeAt(place, domain, [...at, ...inner], memory));
            return {
                domain: row,
                read: () => ({ indices: rest, items: cells.map(cell => cell.read()) }),
                write: value => {
                    const whole = convert(value, row);
                    (isArrayValue(whole) ? whole.items : []).forEach((item, cell) => cells[cell]!.write(item));
                },
            };
        }
        return placeAt(place, domain, at, memory);
    }

    /** The place of a sequence that is in use. */
    function placeBelow(place: Place, at: Value, memory: Memory | undefined): Place {
        const { domain } = place;
        const member = domain.kind === 'sequence' ? domain.member : fail('a sequence');
        const index = integer(at);
        const length =
            isCellPlace(place) && isSplitSequence(domain)
                ? Number(looked(memory).read(lengthCell(place.name)))
                : contentsOf(place.read(), memory).length;
        if (index < 0 || index >= length) {
            throw new FaultError('index');
        }
        return isCellPlace(place) && isSplitSequence(domain)
            ? cellPlace(place.name + formatIndices([index]), member, memory)
            : {
                  domain: member,
                  read: () => contentsOf(place.read(), memory)[index]!,
                  write: value =>
                      place.write(
                          sequenceValue(replaced(contentsOf(place.read(), memory), index, convert(value, member))),
                      ),
              };
    }

    /** The count of a value that the type of the bag has. */
    function countPlace(place: Place, at: Value, memory: Memory | undefined): Place {
        const { domain } = place;
        if (domain.kind !== 'bag') {
            return fail('a bag');
        }
        const counts = countDomain(domain.copies);
        if (!valuesOf(domain.member).some(value => equal(value, at))) {
            throw new FaultError('index');
        }
        if (isCellPlace(place)) {
            return cellPlace(place.name + formatIndices([at]), counts, memory);
        }
        const bag = (): Extract<Value, { counts: unknown }> => {
            const value = place.read();
            return isBag(value) ? value : fail('a bag');
        };
        return {
            domain: counts,
            read: () => copiesIn(bag(), at),
            write(value) {
                const others = bag().counts.filter(([each]) => !equal(each, at));
                place.write(bagValue([...others, [at, Number(convert(value, counts))]]));
            },
        };
    }

    /** What an assignment writes: a place, or what is in a channel. */
    function targetOf(target: PlaceExpression, names: Scope, memory: Memory | undefined): Place {
        const meaning = target.kind === 'name' ? names.get(target.name) : undefined;
        let root: PlaceExpression = target;
        const fields: Extract<PlaceExpression, { kind: 'field' }>[] = [];
        while (root.kind === 'field' && (root.record.kind === 'name' || root.record.kind === 'field')) {
            fields.unshift(root);
            root = root.record;
        }
        const channel = root.kind === 'name' ? names.get(root.name) : undefined;
        if (channel?.kind !== 'channels' || root.kind !== 'name') {
            return placeOf(target, names, memory) ?? fail(`what is assigned is a place, not ${meaning?.kind ?? ''}`);
        }
        const own = root.indices.slice(0, channel.indices.length);
        const named = formatValue(evaluate({ ...root, indices: own }, names, memory));
        const whole = cellPlace(named, contentsDomain(channelNamed(named) ?? fail('a channel')), memory);
        return fields.reduce(
            (place, { field, indices }) => elementPlace(fieldPlace(place, field, memory), indices, names, memory),
            elementPlace(whole, root.indices.slice(channel.indices.length), names, memory),
        );
    }

    function placeAt(
        place: Place,
        domain: Extract<Domain, { kind: 'array' }>,
        at: readonly Value[],
        memory: Memory | undefined,
    ): Place {
        const position = positionOf(domain.indices, at);
        if (isCellPlace(place)) {
            // A cell of an instance that another body of the step ends is one of both.
            at.flatMap(index => referencesIn(formatValue(index))).forEach(owner => looked(memory).isAlive(owner));
            return cellPlace(place.name + formatIndices(at), domain.element, memory);
        }
        return {
            domain: domain.element,
            read() {
                const whole = place.read();
                return isArrayValue(whole) ? whole.items[position]! : fail('an array');
            },
            write(value) {
                const whole = place.read();
                if (isArrayValue(whole)) {
                    place.write({ ...whole, items: replaced(whole.items, position, value) });
                }
            },
        };
    }

    function fieldPlace(place: Place, field: string, memory: Memory | undefined): Place {
        const base = place.domain.kind === 'optional' ? place.domain.base : place.domain;
        const isCell = isCellPlace(place);
        // In one cell, or of a value that no place holds, the case is known only with the value.
        const name = isCell && isTagged(place.domain) ? looked(memory).read(place.name) : nameOf(place);
        const record = base.kind === 'cases' ? base.cases.find(each => each.name === name) : base;
        if (name === null) {
            throw new FaultError('case');
        }
        if (record?.kind !== 'record') {
            return fail('what has a field is a record');
        }
        const position = record.fields.findIndex(each => each.name === field);
        if (position < 0) {
            throw new FaultError('case');
        }
        const { domain } = record.fields[position]!;
        if (isCell && isSplit(place.domain)) {
            return cellPlace(place.name + fieldName(place.domain, record, field), domain, memory);
        }
        return {
            domain,
            read: () => fieldOf(place.read(), field),
            write(value) {
                // The record is made anew, field by field: where none begins with this value, the others are not read.
                if (place.domain === record && position === 0 && !hasRecord(record, [convert(value, domain)])) {
                    throw new FaultError('range');
                }
                const whole = place.read();
                if (!isRecord(whole)) {
                    throw new FaultError('case');
                }
                place.write(recordValue(record.name, replaced(whole.fields, position, value)));
            },
        };
    }

    /** The case of a value; undefined for a record, which needs no look at the value. */
    function nameOf(place: Place): Value | undefined {
        const base = place.domain.kind === 'optional' ? place.domain.base : place.domain;
        const value = base.kind === 'cases' ? place.read() : undefined;
        return value !== undefined && isRecord(value) ? value.record : value;
    }

    function isPlace(expression: Expression, names: Scope): boolean {
        switch (expression.kind) {
            case 'name': {
                const kind = names.get(expression.name)?.kind;
                return kind === 'variable' || kind === 'temporary';
            }
            case 'field':
                return isPlace(expression.record, names);
            default:
                return false;
        }
    }

    function assign(target: PlaceExpression, value: Value, names: Scope, memory: Memory): void {
        const place = targetOf(target, names, memory);
        place.write(fitted(value, place.domain));
    }

    /** Only what is about the element is written; what the type does not have is not taken out. */
    function change(
        { target, operator, element }: Extract<Statement, { kind: 'change' }>,
        names: Scope,
        memory: Memory | undefined,
    ): void {
        const place = placeOf(target, names, memory) ?? fail('what is assigned is a place');
        const { domain } = place;
        const value = evaluate(element, names, memory);
        if (domain.kind !== 'set') {
            return fail('a set');
        }
        if (isCellPlace(place)) {
            const isKnown = valuesOf(domain.member).some(each => equal(each, value));
            if (operator === 'union' || isKnown) {
                const cell = cellOfElement(convert(value, domain.member), place.name);
                looked(memory).write(cell, operator === 'union');
            }
            return;
        }
        place.write(convert(ofSets(operator, elements(place.read()), [value]), domain));
    }

    function execute(
        statements: readonly Statement[],
        outer: Scope,
        memory: Memory | undefined,
    ): { value: Value } | undefined {
        const names = new Map(outer);
        for (const statement of statements) {
            const returned = run(statement, names, memory);
            if (returned !== undefined) {
                return returned;
            }
        }
        return undefined;
    }

    /** `names` gets what the statement declares. */
    function run(
        statement: Statement,
        names: Map<string, Meaning>,
        memory: Memory | undefined,
    ): { value: Value } | undefined {
        switch (statement.kind) {
            case 'skip':
                return undefined;
            case 'assign': {
                const value = evaluate(statement.value, names, memory);
                const place = targetOf(statement.target, names, memory);
                place.write(fitted(value, place.domain));
                return undefined;
            }
            case 'change':
                change(statement, names, memory);
                return undefined;
            case 'assert':
                if (evaluate(statement.condition, names, memory) !== true) {
                    throw new FaultError('assert');
                }
                return undefined;
            case 'let': {
                const type = typeDomain(statement.value, names);
                const value = evaluate(statement.value, names, memory);
                names.set(statement.name, { kind: 'value', value, ...(type && { type }) });
                return undefined;
            }
            case 'var': {
                const domain = domainOfVariable(statement.variable, names);
                const [value] = initialValues(statement.variable, domain, names, memory);
                names.set(statement.variable.name, { kind: 'temporary', temporary: { domain, value: value! } });
                return undefined;
            }
            case 'return':
                return { value: evaluate(statement.value, names, memory) };
            case 'run': {
                const { parameters, body } = procedures.get(statement.procedure) ?? fail('a procedure');
                const inner = new Map(globals);
                parameters.forEach(({ name, type, isPlace }, position) => {
                    const argument = statement.arguments[position]!;
                    const domain = domainOf(type, globals);
                    inner.set(
                        name,
                        isPlace
                            ? { kind: 'place', place: placeOf(argument, names, memory) ?? fail('a place') }
                            : { kind: 'value', value: fitted(evaluate(argument, names, memory), domain), type: domain },
                    );
                });
                execute(body, inner, memory);
                return undefined;
            }
            case 'spawn': {
                const template = globals.get(statement.template);
                const domains = template?.kind === 'template' ? template.parameters : fail('a template');
                const values = statement.arguments.map((argument, position) =>
                    fitted(evaluate(argument, names, memory), domains[position]!),
                );
                const reference = looked(memory).create(statement.template, values);
                if (statement.target !== undefined) {
                    assign(statement.target, reference, names, looked(memory));
                }
                return undefined;
            }
            case 'if':
                return evaluate(statement.condition, names, memory) === true
                    ? execute(statement.then, names, memory)
                    : execute(statement.otherwise, names, memory);
            case 'for': {
                const over = statement.over && elements(evaluate(statement.over, names, memory), memory);
                const rounds =
                    over !== undefined && isListed(statement.over!, names)
                        ? over.map(value => new Map(names).set(statement.binder.name, { kind: 'value', value }))
                        : valuations([statement.binder], names);
                for (const inner of rounds) {
                    const bound = inner.get(statement.binder.name);
                    if (over !== undefined && bound?.kind === 'value' && !over.includes(bound.value)) {
                        continue;
                    }
                    if (statement.where !== undefined && evaluate(statement.where, inner, memory) !== true) {
                        continue;
                    }
                    const returned = execute(statement.body, inner, memory);
                    if (returned !== undefined) {
                        return returned;
                    }
                }
                return undefined;
            }
            case 'while': {
                const seen = new Set<string>();
                while (evaluate(statement.condition, names, memory) === true) {
                    const temporaries = [...names.values()].flatMap(meaning =>
                        meaning.kind === 'temporary' ? [formatValue(meaning.temporary.value)] : [],
                    );
                    const key = `${memory?.key() ?? ''} | ${temporaries.join(' ')}`;
                    if (seen.has(key)) {
                        throw new FaultError('endless');
                    }
                    seen.add(key);
                    const returned = execute(statement.body, names, memory);
                    if (returned !== undefined) {
                        return returned;
                    }
                }
                return undefined;
            }
        }
    }

    function initialValues(
        { initial }: Variable,
        domain: Domain,
        names: Scope,
        memory: Memory | undefined,
        most = Infinity,
    ): readonly Value[] {
        switch (initial.kind) {
            case 'default':
                return [firstValue(domain)];
            case 'value':
                return startsOf(initial.value, domain, names, memory);
            case 'any':
                return domain.kind === 'reference' ? looked(memory).living(domain.template) : valuesOf(domain, most);
            case 'in': {
                const choices = choicesOf(initial.choices, names, memory);
                const element = domain.kind === 'array' ? domain.element : domain;
                const chosen = choices.map(choice => convert(choice, element));
                const distinct = chosen.filter(
                    (value, position) => !chosen.slice(0, position).some(v => equal(v, value)),
                );
                return domain.kind === 'array'
                    ? valuesOf({ ...domain, element: { kind: 'scalar', values: distinct } }, most)
                    : distinct;
            }
        }
    }

    /** The values of an expression in which each `any` is a choice of its own. */
    function startsOf(value: Expression, domain: Domain, names: Scope, memory: Memory | undefined): readonly Value[] {
        if (value.kind === 'any') {
            return valuesOf(domain);
        }
        if (!JSON.stringify(value).includes('{"kind":"any"}')) {
            return [fitted(evaluate(value, names, memory), domain)];
        }
        if (domain.kind === 'optional') {
            return startsOf(value, domain.base, names, memory);
        }
        if (value.kind === 'call' && domain.kind === 'cases') {
            return startsOf(
                value,
                domain.cases.find(({ name }) => name === value.name)!,
                names,
                memory,
            );
        }
        if (value.kind === 'call' && domain.kind === 'record') {
            const fields = value.arguments.map((argument, position) =>
                startsOf(argument, domain.fields[position]!.domain, names, memory),
            );
            return combined(fields).map(chosen => recordValue(value.name, chosen));
        }
        if (domain.kind !== 'array') {
            return fail('an array or a record');
        }
        const { indices, element } = domain;
        const part = (outer: number): Domain =>
            outer === indices.length ? element : { kind: 'array', indices: indices.slice(outer), element };
        const parts =
            value.kind === 'array'
                ? value.elements.map(item => startsOf(item, part(1), names, memory))
                : value.kind === 'comprehension'
                  ? valuations(value.binders, names, memory).map(inner =>
                        startsOf(value.body, part(value.binders.length), inner, memory),
                    )
                  : positionsOf(indices).map(() => startsOf(value, element, names, memory));
        return combined(parts).map(chosen => ({
            indices,
            items: chosen.flatMap(item => (isArrayValue(item) ? item.items : [item])),
        }));
    }

    function choicesOf(set: Expression, names: Scope, memory: Memory | undefined): readonly Value[] {
        if (set.kind === 'name' && templates.has(set.name)) {
            return looked(memory).living(set.name);
        }
        if (set.kind !== 'set') {
            return set.kind === 'name' ? valuesOf(domainOf({ kind: 'named', name: set.name }, names)) : fail('a set');
        }
        return set.elements.flatMap(({ low, high }) => {
            const first = evaluate(low, names, memory);
            if (high === undefined) {
                return [first];
            }
            const last = integer(evaluate(high, names, memory));
            return Array.from(
                { length: Math.max(0, last - integer(first) + 1) },
                (_, offset) => integer(first) + offset,
            );
        });
    }

    function staticOutcome(expression: Expression, names: Scope): { value: Value } | { fault: Fault } | undefined {
        try {
            return { value: evaluate(expression, names, undefined) };
        } catch (error) {
            if (error instanceof NotStatic) {
                return undefined;
            }
            if (error instanceof FaultError) {
                return { fault: error.fault };
            }
            throw error;
        }
    }

    function staticValue(expression: Expression, names: Scope): Value {
        return evaluate(expression, names, undefined);
    }

    function once(compute: () => Value): Meaning {
        let known: { value: Value } | undefined;
        return { kind: 'constant', value: () => (known ??= { value: compute() }).value };
    }

    for (const declaration of declarations) {
        switch (declaration.kind) {
            case 'channel':
                if (declaration.isBag !== true) {
                    channelDeclarations.push(declaration);
                }
                break;
            case 'param':
            case 'const': {
                const given = declaration.kind === 'param' ? parameters.get(declaration.name) : undefined;
                globals.set(
                    declaration.name,
                    once(() => declaredValue(given ?? staticValue(declaration.value, globals), declaration.type)),
                );
                break;
            }
            case 'type':
                types.set(declaration.name, declaration.type);
                break;
            case 'enum':
                enumerations.set(declaration.name, declaration.values);
                declaration.values.forEach(value => globals.set(value, { kind: 'value', value }));
                break;
            case 'record':
                recordDeclarations.set(declaration.name, declaration);
                break;
            case 'cases':
                enumerationsWithFields.set(
                    declaration.name,
                    declaration.cases.map(({ name }) => name),
                );
                for (const each of declaration.cases) {
                    cases.add(each.name);
                    recordDeclarations.set(each.name, each);
                    globals.set(each.name, { kind: 'value', value: recordValue(each.name, []) });
                }
                break;
            case 'function':
                functions.set(declaration.name, declaration);
                break;
            case 'procedure':
                procedures.set(declaration.name, declaration);
                break;
            default:
                break;
        }
    }
    // First all that there are: a message may be a channel.
    const found = channelDeclarations.flatMap(declaration => {
        const indices = dimensionsOf(declaration.indices, globals);
        globals.set(declaration.name, { kind: 'channels', indices });
        if (isGrowing(indices)) {
            growingChannels.set(declaration.name, declaration);
            return [];
        }
        return positionsOf(presentIndices(indices, () => [])).map(position => ({
            name: declaration.name + formatIndices(position),
            declaration,
        }));
    });
    const texts = found.map(({ declaration }) => textOf(declaration.message, globals));
    const blank: Domain = { kind: 'scalar', values: [] };
    found.forEach(({ name, declaration }, position) => {
        const capacity = integer(staticValue(declaration.capacity, globals));
        channels.set(name, { name, capacity, message: blank, messageText: texts[position]! });
    });
    found.forEach(({ name, declaration }) => {
        channels.set(name, { ...channels.get(name)!, message: domainOf(declaration.message, globals) });
    });

    function channelNamed(name: string): Channel | undefined {
        const declaration = growingChannels.get(name.split('[')[0]!);
        if (declaration === undefined) {
            return channels.get(name);
        }
        return {
            name,
            capacity: integer(staticValue(declaration.capacity, globals)),
            message: domainOf(declaration.message, globals),
            messageText: textOf(declaration.message, globals),
        };
    }

    return {
        globals,
        channels,
        channelNamed,
        isTemplate: type => type.kind === 'named' && templates.has(type.name),
        addGlobal: (name, meaning) => void globals.set(name, meaning),
        domainOf,
        dimensionsOf,
        domainOfVariable,
        evaluate,
        staticOutcome,
        staticValue,
        valuations,
        execute,
        assign,
        typeOf: typeDomain,
        isListed,
        sequenceOf(expression, names) {
            const domain = typeDomain(expression, names);
            return domain?.kind === 'sequence' ? domain : fail('a sequence');
        },
        nameOfPlace(expression, names, memory) {
            const place = placeOf(expression, names, memory);
            return place !== undefined && isCellPlace(place) ? place.name : fail('a place with cells');
        },
        contentsAtStart(channel) {
            const own = channelDeclarations.find(({ name }) => name === channel.split('[')[0])!;
            const initial = own.initial && staticValue(own.initial, globals);
            const names = globals.get(own.name);
            if (initial === undefined || names?.kind !== 'channels' || names.indices.length === 0) {
                return initial ?? sequenceValue([]);
            }
            const indices = presentIndices(names.indices, absentTemplate);
            const position = positionsOf(indices).findIndex(at => own.name + formatIndices(at) === channel);
            const rows =
                isArrayValue(initial) && initial.indices.length > indices.length ? rowsOf(initial, indices) : undefined;
            // One value for all channels.
            return (
                rows?.[position] ??
                (isArrayValue(initial) && initial.items.some(isSequence) ? initial.items[position]! : initial)
            );
        },
        isPlace,
        initialValues,
        mayBegin(name, given, names) {
            const known: Value[] = [];
            for (const argument of given) {
                const outcome = staticOutcome(argument, names);
                if (outcome === undefined || !('value' in outcome)) {
                    return true;
                }
                known.push(outcome.value);
            }
            return hasRecord(recordNamed(name)!, known);
        },
        constructedField,
        isRecordName: name => recordDeclarations.has(name),
        functionNamed: name => functions.get(name),
        procedureNamed: name => procedures.get(name) ?? fail('a procedure'),
    };
}

/** The built-in functions whose first argument is a sequence, but for the lengths. */
const SEQUENCE_FUNCTIONS = ['head', 'last', 'tail', 'places', 'elements', 'append', 'concat', 'without', 'slice'];

function raise(fault: Fault): never {
    throw new FaultError(fault);
}

function absentTemplate(): never {
    throw new Error('no instance lives before the start');
}

function fieldPosition(record: RecordDomain, field: string): number {
    const position = record.fields.findIndex(({ name }) => name === field);
    return position < 0 ? fail(`no field ${field}`) : position;
}

function replaced(values: readonly Value[], position: number, by: Value): Value[] {
    return values.map((value, other) => (other === position ? by : value));
}

function instance(reference: Value): Value {
    if (reference === null) {
        throw new FaultError('index');
    }
    return reference;
}

function isCellPlace(place: Place): place is Place & { readonly name: string } {
    return 'name' in place;
}

function fail(message: string): never {
    throw new Error(message);
}

/** All ways to take one value of each list. */
function combined(lists: readonly (readonly Value[])[]): Value[][] {
    return lists.reduce<Value[][]>(
        (before, list) => before.flatMap(chosen => list.map(value => [...chosen, value])),
        [[]],
    );
}
