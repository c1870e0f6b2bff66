/**
 * Random systems with temporal properties and fairness: small, mostly symmetric, with at least one initial state.
 *
 * The members of a property and the constraints of one kind are images of each other under the permutations of indices
 * or data values that the system is meant to have. Now and then only one of them is there, which leaves less symmetry.
 */
import fc from 'fast-check';
import { createRandom, type Random } from '../../engine/common/random.js';
import { NOWHERE } from '../../engine/common/source-range.js';
import { Fault } from '../../engine/sequential/expression/evaluate.js';
import type {
    FairnessConstraint,
    InitialValue,
    PropertyMember,
    SequentialModel,
    TemporalAtom,
    TemporalFormula,
    TemporalProperty,
} from '../../engine/sequential/sequential-model.js';
import { truthsOfAtoms } from '../reference/temporal/atom-truths.js';
import { hasFairRun } from '../reference/temporal/check.js';
import { fullGraph, type FullGraph } from '../reference/temporal/full-graph.js';
import { STRUCTURE_KINDS, type StructureKind } from './index-structures.js';
import { pick, randomStateCondition, type Binding, type Name, type Recipe, type Scope } from './temporal-conditions.js';
import {
    and,
    assumption,
    atom,
    eventuallyAlways,
    fairness,
    FALSE,
    infinitelyOften,
    leadsTo,
    not,
    or,
    randomCondition,
    randomFormula,
    renumbered,
    skeletonOf,
    temporalSize,
    TRUE,
} from './temporal-formulas.js';
import { constant } from './toys.js';
import { randomSteps, type NamedStep, type TemporalSteps } from './temporal-steps.js';

export interface TemporalSystem {
    readonly kind: StructureKind;
    readonly model: SequentialModel;
    /** Of all states of the model. */
    readonly graph: FullGraph;
}

/** The most reachable states of a system, and firings for each of them. */
const MOST_STATES = 300;
const MOST_FIRINGS = 5;
/** The least: smaller ones have little to say, and are taken with half the chance up to so many. */
const LEAST_STATES = 3;
const FEW_STATES = 12;
/** The most until and release of a member. Each doubles the nodes that the reference looks at. */
const MOST_TEMPORAL = 5;
const MOST_NODES = 8000;

/** The system of a seed, for loops that count. */
export function temporalSystemOf(seed: number): TemporalSystem {
    return temporalSystem(createRandom(seed));
}

export function temporalSystems(): fc.Arbitrary<TemporalSystem> {
    return fc.gen().map(g => temporalSystem({ below: bound => g(fc.integer, { min: 0, max: bound - 1 }) }));
}

/** A system with a constraint that cuts off some firing. */
export function constrainedSystemOf(seed: number): TemporalSystem {
    return temporalSystem(
        createRandom(seed),
        (random, { model, scope }) => {
            const expression = randomStateCondition({ ...scope, bound: [] }, 1 + random.below(2))({});
            const initialConditions = [...model.initialConditions, expression];
            return { ...model, initialConditions, constraint: { expression, range: NOWHERE } };
        },
        ({ outside }) => outside.some(summands => summands.length > 0),
    );
}

function temporalSystem(
    random: Random,
    modelOf: (random: Random, steps: TemporalSteps) => SequentialModel = (_, { model }) => model,
    isFit: (graph: FullGraph) => boolean = () => true,
): TemporalSystem {
    for (;;) {
        const kind = pick(random, STRUCTURE_KINDS);
        const steps = randomSteps(random, kind);
        const changed = modelOf(random, steps);
        const graph = fullGraph(changed, MOST_STATES);
        if (graph === undefined || !isFit(graph) || !isWanted(random, graph)) {
            continue;
        }
        const mostTemporal = Math.min(MOST_TEMPORAL, Math.floor(Math.log2(MOST_NODES / graph.firings.length)));
        const properties = Array.from({ length: 1 + random.below(2) }, (_, number) =>
            randomProperty(random, steps, `property${number}`, mostTemporal),
        );
        const model = { ...changed, properties, fairness: randomFairness(random, steps) };
        // Without a run that counts, everything holds.
        if (random.below(4) === 0 || hasFairRun(model, graph)) {
            return { kind, model, graph };
        }
    }
}

/**
 * A system about what is possible: `exists other: eventually always …` over what can be reached, alone or beside other
 * alternatives, for one member or several; in a third of them one process starts elsewhere.
 */
