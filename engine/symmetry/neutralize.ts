/**
 * Places of a model that may break a symmetry, and the model without them.
 *
 * To neutralize a place is to make the model say nothing there: a test holds always, a branch is a free choice, an
 * assignment does not happen, a variable starts anywhere. If a symmetry that is missing is there once some places are
 * neutralized, these places are what breaks it.
 */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { BOOLEAN } from '../model/domain.js';
import type { BinaryOperator, Expression } from '../model/expression.js';
import type { Communication, Control, Model, Process, Statement, Variable } from '../model/model.js';
import { formatExpression, formatPlace } from '../model/print.js';

export interface Place {
    readonly range: SourceRange;
    /** What stands there, for messages. */
    readonly text: string;
    /** Whether it mentions a number, or compares or computes by order: what treats all indices alike does neither. */
    readonly mentionsOrder: boolean;
}

/** All places of the model in the order of the text. The fields of one record may have one place. */
export function placesOf(model: Model): Place[] {
    const places = new Map<SourceRange, Place>();
    new Neutralization(model, place => {
        const known = places.get(place.range) ?? place;
        places.set(place.range, { ...known, mentionsOrder: known.mentionsOrder || place.mentionsOrder });
        return false;
    }).run();
    return [...places.values()];
}

/** The model with the places at these ranges neutralized. */
export function neutralize(model: Model, ranges: ReadonlySet<SourceRange>): Model {
    return new Neutralization(model, place => ranges.has(place.range)).run();
}

/** A walk over the model that asks at each place whether to neutralize it. Ranges are told apart by identity. */
class Neutralization {
    private readonly model: Model;
    private readonly decide: (place: Place) => boolean;

    constructor(model: Model, decide: (place: Place) => boolean) {
        this.model = model;
        this.decide = decide;
    }

    run(): Model {
        return {
            ...this.model,
            variables: this.model.variables.map(variable => this.variable(variable, undefined)),
            initialConditions: this.tests(this.model.initialConditions, undefined),
            processes: this.model.processes.map(process => this.process(process)),
        };
    }

    private variable(variable: Variable, process: Process | undefined): Variable {
        const { initializer } = variable;
        if (initializer.kind === 'default' || initializer.kind === 'any') {
            return variable;
        }
        const { range } = initializer;
        const [first, ...others] = initializer.kind === 'value' ? [initializer.expressions] : initializer.choices;
        const format = (expressions: readonly Expression[]): string =>
            expressions.map(expression => formatExpression(this.model, process, expression)).join(', ');
        const text =
            initializer.kind === 'oneOf'
                ? `{ ${format(first)} }`
                : first.length === 1
                  ? format(first)
                  : `[${format(first)}]`;
        return this.asks(range, process, [...first, ...others.flat()], text)
            ? { ...variable, initializer: { kind: 'any', range } }
            : variable;
    }

    private process(process: Process): Process {
        const where = process.where === undefined ? undefined : this.test(process.where, process);
        const locals = process.locals.map(local => this.variable(local, process));
        const body = process.body.map(control => this.control(control, process));
        const { where: _, ...rest } = process;
        return { ...rest, ...(where === undefined ? {} : { where }), locals, body };
    }

    private tests(tests: readonly Expression[], process: Process | undefined): Expression[] {
        return tests.flatMap(test => this.test(test, process) ?? []);
    }

    /** A test without its neutralized conjuncts; undefined where nothing is left. */
    private test(test: Expression, process: Process | undefined): Expression | undefined {
        if (test.kind === 'binary' && test.operator === 'and') {
            const left = this.test(test.left, process);
            const right = this.test(test.right, process);
            if (left === undefined || right === undefined) {
                return left ?? right;
            }
            return left === test.left && right === test.right ? test : { ...test, left, right };
        }
        return this.asks(test.range, process, [test]) ? undefined : test;
    }

    private control(control: Control, process: Process): Control {
        const inside = (body: readonly Control[]): Control[] => body.map(inner => this.control(inner, process));
        switch (control.kind) {
            case 'step': {
                const guard = control.guard === undefined ? undefined : this.test(control.guard, process);
                const { guard: _, ...rest } = control;
                const communication = this.communication(control.communication, process);
                const body = this.statements(control.body, process);
                return {
                    ...rest,
                    ...(guard === undefined ? {} : { guard }),
                    ...(communication === undefined ? {} : { communication }),
                    body,
                };
            }
            case 'assume': {
                const { range } = control;
                const condition = this.test(control.condition, process);
                return { ...control, condition: condition ?? { kind: 'constant', value: 1, domain: BOOLEAN, range } };
            }
            case 'for':
            case 'loop':
                return { ...control, body: inside(control.body) };
            case 'while': {
                const { condition, range } = control;
                const body = inside(control.body);
                if (!this.asks(condition.range, process, [condition])) {
                    return { ...control, body };
                }
                // Another round or an end, as it pleases.
                const choice: Control = { kind: 'choose', alternatives: [body, [{ kind: 'break', range }]], range };
                return { kind: 'loop', body: [choice], range };
            }
            case 'if': {
                const { condition, range } = control;
                const then = inside(control.then);
                const otherwise = inside(control.otherwise);
                return this.asks(condition.range, process, [condition])
                    ? { kind: 'choose', alternatives: [then, otherwise], range }
                    : { ...control, then, otherwise };
            }
            case 'choose':
                return { ...control, alternatives: control.alternatives.map(inside) };
            case 'labeled':
                return { ...control, control: this.control(control.control, process) };
            case 'declare':
            case 'break':
            case 'terminate':
                return control;
            default:
                return unreachable(control);
        }
    }

