/**
 * A model with its parameters, constants, families and quantifiers gone: the abstract syntax that the interpreter
 * works on. Every instance has its own copy of its body, in which
 * - names are values or cells, and an expression whose value does not depend on the state is that value,
 * - `if` and `while` with such a test are the branch taken,
 * - each control node has a number of its own, which stands for its place in the text.
 *
 * An operand that evaluation never reaches (`false && x`) is gone too: folding follows the order of evaluation.
 */
import { apply, FaultError, type Fault } from './operators.js';
import type {
    BinaryOperator,
    Binder,
    Control,
    Declaration,
    Expression,
    Model,
    Position,
    ProcessDeclaration,
    Statement,
    Type,
    Value,
    Variable,
} from './syntax.js';

/** A cell is named as the model writes it: `turn`, `flag[1]`, `P[1].k`. */
export type Cell = string;

export type StrictOperator = Exclude<BinaryOperator, 'implies' | '&&' | '||'>;

/** An expression of one instance. */
export type Term =
    | { readonly kind: 'value'; readonly value: Value }
    /** Its evaluation always faults. */
    | { readonly kind: 'fault'; readonly fault: Fault }
    | { readonly kind: 'cell'; readonly cell: Cell; readonly array: ArrayInfo }
    | { readonly kind: 'element'; readonly array: ArrayInfo; readonly indices: readonly Term[] }
    | { readonly kind: '!' | 'negate'; readonly operand: Term }
    | { readonly kind: 'binary'; readonly operator: StrictOperator; readonly left: Term; readonly right: Term }
    | { readonly kind: 'if'; readonly condition: Term; readonly then: Term; readonly otherwise: Term }
    /** Evaluated from left to right; `and` and `or` stop as soon as they can. */
    | { readonly kind: 'and' | 'or' | 'count' | 'sum'; readonly operands: readonly Term[] }
    | { readonly kind: 'at'; readonly process: string; readonly indices: readonly Term[]; readonly label: string };

export interface ArrayInfo {
    /** `flag` or `P[1].seen`; the element at 2 is the cell `flag[2]`. */
    readonly name: string;
    readonly indices: readonly (readonly Value[])[];
    readonly values: readonly Value[];
    /** The name of the local variable that it is, if it is one. */
    readonly local?: string;
}

export type Action =
    | { readonly kind: 'assign'; readonly target: ArrayInfo; readonly indices: readonly Term[]; readonly value: Term }
    | {
          readonly kind: 'if';
          readonly condition: Term;
          readonly then: readonly Action[];
          readonly otherwise: readonly Action[];
      }
    | { readonly kind: 'assert'; readonly condition: Term };

export type Node = { readonly id: number } & (
    | {
          readonly kind: 'step';
          readonly guard?: Term;
          readonly event?: { readonly name: string; readonly arguments: readonly Term[] };
          readonly body: readonly Action[];
          readonly position?: Position;
      }
    | { readonly kind: 'loop'; readonly body: readonly Node[] }
    | { readonly kind: 'while'; readonly condition: Term; readonly body: readonly Node[] }
    | {
          readonly kind: 'if';
          readonly condition: Term;
          readonly then: readonly Node[];
          readonly otherwise: readonly Node[];
      }
    | { readonly kind: 'choose'; readonly alternatives: readonly (readonly Node[])[] }
    | { readonly kind: 'labeled'; readonly label: string; readonly node: Node }
    /** What a static `if` or `while` leaves. */
    | { readonly kind: 'block'; readonly body: readonly Node[] }
    | { readonly kind: 'initialize'; readonly local: LocalVariable }
    /** `loop` is the number of the innermost `loop` or `while` around. */
    | { readonly kind: 'break'; readonly loop: number }
);

export type StepNode = Extract<Node, { kind: 'step' }>;

export interface LocalVariable {
    readonly array: ArrayInfo;
    readonly initial: { readonly kind: 'any' } | { readonly kind: 'value'; readonly value: Term };
}

export interface Instance {
    /** `P[1]` or `Database`. */
    readonly name: string;
    readonly process: string;
    readonly indices: readonly Value[];
    /** The declarations at the head of the body, which are initialized in the initial states. */
    readonly head: readonly LocalVariable[];
    /** What follows them. */
    readonly body: readonly Node[];
    /** All locals, head or not. */
    readonly locals: readonly LocalVariable[];
}