export function possibleSystemOf(seed: number): TemporalSystem {
    const random = createRandom(seed);
    for (;;) {
        const kind = pick(random, STRUCTURE_KINDS);
        const steps = randomSteps(random, kind);
        const start = random.below(3) === 0 ? movedStart(random, steps) : steps.model;
        const graph = fullGraph(start, MOST_STATES);
        if (graph === undefined || graph.initial.length === 0 || graph.states.length < LEAST_STATES) {
            continue;
        }
        const properties = [possibleProperty(random, steps)];
        const size = Math.max(...properties[0]!.members.map(({ formula }) => temporalSize(formula)));
        const model = { ...start, properties, fairness: randomFairness(random, steps) };
        const isSmall = 2 ** size * graph.firings.length <= 2 * MOST_NODES;
        if (isSmall && tellsApart(model, graph) && (random.below(4) === 0 || hasFairRun(model, graph))) {
            return { kind, model, graph };
        }
    }
}

/** Whether two things can be reached from some states, not from all, and not from the same. */
function tellsApart(model: SequentialModel, graph: FullGraph): boolean {
    const { atoms } = model.properties[0]!.members[0]!;
    try {
        const truths = truthsOfAtoms(model, graph, atoms);
        const possible = truths.filter((truth, atom) => atoms[atom]!.kind === 'possible' && new Set(truth).size > 1);
        return new Set(possible.map(truth => truth.join())).size > 1;
    } catch (error) {
        if (error instanceof Fault) {
            return false;
        }
        throw error;
    }
}

/** Another value for the first process or shared variable. */
function movedStart(random: Random, { model, scope }: TemporalSteps): SequentialModel {
    const { size, cells } = scope.variables.length === 0 ? { size: 1, cells: [0] } : pick(random, scope.variables);
    const value: InitialValue = { kind: 'value', expression: constant(random.below(size)), range: NOWHERE };
    return {
        ...model,
        initial: model.initial.map(each => (each.cell === cells[0] ? { ...each, value } : each)),
    };
}

function possibleProperty(random: Random, steps: TemporalSteps): TemporalProperty {
    const binds = random.below(3) === 0;
    const family = pick(random, steps.scope.structure.families);
    const bindings: readonly Binding[] = binds ? family.map(self => ({ self })) : [{}];
    const scope: Scope = { ...steps.scope, bound: binds ? ['self'] : [] };
    const settled = alternatives(random, scope, (inner, most) => {
        const atoms = possibleAtoms(random, inner);
        const formula = possibleFormula(random, atoms.length, most);
        return binding => ({ atoms: atoms.map(recipe => recipe(binding)), formula });
    });
    const others = random.below(2) === 0 ? undefined : otherContent(random, steps, scope);
    return {
        name: 'possible',
        range: NOWHERE,
        members: bindings.map((binding): PropertyMember => {
            const contents = [settled(binding), ...(others === undefined ? [] : [others(binding)])];
            const { atoms, formula: nested } = joined(contents, true);
            // Flat, as the language makes it.
            const operands = nested.kind === 'or' ? nested.operands : [nested];
            const formula = or(...operands.flatMap(part => (part.kind === 'or' ? part.operands : [part])));
            return {
                values: Object.fromEntries(Object.entries(binding)),
                skeleton: skeletonOf([formula], atoms),
                atoms,
                formula,
            };
        }),
    };
}

/** One or two conditions on states, then one or two of what can be reached, perhaps of what can be reached from there. */
function possibleAtoms(random: Random, scope: Scope): readonly Recipe<TemporalAtom>[] {
    const atoms = Array.from({ length: 1 + random.below(2) }, () => stateAtom(scope));
    for (let number = 1 + random.below(2); number > 0; number--) {
        const condition = randomCondition(random, atoms.length, 1);
        atoms.push(() => ({ kind: 'possible', condition }));
    }
    return atoms;
}

/** Most often `eventually always` a condition that has the last atom, which is about what is possible. */
function possibleFormula(random: Random, atomCount: number, most: number): TemporalFormula {
    const last = random.below(2) === 0 ? atom(atomCount - 1) : not(atom(atomCount - 1));
    const other = randomCondition(random, atomCount, 1);
    const condition = [last, and(last, other), or(last, other)][random.below(3)]!;
    switch (random.below(8)) {
        case 0:
            return leadsTo(condition, other);
        case 1:
            return leadsTo(other, condition);
        case 2:
            return infinitelyOften(condition);
        case 3:
            // Four of these are more than an automaton may have.
            return most > 3 ? eventuallyAlways(other) : and(eventuallyAlways(condition), other);
        default:
            return eventuallyAlways(condition);
    }
}

/** `implies`, another alternative or a condition about the whole. */
function otherContent(random: Random, steps: TemporalSteps, scope: Scope): Recipe<Content> {
    const atoms = random.below(2) === 0 ? possibleAtoms(random, scope) : randomAtoms(random, steps, scope);
    const formula =
        random.below(2) === 0
            ? eventuallyAlways(randomCondition(random, atoms.length, 1))
            : randomFormula(random, atoms.length, 1);
    return binding => ({ atoms: atoms.map(recipe => recipe(binding)), formula });
}

