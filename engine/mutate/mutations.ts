/**
 * The mutations of a model: one change at one place of a process, of a function that a process calls, or of a `fair`.
 * A place is what stands in the text once, wherever lowering has put it: all parts of the model with its range change.
 */
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import type { TextOfRange } from '../common/source-text.js';
import { isNumber } from '../model/domain.js';
import type { BinaryOperator, Expression } from '../model/expression.js';
import { elementDomain } from '../model/map-expression.js';
import type { Control, Model, Process, Statement, Step } from '../model/model.js';
import { formatExpression, formatPlace } from '../model/print.js';
import { replaceParts } from '../model/replace-parts.js';
import { controlsIn, expressionsOf, partsOf, statementsIn } from '../model/walk-model.js';
import type { Change, Mutation } from './mutation.js';

/** In the order of the text. `textOf` tells apart what is written and what lowering has added. */
export function mutationsOf(model: Model, textOf: TextOfRange): Mutation[] {
    const collector = new Collector(model, textOf);
    model.functions.forEach((_, index) => {
        collector.addFunction(index);
    });
    model.processes.forEach(process => {
        collector.addProcess(process);
    });
    collector.addFairEvents();
    return collector.inTextOrder();
}

type Binary = Extract<Expression, { kind: 'binary' }>;
type Constant = Extract<Expression, { kind: 'constant' }>;
type Assignment = Extract<Statement, { kind: 'assign' | 'fill' }>;

/** What a binary expression becomes. */
interface OtherParts {
    readonly change: Change;
    readonly operator: BinaryOperator;
    readonly right?: Constant;
}

const OTHER_OPERATOR: Partial<Record<BinaryOperator, OtherParts>> = {
    '==': { operator: '!=', change: 'negation' },
    '!=': { operator: '==', change: 'negation' },
    '<': { operator: '<=', change: 'bound' },
    '<=': { operator: '<', change: 'bound' },
    '>': { operator: '>=', change: 'bound' },
    '>=': { operator: '>', change: 'bound' },
    and: { operator: 'or', change: 'connective' },
    or: { operator: 'and', change: 'connective' },
};

const SIGNS: Partial<Record<BinaryOperator, string>> = { and: '&&', or: '||' };

/** The surroundings of a place. */
interface Scope {
    readonly process: Process | undefined;
    readonly within: string;
    readonly part: string;
}

class Collector {
    readonly #model: Model;
    readonly #textOf: TextOfRange;
    readonly #called: ReadonlySet<number>;
    /** By kind of change and place. */
    readonly #mutations = new Map<string, Mutation>();

    constructor(model: Model, textOf: TextOfRange) {
        this.#model = model;
        this.#textOf = textOf;
        this.#called = calledByProcesses(model);
    }

    inTextOrder(): Mutation[] {
        const mutations = [...this.#mutations.values()];
        const order = [...new Set(mutations.map(({ range }) => range.uri))];
        return mutations.sort(
            ({ range: one }, { range: other }) =>
                order.indexOf(one.uri) - order.indexOf(other.uri) ||
                one.start.line - other.start.line ||
                one.start.character - other.start.character,
        );
    }

    addFunction(index: number): void {
        const { name, body, range } = this.#model.functions[index];
        if (this.#called.has(index)) {
            this.#statements(body, { process: undefined, within: name, part: keyOfRange(range) });
        }
    }

    addProcess(process: Process): void {
        const { name, fairness, body, nameRange } = process;
        const scope = { process, within: name, part: keyOfRange(nameRange) };
        if (fairness !== undefined) {
            const from = `${fairness === 'strong' ? 'strong fair' : 'fair'} process ${name}`;
            this.#add('fairness', nameRange, scope, { from, to: `process ${name}` }, part =>
                isOfRange(part, 'nameRange', nameRange) ? { ...part, fairness: undefined } : undefined,
            );
        }
        this.#controls(body, scope);
    }