export interface SpecializedModel {
    readonly shared: readonly LocalVariable[];
    readonly events: ReadonlyMap<string, readonly (readonly Value[])[]>;
    readonly instances: readonly Instance[];
    readonly invariants: readonly { readonly name: string; readonly condition: Term }[];
    readonly allowsDeadlock: boolean;
}

type Scope = ReadonlyMap<string, Value | ArrayInfo>;

/** Specializes a model, with `parameters` in place of the defaults of its parameters. */
export function specialize(model: Model, parameters: ReadonlyMap<string, Value> = new Map()): SpecializedModel {
    const scope = new Map<string, Value | ArrayInfo>();
    const types = new Map<string, readonly Value[]>();
    const shared: LocalVariable[] = [];
    const events = new Map<string, readonly (readonly Value[])[]>();
    let nodeCount = 0;

    function valuesOf(type: Type, names: Scope): readonly Value[] {
        switch (type.kind) {
            case 'bool':
                return [false, true];
            case 'named':
                return types.get(type.name) ?? fail(`unknown type ${type.name}`);
            case 'optional':
                return [null, ...valuesOf(type.base, names)];
            case 'range': {
                const low = Number(staticValue(type.low, names));
                const high = Number(staticValue(type.high, names));
                return Array.from({ length: Math.max(0, high - low + 1) }, (_, offset) => low + offset);
            }
        }
    }

    function staticValue(expression: Expression, names: Scope): Value {
        const found = term(expression, names);
        return found.kind === 'value' ? found.value : fail('a static expression depends on the state');
    }

    function term(expression: Expression, names: Scope): Term {
        switch (expression.kind) {
            case 'literal':
                return { kind: 'value', value: expression.value };
            case 'name': {
                const meaning = names.get(expression.name);
                if (meaning === undefined) {
                    return fail(`unknown name ${expression.name}`);
                }
                if (!isArray(meaning)) {
                    return { kind: 'value', value: meaning };
                }
                return element(
                    meaning,
                    expression.indices.map(index => term(index, names)),
                );
            }
            case 'unary':
                return unary(expression.operator, term(expression.operand, names));
            case 'binary': {
                const left = term(expression.left, names);
                const right = term(expression.right, names);
                switch (expression.operator) {
                    case '&&':
                        return sequence('and', [left, right]);
                    case '||':
                        return sequence('or', [left, right]);
                    case 'implies':
                        return sequence('or', [unary('!', left), right]);
                    default:
                        return strict(expression.operator, left, right);
                }
            }
            case 'if':
                return choice(
                    term(expression.condition, names),
                    term(expression.then, names),
                    term(expression.otherwise, names),
                );
            case 'quantifier':
                return quantified(expression, names);
            case 'at':
                return {
                    kind: 'at',
                    process: expression.process,
                    indices: expression.indices.map(index => term(index, names)),
                    label: expression.label,
                };
        }
    }

    function quantified(expression: Extract<Expression, { kind: 'quantifier' }>, names: Scope): Term {
        const operands = valuations(expression.binders, names).map(valuation => {
            const where: Term =
                expression.where === undefined ? { kind: 'value', value: true } : term(expression.where, valuation);
            const body = term(expression.body, valuation);
            switch (expression.quantifier) {
                case 'forall':
                    return sequence('or', [unary('!', where), body]);
                case 'exists':
                case 'count':
                    return sequence('and', [where, body]);
                case 'sum':
                    return choice(where, body, { kind: 'value', value: 0 });
            }
        });
        switch (expression.quantifier) {
            case 'forall':
                return sequence('and', operands);
            case 'exists':
                return sequence('or', operands);
            case 'count':
            case 'sum':
                return total(expression.quantifier, operands);
        }
    }

    /** The scopes that bind the binders to all their values, in order. */
    function valuations(binders: readonly Binder[], names: Scope): Scope[] {
        return binders.reduce<Scope[]>(
            (scopes, binder) =>
                scopes.flatMap(outer =>
                    valuesOf(binder.type, outer).map(value => new Map(outer).set(binder.name, value)),
                ),
            [names],
        );
    }

    function arrayOf(variable: Variable, names: Scope, prefix: string, isLocal: boolean): ArrayInfo {
        return {
            name: prefix + variable.name,
            indices: variable.indices.map(type => valuesOf(type, names)),
            values: valuesOf(variable.type, names),
            ...(isLocal && { local: variable.name }),
        };
    }

    function declare(variable: Variable, names: Scope, prefix: string, isLocal: boolean): LocalVariable {
        const array = arrayOf(variable, names, prefix, isLocal);
        const { initial } = variable;
        switch (initial.kind) {
            case 'any':
                return { array, initial: { kind: 'any' } };
            case 'default':
                return { array, initial: { kind: 'value', value: { kind: 'value', value: array.values[0]! } } };
            case 'value':
                return { array, initial: { kind: 'value', value: term(initial.value, names) } };
        }
    }

    function instancesOf(process: ProcessDeclaration): Instance[] {
        const instances: Instance[] = [];
        for (const names of valuations(process.indices, scope)) {
            if (process.where !== undefined && staticValue(process.where, names) === false) {
                continue;
            }
            const indices = process.indices.map(index => names.get(index.name) as Value);
            const name = process.name + formatIndices(indices);
            const locals: LocalVariable[] = [];
            const inner = new Map(names);
            const head: LocalVariable[] = [];
            let first = 0;
            for (; first < process.body.length; first++) {
                const item = process.body[first]!;
                if (item.kind === 'const') {
                    inner.set(item.name, staticValue(item.value, inner));
                } else if (item.kind === 'declare') {
                    const local = declare(item.variable, inner, `${name}.`, true);
                    inner.set(item.variable.name, local.array);
                    head.push(local);
                    locals.push(local);
                } else {
                    break;
                }
            }
            const body = block(process.body.slice(first), inner, `${name}.`, locals, -1);
            instances.push({ name, process: process.name, indices, head, body, locals });
        }
        return instances;
    }

    function block(
        items: readonly Control[],
        outer: Scope,
        prefix: string,
        locals: LocalVariable[],
        loop: number,
    ): Node[] {
        const names = new Map(outer);
        const nodes: Node[] = [];
        for (const item of items) {
            if (item.kind === 'const') {
                names.set(item.name, staticValue(item.value, names));
            } else if (item.kind === 'declare') {
                const local = declare(item.variable, names, prefix, true);
                names.set(item.variable.name, local.array);
                locals.push(local);
                nodes.push({ id: nodeCount++, kind: 'initialize', local });
            } else {
                nodes.push(control(item, names, prefix, locals, loop));
            }
        }
        return nodes;
    }

    function control(item: Control, names: Scope, prefix: string, locals: LocalVariable[], loop: number): Node {
        const id = nodeCount++;
        switch (item.kind) {
            case 'step':
                return {
                    id,
                    kind: 'step',
                    ...(item.guard && { guard: term(item.guard, names) }),
                    ...(item.event && {
                        event: {
                            name: item.event.name,
                            arguments: item.event.arguments.map(argument => term(argument, names)),
                        },
                    }),
                    body: actions(item.body, names),
                    ...(item.position && { position: item.position }),
                };
            case 'loop':
                return { id, kind: 'loop', body: block(item.body, names, prefix, locals, id) };
            case 'while': {
                const condition = term(item.condition, names);
                const body = block(item.body, names, prefix, locals, id);
                if (condition.kind !== 'value') {
                    return { id, kind: 'while', condition, body };
                }
                return condition.value === true ? { id, kind: 'loop', body } : { id, kind: 'block', body: [] };
            }
            case 'if': {
                const condition = term(item.condition, names);
                const then = block(item.then, names, prefix, locals, loop);
                const otherwise = block(item.otherwise, names, prefix, locals, loop);
                return condition.kind === 'value'
                    ? { id, kind: 'block', body: condition.value === true ? then : otherwise }
                    : { id, kind: 'if', condition, then, otherwise };
            }
            case 'choose':
                return {
                    id,
                    kind: 'choose',
                    alternatives: item.alternatives.map(body => block(body, names, prefix, locals, loop)),
                };
            case 'labeled':
                return {
                    id,
                    kind: 'labeled',
                    label: item.label,
                    node: control(item.control, names, prefix, locals, loop),
                };
            case 'break':
                return { id, kind: 'break', loop };
            case 'declare':
            case 'const':
                return fail('a declaration stands where it has no scope');
        }
    }

    function actions(statements: readonly Statement[], names: Scope): Action[] {
        return statements.flatMap((statement): Action[] => {
            switch (statement.kind) {
                case 'skip':
                    return [];
                case 'assert':
                    return [{ kind: 'assert', condition: term(statement.condition, names) }];
                case 'assign': {
                    const target = names.get(statement.name);
                    if (target === undefined || !isArray(target)) {
                        return fail(`${statement.name} cannot be assigned`);
                    }
                    const indices = statement.indices.map(index => term(index, names));
                    return [{ kind: 'assign', target, indices, value: term(statement.value, names) }];
                }
                case 'if': {
                    const condition = term(statement.condition, names);
                    const then = actions(statement.then, names);
                    const otherwise = actions(statement.otherwise, names);
                    if (condition.kind === 'value') {
                        return condition.value === true ? then : otherwise;
                    }
                    return [{ kind: 'if', condition, then, otherwise }];
                }
            }
        });
    }

    // Types, parameters, constants and enumerations first: a declaration may stand after its use.
    const statics: Declaration[] = model.declarations.filter(declaration =>
        ['param', 'const', 'type', 'enum'].includes(declaration.kind),
    );
    for (const declaration of statics) {
        switch (declaration.kind) {
            case 'param':
                scope.set(declaration.name, parameters.get(declaration.name) ?? staticValue(declaration.value, scope));
                break;
            case 'const':
                scope.set(declaration.name, staticValue(declaration.value, scope));
                break;
            case 'type':
                types.set(declaration.name, valuesOf(declaration.type, scope));
                break;
            case 'enum':
                types.set(declaration.name, declaration.values);
                declaration.values.forEach(value => scope.set(value, value));
                break;
            default:
                break;
        }
    }
    for (const declaration of model.declarations) {
        if (declaration.kind === 'var') {
            const variable = declare(declaration.variable, scope, '', false);
            scope.set(declaration.variable.name, variable.array);
            shared.push(variable);
        } else if (declaration.kind === 'event') {
            events.set(
                declaration.name,
                declaration.arguments.map(type => valuesOf(type, scope)),
            );
        }
    }
    return {
        shared,
        events,
        instances: model.declarations.flatMap(declaration =>
            declaration.kind === 'process' ? instancesOf(declaration) : [],
        ),
        invariants: model.declarations.flatMap(declaration =>
            declaration.kind === 'invariant'
                ? [{ name: declaration.name, condition: term(declaration.expression, scope) }]
                : [],
        ),
        allowsDeadlock: model.declarations.some(declaration => declaration.kind === 'allow deadlock'),
    };
}

