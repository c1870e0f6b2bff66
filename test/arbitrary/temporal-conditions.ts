/**
 * Random conditions and assignments that name no index, value or slot but those that are bound, so that permutations
 * of them map each to another one of the same form. A recipe is drawn once and made for many bindings.
 */
import type { Random } from '../../engine/common/random.js';
import { NOWHERE } from '../../engine/common/source-range.js';
import { NONE, type Domain } from '../../engine/model/domain.js';
import type {
    ElementPlace,
    SequentialExpression,
    SequentialPlace,
    SequentialStatement,
} from '../../engine/sequential/sequential-model.js';
import type { IndexStructure } from './index-structures.js';
import { binary, constant, faultUnless } from './toys.js';

/** What the names stand for; a name that is not bound is not used. */
export interface Binding {
    readonly self?: number | undefined;
    readonly other?: number | undefined;
    /** A data value. */
    readonly value?: number | undefined;
    readonly slot?: number | undefined;
}

export type Name = keyof Binding;

export type Recipe<T> = (binding: Binding) => T;

/** Data values and indices are only compared and copied. */
export interface Variable {
    readonly sort: 'plain' | 'index' | 'optional index' | 'data';
    readonly domain: Domain;
    readonly size: number;
    /** Whose element it is, if it is an array. */
    readonly owner: 'process' | 'slot' | 'none';
    /** By process or slot. */
    readonly cells: readonly number[];
}

/** What a condition or an assignment may use. */
export interface Scope {
    readonly random: Random;
    readonly structure: IndexStructure;
    readonly variables: readonly Variable[];
    /** By process: the cell of its program counter; empty without locations. */
    readonly counters: readonly number[];
    readonly locationCount: number;
    /** The number of data values and of slots; 0 without them. */
    readonly dataSize: number;
    readonly slotCount: number;
    readonly bound: readonly Name[];
    /** Whether elements may be chosen by an index that a variable holds. */
    readonly mayPoint: boolean;
}

/** `depth` counts the operators above comparisons. */
export function randomStateCondition(scope: Scope, depth: number): Recipe<SequentialExpression> {
    const { random } = scope;
    switch (depth === 0 ? 0 : random.below(6)) {
        case 3: {
            const operand = randomStateCondition(scope, depth - 1);
            return binding => ({ kind: 'not', operand: operand(binding), range: NOWHERE });
        }
        case 4:
        case 5: {
            const kind = random.below(2) === 0 ? 'and' : 'or';
            const operands = [randomStateCondition(scope, depth - 1), randomStateCondition(scope, 0)];
            return binding => ({ kind, operands: operands.map(operand => operand(binding)), range: NOWHERE });
        }
        default:
            return random.below(3) === 0 ? quantified(scope) : comparison(scope);
    }
}

/** About all processes, or about those that are related to the bound one. */
function quantified(scope: Scope): Recipe<SequentialExpression> {
    const { random, structure } = scope;
    if (scope.bound.includes('other')) {
        return comparison(scope);
    }
    const inner = comparison({ ...scope, bound: [...scope.bound, 'other'] });
    const relation =
        scope.bound.includes('self') && random.below(2) === 0 ? pick(random, structure.relations) : undefined;
    const family = pick(random, structure.families);
    const kind = pick(random, ['and', 'or', 'count'] as const);
    const bound = random.below(structure.size);
    return binding => {
        const indices = relation === undefined ? family : relation[binding.self!]!;
        const operands = indices.map(other => inner({ ...binding, other }));
        if (operands.length < 2) {
            return operands[0] ?? constant(1);
        }
        return kind === 'count'
            ? binary({ kind, operands, range: NOWHERE }, '<=', constant(bound))
            : { kind, operands, range: NOWHERE };
    };
}

function comparison(scope: Scope): Recipe<SequentialExpression> {
    const { random, counters, locationCount } = scope;
    const processes = scope.bound.filter(name => name === 'self' || name === 'other');
    if (counters.length > 0 && processes.length > 0 && random.below(3) === 0) {
        const name = pick(random, processes);
        const location = random.below(locationCount);
        return binding => binary(cell(counters[binding[name]!]!), '==', constant(location));
    }
    const variable = randomVariable(scope, () => true);
    if (variable === undefined) {
        return () => constant(1);
    }
    const left = randomPlace(scope, variable);
    const right = comparedValue(scope, variable);
    return binding => binary(left(binding), '==', right(binding));
}

function comparedValue(scope: Scope, variable: Variable): Recipe<SequentialExpression> {
    const { random, bound } = scope;
    if (variable.sort === 'plain') {
        return random.below(4) === 0 ? copied(scope, variable) : constantly(random.below(variable.size));
    }
    if (variable.sort === 'data') {
        return bound.includes('value') && random.below(2) === 0
            ? binding => constant(binding.value!)
            : copied(scope, variable);
    }
    return random.below(4) === 0 ? copied(scope, variable) : anIndex(scope, variable);
}

