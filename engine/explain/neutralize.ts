/**
 * Places of a model that may break a symmetry, and the model without them.
 *
 * To neutralize a place is to make the model say nothing there: a test holds always, a branch is a free choice, an
 * assignment or a communication does not happen, a value is any that fits, a variable starts anywhere, a name that
 * runs through some indices runs through all, a `for` has no order. If a symmetry that is missing is there once some places
 * are neutralized, these places are what breaks it.
 */
import type { PlaceKind } from '../describe/report.js';
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import {
    BOOLEAN,
    domainSize,
    formatDomain,
    formatValue,
    valueOfCode,
    valuesOfDomain,
    type Domain,
    type RecordDomain,
    type Value,
} from '../model/domain.js';
import type { Binder, Expression } from '../model/expression.js';
import { mapParts, mapStatements, mapCommunication, type Mapping } from '../model/map-expression.js';
import type {
    ChannelDeclaration,
    Communication,
    Control,
    Model,
    NamedType,
    Process,
    Statement,
    Step,
    Variable,
} from '../model/model.js';
import { replaceParts } from '../model/replace-parts.js';
import { formatChannel, formatExpression, formatPlace } from '../model/print.js';
import { withoutOrder } from './comparisons.js';
import { always, withoutConditions } from './conditions.js';
import { FreeSteps, freePartsOfExpression, freePartsOfStep, headOfLoop, type FreePart } from './free-values.js';
import { identityOf, indexTypes } from '../symmetry/declared-action.js';
import {
    forEachExpression,
    hasArithmetic,
    inTextOrder,
    INITIAL,
    isInside,
    isTable,
    keyOfPlace,
    mentionsOrder,
    NO_TEXT,
    ownerOfProcess,
    ownerOfStep,
    wordsAt,
    type ModelPlace,
    type Owner,
    type PlaceSubject,
    type TextOfRange,
} from './places.js';
import { withoutDifferences } from './process-differences.js';
import { ValueFlow } from './value-flow.js';
import { widerTypes } from './wider-types.js';

/** All places of the model in the order of the text. The fields of one record may have one place. */
export function placesOf(model: Model, textOf: TextOfRange = NO_TEXT): ModelPlace[] {
    const places = new Map<string, ModelPlace & { readonly owners: Set<Owner>; readonly types: Set<string> }>();
    const flow = new ValueFlow(model);
    new Neutralization(model, candidate => {
        const { range, kind, aspect, owner, quote, expressions, ordered, subject } = candidate;
        const key = keyOfPlace({ kind, range });
        const known = places.get(key);
        const isOrdered =
            ordered?.flatMap(typesIn).some(type => type.kind !== 'enumeration') ??
            (isTable(expressions) || expressions.some(mentionsOrder));
        const types = typesOfCandidate(candidate, flow);
        if (known === undefined) {
            places.set(key, {
                key,
                range,
                kind,
                text: quote(textOf),
                ...(aspect && { aspect }),
                mentionsOrder: isOrdered,
                isComputed: expressions.some(hasArithmetic),
                owners: new Set([owner]),
                types: new Set(types),
                reaches: subject?.kind === 'expression' ? reachedFrom(subject.expression, model) : [],
                ...(subject === undefined ? {} : { subject }),
            });
        } else {
            known.owners.add(owner);
            types.forEach(type => known.types.add(type));
            places.set(key, { ...known, mentionsOrder: known.mentionsOrder || isOrdered });
        }
        return false;
    }).run();
    return inTextOrder([...places.values()]);
}

/** The functions that a condition calls, and the expressions that it uses by a name, where they stand. */
function reachedFrom(condition: Expression, model: Model): SourceRange[] {
    const reached = new Set<SourceRange>();
    const look = (part: Expression): void => {
        if (part.kind === 'call') {
            const { range, body } = model.functions[part.function];
            if (!reached.has(range)) {
                reached.add(range);
                forEachExpression(body, look);
            }
        }
    };
    forEachExpression(condition, part => {
        look(part);
        // What has no range is no expression.
        const { kind, range } = part as Partial<Expression>;
        if (kind !== undefined && kind !== 'constant' && range !== undefined && !isInside(condition.range, range)) {
            reached.add(range);
        }
    });
    return [...reached];
}

