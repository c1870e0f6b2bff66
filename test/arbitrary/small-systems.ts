/** Random systems of a few cells with much symmetry: copies of rules, written alike, differently, or as two rules. */
import type { Random } from '../../engine/common/random.js';
import { NOWHERE } from '../../engine/common/source-range.js';
import type { SequentialExpression, SequentialStatement } from '../../engine/sequential/sequential-model.js';
import { binary, constant, type Names, type Rule, type Toy } from './toys.js';

export const SYSTEM_KINDS = ['unrelated rules', 'alike copies', 'rewritten copies', 'divided copy'] as const;
export type SystemKind = (typeof SYSTEM_KINDS)[number];

/** A condition or an assignment over cells that are named by their part: of the copy itself, of its neighbor, or shared. */
type Part = 'own' | 'other' | 'next' | 'shared';

interface Reference {
    readonly part: Part;
    readonly size: number;
}

type Condition =
    | { readonly kind: 'is'; readonly of: Reference; readonly value: number }
    | {
          readonly kind: 'compare';
          readonly operator: '==' | '!=' | '<' | '<=';
          readonly left: Reference;
          readonly right: Reference;
      }
    | { readonly kind: 'not'; readonly operand: Condition }
    | { readonly kind: 'and' | 'or'; readonly operands: readonly Condition[] };

type Effect =
    | { readonly kind: 'constant'; readonly of: Reference; readonly value: number }
    | { readonly kind: 'complement'; readonly of: Reference }
    | { readonly kind: 'copy'; readonly of: Reference; readonly from: Reference };

interface Template {
    readonly guard: readonly Condition[];
    readonly effects: readonly Effect[];
}

/** Two or three copies with one or two cells each, and perhaps a shared cell; everything may be initial. */
export function smallSystem(random: Random, kind: SystemKind): Toy {
    const copies = kind === 'unrelated rules' ? 1 + random.below(3) : 2 + random.below(2);
    const ownSize = 2 + random.below(2);
    const otherSize = copies === 3 ? 0 : random.below(3) === 0 ? 0 : 2;
    const sharedSize = random.below(2) === 0 ? 0 : 2 + random.below(2);
    const references: Reference[] = [
        { part: 'own', size: ownSize },
        { part: 'next', size: ownSize },
        ...(otherSize > 0 ? [{ part: 'other', size: otherSize } as const] : []),
        ...(sharedSize > 0 ? [{ part: 'shared', size: sharedSize } as const] : []),
    ];
    const templates = Array.from({ length: 1 + random.below(2) }, () => randomTemplate(random, references));
    const cells: Record<string, number> = {};
    for (let copy = 0; copy < copies; copy++) {
        cells[`own${copy}`] = ownSize;
        if (otherSize > 0) {
            cells[`other${copy}`] = otherSize;
        }
    }
    if (sharedSize > 0) {
        cells.shared = sharedSize;
    }
    const rules: ((names: Names) => Rule)[] = [];
    const unrelated = Array.from({ length: copies }, () => randomTemplate(random, references));
    const split = randomCondition(random, references, 1);
    for (let copy = 0; copy < copies; copy++) {
        const nameOf = ({ part }: Reference): string =>
            part === 'shared' ? part : part === 'next' ? `own${(copy + 1) % copies}` : `${part}${copy}`;
        const written = kind === 'unrelated rules' ? [unrelated[copy]!] : templates;
        for (const template of written) {
            const isRewritten = kind !== 'alike copies' && copy > 0;
            const variants: Template[] =
                kind === 'divided copy' && copy === 0
                    ? [split, { kind: 'not', operand: split } as const].map(condition => ({
                          ...template,
                          guard: [...template.guard, condition],
                      }))
                    : [template];
            const isReordered = random.below(2) === 0;
            for (const { guard, effects } of variants) {
                const conditions = isRewritten ? guard.map(rewritten) : guard;
                rules.push(names => ({
                    when: (isRewritten && isReordered ? [...conditions].reverse() : conditions).map(condition =>
                        expressionOf(condition, names, nameOf),
                    ),
                    then: effects.map(effect => statementOf(effect, names, nameOf)),
                }));
            }
        }
    }
    return { cells, rules: names => rules.map(rule => rule(names)) };
}