    addFairEvents(): void {
        for (const { name, fairness, nameRange } of this.#model.events) {
            if (fairness !== undefined) {
                const scope = { process: undefined, within: name, part: keyOfRange(nameRange) };
                const from = `${fairness === 'strong' ? 'strong fair' : 'fair'} event ${name}`;
                this.#add('fairness', nameRange, scope, { from, to: `event ${name}` }, part =>
                    isOfRange(part, 'nameRange', nameRange) ? { ...part, fairness: undefined } : undefined,
                );
            }
        }
    }

    #controls(controls: readonly Control[], scope: Scope): void {
        controls.forEach(control => {
            this.#control(control, scope);
        });
    }

    #control(control: Control, scope: Scope): void {
        const { range } = control;
        switch (control.kind) {
            case 'step':
                this.#step(control, scope);
                return;
            case 'labeled': {
                const { label, fairness, labelRange } = control;
                const own = { ...scope, within: `${scope.process?.name ?? ''} ${label}` };
                if (fairness !== undefined) {
                    const from = `${fairness === 'strong' ? 'strong fair' : 'fair'} ${label}`;
                    this.#add('fairness', labelRange, own, { from, to: label }, part =>
                        isOfRange(part, 'labelRange', labelRange) ? { ...part, fairness: undefined } : undefined,
                    );
                }
                this.#control(control.control, own);
                return;
            }
            case 'choose':
                this.#choose(control, scope);
                return;
            case 'while':
            case 'if':
            case 'assume':
                this.#expression(control.condition, { ...scope, part: keyOfRange(control.condition.range) });
                break;
            default:
        }
        this.#controls(controlsIn(control), { ...scope, part: keyOfRange(range) });
    }

    #choose(control: Extract<Control, { kind: 'choose' }>, scope: Scope): void {
        const { alternatives, range } = control;
        alternatives.forEach((alternative, index) => {
            const name = nameOfAlternative(alternative, this.#textOf);
            // A receive from a channel without order is a choice that the text does not show.
            const at = alternatives.length > 1 ? (placeOfAlternative(alternative) ?? range) : range;
            if (alternatives.length > 1) {
                const own = { ...scope, part: `${keyOfRange(range)} ${index}` };
                this.#add('alternative', at, own, { from: name, to: '' }, part => {
                    const { kind, alternatives: all } = part as Partial<typeof control>;
                    return kind === 'choose' && isOfRange(part, 'range', range) && all?.length === alternatives.length
                        ? { ...part, alternatives: all.filter((_, other) => other !== index) }
                        : undefined;
                });
            }
            this.#controls(alternative, scope);
        });
    }

    #step(step: Step, scope: Scope): void {
        const { guard, range, communication, body } = step;
        if (guard !== undefined) {
            const own = { ...scope, part: `guard ${keyOfRange(range)}` };
            if (guard.kind !== 'constant') {
                this.#guard(step, guard, own);
            }
            this.#expression(guard, own);
        }
        const own = { ...scope, part: `body ${keyOfRange(range)}` };
        switch (communication?.kind) {
            case 'event':
                communication.arguments.forEach(part => {
                    this.#expression(part, own);
                });
                break;
            case 'send':
                communication.values.forEach(part => {
                    this.#expression(part, own);
                });
                break;
            default:
        }
        this.#statements(body, own);
    }

    #guard({ range }: Step, guard: Expression, scope: Scope): void {
        const isStep = (part: object): part is Step & { readonly guard: Expression } => {
            const { kind, guard: own } = part as Partial<Step>;
            return kind === 'step' && own !== undefined && isOfRange(part, 'range', range);
        };
        this.#add('guard', guard.range, scope, { from: this.#textAt(guard, scope), to: '' }, part => {
            if (!isStep(part)) {
                return undefined;
            }
            const { guard: _, ...others } = part;
            return others;
        });
        const conjuncts = this.#conjunctsOf(guard);
        for (const dropped of conjuncts.length > 1 ? conjuncts : []) {
            this.#add('conjunct', dropped.range, scope, { from: this.#textAt(dropped, scope), to: '' }, part =>
                isStep(part)
                    ? { ...part, guard: without(part.guard, each => isSame(each.range, dropped.range)) }
                    : undefined,
            );
        }
    }

    #conjunctsOf(guard: Expression): Expression[] {
        return guard.kind === 'binary' && guard.operator === 'and' && this.#isWritten(guard)
            ? [...this.#conjunctsOf(guard.left), ...this.#conjunctsOf(guard.right)]
            : [guard];
    }

    #statements(statements: readonly Statement[], scope: Scope): void {
        for (const statement of statements) {
            const { range, kind } = statement;
            if (kind === 'assign' || kind === 'fill') {
                const [first] = statement.assignments;
                const from =
                    wordsOf(this.#textOf(range)) ?? (first && formatPlace(this.#model, scope.process, first.target));
                this.#add('assignment', range, scope, { from: from ?? '', to: '' }, part =>
                    isStatement(part) && (part.kind === 'assign' || part.kind === 'fill') && isSame(part.range, range)
                        ? { kind: 'skip', range }
                        : undefined,
                );
                statement.assignments.forEach(({ value }) => {
                    this.#truth(statement, value, scope);
                });
            }
            // An assertion is a property.
            if (kind !== 'assert') {
                expressionsOf(statement).forEach(part => {
                    this.#expression(part, scope);
                });
            }
            this.#statements(statementsIn(statement), scope);
        }
    }

    /** What is written is a truth value: that, or by the insertion into a set or the removal from it. */
    #truth(statement: Assignment, value: Expression, scope: Scope): void {
        if (!isTruth(value)) {
            return;
        }
        const { range } = value;
        const text = wordsOf(this.#textOf(range)) ?? String(value.value === 1);
        if (text === 'true' || text === 'false') {
            this.#add('truth', range, scope, { from: text, to: String(text === 'false') }, part =>
                isConstant(part) && isTruth(part) && isSame(part.range, range) ? negated(part) : undefined,
            );
            return;
        }
        const from = wordsOf(this.#textOf(statement.range)) ?? '';
        const to = from.replace(/\b(union|minus)\b/, word => OTHER_WORD[word]);
        if (to !== from) {
            this.#add('element', statement.range, scope, { from, to }, part =>
                isStatement(part) && part.kind === 'assign' && isSame(part.range, statement.range)
                    ? {
                          ...part,
                          assignments: part.assignments.map(each =>
                              isTruth(each.value) ? { ...each, value: negated(each.value) } : each,
                          ),
                      }
                    : undefined,
            );
        }
    }

    #expression(expression: Expression, scope: Scope): void {
        if (expression.kind === 'binary') {
            this.#binary(expression, scope);
        }
        if (expression.kind === 'quantifier') {
            this.#quantifier(expression, scope);
        }
        partsOf(expression).forEach(part => {
            this.#expression(part, scope);
        });
    }

    #binary(expression: Binary, scope: Scope): void {
        const { operator, left, right, range } = expression;
        const other = this.#isWritten(expression) ? this.#otherOf(expression, scope) : undefined;
        if (other === undefined) {
            return;
        }
        const { change, ...parts } = other;
        const between = this.#textOf(betweenOf(left, right));
        const sign = SIGNS[operator] ?? operator;
        const otherSign = SIGNS[parts.operator] ?? parts.operator;
        const to =
            between === undefined
                ? formatExpression(this.#model, scope.process, { ...expression, ...parts })
                : wordsOf(
                      `${this.#textOf({ ...range, end: left.range.end })}${between.replace(sign, otherSign)}` +
                          (parts.right === undefined ? this.#textOf({ ...range, start: right.range.start }) : '2'),
                  );
        this.#add(
            change,
            range,
            scope,
            { from: this.#textAt(expression, scope), to: to ?? '' },
            part =>
                isBinary(part) &&
                part.operator === operator &&
                isSame(part.left.range, left.range) &&
                isSame(part.right.range, right.range)
                    ? { ...part, ...parts }
                    : undefined,
            keyOfRange(betweenOf(left, right)),
        );
    }

    /** The parts that change. A number without end becomes 2 more, since it may not become less. */
    #otherOf({ operator, left, right }: Binary, { process }: Scope): OtherParts | undefined {
        if ((operator !== '+' && operator !== '-') || right.kind !== 'constant' || right.value !== 1) {
            return OTHER_OPERATOR[operator];
        }
        const domain = left.kind === 'read' ? elementDomain(left.place, { model: this.#model, process }) : undefined;
        return domain !== undefined && isNumber(domain)
            ? { operator, right: { ...right, value: 2 }, change: 'step' }
            : { operator: operator === '+' ? '-' : '+', change: 'step' };
    }

    #quantifier(expression: Extract<Expression, { kind: 'quantifier' }>, scope: Scope): void {
        const { quantifier, range } = expression;
        const other = quantifier === 'forall' ? 'exists' : quantifier === 'exists' ? 'forall' : undefined;
        const text = this.#textAt(expression, scope);
        if (other !== undefined && new RegExp(`^[( ]*${quantifier}\\b`).test(text)) {
            this.#add('quantifier', range, scope, { from: text, to: text.replace(quantifier, other) }, part => {
                const { kind, quantifier: own } = part as Partial<typeof expression>;
                return kind === 'quantifier' && own === quantifier && isOfRange(part, 'range', range)
                    ? { ...part, quantifier: other }
                    : undefined;
            });
        }
    }

    /** Whether the operator stands in the text between its operands, and the text has nothing else. */
    #isWritten({ operator, left, right, range }: Binary): boolean {
        if (isBefore(right.range, left.range)) {
            return false;
        }
        const between = this.#textOf(betweenOf(left, right));
        const outside = [
            this.#textOf({ ...range, end: left.range.start }),
            this.#textOf({ ...range, start: right.range.end }),
        ];
        return (
            (between === undefined || between.includes(SIGNS[operator] ?? operator)) &&
            outside.every(text => text === undefined || /^[\s()]*$/.test(text))
        );
    }

    #textAt(expression: Expression, { process }: Scope): string {
        return wordsOf(this.#textOf(expression.range)) ?? formatExpression(this.#model, process, expression);
    }

    #add(
        change: Change,
        range: SourceRange,
        { within, part }: Scope,
        { from, to }: Pick<Mutation, 'from' | 'to'>,
        replacement: (part: object) => object | undefined,
        place = keyOfRange(range),
    ): void {
        const key = `${change} ${place} ${from}`;
        if (!this.#mutations.has(key)) {
            const changed = (): Model => {
                const { processes, functions, events } = this.#model;
                const parts = replaceParts({ processes, functions, events }, replacement);
                return parts.functions === functions
                    ? { ...this.#model, ...parts }
                    : { ...this.#model, ...forStepsAlone(parts, functions) };
            };
            this.#mutations.set(key, { change, range, within, from, to, part, changed });
        }
    }
}

/** Steps call copies, behind all functions; properties, assertions and initial values call what is in the text. */
function forStepsAlone(
    { processes, functions }: Pick<Model, 'processes' | 'functions'>,
    unchanged: Model['functions'],
): Pick<Model, 'processes' | 'functions'> {
    const toCopies = (part: object): object | undefined => {
        if (isCall(part)) {
            const { arguments: values, indices, function: index } = part;
            const parts = replaceParts({ arguments: values, indices }, toCopies);
            return { ...part, ...parts, function: index + unchanged.length };
        }
        return isAssertion(part) ? part : undefined;
    };
    return {
        processes: processes.map(process => ({ ...process, body: replaceParts(process.body, toCopies) })),
        functions: [...unchanged, ...replaceParts(functions, toCopies)],
    };
}

const OTHER_WORD: Readonly<Record<string, string>> = { union: 'minus', minus: 'union' };

/** The functions that steps use, also through other functions. */
function calledByProcesses({ processes, functions }: Model): ReadonlySet<number> {
    const called = new Set<number>();
    const look = (part: unknown): void => {
        if (typeof part !== 'object' || part === null || isAssertion(part)) {
            return;
        }
        if (isCall(part) && !called.has(part.function)) {
            called.add(part.function);
            look(functions[part.function].body);
        }
        Object.values(part).forEach(look);
    };
    processes.forEach(({ body }) => {
        look(body);
    });
    return called;
}

/** The conjunction without the conjuncts that are dropped; at least one is left. */
function without(condition: Expression, isDropped: (part: Expression) => boolean): Expression {
    if (condition.kind !== 'binary' || condition.operator !== 'and') {
        return condition;
    }
    if (isDropped(condition.left)) {
        return condition.right;
    }
    return isDropped(condition.right)
        ? condition.left
        : { ...condition, left: without(condition.left, isDropped), right: without(condition.right, isDropped) };
}

function nameOfAlternative(alternative: readonly Control[], textOf: TextOfRange): string {
    const labels = alternative.flatMap(labelsIn);
    const [first] = alternative;
    return labels[0] ?? (first && wordsOf(textOf(first.range))) ?? '';
}

function labelsIn(control: Control): string[] {
    return [...(control.kind === 'labeled' ? [control.label] : []), ...controlsIn(control).flatMap(labelsIn)];
}

function placeOfAlternative([first]: readonly Control[]): SourceRange | undefined {
    return first?.kind === 'labeled' ? first.labelRange : first?.range;
}

/** In one line, without comments. */
function wordsOf(text: string | undefined): string | undefined {
    return text
        ?.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, '')
        .replace(/\s+/g, ' ')
        .trim();
}

