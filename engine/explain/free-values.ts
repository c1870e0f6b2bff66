/**
 * Values of a step that can be left open: an index, an assigned or sent value, an entry of a constant table may be any
 * value that fits there; a `for` in any order makes one round with any of its values. A step with free values becomes a
 * choice of steps, one for each combination. A value with a name is one expression, so it is the same everywhere in one
 * step; a value that a function computes is free in a copy of the function.
 */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { BOOLEAN, domainSize, valuesOfDomain, type Domain, type Value } from '../model/domain.js';
import type { Binder, Expression } from '../model/expression.js';
import { mapCommunication, mapParts, mapStatements, type Mapping, type PartPosition } from '../model/map-expression.js';
import type { FunctionDeclaration, Model, Process, Statement, Step } from '../model/model.js';
import { isInside } from './places.js';

/** A part of a step that can be left open. */
export type FreePart = FreeValue | FreeRound;

/** A value, the range that identifies it, and the values that it may be instead. */
interface FreeValue {
    readonly kind: 'value';
    readonly range: SourceRange;
    /** The range that a message quotes: of an assigned value, the assignment. */
    readonly quoted: SourceRange;
    readonly expression: Expression;
    /** Whether it decides between branches. */
    readonly isCondition: boolean;
    readonly choices: readonly Expression[];
    /** The type of what it is an index of, or of what it is assigned to or sent as. */
    readonly domain?: Domain;
}

/** The values of a `for`, and the rounds that it could make instead. */
export interface FreeRound {
    readonly kind: 'order';
    /** `for j in Id` */
    readonly range: SourceRange;
    readonly binder: Binder;
    readonly choices: readonly Domain[];
}

/** More combinations of free values are not tried. */
const MOST_COMBINATIONS = 64;
const MOST_CHOICES = 32;

/** A step or a condition: parts to be mapped. */
type Mapped<Whole> = (whole: Whole, mapping: Mapping) => Whole;

/** All parts of a step and of the functions that it calls that can be left open. */
export function freePartsOfStep(step: Step, process: Process, model: Model): FreePart[] {
    return [...roundsIn(step.body), ...freePartsOf(step, mapStep, process, model)];
}

/** The same for a test or an initial value that stands outside of steps. */
export function freePartsOfExpression(expression: Expression, process: Process | undefined, model: Model): FreePart[] {
    return freePartsOf(expression, (whole, mapping) => mapping.part(whole, {}), process, model);
}

function freePartsOf<Whole>(whole: Whole, map: Mapped<Whole>, process: Process | undefined, model: Model): FreePart[] {
    const found = new Map<Expression | Binder, FreePart>();
    const visited = new Set<FunctionDeclaration>();
    const mappingFor = (owner: Process | undefined, isFunction: boolean): Mapping => {
        const mapping: Mapping = {
            model,
            process: owner,
            part: (part, position) => {
                const choices = choicesFor(part, position, isFunction);
                if (choices.length > 1 && choices.length <= MOST_CHOICES) {
                    const range = rangeNaming(part, position);
                    const { statement } = position;
                    const quoted = statement !== undefined && isInside(statement, range) ? statement : range;
                    const isCondition = position.isCondition === true || (isFunction && isComparison(part));
                    const { domain } = position;
                    found.set(part, {
                        kind: 'value',
                        range,
                        quoted,
                        expression: part,
                        isCondition,
                        choices,
                        ...(domain && { domain }),
                    });
                }
                if (part.kind === 'call') {
                    const declared = model.functions[part.function];
                    if (!visited.has(declared)) {
                        visited.add(declared);
                        roundsIn(declared.body).forEach(round => found.set(round.binder, round));
                        mapStatements(declared.body, mappingFor(undefined, true));
                    }
                }
                return mapParts(part, mapping);
            },
        };
        return mapping;
    };
    map(whole, mappingFor(process, false));
    return [...found.values()];
}

/** The `for`s among statements, those inside others included. */
function roundsIn(statements: readonly Statement[]): FreeRound[] {
    return statements.flatMap((statement): FreeRound[] => {
        switch (statement.kind) {
            case 'for': {
                const inside = roundsIn(statement.body);
                const { binder } = statement;
                const range = headOfLoop(statement);
                const values = valuesOfDomain(binder.domain);
                const isFree = 1 < values.length && values.length <= MOST_CHOICES && values.every(Number.isInteger);
                return range === undefined || !isFree
                    ? inside
                    : [{ kind: 'order', range, binder, choices: values.map(oneValue) }, ...inside];
            }
            case 'while':
                return roundsIn(statement.body);
            case 'if':
                return [...roundsIn(statement.then), ...roundsIn(statement.otherwise)];
            default:
                return [];
        }
    });
}

/** The values of all domains are numbers. */
function oneValue(value: Value): Domain {
    return { kind: 'range', low: value, high: value };
}

/** `for j in Id`; undefined if it has no text. */
export function headOfLoop({ range, binder }: Pick<FreeRound, 'range' | 'binder'>): SourceRange | undefined {
    return binder.range && { uri: range.uri, start: range.start, end: binder.range.end };
}