function isWanted(random: Random, { initial, states, firings }: FullGraph): boolean {
    return (
        initial.length > 0 &&
        states.length >= (random.below(2) === 0 ? LEAST_STATES : FEW_STATES) &&
        firings.length <= MOST_FIRINGS * states.length
    );
}

/** What a property or an assumption is for all of, or for one of. */
interface Quantifier {
    readonly bound: readonly Name[];
    readonly bindings: readonly Binding[];
}

function randomQuantifier(random: Random, { scope }: TemporalSteps): Quantifier {
    const { structure, dataSize } = scope;
    const family = pick(random, structure.families);
    const relation = pick(random, structure.relations);
    const pairs = family.flatMap(self => relation[self]!.map(other => ({ self, other })));
    switch (random.below(8)) {
        case 0:
            return { bound: [], bindings: [{}] };
        case 1:
            return { bound: ['self'], bindings: [{ self: family[0] }] };
        case 2:
            return pairs.length > 0
                ? { bound: ['self', 'other'], bindings: pairs }
                : { bound: ['self'], bindings: family.map(self => ({ self })) };
        case 3:
            return dataSize > 0
                ? { bound: ['value'], bindings: Array.from({ length: dataSize }, (_, value) => ({ value })) }
                : { bound: [], bindings: [{}] };
        default:
            return { bound: ['self'], bindings: family.map(self => ({ self })) };
    }
}

/** A formula with its atoms. */
type Content = Pick<PropertyMember, 'atoms' | 'formula'>;

function randomProperty(random: Random, steps: TemporalSteps, name: string, mostTemporal: number): TemporalProperty {
    const { bound, bindings } = randomQuantifier(random, steps);
    const scope = { ...steps.scope, bound };
    const expanded = random.below(4) === 0 ? expandedContent(random, steps, scope, mostTemporal) : undefined;
    const contentOf = expanded ?? randomContent(random, steps, scope, mostTemporal);
    return {
        name,
        range: NOWHERE,
        members: bindings.map((binding): PropertyMember => {
            const content = contentOf(binding);
            const values = Object.entries(binding).filter(([, value]) => value !== undefined);
            return {
                values: Object.fromEntries(values),
                skeleton: skeletonOf([content.formula], content.atoms),
                ...content,
            };
        }),
    };
}

function randomContent(random: Random, steps: TemporalSteps, scope: Scope, mostTemporal: number): Recipe<Content> {
    const atoms = randomAtoms(random, steps, scope);
    let formula: TemporalFormula;
    do {
        formula = randomFormula(random, atoms.length, 1 + random.below(3));
    } while (temporalSize(formula) === 0 || temporalSize(formula) > mostTemporal);
    return binding => ({ atoms: atoms.map(recipe => recipe(binding)), formula });
}

/** A quantifier that does not move out: `exists j: eventually always …`. Undefined if `other` cannot be bound. */
function expandedContent(
    random: Random,
    steps: TemporalSteps,
    scope: Scope,
    mostTemporal: number,
): Recipe<Content> | undefined {
    if (scope.bound.includes('other')) {
        return undefined;
    }
    return alternatives(random, scope, (inner, most) =>
        randomContent(random, steps, inner, Math.max(1, Math.floor(mostTemporal / most))),
    );
}

/** What is made for one `other`, for all of a family, or for all that are related to `self`: so many at most. */
function alternatives(
    random: Random,
    scope: Scope,
    contentOf: (inner: Scope, most: number) => Recipe<Content>,
): Recipe<Content> {
    const { structure, bound } = scope;
    const family = pick(random, structure.families);
    const relation = pick(random, structure.relations);
    const most = Math.max(...relation.map(others => others.length), family.length);
    const inner = contentOf({ ...scope, bound: [...bound, 'other'] }, most);
    const isOr = random.below(4) > 0;
    return binding => {
        const indices = binding.self === undefined ? family : relation[binding.self]!;
        return joined(
            indices.map(other => inner({ ...binding, other })),
            isOr,
        );
    };
}

function joined(contents: readonly Content[], isOr: boolean): Content {
    const atoms: TemporalAtom[] = [];
    const operands = contents.map(content => {
        const first = atoms.length;
        const shifted = (part: TemporalFormula): TemporalFormula => renumbered(part, number => first + number);
        atoms.push(
            ...content.atoms.map(each =>
                each.kind === 'possible' ? { ...each, condition: shifted(each.condition) } : each,
            ),
        );
        return shifted(content.formula);
    });
    const formula = operands.length === 1 ? operands[0]! : isOr ? or(...operands) : and(...operands);
    return { atoms, formula };
}

