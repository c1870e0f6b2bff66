/** Why a step is a fault: the expression or assignment at the place of the fault, with the values that make it one. */
import { codeOfValue, domainSize, formatDomain, NONE, templateOf, type Domain } from '../model/domain.js';
import type { SourceRange } from '../common/source-range.js';
import { isArithmetic } from '../sequential/expression/arithmetic.js';
import { Fault } from '../sequential/expression/evaluate.js';
import { operandsOf } from '../sequential/expression/operands.js';
import type {
    ElementPlace,
    FaultKind,
    Participant,
    SequentialExpression,
    SequentialStatement,
} from '../sequential/sequential-model.js';
import { channelWithLength } from '../describe/shown-state.js';
import { describeFault, formatNumberOf } from '../describe/words.js';
import { falsePart } from './false-part.js';
import { domainOf, phrase, phraseValue } from './phrase.js';
import type { Reason, ReasonLine } from './reason.js';
import type { Scene } from './scene.js';

/**
 * A firing of a summand that is a fault, told by running again the participant that has it: in its path or, if no path
 * has it, in its body. A race is nobody's own.
 */
export function reasonOfFault(summand: number, kind: FaultKind, scene: Scene): Reason {
    const faulty = scene.model.summands[summand].participants
        .map(participant => ({ participant, fault: faultOf(participant, scene) }))
        .filter(({ fault }) => fault?.kind === kind);
    const found = faulty.find(({ fault }) => fault?.isInPath === true) ?? faulty.at(0);
    return (found && new Replay(scene, kind).run(found.participant)) ?? [{ text: describeFault(kind) }];
}

/** The fault of a participant on its own, if its path and then its body have one. */
function faultOf(
    { path, body }: Participant,
    { compiler, state }: Scene,
): { readonly kind: FaultKind; readonly isInPath: boolean } | undefined {
    const own = Int32Array.from(state);
    let isInPath = true;
    try {
        for (const element of path) {
            if (element.kind === 'assign') {
                compiler.assignment(element.cell, element.value, element.range)(own);
            } else {
                compiler.condition(element.condition)(own);
            }
        }
        isInPath = false;
        compiler.statements(body)(own);
        return undefined;
    } catch (error) {
        if (error instanceof Fault) {
            return { kind: error.kind, isInPath };
        }
        throw error;
    }
}

/** A fault while a property is evaluated. */
export function reasonOfFaultIn(expression: SequentialExpression, kind: FaultKind, scene: Scene): Reason {
    return faultyPart(expression, kind, scene) ?? [{ text: describeFault(kind) }];
}

/** Runs a participant on a copy of the state up to its fault. */
class Replay {
    readonly #scene: Scene;
    readonly #kind: FaultKind;

    constructor(scene: Scene, kind: FaultKind) {
        this.#scene = scene.copy();
        this.#kind = kind;
    }

    run({ path, body }: Participant): Reason | undefined {
        for (const element of path) {
            const lines =
                element.kind === 'test'
                    ? faultyPart(element.condition, this.#kind, this.#scene)
                    : this.#statement({ ...element, target: { kind: 'cell', cell: element.cell } });
            if (lines !== undefined) {
                return lines;
            }
        }
        return this.#statements(body);
    }

    #statements(statements: readonly SequentialStatement[]): Reason | undefined {
        for (const statement of statements) {
            const lines = this.#statement(statement);
            if (lines !== undefined) {
                return lines;
            }
        }
        return undefined;
    }