function betweenOf(left: Expression, right: Expression): SourceRange {
    return { uri: left.range.uri, start: left.range.end, end: right.range.start };
}

function isBefore({ start: { line, character } }: SourceRange, { end }: SourceRange): boolean {
    return line < end.line || (line === end.line && character < end.character);
}

function isSame(one: SourceRange, other: SourceRange): boolean {
    return keyOfRange(one) === keyOfRange(other);
}

function isOfRange(part: object, key: 'range' | 'nameRange' | 'labelRange', range: SourceRange): boolean {
    const own = (part as Partial<Record<typeof key, SourceRange>>)[key];
    return own !== undefined && isSame(own, range);
}

function isStatement(part: object): part is Statement {
    return 'kind' in part && 'range' in part;
}

function isBinary(part: object): part is Binary {
    return 'kind' in part && part.kind === 'binary' && 'left' in part && 'right' in part;
}

function isCall(part: object): part is Extract<Expression, { kind: 'call' }> {
    return 'kind' in part && part.kind === 'call' && 'function' in part;
}

function isAssertion(part: object): boolean {
    return 'kind' in part && part.kind === 'assert';
}

function isTruth(value: Expression): value is Constant {
    return value.kind === 'constant' && value.domain?.kind === 'boolean';
}

function negated(truth: Constant): Constant {
    return { ...truth, value: 1 - Number(truth.value) };
}

function isConstant(part: object): part is Constant {
    return 'kind' in part && part.kind === 'constant' && 'range' in part;
}
