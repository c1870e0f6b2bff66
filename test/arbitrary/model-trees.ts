/** Parts of models as syntax trees, in short; and what is done with whole trees. */
import type { Control, Expression, Step } from '../reference/syntax.js';

export function literal(value: number): Expression {
    return { kind: 'literal', value };
}

export function none(): Expression {
    return { kind: 'literal', value: null };
}

export function name(called: string): Expression {
    return { kind: 'name', name: called, indices: [] };
}

export function field(record: Expression, called: string, indices: readonly Expression[] = []): Expression {
    return { kind: 'field', record, field: called, indices };
}

export function call(called: string, ...values: Expression[]): Expression {
    return { kind: 'call', name: called, arguments: values, indices: [] };
}

export function set(...values: Expression[]): Expression {
    return { kind: 'set', elements: values.map(low => ({ low })) };
}

export function not(operand: Expression): Expression {
    return { kind: 'unary', operator: '!', operand };
}

export function binary(
    operator: Extract<Expression, { kind: 'binary' }>['operator'],
    left: Expression,
    right: Expression,
): Expression {
    return { kind: 'binary', operator, left, right };
}

export function mapSteps(controls: readonly Control[], map: (step: Step) => Step): Control[] {
    return controls.map((control): Control => {
        switch (control.kind) {
            case 'step':
                return map(control);
            case 'loop':
            case 'while':
            case 'for':
                return { ...control, body: mapSteps(control.body, map) };
            case 'if':
                return { ...control, then: mapSteps(control.then, map), otherwise: mapSteps(control.otherwise, map) };
            case 'choose':
                return {
                    ...control,
                    alternatives: control.alternatives.map(alternative => ({
                        ...alternative,
                        body: mapSteps(alternative.body, map),
                    })),
                };
            case 'labeled':
                return { ...control, control: mapSteps([control.control], map)[0]! };
            default:
                return control;
        }
    });
}

/** A tree with an expression in place of a name. No binder of the trees made here hides a name. */
export function substitute<T>(tree: T, replaced: string, by: Expression): T {
    if (Array.isArray(tree)) {
        return tree.map((part: unknown) => substitute(part, replaced, by)) as T;
    }
    if (typeof tree !== 'object' || tree === null) {
        return tree;
    }
    const node = tree as { kind?: unknown; name?: unknown };
    if (node.kind === 'name' && node.name === replaced) {
        return by as T;
    }
    return Object.fromEntries(
        Object.entries(tree).map(([key, part]) => [key, substitute(part as unknown, replaced, by)]),
    ) as T;
}