/** The identities of the types whose values it may tell apart. */
function typesOfCandidate({ expressions, ordered, about }: Candidate, flow: ValueFlow): string[] {
    const isUneven = isTable(expressions) && about !== undefined && 'indices' in about;
    return [
        ...flow.typesToldApart(expressions),
        ...(ordered?.flatMap(typesIn).map(identityOf) ?? []),
        ...(ordered !== undefined && about !== undefined ? flow.typesOf(about) : []),
        ...(isUneven ? about.indices.flatMap(typesIn).map(identityOf) : []),
    ];
}

/** The model with the places of these keys neutralized; undefined where that would take too many steps. */
export function neutralize(model: Model, keys: ReadonlySet<string>): Model | undefined {
    const alike = withoutOrder(withoutDifferences(model, keys), keys);
    return new Neutralization(alike, place => keys.has(keyOfPlace(place))).run();
}

type Loop = Extract<Control, { kind: 'for' }>;

interface Candidate {
    readonly range: SourceRange;
    readonly kind: PlaceKind;
    readonly aspect?: string;
    readonly owner: Owner;
    /** What stands there: in the words of the text, or as the model has it. */
    readonly quote: (textOf: TextOfRange) => string;
    readonly expressions: readonly Expression[];
    /** Where there is no expression to tell: the types whose values it does not treat alike. */
    readonly ordered?: readonly Domain[];
    /** What it runs through, or starts with. */
    readonly about?: Binder | Variable;
    readonly subject?: PlaceSubject;
}

/** A record type with more values than this is not tried without its condition. */
const MOST_RECORDS = 64;

/** A walk over the model that asks at each place whether to neutralize it. */
class Neutralization {
    private readonly model: Model;
    private readonly decide: (candidate: Candidate) => boolean;
    private readonly steps: FreeSteps;
    private readonly wider: ReturnType<typeof widerTypes>;
    private readonly indexTypes: ReadonlySet<string>;
    /** Of the process that is walked: what `for`s without order are about. */
    private loopLocals: Variable[] = [];
    private isImpossible = false;

    constructor(model: Model, decide: (candidate: Candidate) => boolean) {
        this.model = model;
        this.decide = decide;
        this.steps = new FreeSteps(model);
        this.wider = widerTypes(model);
        this.indexTypes = new Set(indexTypes(model).map(identityOf));
    }

    run(): Model | undefined {
        const { model } = this;
        const unrestricted = model.types.flatMap(type => this.unrestricted(type));
        const neutral: Model = {
            ...model,
            variables: model.variables.map(variable => this.variable(variable, undefined, INITIAL)),
            channels: model.channels.map(channel => this.channel(channel)),
            initialConditions: model.initialConditions.flatMap(
                test => this.testBetweenSteps(test, undefined, INITIAL) ?? [],
            ),
            processes: model.processes.map((process, index) => this.process(process, index)),
        };
        // The copies of functions are there now.
        const whole = { ...neutral, functions: this.steps.functions };
        return this.isImpossible
            ? undefined
            : unrestricted.reduce<Model | undefined>((before, domain) => before && withDomain(before, domain), whole);
    }

    /** A record type with all values of its fields, where the place of its condition is neutralized. */
    private unrestricted({ domain, whereRange: range }: NamedType): RecordDomain[] {
        if (domain.kind !== 'record' || range === undefined) {
            return [];
        }
        const size = domain.fields.reduce((product, field) => product * domainSize(field.domain), 1);
        const quote = quoting(range, () => `${domain.name} of ${domainSize(domain)} values`);
        // Its values are everywhere.
        const owners = [INITIAL, ...this.model.processes.map((_, process) => ownerOfProcess(process))];
        const isAsked = owners.map(owner =>
            this.decide({ range, kind: 'instances', owner, quote, expressions: [], ordered: [domain] }),
        );
        return size > domainSize(domain) && size <= MOST_RECORDS && isAsked.includes(true)
            ? [{ ...domain, tuples: combinations(domain.fields.map(field => valuesOfDomain(field.domain))) }]
            : [];
    }