/** The value of some variable of the same domain. */
function copied(scope: Scope, variable: Variable): Recipe<SequentialExpression> {
    const source = randomVariable(scope, ({ sort, size }) => sort === variable.sort && size === variable.size);
    return randomPlace(scope, source!);
}

function anIndex({ random, bound }: Scope, { sort, domain }: Variable): Recipe<SequentialExpression> {
    const names = bound.filter(name => name === 'self' || name === 'other');
    if (names.length > 0 && (sort === 'index' || random.below(3) > 0)) {
        const name = pick(random, names);
        return binding => constant(binding[name]!);
    }
    return constantly(domain.kind === 'optional' ? NONE : 0);
}

/** One or two assignments, perhaps an assertion. */
export function randomEffects(scope: Scope): Recipe<readonly SequentialStatement[]> {
    const { random } = scope;
    const effects: Recipe<SequentialStatement>[] = [];
    for (let count = random.below(3); count >= 0; count--) {
        effects.push(...randomAssignment(scope));
    }
    if (random.below(20) === 0) {
        const condition = randomStateCondition(scope, 0);
        effects.push(binding => ({ kind: 'assert', condition: condition(binding), range: NOWHERE }));
    }
    return binding => effects.map(effect => effect(binding));
}

function randomAssignment(scope: Scope): readonly Recipe<SequentialStatement>[] {
    const variable = randomVariable(scope, () => true);
    if (variable === undefined) {
        return [];
    }
    const target = randomPlace(scope, variable);
    const value = assignedValue(scope, variable, target);
    return value === undefined
        ? []
        : [binding => ({ kind: 'assign', target: target(binding), value: value(binding), range: NOWHERE })];
}

/** Undefined if no value can be named. */
function assignedValue(
    scope: Scope,
    variable: Variable,
    target: Recipe<SequentialExpression>,
): Recipe<SequentialExpression> | undefined {
    const { random, structure, bound } = scope;
    const { sort, size } = variable;
    switch (sort) {
        case 'plain':
            switch (random.below(8)) {
                case 0:
                case 1:
                    return binding => binary(constant(size - 1), '-', target(binding));
                case 2:
                    // A fault in the last value.
                    return binding => binary(target(binding), '+', constant(1));
                case 3:
                    return binding => binary(binary(target(binding), '+', constant(1)), 'mod', constant(size));
                case 4:
                    return copied(scope, variable);
                default:
                    return constantly(random.below(size));
            }
        case 'data':
            return bound.includes('value') ? binding => constant(binding.value!) : copied(scope, variable);
        case 'index':
            if (structure.kind === 'rotations' && random.below(2) === 0) {
                return binding => binary(binary(target(binding), '+', constant(1)), 'mod', constant(structure.size));
            }
            return bound.includes('self') || bound.includes('other') ? anIndex(scope, variable) : undefined;
        case 'optional index':
            return anIndex(scope, variable);
    }
}

/** The condition; outside it, perhaps, a fault. */
export function perhapsFaulty(scope: Scope, condition: Recipe<SequentialExpression>): Recipe<SequentialExpression> {
    return scope.random.below(20) === 0 ? binding => faultUnless(condition(binding), 'division') : condition;
}

/** A variable of which the scope can name an element; undefined without one. */
function randomVariable(scope: Scope, isWanted: (variable: Variable) => boolean): Variable | undefined {
    const usable = scope.variables.filter(variable => isWanted(variable) && ownersOf(scope, variable).length > 0);
    return usable.length === 0 ? undefined : pick(scope.random, usable);
}

type Owner = Name | 'all' | Variable;

/** The ways to name an element. */
function ownersOf({ bound, variables, mayPoint }: Scope, { owner }: Variable): readonly Owner[] {
    switch (owner) {
        case 'none':
            return ['all'];
        case 'slot':
            return bound.filter(name => name === 'slot');
        case 'process':
            return [
                ...bound.filter(name => name === 'self' || name === 'other'),
                ...(mayPoint ? variables.filter(({ sort, owner }) => sort === 'index' && owner === 'none') : []),
            ];
    }
}

function randomPlace(scope: Scope, variable: Variable): Recipe<SequentialPlace & SequentialExpression> {
    const owner = pick(scope.random, ownersOf(scope, variable));
    if (typeof owner === 'object') {
        const place: ElementPlace = {
            kind: 'element',
            cells: variable.cells,
            indices: [cell(owner.cells[0]!)],
            domains: [owner.domain],
            range: NOWHERE,
        };
        return () => place;
    }
    return binding => cell(variable.cells[owner === 'all' ? 0 : binding[owner]!]!);
}

function cell(number: number) {
    return { kind: 'cell', cell: number, range: NOWHERE } as const;
}

function constantly(value: number): Recipe<SequentialExpression> {
    return () => constant(value);
}

export function pick<T>(random: Random, items: readonly T[]): T {
    return items[random.below(items.length)]!;
}
