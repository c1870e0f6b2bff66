/** A lowered model as text: a line for each declaration, control item and statement, as in the language if possible. */
import { unreachable } from '../../engine/common/assert.js';
import { formatDomain, type Domain } from '../../engine/model/domain.js';
import type { Expression, Place } from '../../engine/model/expression.js';
import type {
    Communication,
    Control,
    Initializer,
    Model,
    Process,
    Statement,
    Variable,
} from '../../engine/model/model.js';
import { formatChannel, formatExpression, formatPlace } from '../../engine/model/print.js';

export function printModel(model: Model): string[] {
    return [
        ...model.parameters.map(({ name, text }) => `param ${name} = ${text}`),
        ...model.variables.map(variable => `var ${printVariable(variable, model, undefined)}`),
        ...model.channels.map(
            ({ name, indices, capacity, message }) =>
                `channel ${name}${printIndices(indices)}: ${capacity} of ` +
                message.map(({ suffix, domain }) => `${suffix} ${formatDomain(domain)}`.trim()).join(', '),
        ),
        ...model.channelTypes.map(({ domain }) => `${formatDomain(domain)} = ${printValues(domain)}`),
        ...model.initialConditions.map(condition => `init ${formatExpression(model, undefined, condition)}`),
        ...model.functions.flatMap(({ name, parameters, results, body }) => [
            `function ${name}(${parameters.map(({ name: own, indices }) => own + printIndices(indices)).join(', ')}): ` +
                results.map(({ element, indices }) => formatDomain(element) + printIndices(indices)).join(', '),
            ...indented(body.flatMap(statement => printStatement(statement, model, undefined))),
        ]),
        ...model.processes.flatMap(process => printProcess(process, model)),
        ...model.invariants.map(
            ({ name, expression }) => `invariant ${name} = ${formatExpression(model, undefined, expression)}`,
        ),
    ];
}

function printProcess(process: Process, model: Model): string[] {
    const where = process.where === undefined ? '' : ` where ${formatExpression(model, process, process.where)}`;
    return [
        `process ${process.name}${printIndices(process.indices.map(({ domain }) => domain))}${where}`,
        ...indented(process.locals.map(local => `var ${printVariable(local, model, process)}`)),
        ...indented(process.body.flatMap(control => printControl(control, model, process))),
    ];
}

function printVariable(variable: Variable, model: Model, process: Process | undefined): string {
    const { name, element, indices, initializer } = variable;
    return `${name}: ${formatDomain(element)}${printIndices(indices)}${printInitializer(initializer, model, process)}`;
}

function printIndices(indices: readonly Domain[]): string {
    return indices.length === 0 ? '' : `[${indices.map(formatDomain).join(', ')}]`;
}

function printValues(domain: Domain): string {
    return domain.kind === 'enumeration' ? domain.values.join(' | ') : formatDomain(domain);
}

function printInitializer(initializer: Initializer, model: Model, process: Process | undefined): string {
    const list = (expressions: readonly Expression[]): string =>
        expressions.map(expression => formatExpression(model, process, expression)).join(', ');
    switch (initializer.kind) {
        case 'default':
            return '';
        case 'any':
            return ' = any';
        case 'oneOf':
            return ` in ${initializer.choices.map(choices => `{${list(choices)}}`).join(', ')}`;
        case 'value':
            return ` = ${list(initializer.expressions)}`;
        default:
            return unreachable(initializer);
    }
}

function indented(lines: readonly string[]): string[] {
    return lines.map(line => `    ${line}`);
}

function printControl(control: Control, model: Model, process: Process): string[] {
    const text = (expression: Expression): string => formatExpression(model, process, expression);
    const block = (items: readonly Control[]): string[] =>
        indented(items.flatMap(item => printControl(item, model, process)));
    switch (control.kind) {
        case 'step': {
            const { guard, communication, body } = control;
            const parts = [
                ...(guard === undefined ? [] : [`when ${text(guard)}`]),
                ...(communication === undefined ? [] : [printCommunication(communication, model, process)]),
            ];
            return [
                ['step', ...parts].join(' '),
                ...indented(body.flatMap(statement => printStatement(statement, model, process))),
            ];
        }
        case 'loop':
            return ['loop', ...block(control.body)];
        case 'while':
            return [`while ${text(control.condition)}`, ...block(control.body)];
        case 'if':
            return [`if ${text(control.condition)}`, ...block(control.then), 'else', ...block(control.otherwise)];
        case 'choose':
            return control.alternatives.flatMap((items, index) => [index === 0 ? 'choose' : 'or', ...block(items)]);
        case 'assume':
            return [`assume ${text(control.condition)}`];
        case 'for':
            return [`for ${control.binder.name} in ${formatDomain(control.binder.domain)}`, ...block(control.body)];
        case 'labeled':
            return [`${control.isEnd ? 'end ' : ''}${control.label}:`, ...block([control.control])];
        case 'declare':
            return [`declare ${process.locals[control.local]?.name ?? '?'}`];
        case 'break':
        case 'terminate':
            return [control.kind];
        default:
            return unreachable(control);
    }
}