    private variable(variable: Variable, process: Process | undefined, owner: Owner): Variable {
        const { initializer } = variable;
        if (initializer.kind === 'default') {
            return this.isFreeDefault(variable, process, owner)
                ? { ...variable, initializer: { kind: 'any', range: variable.nameRange } }
                : variable;
        }
        if (initializer.kind === 'any') {
            return variable;
        }
        const { range } = initializer;
        const expressions = initializer.kind === 'value' ? initializer.expressions : initializer.choices.flat();
        const format = (): string => {
            const [first] = initializer.kind === 'value' ? [expressions] : initializer.choices;
            const list = first.map(expression => formatExpression(this.model, process, expression)).join(', ');
            return initializer.kind === 'oneOf' ? `{ ${list} }` : first.length === 1 ? list : `[${list}]`;
        };
        // `0` alone would say nothing.
        const quoteStart = (textOf: TextOfRange): string =>
            `${variable.segments[0].text} ${initializer.kind === 'oneOf' ? 'in' : '='} ${wordsAt(range, textOf, format)}`;
        const subject: PlaceSubject | undefined =
            initializer.kind === 'value' && process === undefined
                ? { kind: 'start', name: variable.segments[0].text }
                : undefined;
        const isFree =
            this.decide({
                range,
                kind: 'start',
                owner,
                quote: quoteStart,
                expressions,
                about: variable,
                ...(subject && { subject }),
            }) || expressions.some(expression => this.hasFreeValue(expression, process, owner));
        return isFree ? { ...variable, initializer: { kind: 'any', range } } : variable;
    }

    /** Without an initial value it is the first one, which only says something where there is a type of that name. */
    private isFreeDefault(variable: Variable, process: Process | undefined, owner: Owner): boolean {
        const { element, nameRange: range, segments } = variable;
        const [{ text: name }] = segments;
        const isTyped = element.kind !== 'optional' && element.kind !== 'boolean' && this.isTypeOfMembers(element);
        const subject: PlaceSubject = { kind: 'start', name, declaration: variable.range };
        const quote = (): string =>
            segments.length === 1 ? `${name} = ${formatValue(element, valueOfCode(element, 0))}` : name;
        return (
            isTyped &&
            this.decide({
                range,
                kind: 'start',
                aspect: 'the default',
                owner,
                quote,
                expressions: [],
                ordered: [element],
                about: variable,
                ...(process === undefined && { subject }),
            })
        );
    }

    /** Whether it has a name, or is what a family, an array or a channel ranges over. */
    private isTypeOfMembers(domain: Domain): boolean {
        return domain.name !== undefined || this.indexTypes.has(identityOf(domain));
    }

    /** Of channels for the same messages all are as large as the largest. */
    private channel(channel: ChannelDeclaration): ChannelDeclaration {
        const { range, capacity, message } = channel;
        const quote = quoting(range, () => `${channel.name} of ${capacity}`);
        const alike = this.model.channels.filter(
            other =>
                other.message.length === message.length &&
                other.message.every(({ domain }, index) => identityOf(domain) === identityOf(message[index].domain)),
        );
        const most = Math.max(...alike.map(other => other.capacity));
        const differs = alike.some(other => other.capacity !== most);
        return differs && this.decide({ range, kind: 'capacity', owner: INITIAL, quote, expressions: [] })
            ? { ...channel, capacity: most }
            : channel;
    }

    private process(process: Process, index: number): Process {
        const owner = ownerOfProcess(index);
        const { where: filter, ...rest } = process;
        const where = filter && this.testBetweenSteps(filter, process, owner, 'instances');
        const locals = process.locals.map(local => this.local(local, process, owner));
        this.loopLocals = [];
        const body = this.controls(process.body, process, index);
        return {
            ...rest,
            ...(where === undefined ? {} : { where }),
            locals: [...locals, ...this.loopLocals],
            body,
        };
    }

