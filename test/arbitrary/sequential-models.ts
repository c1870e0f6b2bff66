/** Random sequential models with every kind of expression, statement and domain: well typed, but most of them fault. */
import fc from 'fast-check';
import { NOWHERE, type SourceRange } from '../../engine/common/source-range.js';
import { BOOLEAN, domainSize, NONE, type Domain } from '../../engine/model/domain.js';
import type {
    Cell,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
} from '../../engine/sequential/sequential-model.js';

type Generator = fc.GeneratorValue;

const DOMAINS: readonly Domain[] = [
    BOOLEAN,
    { kind: 'range', low: 0, high: 2 },
    { kind: 'range', low: -3, high: 4 },
    { kind: 'range', low: 5, high: 5 },
    { kind: 'range', low: 0, high: 70_000 },
    { kind: 'range', low: -2_000_000_000, high: 100 },
    { kind: 'range', low: 9_007_199_254_740_000, high: 9_007_199_254_740_991 },
    { kind: 'enumeration', name: 'Color', values: ['red', 'green', 'blue'] },
    {
        kind: 'record',
        name: 'Pair',
        fields: [
            { name: 'first', domain: BOOLEAN },
            { name: 'second', domain: BOOLEAN },
        ],
        tuples: [
            [0, 0],
            [1, 0],
            [1, 1],
        ],
    },
    { kind: 'optional', base: { kind: 'range', low: -1, high: 1 } },
    { kind: 'optional', base: { kind: 'range', low: -5_000_000_000, high: -4_999_999_990 } },
];

const ARITHMETIC = ['+', '-', '*', 'div', 'mod', 'pow', 'xor', 'bitand', 'bitor', 'shl', 'shr'] as const;
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
const INTEGERS = [0, 1, 2, 3, -1, -3, 7, 40, 65_535, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 40, 2 ** 53 - 1, NONE];

interface Scope {
    readonly g: Generator;
    readonly cells: readonly Cell[];
    readonly readable: readonly number[];
    readonly writable: readonly number[];
    nextLine: number;
}

/** Two instances; the summands are of one of them or of both. */
export function randomSequentialModel(g: Generator): SequentialModel {
    const domains = Array.from({ length: g(fc.integer, { min: 2, max: 9 }) }, () => pick(g, DOMAINS));
    // Arrays, for indices to choose from.
    for (let array = 0; array < 2; array++) {
        const element = pick(g, DOMAINS);
        domains.push(...Array.from({ length: 6 }, () => element));
    }
    const temporaries = Array.from({ length: 2 }, () => pick(g, DOMAINS));
    const cells = [...domains, ...temporaries].map((domain, index): Cell => {
        const isTemporary = index >= domains.length;
        return {
            name: `c${String(index)}`,
            domain,
            kind: isTemporary ? 'temporary' : 'shared',
            variable: -1,
            instance: -1,
            indices: [],
            mayBeAbsent: isTemporary || g(fc.integer, { min: 0, max: 4 }) === 0,
            declaration: NOWHERE,
        };
    });
    const all = [...cells.keys()];
    const scope: Scope = { g, cells, readable: all, writable: all, nextLine: 0 };
    const summands = Array.from({ length: g(fc.integer, { min: 1, max: 4 }) }, () => {
        if (g(fc.boolean)) {
            return { label: 'alone', participants: [randomParticipant(scope, 0)] };
        }
        // Partners write different cells. Only their paths read what the other one writes, as it was before.
        const isFirst = all.map(() => g(fc.boolean));
        const participants = [true, false].map((first, instance) => {
            const partner = { ...scope, writable: all.filter(cell => isFirst[cell] === first) };
            const participant = randomParticipant(partner, instance);
            scope.nextLine = partner.nextLine;
            return participant;
        });
        return { label: 'together', participants };
    });
    const instance = { process: 0, indices: [], locations: [{ name: 'here', range: NOWHERE }], counter: -1 };
    return {
        name: 'Random',
        cells,
        instances: ['one', 'two'].map(name => ({ ...instance, name, mayStop: randomBoolean(scope, 2) })),
        summands,
        initial: [],
        initialConditions: [],
        invariants: [{ name: 'claim', kind: 'invariant', expression: randomBoolean(scope, 3), range: NOWHERE }],
        runs: [],
        properties: [],
        fairness: [],
        allowsDeadlock: false,
        assertionTexts: [],
    };
}