/** `[1, 2]`, or nothing for no indices. */
export function formatIndices(indices: readonly Value[]): string {
    return indices.length === 0 ? '' : `[${indices.map(formatValue).join(', ')}]`;
}

export function formatValue(value: Value): string {
    return value === null ? 'none' : String(value);
}

function isArray(meaning: Value | ArrayInfo): meaning is ArrayInfo {
    return typeof meaning === 'object' && meaning !== null;
}

/** Reading an element; the place itself where the indices are known. */
function element(array: ArrayInfo, indices: readonly Term[]): Term {
    if (indices.some(index => index.kind !== 'value')) {
        return { kind: 'element', array, indices };
    }
    const values = indices.map(index => (index as { value: Value }).value);
    return values.every((value, position) => array.indices[position]!.includes(value))
        ? { kind: 'cell', cell: array.name + formatIndices(values), array }
        : { kind: 'fault', fault: 'index' };
}

function unary(operator: '!' | '-', operand: Term): Term {
    switch (operand.kind) {
        case 'value':
            return { kind: 'value', value: operator === '!' ? operand.value === false : -Number(operand.value) };
        case 'fault':
            return operand;
        default:
            return { kind: operator === '!' ? '!' : 'negate', operand };
    }
}

function strict(operator: StrictOperator, left: Term, right: Term): Term {
    if (left.kind === 'value' && right.kind === 'value') {
        try {
            return { kind: 'value', value: apply(operator, left.value, right.value) };
        } catch (error) {
            if (error instanceof FaultError) {
                return { kind: 'fault', fault: error.fault };
            }
            throw error;
        }
    }
    return left.kind === 'fault' ? left : { kind: 'binary', operator, left, right };
}