    /** A variable of a choice may run through more values than it does. */
    private local(local: Variable, process: Process, owner: Owner): Variable {
        const variable = this.variable(local, process, owner);
        const wider = this.wider.ofLocal(local);
        const { initializer } = local;
        const isWider =
            wider !== undefined &&
            initializer.kind === 'any' &&
            this.asksForRange(local, local.element, wider, initializer.range, owner);
        return isWider ? { ...variable, element: wider } : variable;
    }

    private binder(binder: Binder, owner: Owner): Binder {
        const wider = this.wider.ofBinder(binder);
        const { range } = binder;
        const isWider =
            wider !== undefined && range !== undefined && this.asksForRange(binder, binder.domain, wider, range, owner);
        return isWider ? { ...binder, domain: wider } : binder;
    }

    private asksForRange(
        about: Binder | Variable,
        domain: Domain,
        wider: Domain,
        range: SourceRange,
        owner: Owner,
    ): boolean {
        const { name } = about;
        const quote = (textOf: TextOfRange): string =>
            `${name} in ${wordsAt(range, textOf, () => formatDomain(domain))}`;
        const subject: PlaceSubject | undefined =
            wider.name === undefined ? undefined : { kind: 'range', name, type: wider.name };
        return this.decide({
            range,
            kind: 'range',
            owner,
            quote,
            expressions: [],
            ordered: [domain],
            about,
            ...(subject && { subject }),
        });
    }

    /** A test without its neutralized conditions; undefined where nothing is left. */
    private test(
        test: Expression,
        process: Process | undefined,
        owner: Owner,
        kind: PlaceKind = 'test',
    ): Expression | undefined {
        const left = withoutConditions(
            test,
            onceEach(condition => {
                const isPlace = !isCompound(condition) || isAlternative(condition);
                return isPlace && this.asksFor(condition, process, owner, kind);
            }),
        );
        return left && this.withBinders(left, process, owner);
    }

    /** A test outside of steps: there is no choice of values there, so what holds a free value goes with it. */
    private testBetweenSteps(
        test: Expression,
        process: Process | undefined,
        owner: Owner,
        kind: PlaceKind = 'test',
    ): Expression | undefined {
        const left = this.test(test, process, owner, kind);
        return left === undefined || this.hasFreeValue(left, process, owner) ? undefined : left;
    }

    /** Whether a value that is declared elsewhere is to be free. */
    private hasFreeValue(expression: Expression, process: Process | undefined, owner: Owner): boolean {
        return freePartsOfExpression(expression, process, this.model)
            .filter(({ range }) => !isInside(expression.range, range))
            .map(part => this.asksForPart(part, process, owner))
            .includes(true);
    }

    private controls(body: readonly Control[], process: Process, index: number): Control[] {
        return body.map(control => this.control(control, process, index));
    }

    private control(control: Control, process: Process, index: number): Control {
        const owner = ownerOfProcess(index);
        switch (control.kind) {
            case 'step':
                return this.step(control, process, ownerOfStep(index, control.range));
            case 'assume': {
                const condition = this.testBetweenSteps(control.condition, process, owner);
                return { ...control, condition: condition ?? always(control) };
            }
            case 'for': {
                const binder = this.binder(control.binder, owner);
                const loop = { ...control, binder, body: this.controls(control.body, process, index) };
                return this.asksForOrder(control, owner) ? this.inAnyOrder(loop, process) : loop;
            }
            case 'loop':
                return { ...control, body: this.controls(control.body, process, index) };
            case 'while': {
                const { condition, range } = control;
                const body = this.controls(control.body, process, index);
                const tests = this.branch(condition, process, owner);
                if (tests.kind === 'test') {
                    return { ...control, condition: tests.condition, body };
                }
                // Another round or an end, as it pleases.
                const end: Control = { kind: 'break', range };
                return { kind: 'loop', body: [choiceBetween(tests, body, [end], range)], range };
            }
            case 'if': {
                const { condition, range } = control;
                const then = this.controls(control.then, process, index);
                const otherwise = this.controls(control.otherwise, process, index);
                const tests = this.branch(condition, process, owner);
                return tests.kind === 'test'
                    ? { ...control, condition: tests.condition, then, otherwise }
                    : choiceBetween(tests, then, otherwise, range);
            }
            case 'choose':
                return {
                    ...control,
                    alternatives: control.alternatives.map(alternative => this.controls(alternative, process, index)),
                };
            case 'labeled':
                return { ...control, control: this.control(control.control, process, index) };
            case 'declare':
            case 'break':
            case 'terminate':
                return control;
            default:
                return unreachable(control);
        }
    }