function printCommunication(communication: Communication, model: Model, process: Process): string {
    const list = (expressions: readonly Expression[]): string =>
        expressions.map(expression => printMessage(expression, model, process)).join(', ');
    switch (communication.kind) {
        case 'event':
            return `${model.events[communication.event]?.name ?? '?'}[${list(communication.arguments)}]`;
        case 'send':
            return `${formatChannel(model, process, communication.channel)} ! ${list(communication.values)}`;
        case 'receive': {
            const tests = communication.tests.map(test => printMessage(test, model, process));
            const bindings = communication.bindings.map(({ target, value }) =>
                printAssignment(target, value, model, process),
            );
            const pattern = [...tests, ...bindings].join('; ') || '_';
            return `${formatChannel(model, process, communication.channel)} ? ${pattern}`;
        }
        default:
            return unreachable(communication);
    }
}

/** The engine's printer writes `the message` for all its scalars; this one writes their positions. */
function printMessage(expression: Expression, model: Model, process: Process | undefined): string {
    let position = 0;
    const positions: number[] = [];
    JSON.stringify(expression, (_, part: unknown) => {
        const node = part as Partial<Expression> | null;
        if (typeof node === 'object' && node?.kind === 'message') {
            positions.push(node.position ?? -1);
        }
        return part;
    });
    return formatExpression(model, process, expression).replace(
        /the message/g,
        () => `message ${positions[position++] ?? '?'}`,
    );
}

function printAssignment(target: Place, value: Expression, model: Model, process: Process | undefined): string {
    return `${formatPlace(model, process, target)} := ${printMessage(value, model, process)}`;
}

function printStatement(statement: Statement, model: Model, process: Process | undefined): string[] {
    const text = (expression: Expression): string => formatExpression(model, process, expression);
    const block = (body: readonly Statement[]): string[] =>
        indented(body.flatMap(inner => printStatement(inner, model, process)));
    switch (statement.kind) {
        case 'assign':
            return [
                statement.assignments
                    .map(({ target, value }) => printAssignment(target, value, model, process))
                    .join(', '),
            ];
        case 'declare':
            return statement.declarations.map(
                ({ temporary, values }) =>
                    `let ${temporary.name}${printIndices(temporary.indices)} = ${values.map(text).join(', ')}`,
            );
        case 'if':
            return [`if ${text(statement.condition)}`, ...block(statement.then), 'else', ...block(statement.otherwise)];
        case 'while':
            return [`while ${text(statement.condition)}`, ...block(statement.body)];
        case 'for':
            return [
                `for ${statement.binder.name} in ${formatDomain(statement.binder.domain)}`,
                ...block(statement.body),
            ];
        case 'return':
            return [`return ${statement.values.map(values => values.map(text).join(', ')).join('; ')}`];
        case 'spawn': {
            const { name } = model.processes[statement.process] ?? { name: '?' };
            const created = `spawn ${name}(${statement.arguments.map(text).join(', ')})`;
            const { target } = statement;
            return [target === undefined ? created : `${formatPlace(model, process, target)} := ${created}`];
        }
        case 'fill':
            return [
                `for all ${statement.binders.map(({ name, domain }) => `${name} in ${formatDomain(domain)}`).join(', ')}: ` +
                    statement.assignments
                        .map(({ target, value }) => printAssignment(target, value, model, process))
                        .join(', '),
            ];
        case 'assert':
            return [`assert ${text(statement.condition)}`];
        case 'skip':
            return ['skip'];
        default:
            return unreachable(statement);
    }
}
