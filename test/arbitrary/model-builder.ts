/** Typed models in TypeScript, a helper for each construct; each `at(line)` gives the next source range its line. */
import { NOWHERE } from '../../engine/common/source-range.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { BOOLEAN } from '../../engine/model/domain.js';
import type { Domain, Value } from '../../engine/model/domain.js';
import type { BinaryOperator, Binder, Expression, Place } from '../../engine/model/expression.js';
import type {
    Control,
    EventDeclaration,
    Initializer,
    Model,
    Process,
    Statement,
    Variable,
} from '../../engine/model/model.js';

type Step = Extract<Control, { kind: 'step' }>;

export function line(number: number): SourceRange {
    const at = { line: number - 1, character: 0 };
    return { uri: 'test', start: at, end: { line: number - 1, character: 1 } };
}

export function integers(low: number, high: number): Domain {
    return { kind: 'range', low, high };
}

export function optional(base: Domain): Domain {
    return { kind: 'optional', base };
}

export function names(name: string, ...values: string[]): Domain {
    return { kind: 'enumeration', name, values };
}

export { BOOLEAN };

// Expressions

export function value(number: Value | boolean): Expression {
    return { kind: 'constant', value: Number(number), range: NOWHERE };
}

type Operand = Expression | Value | boolean;

function toExpression(operand: Operand): Expression {
    return typeof operand === 'object' ? operand : value(operand);
}

let nextBinder = 1;

export function binder(name: string, domain: Domain): Binder {
    return { id: nextBinder++, name, domain };
}

export function the(bound: Binder): Expression {
    return { kind: 'binder', binder: bound, range: NOWHERE };
}

export function shared(variable: number, ...indices: Operand[]): Place {
    return { kind: 'shared', variable, indices: indices.map(toExpression), range: NOWHERE };
}

export function local(index: number, ...indices: Operand[]): Place {
    return { kind: 'local', local: index, indices: indices.map(toExpression), range: NOWHERE };
}

export function read(place: Place): Expression {
    return { kind: 'read', place, range: NOWHERE };
}

export function op(left: Operand, operator: BinaryOperator, right: Operand): Expression {
    return { kind: 'binary', operator, left: toExpression(left), right: toExpression(right), range: NOWHERE };
}

export function all(...operands: Operand[]): Expression {
    return operands.map(toExpression).reduce((left, right) => op(left, 'and', right));
}

export function any(...operands: Operand[]): Expression {
    return operands.map(toExpression).reduce((left, right) => op(left, 'or', right));
}

export function not(operand: Operand): Expression {
    return { kind: 'unary', operator: 'not', operand: toExpression(operand), range: NOWHERE };
}

export function choice(condition: Operand, then: Operand, otherwise: Operand): Expression {
    return {
        kind: 'conditional',
        condition: toExpression(condition),
        then: toExpression(then),
        otherwise: toExpression(otherwise),
        range: NOWHERE,
    };
}

export function over(
    quantifier: Extract<Expression, { kind: 'quantifier' }>['quantifier'],
    bound: Binder,
    body: Operand,
    where?: Expression,
): Expression {
    return {
        kind: 'quantifier',
        quantifier,
        binders: [bound],
        ...(where === undefined ? {} : { where }),
        body: toExpression(body),
        range: NOWHERE,
    };
}

export function isAt(process: number, indices: Operand[], label: string): Expression {
    return { kind: 'at', process, indices: indices.map(toExpression), label, range: NOWHERE };
}

// Bodies

export function assign(target: Place, assigned: Operand, range: SourceRange = NOWHERE): Statement {
    return { kind: 'assign', assignments: [{ target, value: toExpression(assigned) }], range };
}

export function check(condition: Operand, range: SourceRange = NOWHERE): Statement {
    return { kind: 'assert', condition: toExpression(condition), range };
}

export function when(condition: Operand, then: Statement[], otherwise: Statement[] = []): Statement {
    return { kind: 'if', condition: toExpression(condition), then, otherwise, range: NOWHERE };
}

// Control

interface StepParts {
    readonly when?: Operand;
    readonly event?: readonly [number, ...Operand[]];
    readonly do?: readonly Statement[];
    readonly line?: number;
}