    /** Between steps: the condition of a branch, or when each branch can be taken where it is free, in part or as a whole. */
    private branch(condition: Expression, process: Process, owner: Owner): Branch {
        const free: Expression[] = [];
        let isFree = false;
        withoutConditions(
            condition,
            onceEach(part => {
                const isPlace = part === condition || !isCompound(part);
                if (isPlace && this.asksFor(part, process, owner, 'branch')) {
                    isFree ||= part === condition;
                    free.push(part);
                }
                return false;
            }),
        );
        isFree = this.hasFreeValue(condition, process, owner) || isFree || free.length > MOST_FREE_CONDITIONS;
        if (isFree) {
            return { kind: 'choice' };
        }
        const cases = Array.from({ length: 2 ** free.length }, (_, truths) =>
            this.withBinders(withTruths(condition, free, truths), process, owner),
        );
        if (cases.length === 1) {
            return { kind: 'test', condition: cases[0] };
        }
        const { range } = condition;
        const not = (operand: Expression): Expression => ({ kind: 'unary', operator: 'not', operand, range });
        return { kind: 'choice', then: anyOf(cases, range), otherwise: anyOf(cases.map(not), range) };
    }

    /** The step without tests, statements and communication that are neutralized, once for each of its free values. */
    private step(step: Step, process: Process, owner: Owner): Control {
        const { guard: full, communication: whole, ...others } = step;
        const guard = full && this.test(full, process, owner);
        const communication = whole && this.communication(whole, process, owner);
        const mapping = this.binderMapping(process, owner);
        const rest: Step = {
            ...others,
            ...(guard === undefined ? {} : { guard }),
            ...(communication === undefined ? {} : { communication: mapCommunication(communication, mapping) }),
            body: mapStatements(this.statements(step.body, process, owner), mapping),
        };
        const parts = freePartsOfStep(rest, process, this.model).filter(part => this.asksForPart(part, process, owner));
        if (parts.length === 0) {
            return rest;
        }
        const combinations = this.steps.combinations(rest, process, parts);
        if (combinations === undefined) {
            this.isImpossible = true;
            return rest;
        }
        return { kind: 'choose', alternatives: combinations.map(each => [each]), range: step.range };
    }

    private asksForPart(part: FreePart, process: Process | undefined, owner: Owner): boolean {
        if (part.kind === 'order') {
            return this.asksForOrder(part, owner);
        }
        const { range, quoted, expression, isCondition } = part;
        const quote = quoting(quoted, () => formatExpression(this.model, process, expression));
        const kind = isCondition ? 'branch' : 'value';
        return this.decide({ range, kind, owner, quote, expressions: [expression] });
    }

    /** `range` begins with that of the `for`. */
    private asksForOrder({ binder, ...loop }: Pick<Loop, 'binder' | 'range'>, owner: Owner): boolean {
        const range = headOfLoop({ binder, ...loop });
        const quote = (textOf: TextOfRange): string =>
            range === undefined ? binder.name : wordsAt(range, textOf, () => formatLoop(binder));
        return (
            range !== undefined &&
            domainSize(binder.domain) > 1 &&
            this.decide({
                range,
                kind: 'order',
                aspect: 'the order of',
                owner,
                quote,
                expressions: [],
                ordered: [binder.domain],
                about: binder,
            })
        );
    }

    /** Any number of rounds, each with any value, which a local of its own holds. */
    private inAnyOrder({ binder, body, range }: Loop, process: Process): Control {
        const local = process.locals.length + this.loopLocals.length;
        const { name, domain } = binder;
        this.loopLocals.push({
            name,
            segments: [{ text: name, indices: 0 }],
            documentation: '',
            element: domain,
            indices: [],
            initializer: { kind: 'any', range },
            range,
            nameRange: range,
        });
        const read = (): Expression => ({ kind: 'read', place: { kind: 'local', local, indices: [], range }, range });
        const round = replaceParts(body, part => (isNameOf(part, binder) ? read() : undefined));
        const declare: Control = { kind: 'declare', local, range };
        return {
            kind: 'loop',
            body: [{ kind: 'choose', alternatives: [[declare, ...round], [{ kind: 'break', range }]], range }],
            range,
        };
    }