/** A state of these cells: no value for temporaries, any other value for the rest. */
export function randomState(g: Generator, { cells }: SequentialModel): Int32Array {
    return Int32Array.from(cells, ({ domain, kind, mayBeAbsent }) => {
        if (kind === 'temporary') {
            return -1;
        }
        const last = domainSize(domain) - 1;
        const low = mayBeAbsent ? -1 : 0;
        return pick(g, [low, 0, last, g(fc.integer, { min: low, max: last })]);
    });
}

function randomParticipant(scope: Scope, instance: number): Participant {
    const { g, cells, readable, writable } = scope;
    const path = Array.from({ length: g(fc.integer, { min: 0, max: 2 }) }, (): PathElement => {
        const isAssignment = writable.length > 0 && g(fc.boolean);
        return isAssignment
            ? { kind: 'assign', cell: pick(g, writable), value: randomInteger(scope, 2), range: line(scope) }
            : { kind: 'test', condition: randomBoolean(scope, 2) };
    });
    const inner = { ...scope, readable: writable.length < cells.length ? writable : readable };
    const body = inner.readable.length === 0 ? [] : randomStatements(inner, 3);
    scope.nextLine = inner.nextLine;
    return { instance, source: 0, target: 0, path, body, range: NOWHERE };
}

function randomStatements(scope: Scope, depth: number): SequentialStatement[] {
    return Array.from({ length: scope.g(fc.integer, { min: 0, max: 3 }) }, () => randomStatement(scope, depth));
}

function randomStatement(scope: Scope, depth: number): SequentialStatement {
    const { g, cells, writable } = scope;
    const range = line(scope);
    const kind = writable.length === 0 ? 5 : g(fc.integer, { min: 0, max: depth === 0 ? 3 : 6 });
    switch (kind) {
        case 0:
        case 1: {
            const cell = pick(g, writable);
            // Most values should fit.
            const value = g(fc.boolean) ? constantOf(scope, cells[cell]!.domain) : randomInteger(scope, 2);
            return { kind: 'assign', target: { kind: 'cell', cell }, value, range };
        }
        case 2: {
            const cell = pick(g, writable);
            const array = writable.filter(other => cells[other]!.domain === cells[cell]!.domain);
            const indices = [randomInteger(scope, 1)];
            const domains: Domain[] = [{ kind: 'range', low: 0, high: array.length - 1 }];
            const value = g(fc.boolean) ? constantOf(scope, cells[cell]!.domain) : randomInteger(scope, 2);
            return { kind: 'assign', target: { kind: 'element', cells: array, indices, domains, range }, value, range };
        }
        case 3: {
            const absent = writable.filter(cell => cells[cell]!.mayBeAbsent);
            return absent.length > 0
                ? { kind: 'clear', cell: pick(g, absent) }
                : { kind: 'assert', condition: randomBoolean(scope, 2), range };
        }
        case 4:
            return {
                kind: 'if',
                condition: randomBoolean(scope, 2),
                then: randomStatements(scope, depth - 1),
                otherwise: randomStatements(scope, depth - 1),
                range,
            };
        case 5:
            return { kind: 'assert', condition: randomBoolean(scope, 2), range };
        default: {
            // So few values that a loop is over, or back where it was, before long.
            const counters = writable.filter(cell => domainSize(cells[cell]!.domain) <= 8).slice(0, 2);
            const inner = { ...scope, writable: counters };
            const body = randomStatements(inner, Math.min(1, depth - 1));
            scope.nextLine = inner.nextLine;
            return { kind: 'while', condition: randomBoolean(scope, 2), body, range };
        }
    }
}