/** States first, then perhaps what can be reached, then perhaps what is taken. */
function randomAtoms(random: Random, steps: TemporalSteps, scope: Scope): readonly Recipe<TemporalAtom>[] {
    const stateCount = 1 + random.below(2);
    const atoms = Array.from({ length: stateCount }, () => stateAtom(scope));
    for (let number = random.below(5) === 0 ? 1 + random.below(2) : 0; number > 0; number--) {
        const condition = randomCondition(random, atoms.length, 1);
        atoms.push(() => ({ kind: 'possible', condition }));
    }
    return random.below(2) === 0 ? [...atoms, takenAtom(random, steps, scope)] : atoms;
}

function stateAtom(scope: Scope): Recipe<TemporalAtom> {
    const condition = randomStateCondition(scope, scope.random.below(2));
    return binding => ({ kind: 'state', expression: condition(binding) });
}

function takenAtom(random: Random, { model, steps }: TemporalSteps, { bound }: Scope): Recipe<TemporalAtom> {
    const step = pick(random, steps);
    const isAnyStep = random.below(3) === 0;
    const processes = bound.filter(name => name === 'self' || name === 'other');
    const name = processes.length > 0 ? pick(random, processes) : undefined;
    return binding => {
        const process = name && binding[name];
        const summands =
            process === undefined
                ? summandsOf(step, () => true)
                : isAnyStep
                  ? summandsWith(model, process)
                  : summandsOf(step, ({ self }) => self === process);
        return { kind: 'taken', summands };
    };
}

function summandsOf(step: NamedStep, isWanted: (binding: Binding) => boolean): number[] {
    return step.summands.filter(({ binding }) => isWanted(binding)).map(({ summand }) => summand);
}

/** In which the process takes part. */
function summandsWith({ summands }: SequentialModel, process: number): number[] {
    return [...summands.keys()].filter(summand =>
        summands[summand]!.participants.some(({ instance }) => instance === process),
    );
}

function randomFairness(random: Random, steps: TemporalSteps): FairnessConstraint[] {
    return Array.from({ length: random.below(4) }, (_, number) =>
        randomConstraints(random, steps, `assumption${number}`),
    ).flat();
}

function randomConstraints(random: Random, steps: TemporalSteps, name: string): FairnessConstraint[] {
    const constraints = random.below(3) > 0 ? fairSteps(random, steps) : assumptions(random, steps, name);
    return random.below(8) === 0 ? constraints.slice(0, 1) : constraints;
}

/** Fairness for processes, for a step of each process, or for each two participants of a joint step. */
function fairSteps(random: Random, { model, scope, steps }: TemporalSteps): FairnessConstraint[] {
    const kind = random.below(2) === 0 ? 'weak' : 'strong';
    const family = pick(random, scope.structure.families);
    const step = pick(random, steps);
    const isForProcesses = random.below(2) === 0;
    const fair = isForProcesses
        ? family.map(process => fairness(kind, `P[${process}]`, summandsWith(model, process)))
        : step.isJoint && random.below(2) === 0
          ? step.summands
                .map(({ binding: { self, other } }) => [self!, other!] as const)
                .filter(([self, other], index, all) => index === all.findIndex(([a, b]) => a === self && b === other))
                .map(([self, other]) =>
                    fairness(
                        kind,
                        `${step.name}[${self}, ${other}]`,
                        summandsOf(step, binding => binding.self === self && binding.other === other),
                    ),
                )
          : [...new Set(step.summands.map(({ binding }) => binding.self!))].map(process =>
                fairness(
                    kind,
                    `${step.name} of P[${process}]`,
                    summandsOf(step, ({ self }) => self === process),
                ),
            );
    return fair.filter(({ atoms: [enabled] }) => enabled?.kind === 'enabled' && enabled.summands.length > 0);
}

/** One of the three forms. */
function assumptions(random: Random, steps: TemporalSteps, name: string): FairnessConstraint[] {
    const { bound, bindings } = randomQuantifier(random, steps);
    const scope = { ...steps.scope, bound };
    const form = random.below(3);
    const atoms = Array.from({ length: form === 2 ? 2 : 1 }, () =>
        random.below(2) === 0 ? stateAtom(scope) : takenAtom(random, steps, scope),
    );
    return bindings.map(binding => {
        const made = atoms.map(recipe => recipe(binding));
        switch (form) {
            case 0:
                return assumption(name, made, TRUE, atom(0));
            case 1:
                return assumption(name, made, not(atom(0)), FALSE);
            default:
                return assumption(name, made, atom(0), atom(1));
        }
    });
}