    /** Who does not communicate goes on alone; a receive takes any message where its pattern is neutralized. */
    private communication(communication: Communication, process: Process, owner: Owner): Communication | undefined {
        const { range } = communication;
        const quote = quoting(range, () =>
            communication.kind === 'event'
                ? this.model.events[communication.event].name
                : formatChannel(this.model, process, communication.channel),
        );
        if (this.decide({ range, kind: 'communication', owner, quote, expressions: [] })) {
            return undefined;
        }
        return communication.kind === 'receive'
            ? { ...communication, tests: communication.tests.flatMap(test => this.test(test, process, owner) ?? []) }
            : communication;
    }

    private statements(statements: readonly Statement[], process: Process, owner: Owner): Statement[] {
        return statements.flatMap((statement): Statement[] => {
            switch (statement.kind) {
                case 'assign': {
                    const { assignments, range } = statement;
                    const quote = quoting(range, () =>
                        assignments
                            .map(
                                ({ target, value }) =>
                                    `${formatPlace(this.model, process, target)} := ${formatExpression(this.model, process, value)}`,
                            )
                            .join('; '),
                    );
                    const expressions = assignments.flatMap(({ target, value }) => [...target.indices, value]);
                    return this.decide({ range, kind: 'assignment', owner, quote, expressions }) ? [] : [statement];
                }
                case 'while': {
                    const body = this.statements(statement.body, process, owner);
                    // No round at all: how many there are cannot be left open within a step.
                    return this.asksFor(statement.condition, process, owner, 'branch') ? [] : [{ ...statement, body }];
                }
                case 'for': {
                    const binder = this.binder(statement.binder, owner);
                    return [{ ...statement, binder, body: this.statements(statement.body, process, owner) }];
                }
                case 'if': {
                    // The condition is a value that may be free.
                    const then = this.statements(statement.then, process, owner);
                    const otherwise = this.statements(statement.otherwise, process, owner);
                    return [{ ...statement, then, otherwise }];
                }
                case 'assert': {
                    const condition = this.test(statement.condition, process, owner);
                    return condition === undefined ? [] : [{ ...statement, condition }];
                }
                case 'declare':
                case 'return':
                case 'skip':
                    return [statement];
                default:
                    return unreachable(statement);
            }
        });
    }

    private withBinders(expression: Expression, process: Process | undefined, owner: Owner): Expression {
        return mapParts(expression, this.binderMapping(process, owner));
    }

    private binderMapping(process: Process | undefined, owner: Owner): Mapping {
        const mapping: Mapping = {
            model: this.model,
            process,
            part: part => mapParts(part, mapping),
            binder: binder => this.binder(binder, owner),
        };
        return mapping;
    }

    private asksFor(expression: Expression, process: Process | undefined, owner: Owner, kind: PlaceKind): boolean {
        const quote = quoting(expression.range, () => formatExpression(this.model, process, expression));
        const subject: PlaceSubject = { kind: 'expression', expression };
        return this.decide({ range: expression.range, kind, owner, quote, expressions: [expression], subject });
    }
}

/** How control goes on where it branches. */
type Branch =
    | { readonly kind: 'test'; readonly condition: Expression }
    /** Either way, the first where `then` holds, the second where `otherwise` does; both may. */
    | { readonly kind: 'choice'; readonly then?: Expression; readonly otherwise?: Expression };

/** Of a branch with more conditions that are free, the whole is. */
const MOST_FREE_CONDITIONS = 3;

function choiceBetween(
    { then, otherwise }: Extract<Branch, { kind: 'choice' }>,
    first: readonly Control[],
    second: readonly Control[],
    range: SourceRange,
): Control {
    const under = (condition: Expression | undefined, body: readonly Control[]): readonly Control[] =>
        condition === undefined ? body : [{ kind: 'assume', condition, range: condition.range }, ...body];
    return { kind: 'choose', alternatives: [under(then, first), under(otherwise, second)], range };
}

