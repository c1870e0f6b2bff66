/**
 * Places of a model that may break a symmetry, and the model without them.
 *
 * To neutralize a place is to make the model say nothing there: a test holds always, a branch is a free choice, an
 * assignment does not happen, a variable starts anywhere. If a symmetry that is missing is there once some places are
 * neutralized, these places are what breaks it.
 */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import type { BinaryOperator, Expression } from '../model/expression.js';
import type { Control, Model, Process, Statement, Variable } from '../model/model.js';
import { formatExpression, formatPlace } from '../model/print.js';

export interface Place {
    readonly range: SourceRange;
    /** What stands there, for messages. */
    readonly text: string;
    /** Whether it mentions a number, or compares or computes by order: what treats all indices alike does neither. */
    readonly mentionsOrder: boolean;
}

/** All places of the model in the order of the text. */
export function placesOf(model: Model): Place[] {
    const places: Place[] = [];
    new Neutralization(model, place => {
        places.push(place);
        return false;
    }).run();
    return places;
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
            processes: this.model.processes.map(process => this.process(process)),
        };
    }

    private variable(variable: Variable, process: Process | undefined): Variable {
        if (variable.initializer.kind !== 'value') {
            return variable;
        }
        const { expression } = variable.initializer;
        const { range } = expression;
        return this.asks(range, process, [expression])
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

    /** A test without its neutralized conjuncts; undefined where nothing is left. */
    private test(test: Expression, process: Process): Expression | undefined {
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
                const body = this.statements(control.body, process);
                return { ...rest, ...(guard === undefined ? {} : { guard }), body };
            }
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
                return control;
            default:
                return unreachable(control);
        }
    }

    private statements(statements: readonly Statement[], process: Process): Statement[] {
        return statements.flatMap((statement): Statement[] => {
            switch (statement.kind) {
                case 'assign': {
                    const { target, value, range } = statement;
                    const text = `${formatPlace(this.model, process, target)} := ${formatExpression(this.model, process, value)}`;
                    return this.asks(range, process, [...target.indices, value], text) ? [] : [statement];
                }
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

function mentionsOrder(expression: Expression): boolean {
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
                mentionsOrder(expression.body) || (expression.where !== undefined && mentionsOrder(expression.where))
            );
        case 'at':
            return expression.indices.some(mentionsOrder);
        default:
            return unreachable(expression);
    }
}