export function step(parts: StepParts = {}): Step {
    const range = parts.line === undefined ? NOWHERE : line(parts.line);
    return {
        kind: 'step',
        ...(parts.when === undefined ? {} : { guard: toExpression(parts.when) }),
        ...(parts.event === undefined
            ? {}
            : {
                  communication: {
                      kind: 'event',
                      event: parts.event[0],
                      arguments: parts.event.slice(1).map(argument => toExpression(argument)),
                      range,
                  },
              }),
        body: parts.do ?? [],
        range,
    };
}

export function labeled(label: string, control: Control, isEnd = false): Control {
    return { kind: 'labeled', isEnd, label, control, range: control.range, labelRange: control.range };
}

export function loop(...body: Control[]): Control {
    return { kind: 'loop', body, range: NOWHERE };
}

export function whileDo(condition: Operand, ...body: Control[]): Control {
    return { kind: 'while', condition: toExpression(condition), body, range: NOWHERE };
}

export function ifThen(condition: Operand, then: Control[], otherwise: Control[] = []): Control {
    return { kind: 'if', condition: toExpression(condition), then, otherwise, range: NOWHERE };
}

export function choose(...alternatives: Control[][]): Control {
    return { kind: 'choose', alternatives, range: NOWHERE };
}

export function declare(index: number): Control {
    return { kind: 'declare', local: index, range: NOWHERE };
}

export const BREAK: Control = { kind: 'break', range: NOWHERE };

// Declarations

export function variable(
    name: string,
    element: Domain,
    initial: Operand | 'any' | 'default' = 'default',
    ...indices: Domain[]
): Variable {
    let initializer: Initializer;
    if (initial === 'any') {
        initializer = { kind: 'any', range: NOWHERE };
    } else if (initial === 'default') {
        initializer = { kind: 'default' };
    } else {
        initializer = { kind: 'value', expressions: [toExpression(initial)], range: NOWHERE };
    }
    const segments = [{ text: name, indices: indices.length }];
    return { name, segments, documentation: '', element, indices, initializer, range: NOWHERE, nameRange: NOWHERE };
}

export function event(name: string, ...domains: Domain[]): EventDeclaration {
    return { name, arguments: domains, nameRange: NOWHERE };
}

interface ProcessParts {
    readonly indices?: readonly Binder[];
    readonly where?: Expression;
    /** Declared at the head, in this order, unless a `declare` in the body names them. */
    readonly locals?: readonly Variable[];
    readonly body: readonly Control[];
}

export function process(name: string, parts: ProcessParts): Process {
    const locals = parts.locals ?? [];
    const declaredInside = new Set<number>();
    const visit = (control: Control): void => {
        if (control.kind === 'declare') {
            declaredInside.add(control.local);
        }
        const inner: readonly Control[] =
            control.kind === 'loop' || control.kind === 'while' || control.kind === 'for'
                ? control.body
                : control.kind === 'if'
                  ? [...control.then, ...control.otherwise]
                  : control.kind === 'choose'
                    ? control.alternatives.flat()
                    : control.kind === 'labeled'
                      ? [control.control]
                      : [];
        inner.forEach(visit);
    };
    parts.body.forEach(visit);
    const head = locals.map((_, index) => index).filter(index => !declaredInside.has(index));
    return {
        name,
        documentation: '',
        indices: parts.indices ?? [],
        ...(parts.where === undefined ? {} : { where: parts.where }),
        locals,
        body: [...head.map(declare), ...parts.body],
        range: NOWHERE,
        nameRange: NOWHERE,
    };
}

export interface ModelParts {
    readonly variables?: readonly Variable[];
    readonly events?: readonly EventDeclaration[];
    readonly initialConditions?: readonly Expression[];
    readonly processes: readonly Process[];
    readonly invariants?: Readonly<Record<string, Expression>>;
    readonly allowsDeadlock?: boolean;
}

export function model(parts: ModelParts): Model {
    return {
        name: 'Test',
        documentation: '',
        parameters: [],
        types: [],
        variables: parts.variables ?? [],
        channels: [],
        channelTypes: [],
        events: parts.events ?? [],
        functions: [],
        initialConditions: parts.initialConditions ?? [],
        processes: parts.processes,
        invariants: Object.entries(parts.invariants ?? {}).map(([name, expression]) => ({
            name,
            expression,
            documentation: '',
            range: NOWHERE,
            nameRange: NOWHERE,
        })),
        symmetryAssertions: [],
        properties: [],
        assumptions: [],
        allowsDeadlock: parts.allowsDeadlock ?? false,
        nameRange: NOWHERE,
    };
}