/** The condition with the truth of some of its parts given: the bits of `truths`. */
function withTruths(condition: Expression, parts: readonly Expression[], truths: number): Expression {
    const given = new Map<object, Expression>(
        parts.map(({ range }, bit) => [
            parts[bit],
            { kind: 'constant', value: (truths >> bit) & 1, domain: BOOLEAN, range },
        ]),
    );
    return parts.length === 0 ? condition : replaceParts(condition, part => given.get(part));
}

function anyOf(conditions: readonly Expression[], range: SourceRange): Expression {
    return conditions.reduce((left, right) => ({ kind: 'binary', operator: 'or', left, right, range }));
}

/** Asks of each condition but of one whose only part has no parts not of that part again: it is that part. */
function onceEach(decide: (condition: Expression) => boolean): (condition: Expression) => boolean {
    const known = new Set<Expression>();
    return condition => {
        const isKnown = known.has(condition);
        const inner =
            condition.kind === 'quantifier'
                ? condition.body
                : condition.kind === 'unary'
                  ? condition.operand
                  : undefined;
        if (inner !== undefined && !isCompound(inner)) {
            known.add(inner);
        }
        return !isKnown && decide(condition);
    };
}

/** Whether a condition is put together from others. */
function isCompound(condition: Expression): boolean {
    return condition.kind === 'unary'
        ? isCompound(condition.operand)
        : condition.kind === 'binary' && ['and', 'or', 'implies'].includes(condition.operator);
}

/** The type and all that its values are made of. */
function typesIn(domain: Domain): Domain[] {
    switch (domain.kind) {
        case 'optional':
            return typesIn(domain.base);
        case 'record':
            return [domain, ...domain.fields.flatMap(field => typesIn(field.domain))];
        default:
            return [domain];
    }
}

function isNameOf(part: object, { id }: Binder): boolean {
    const { kind, binder } = part as Partial<Extract<Expression, { kind: 'binder' }>>;
    return kind === 'binder' && binder?.id === id;
}

function formatLoop({ name, domain }: Binder): string {
    return `for ${name} in ${formatDomain(domain)}`;
}

/** Whether a condition is put together from alternatives: without one of them it would say more. */
function isAlternative(condition: Expression): boolean {
    switch (condition.kind) {
        case 'unary':
            return condition.operand.kind === 'binary' && condition.operand.operator === 'and';
        case 'binary':
            return condition.operator === 'or' || condition.operator === 'implies';
        default:
            return false;
    }
}

function quoting(range: SourceRange, format: () => string): Candidate['quote'] {
    return textOf => wordsAt(range, textOf, format);
}

/** The rows of a product, the last column fastest. */
function combinations(columns: readonly (readonly Value[])[]): Value[][] {
    return columns.reduce<Value[][]>((rows, column) => rows.flatMap(row => column.map(value => [...row, value])), [[]]);
}

/**
 * The model with another record type of that name, wherever the model has it; undefined where a variable or a table lists
 * what there is for each record: of more of them it would say nothing.
 */
function withDomain(model: Model, domain: RecordDomain): Model | undefined {
    let isListed = false;
    const whole = replaceParts(model, part => {
        isListed ||= isListOver(part, domain);
        return 'kind' in part &&
            part.kind === 'record' &&
            'tuples' in part &&
            'name' in part &&
            part.name === domain.name
            ? domain
            : undefined;
    });
    return isListed ? undefined : whole;
}

function isListOver(part: object, domain: RecordDomain): boolean {
    const isOver = (index: Domain): boolean => identityOf(index) === identityOf(domain);
    if ('kind' in part && part.kind === 'select') {
        return isOver((part as Extract<Expression, { kind: 'select' }>).domain);
    }
    if ('initializer' in part) {
        const { initializer, indices } = part as Variable;
        const listed =
            initializer.kind === 'value'
                ? initializer.expressions
                : initializer.kind === 'oneOf'
                  ? initializer.choices
                  : [];
        return listed.length > 1 && indices.some(isOver);
    }
    return false;
}