    #statement(statement: SequentialStatement): Reason | undefined {
        switch (statement.kind) {
            case 'clear':
                break;
            case 'assert':
                return (
                    faultyPart(statement.condition, this.#kind, this.#scene) ??
                    (this.#scene.valueOf(statement.condition) === 1 ? undefined : assertLines(statement, this.#scene))
                );
            case 'if': {
                const { condition, then, otherwise } = statement;
                const branch = this.#scene.valueOf(condition) === 1 ? then : otherwise;
                return faultyPart(condition, this.#kind, this.#scene) ?? this.#statements(branch);
            }
            case 'while':
                return this.#loop(statement);
            case 'assign': {
                const lines = assignmentFault(statement, this.#kind, this.#scene);
                if (lines !== undefined) {
                    return lines;
                }
            }
        }
        return this.#execute(statement);
    }

    /** Round by round, but for a loop that may have no last one. */
    #loop(statement: Extract<SequentialStatement, { kind: 'while' }>): Reason | undefined {
        if (this.#kind === 'endless') {
            return this.#execute(statement);
        }
        for (;;) {
            const lines = faultyPart(statement.condition, this.#kind, this.#scene);
            if (lines !== undefined || this.#scene.valueOf(statement.condition) !== 1) {
                return lines;
            }
            const inside = this.#statements(statement.body);
            if (inside !== undefined) {
                return inside;
            }
        }
    }

    #execute(statement: SequentialStatement): Reason | undefined {
        try {
            this.#scene.compiler.statements([statement])(this.#scene.state);
            return undefined;
        } catch (error) {
            if (error instanceof Fault) {
                return [{ text: describeFault(error.kind), range: error.range }];
            }
            throw error;
        }
    }
}

function assertLines(
    { condition, range }: { condition: SequentialExpression; range: SourceRange },
    scene: Scene,
): Reason {
    const [first, ...rest] = falsePart(condition, scene);
    return first === undefined ? [{ text: describeFault('assert'), range }] : [{ ...first, range }, ...rest];
}

/** A fault of the value, of an index of the target, or a value that does not fit. */
function assignmentFault(
    { target, value, range }: Extract<SequentialStatement, { kind: 'assign' }>,
    kind: FaultKind,
    scene: Scene,
): Reason | undefined {
    const inside =
        faultyPart(value, kind, scene) ?? (target.kind === 'element' ? faultyElement(target, kind, scene) : undefined);
    if (inside !== undefined || kind !== 'range') {
        return inside;
    }
    const cells = target.kind === 'cell' ? [target.cell] : target.cells;
    const cell = target.kind === 'cell' ? target.cell : cells[positionOf(target, scene)];
    const result = scene.valueOf(value);
    if (cell === undefined || result === undefined) {
        return undefined;
    }
    const { name, domain } = scene.model.cells[cell];
    if (codeOfValue(domain, result) >= 0) {
        return undefined;
    }
    const full = channelWithLength(name);
    if (full !== undefined) {
        const most = domainSize(domain) - 1;
        const held = formatNumberOf(result, scene.model.cells[cell].kind === 'channel' ? 'message' : 'element');
        return [{ text: `\`${full}\` would hold ${held}, but at most ${most} ${most === 1 ? 'fits' : 'fit'}`, range }];
    }
    const text = phraseValue(result, domainOf(value, scene.model));
    const written = phrase(value, scene.model, domain);
    return [{ text: `\`${name} := ${written}\`: ${text} is not in ${typeText(domain)}`, range }];
}

function positionOf({ indices, domains }: ElementPlace, scene: Scene): number {
    return indices.reduce((position, index, dimension) => {
        const domain = domains[dimension];
        return position * domainSize(domain) + codeOfValue(domain, scene.valueOf(index) ?? Number.NaN);
    }, 0);
}

function typeText(domain: Domain): string {
    return `\`${formatDomain(domain)}\``;
}

/** The innermost part of an expression whose evaluation is the fault; undefined if it has a value or another fault. */
function faultyPart(expression: SequentialExpression, kind: FaultKind, scene: Scene): Reason | undefined {
    if (scene.valueOf(expression) !== undefined) {
        return undefined;
    }
    const missing = missingInstance(expression, scene);
    if (missing !== undefined) {
        return [missing];
    }
    const line =
        kind === 'case'
            ? missingField(expression, scene)
            : kind === 'range'
              ? outsideValue(expression, scene)
              : missingElement(expression, kind, scene);
    if (line !== undefined) {
        return [line];
    }
    for (const operand of evaluatedOperands(expression, scene)) {
        if (scene.valueOf(operand) === undefined) {
            return faultyPart(operand, kind, scene);
        }
    }
    if (expression.kind === 'element') {
        return faultyElement(expression, kind, scene);
    }
    return [faultLine(expression, kind, scene)];
}

/** Of a reference that is an index: what it names does not live. */
function missingInstance(expression: SequentialExpression, scene: Scene): ReasonLine | undefined {
    if (expression.kind !== 'conditional' || expression.otherwise.kind !== 'fault') {
        return undefined;
    }
    const { then, otherwise } = expression;
    const domain = domainOf(then, scene.model);
    const value = scene.valueOf(then);
    if (domain === undefined || templateOf(domain) === undefined || value === undefined) {
        return undefined;
    }
    const why = value === NONE ? 'which is no instance' : 'which has ended';
    return { text: `${scene.valued(then)}, ${why}`, range: otherwise.range };
}

/** `` `pending.who`: `pending` = none ``, `` `m.value`: `m` = ask(1) `` */
function missingField(expression: SequentialExpression, scene: Scene): ReasonLine | undefined {
    if (expression.kind === 'select') {
        const { index, domain, options } = expression;
        const value = scene.valueOf(index);
        const option = value === undefined ? undefined : options[codeOfValue(domain, value)];
        // Of a value in one cell the case is looked up by its code.
        const whole = index.kind === 'select' ? index.index : index;
        return option?.kind === 'fault' && option.fault === 'case'
            ? { text: `${scene.quote(option)}: ${scene.valued(whole)}`, range: option.range }
            : undefined;
    }
    if (expression.kind !== 'conditional' || expression.condition.kind !== 'binary') {
        return undefined;
    }
    const { condition, otherwise } = expression;
    const isMissing = otherwise.kind === 'fault' && otherwise.fault === 'case' && scene.valueOf(condition) === 0;
    return isMissing
        ? { text: `${scene.quote(otherwise)}: ${scene.valued(condition.left)}`, range: otherwise.range }
        : undefined;
}

/** `` `sched[2]`: there are 2 elements `` */
function missingElement(expression: SequentialExpression, kind: FaultKind, scene: Scene): ReasonLine | undefined {
    if (expression.kind !== 'conditional' || expression.otherwise.kind !== 'fault') {
        return undefined;
    }
    const { condition, otherwise } = expression;
    if (otherwise.fault !== kind || scene.valueOf(condition) !== 0 || condition.kind !== 'binary') {
        return undefined;
    }
    const length = scene.valueOf(condition.operator === '<' ? condition.right : condition.left) ?? 0;
    const many = length > 0 ? formatNumberOf(length, 'element') : 'no element';
    const text = `${scene.quote(otherwise)}: there ${length > 1 ? 'are' : 'is'} ${many}`;
    return { text, range: otherwise.range };
}

/** `` `k` = 3 is outside its type ``; undefined for what is asked of a set, which has no single value. */
function outsideValue(expression: SequentialExpression, scene: Scene): ReasonLine | undefined {
    if (expression.kind !== 'conditional' || expression.otherwise.kind !== 'fault') {
        return undefined;
    }
    const { condition, then, otherwise } = expression;
    const isNumber = then.kind === 'binary' && isArithmetic(then.operator);
    const kind = domainOf(then, scene.model)?.kind ?? (isNumber ? 'range' : 'boolean');
    return kind !== 'boolean' && scene.valueOf(condition) === 0
        ? { text: `${scene.valued(then)} is outside its type`, range: otherwise.range }
        : undefined;
}

/** Without those that a result that is known leaves out. */
function evaluatedOperands(expression: SequentialExpression, scene: Scene): readonly SequentialExpression[] {
    switch (expression.kind) {
        case 'conditional': {
            const { condition, then, otherwise } = expression;
            return [condition, scene.valueOf(condition) === 1 ? then : otherwise];
        }
        case 'select': {
            const code = codeOfValue(expression.domain, scene.valueOf(expression.index) ?? Number.NaN);
            return code < 0 ? [expression.index] : [expression.index, expression.options[code]];
        }
        default:
            return operandsOf(expression);
    }
}

function faultyElement(place: ElementPlace, kind: FaultKind, scene: Scene): Reason | undefined {
    for (const [dimension, index] of place.indices.entries()) {
        const value = scene.valueOf(index);
        if (value === undefined) {
            return faultyPart(index, kind, scene);
        }
        const domain = place.domains[dimension];
        if (codeOfValue(domain, value) < 0) {
            return [indexLine(place, index, value, domain, scene)];
        }
    }
    return undefined;
}

function indexLine(
    whole: SequentialExpression | ElementPlace,
    index: SequentialExpression,
    value: number,
    domain: Domain,
    scene: Scene,
): ReasonLine {
    const shown = phraseValue(value, domainOf(index, scene.model));
    const own = scene.quote(index) === `\`${shown}\`` ? shown : `${scene.quote(index)} = ${shown}`;
    return {
        text: `${scene.quote(whole)}: the index ${own} is not in ${typeText(domain)}`,
        ...('range' in whole && { range: whole.range }),
    };
}

function faultLine(expression: SequentialExpression, kind: FaultKind, scene: Scene): ReasonLine {
    const range = 'range' in expression ? { range: expression.range } : {};
    if (kind === 'assert') {
        return { text: describeFault(kind), ...range };
    }
    const quoted = scene.quote(expression);
    if (expression.kind === 'the') {
        const values = new Set(expression.operands.map(operand => scene.valueOf(operand) ?? NONE));
        values.delete(NONE);
        const [first, second] = [...values].map(value => phraseValue(value, domainOf(expression, scene.model)));
        const text = second === undefined ? 'there is no such value' : `both ${first} and ${second}`;
        return { text: `${quoted}: ${text}`, ...range };
    }
    if (expression.kind === 'select') {
        const value = scene.valueOf(expression.index) ?? Number.NaN;
        return indexLine(expression, expression.index, value, expression.domain, scene);
    }
    if (expression.kind === 'binary' && isArithmetic(expression.operator)) {
        const [left, right] = [scene.valued(expression.left), scene.valued(expression.right)];
        if (kind === 'division') {
            return { text: `${quoted}: ${right}, and nothing is divided by zero`, ...range };
        }
        return { text: `${quoted}: ${describeFault(kind)} (${left}, ${right})`, ...range };
    }
    return { text: `${quoted}: ${describeFault(kind)}`, ...range };
}