    /** A receive takes any message where its pattern is neutralized; what is sent cannot be left open. */
    private communication(communication: Communication | undefined, process: Process): Communication | undefined {
        return communication?.kind === 'receive'
            ? { ...communication, tests: this.tests(communication.tests, process) }
            : communication;
    }

    private statements(statements: readonly Statement[], process: Process): Statement[] {
        return statements.flatMap((statement): Statement[] => {
            switch (statement.kind) {
                case 'assign': {
                    const { assignments, range } = statement;
                    const texts = assignments.map(
                        ({ target, value }) =>
                            `${formatPlace(this.model, process, target)} := ${formatExpression(this.model, process, value)}`,
                    );
                    const expressions = assignments.flatMap(({ target, value }) => [...target.indices, value]);
                    return this.asks(range, process, expressions, texts.join('; ')) ? [] : [statement];
                }
                case 'while': {
                    const body = this.statements(statement.body, process);
                    // As in a choice within a step: no round at all.
                    return this.asks(statement.condition.range, process, [statement.condition])
                        ? []
                        : [{ ...statement, body }];
                }
                case 'for':
                    return [{ ...statement, body: this.statements(statement.body, process) }];
                case 'if': {
                    const { condition } = statement;
                    const then = this.statements(statement.then, process);
                    const otherwise = this.statements(statement.otherwise, process);
                    // Within a step there is no free choice: neither branch is taken.
                    return this.asks(condition.range, process, [condition]) ? [] : [{ ...statement, then, otherwise }];
                }
                case 'assert': {
                    const { condition } = statement;
                    return this.asks(condition.range, process, [condition]) ? [] : [statement];
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

    /** `text` is that of the first expression unless it is given. */
    private asks(
        range: SourceRange,
        process: Process | undefined,
        expressions: readonly Expression[],
        text?: string,
    ): boolean {
        return this.decide({
            range,
            text: text ?? formatExpression(this.model, process, expressions[0]),
            mentionsOrder: expressions.some(mentionsOrder),
        });
    }
}

const TREATS_VALUES_ALIKE: ReadonlySet<BinaryOperator> = new Set(['==', '!=', 'and', 'or', 'implies']);

/** Whether an expression mentions a number, or compares or computes by order. */
export function mentionsOrder(expression: Expression): boolean {
    switch (expression.kind) {
        case 'constant':
            return expression.domain === undefined || expression.domain.kind === 'range';
        case 'binder':
            return false;
        case 'read':
            return expression.place.indices.some(mentionsOrder);
        case 'unary':
            return expression.operator === 'negate' || mentionsOrder(expression.operand);
        case 'binary':
            return (
                !TREATS_VALUES_ALIKE.has(expression.operator) ||
                mentionsOrder(expression.left) ||
                mentionsOrder(expression.right)
            );
        case 'conditional':
            return [expression.condition, expression.then, expression.otherwise].some(mentionsOrder);
        case 'quantifier':
            return (
                expression.quantifier === 'min' ||
                expression.quantifier === 'max' ||
                mentionsOrder(expression.body) ||
                (expression.where !== undefined && mentionsOrder(expression.where))
            );
        case 'at':
            return expression.indices.some(mentionsOrder);
        case 'instance-local':
            return [...expression.instance, ...expression.indices].some(mentionsOrder);
        case 'select':
            return [expression.index, ...expression.options].some(mentionsOrder);
        case 'field':
            return mentionsOrder(expression.record);
        case 'record':
            return expression.fields.some(mentionsOrder);
        case 'call':
            return [...expression.arguments.flat(), ...expression.indices].some(mentionsOrder);
        case 'length':
            return expression.channel.kind === 'value'
                ? mentionsOrder(expression.channel.expression)
                : expression.channel.indices.some(mentionsOrder);
        case 'message':
            return false;
        default:
            return unreachable(expression);
    }
}