function choice(condition: Term, then: Term, otherwise: Term): Term {
    switch (condition.kind) {
        case 'value':
            return condition.value === true ? then : otherwise;
        case 'fault':
            return condition;
        default:
            return { kind: 'if', condition, then, otherwise };
    }
}

/** A static operand that decides ends the sequence; one that does not is dropped. */
function sequence(kind: 'and' | 'or', operands: readonly Term[]): Term {
    const deciding = kind === 'or';
    const kept: Term[] = [];
    for (const operand of operands) {
        if (operand.kind === 'value' && operand.value !== deciding) {
            continue;
        }
        kept.push(operand);
        if (operand.kind === 'value' || operand.kind === 'fault') {
            break;
        }
    }
    if (kept.length === 0) {
        return { kind: 'value', value: !deciding };
    }
    return kept.length === 1 ? kept[0]! : { kind, operands: kept };
}

function total(kind: 'count' | 'sum', operands: readonly Term[]): Term {
    const faulty = operands.find(operand => operand.kind !== 'value');
    if (faulty === undefined) {
        const values = operands.map(operand => (operand as { value: Value }).value);
        return {
            kind: 'value',
            value:
                kind === 'count'
                    ? values.filter(value => value === true).length
                    : values.reduce<number>((sum, value) => sum + Number(value), 0),
        };
    }
    return faulty.kind === 'fault' ? faulty : { kind, operands };
}