function randomInteger(scope: Scope, depth: number): SequentialExpression {
    const { g, cells, readable } = scope;
    const range = line(scope);
    const integer = (): SequentialExpression => randomInteger(scope, depth - 1);
    const boolean = (): SequentialExpression => randomBoolean(scope, depth - 1);
    switch (depth === 0 ? g(fc.integer, { min: 0, max: 2 }) : g(fc.integer, { min: 0, max: 11 })) {
        case 0:
            return { kind: 'constant', value: pick(g, INTEGERS) };
        case 1:
        case 2:
            return { kind: 'cell', cell: pick(g, readable), range };
        case 3: {
            const cell = pick(g, readable);
            const array = readable.filter(other => cells[other]!.domain === cells[cell]!.domain);
            const half = Math.floor(array.length / 2);
            return half > 0 && g(fc.boolean)
                ? {
                      kind: 'element',
                      cells: array.slice(0, 2 * half),
                      indices: [integer(), integer()],
                      domains: [
                          { kind: 'range', low: 1, high: half },
                          { kind: 'optional', base: { kind: 'range', low: 0, high: 0 } },
                      ],
                      range,
                  }
                : {
                      kind: 'element',
                      cells: array,
                      indices: [integer()],
                      domains: [{ kind: 'range', low: 0, high: array.length - 1 }],
                      range,
                  };
        }
        case 4:
            return { kind: 'negate', operand: integer(), range };
        case 5:
        case 6:
        case 7:
            return { kind: 'binary', operator: pick(g, ARITHMETIC), left: integer(), right: integer(), range };
        case 8:
            return { kind: 'conditional', condition: boolean(), then: integer(), otherwise: integer(), range };
        case 9:
            return {
                kind: 'select',
                index: integer(),
                domain: { kind: 'range', low: 0, high: 2 },
                options: [integer(), integer(), integer()],
                range,
            };
        case 10:
            return {
                kind: pick(g, ['sum', 'min', 'max'] as const),
                operands: [integer(), integer(), integer()],
                range,
            };
        default:
            return { kind: 'count', operands: [boolean(), boolean()], range };
    }
}

function randomBoolean(scope: Scope, depth: number): SequentialExpression {
    const { g, cells, readable } = scope;
    const range = line(scope);
    const boolean = (): SequentialExpression => randomBoolean(scope, depth - 1);
    const flags = readable.filter(cell => cells[cell]!.domain.kind === 'boolean');
    switch (depth === 0 ? 0 : g(fc.integer, { min: 0, max: 8 })) {
        case 0:
            return flags.length > 0
                ? { kind: 'cell', cell: pick(g, flags), range }
                : { kind: 'constant', value: g(fc.integer, { min: 0, max: 1 }) };
        case 1:
            return { kind: 'not', operand: boolean(), range };
        case 2:
            return { kind: pick(g, ['and', 'or'] as const), operands: [boolean(), boolean(), boolean()], range };
        case 3:
        case 4: {
            const cell = pick(g, readable);
            const right = constantOf(scope, cells[cell]!.domain);
            return {
                kind: 'binary',
                operator: pick(g, COMPARISONS),
                left: { kind: 'cell', cell, range },
                right,
                range,
            };
        }
        case 5:
            return { kind: 'conditional', condition: boolean(), then: boolean(), otherwise: boolean(), range };
        case 6:
            return {
                kind: 'select',
                index: randomInteger(scope, depth - 1),
                domain: BOOLEAN,
                options: [boolean(), boolean()],
                range,
            };
        case 7:
            return g(fc.integer, { min: 0, max: 3 }) === 0 ? { kind: 'fault', fault: 'index', range } : boolean();
        default:
            return {
                kind: 'binary',
                operator: pick(g, COMPARISONS),
                left: randomInteger(scope, depth - 1),
                right: randomInteger(scope, depth - 1),
                range,
            };
    }
}

function constantOf({ g }: Scope, domain: Domain): SequentialExpression {
    switch (domain.kind) {
        case 'range':
            return { kind: 'constant', value: pick(g, [domain.low, domain.high, domain.low - 1]) };
        case 'optional':
            return { kind: 'constant', value: pick(g, [NONE, 0, -5_000_000_000]) };
        default:
            return { kind: 'constant', value: g(fc.integer, { min: 0, max: domainSize(domain) - 1 }) };
    }
}

/** Each place in the text is another one. */
function line(scope: Scope): SourceRange {
    const position = { line: scope.nextLine++, character: 0 };
    return { ...NOWHERE, start: position, end: position };
}

function pick<T>(g: Generator, values: readonly T[]): T {
    return values[g(fc.integer, { min: 0, max: values.length - 1 })] as T;
}