/** The range of the access that contains the value, else that of the value; a value with a name has that of its declaration. */
function rangeNaming(part: Expression, { access }: PartPosition): SourceRange {
    return access !== undefined && isInside(access, part.range) ? access : part.range;
}

/** The values that a part may be instead; none for one that is only read, unless it is assigned. */
function choicesFor(part: Expression, position: PartPosition, isFunction: boolean): readonly Expression[] {
    const { domain, statement } = position;
    if (domain !== undefined && (statement !== undefined || isComputed(part))) {
        return constantsOf(domain, part.range);
    }
    if (part.kind === 'select' && part.options.every(option => option.kind === 'constant')) {
        return [...new Map(part.options.map(option => [option.value, option])).values()];
    }
    return isFunction && isComparison(part) ? constantsOf(BOOLEAN, part.range) : [];
}

function constantsOf(domain: Domain, range: SourceRange): Expression[] {
    return domainSize(domain) > MOST_CHOICES
        ? []
        : valuesOfDomain(domain).map(value => ({ kind: 'constant', value, domain, range }));
}

/** Whether an expression is more than a name or an element. */
function isComputed(expression: Expression): boolean {
    switch (expression.kind) {
        case 'constant':
        case 'unary':
        case 'binary':
        case 'conditional':
        case 'quantifier':
        case 'select':
        case 'call':
            return true;
        case 'binder':
        case 'read':
        case 'at':
        case 'alive':
        case 'instance-local':
        case 'field':
        case 'record':
        case 'message':
        case 'fault':
            return false;
        default:
            return unreachable(expression);
    }
}

function isComparison(expression: Expression): boolean {
    return expression.kind === 'binary' && ['==', '!=', '<', '<=', '>', '>='].includes(expression.operator);
}

/** One choice for each free part: values by their expressions, rounds of a `for` by the id of its name. */
interface Chosen {
    readonly values: Map<Expression, Expression>;
    readonly rounds: Map<number, Domain>;
    /** The copies of functions with these choices, both as indices. */
    readonly copies: Map<number, number>;
}

/** Steps with free values, and the copies of functions that they call. */
export class FreeSteps {
    private readonly model: Model;
    /** Those of the model, then the copies. */
    readonly functions: FunctionDeclaration[];

    constructor(model: Model) {
        this.model = model;
        this.functions = [...model.functions];
    }

    /** A step for each combination of choices; undefined if there are too many. */
    combinations(step: Step, process: Process, parts: readonly FreePart[]): Step[] | undefined {
        const count = parts.reduce((product, { choices }) => product * choices.length, 1);
        if (count > MOST_COMBINATIONS) {
            return undefined;
        }
        return Array.from({ length: count }, (_, combination) => {
            let rest = combination;
            const chosen: Chosen = { values: new Map(), rounds: new Map(), copies: new Map() };
            for (const part of parts) {
                const choice = rest % part.choices.length;
                rest = Math.floor(rest / part.choices.length);
                if (part.kind === 'value') {
                    chosen.values.set(part.expression, part.choices[choice]);
                } else {
                    chosen.rounds.set(part.binder.id, part.choices[choice]);
                }
            }
            return mapStep(step, this.substitution(process, chosen));
        });
    }

    private substitution(process: Process | undefined, chosen: Chosen): Mapping {
        const mapping: Mapping = {
            model: this.model,
            process,
            binder: binder => {
                const round = chosen.rounds.get(binder.id);
                return round === undefined ? binder : { ...binder, domain: round };
            },
            part: part => {
                const choice = chosen.values.get(part);
                if (choice !== undefined) {
                    return choice;
                }
                const mapped = mapParts(part, mapping);
                return mapped.kind === 'call' ? { ...mapped, function: this.copyOf(mapped.function, chosen) } : mapped;
            },
        };
        return mapping;
    }

    private copyOf(index: number, chosen: Chosen): number {
        const known = chosen.copies.get(index);
        if (known !== undefined) {
            return known;
        }
        // Known before its body is mapped, for a function that calls itself.
        const target = this.functions.length;
        chosen.copies.set(index, target);
        const declared = this.model.functions[index];
        this.functions.push(declared);
        const body = mapStatements(declared.body, this.substitution(undefined, chosen));
        this.functions[target] = { ...declared, body };
        return target;
    }
}

function mapStep(step: Step, mapping: Mapping): Step {
    const { guard, communication, message, body } = step;
    const mappedTests =
        communication?.kind === 'receive' ? communication.tests.map(test => mapping.part(test, {})) : [];
    const mapped = communication && mapCommunication(communication, mapping);
    return {
        ...step,
        ...(guard === undefined ? {} : { guard: mapping.part(guard, {}) }),
        ...(mapped === undefined
            ? {}
            : { communication: mapped.kind === 'receive' ? { ...mapped, tests: mappedTests } : mapped }),
        ...(message && { message: { ...message, value: mapping.part(message.value, {}) } }),
        body: mapStatements(body, mapping),
    };
}