/** The values that a term may have, each operand taken alone, and whether its evaluation may fault. */
export function outcomes(term: Term): { readonly values: readonly Value[]; readonly faults: boolean } {
    const booleans = (...operands: readonly Term[]): { values: readonly Value[]; faults: boolean } => ({
        values: [false, true],
        faults: operands.some(operand => outcomes(operand).faults),
    });
    switch (term.kind) {
        case 'value':
            return { values: [term.value], faults: false };
        case 'fault':
            return { values: [], faults: true };
        case 'cell':
            return { values: term.array.values, faults: false };
        case 'element':
            return {
                values: term.array.values,
                faults: term.indices
                    .map(outcomes)
                    .some(
                        (index, position) =>
                            index.faults || index.values.some(value => !term.array.indices[position]!.includes(value)),
                    ),
            };
        case '!':
            return booleans(term.operand);
        case 'negate':
            return outcomes({
                kind: 'binary',
                operator: '-',
                left: { kind: 'value', value: 0 },
                right: term.operand,
            });
        case 'binary': {
            const left = outcomes(term.left);
            const right = outcomes(term.right);
            const values = new Set<Value>();
            let faults = left.faults || right.faults;
            for (const a of left.values) {
                for (const b of right.values) {
                    try {
                        values.add(apply(term.operator, a, b));
                    } catch {
                        faults = true;
                    }
                }
            }
            return { values: [...values], faults };
        }
        case 'if': {
            const branches = [outcomes(term.then), outcomes(term.otherwise)];
            return {
                values: branches.flatMap(branch => branch.values),
                faults: outcomes(term.condition).faults || branches.some(branch => branch.faults),
            };
        }
        case 'and':
        case 'or':
            return booleans(...term.operands);
        case 'count':
            return { values: [...Array(term.operands.length + 1).keys()], faults: booleans(...term.operands).faults };
        case 'sum':
            return term.operands
                .map(operand => outcomes(operand))
                .reduce((total, operand) => ({
                    values: [...new Set(total.values.flatMap(a => operand.values.map(b => Number(a) + Number(b))))],
                    faults: total.faults || operand.faults,
                }));
        case 'at':
            // What stands before the label is not looked at.
            return { values: [false, true], faults: true };
    }
}

function fail(message: string): never {
    throw new Error(message);
}