function randomTemplate(random: Random, references: readonly Reference[]): Template {
    const effects: Effect[] = [];
    for (let count = 1 + random.below(2); count > 0; count--) {
        const of = pick(random, references);
        // Each cell is written once; a neighbor may be the copy itself.
        if (effects.some(({ of: { part } }) => part === of.part || isOwn(part) === isOwn(of.part))) {
            continue;
        }
        const sources = references.filter(({ size }) => size === of.size);
        const choice = random.below(3);
        effects.push(
            choice === 0
                ? { kind: 'constant', of, value: random.below(of.size) }
                : choice === 1
                  ? { kind: 'complement', of }
                  : { kind: 'copy', of, from: pick(random, sources) },
        );
    }
    return {
        guard: Array.from({ length: 1 + random.below(2) }, () => randomCondition(random, references, 2)),
        effects,
    };
}

function isOwn(part: Part): boolean {
    return part === 'own' || part === 'next';
}

function randomCondition(random: Random, references: readonly Reference[], depth: number): Condition {
    switch (depth === 0 ? random.below(2) : random.below(5)) {
        case 0: {
            const of = pick(random, references);
            return { kind: 'is', of, value: random.below(of.size) };
        }
        case 1:
            return {
                kind: 'compare',
                operator: pick(random, ['==', '!=', '<', '<='] as const),
                left: pick(random, references),
                right: pick(random, references),
            };
        case 2:
            return { kind: 'not', operand: randomCondition(random, references, depth - 1) };
        case 3:
            return { kind: 'and', operands: twoConditions(random, references, depth - 1) };
        default:
            return { kind: 'or', operands: twoConditions(random, references, depth - 1) };
    }
}

function twoConditions(random: Random, references: readonly Reference[], depth: number): Condition[] {
    return [randomCondition(random, references, depth), randomCondition(random, references, depth)];
}

function rewritten(condition: Condition): Condition {
    switch (condition.kind) {
        case 'is':
            return condition;
        case 'compare':
            return rewrittenComparison(condition);
        case 'not':
            return { kind: 'not', operand: rewritten(condition.operand) };
        case 'and':
        case 'or': {
            const operands = condition.operands.map(operand => ({ kind: 'not', operand: rewritten(operand) }) as const);
            return {
                kind: 'not',
                operand: { kind: condition.kind === 'and' ? 'or' : 'and', operands: operands.reverse() },
            };
        }
    }
}

function rewrittenComparison(condition: Extract<Condition, { kind: 'compare' }>): Condition {
    const { operator, left, right } = condition;
    switch (operator) {
        case '==':
            return { ...condition, left: right, right: left };
        case '!=':
            return { kind: 'not', operand: { ...condition, operator: '==' } };
        case '<':
            return { kind: 'not', operand: { kind: 'compare', operator: '<=', left: right, right: left } };
        case '<=':
            return {
                kind: 'or',
                operands: [
                    { ...condition, operator: '<' },
                    { ...condition, operator: '==' },
                ],
            };
    }
}

function expressionOf(
    condition: Condition,
    names: Names,
    nameOf: (reference: Reference) => string,
): SequentialExpression {
    switch (condition.kind) {
        case 'is':
            return names.is(nameOf(condition.of), condition.value);
        case 'compare':
            return binary(names.read(nameOf(condition.left)), condition.operator, names.read(nameOf(condition.right)));
        case 'not':
            return { kind: 'not', operand: expressionOf(condition.operand, names, nameOf), range: NOWHERE };
        case 'and':
        case 'or':
            return {
                kind: condition.kind,
                operands: condition.operands.map(operand => expressionOf(operand, names, nameOf)),
                range: NOWHERE,
            };
    }
}

function statementOf(effect: Effect, names: Names, nameOf: (reference: Reference) => string): SequentialStatement {
    const name = nameOf(effect.of);
    switch (effect.kind) {
        case 'constant':
            return names.set(name, effect.value);
        case 'complement':
            return names.set(name, binary(constant(effect.of.size - 1), '-', names.read(name)));
        case 'copy':
            return names.set(name, names.read(nameOf(effect.from)));
    }
}

function pick<T>(random: Random, items: readonly T[]): T {
    return items[random.below(items.length)]!;
}
