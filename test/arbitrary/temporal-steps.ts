/**
 * Random systems of alike processes, as sequential models: symmetric in their indices, in data values and in slots, with
 * program counters, joint steps, steps that change nothing and steps that fault. Sometimes a start, or a step of one
 * process only, breaks the symmetry.
 */
import type { Random } from '../../engine/common/random.js';
import { NOWHERE } from '../../engine/common/source-range.js';
import { NONE, type Domain } from '../../engine/model/domain.js';
import type {
    Cell,
    InitialValue,
    Participant,
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
    Summand,
} from '../../engine/sequential/sequential-model.js';
import { indexStructure, type StructureKind } from './index-structures.js';
import {
    perhapsFaulty,
    pick,
    randomEffects,
    randomStateCondition,
    type Binding,
    type Name,
    type Recipe,
    type Scope,
    type Variable,
} from './temporal-conditions.js';
import { binary, constant } from './toys.js';

/** A system without properties, and what properties are made from. */
export interface TemporalSteps {
    readonly model: SequentialModel;
    /** Binds nothing. */
    readonly scope: Scope;
    readonly steps: readonly NamedStep[];
}

/** A step in the text of a process. */
export interface NamedStep {
    readonly name: string;
    readonly isJoint: boolean;
    /** The summands, each with what it is the step of. */
    readonly summands: readonly { readonly summand: number; readonly binding: Binding }[];
}

export function randomSteps(random: Random, kind: StructureKind): TemporalSteps {
    const structure = indexStructure(kind, 2 + random.below(3));
    const locationCount = kind === 'markers' ? 1 : 1 + random.below(structure.size === 4 ? 2 : 3);
    const dataSize = random.below(3) === 0 ? 2 + random.below(2) : 0;
    const slotCount = random.below(5) === 0 ? 2 : 0;
    const cells: Cell[] = [];
    const initial: InitialValue[] = [];
    const variables = randomVariables(random, structure.size, kind, dataSize, slotCount).map(draft => {
        const indices = Array.from({ length: draft.count }, (_, index) => index);
        const first = cells.length;
        for (const index of indices) {
            cells.push(sharedCell(draft.count === 1 ? draft.name : `${draft.name}[${index}]`, draft.domain, cells));
            initial.push(draft.initial);
        }
        return { ...draft, cells: indices.map(index => first + index) };
    });
    const counters =
        locationCount === 1 ? [] : Array.from({ length: structure.size }, (_, index) => cells.length + index);
    counters.forEach((_, instance) => {
        cells.push(counterCell(instance, locationCount));
        initial.push(valued(constant(0)));
    });
    const scope: Scope = {
        random,
        structure,
        variables,
        counters,
        locationCount,
        dataSize,
        slotCount,
        bound: [],
        mayPoint: true,
    };
    const templates = randomTemplates(scope);
    const fired = templates
        .flatMap(template => bindingsOf(template, scope).map(binding => ({ template, binding })))
        .map(({ template, binding }) => ({ template, binding, summand: toSummand(template, binding, scope) }))
        .sort((one, other) => rankOf(one.summand) - rankOf(other.summand));
    const locations = Array.from({ length: locationCount }, (_, number) => ({ name: `l${number}`, range: NOWHERE }));
    return {
        model: {
            name: 'Random',
            cells,
            instances: Array.from({ length: structure.size }, (_, index) => ({
                name: `P[${index}]`,
                process: structure.families.findIndex(family => family.includes(index)),
                indices: [index],
                locations,
                counter: counters[index] ?? -1,
                mayStop: constant(1),
            })),
            summands: fired.map(({ summand }) => summand),
            initial: initial.map((value, cell) => ({ cell, value })),
            initialConditions: random.below(8) === 0 ? [randomStateCondition(scope, 1)({})] : [],
            invariants: [],
            runs: [],
            properties: [],
            fairness: [],
            allowsDeadlock: true,
            assertionTexts: [],
        },
        scope,
        steps: templates.map(template => ({
            name: template.name,
            isJoint: template.partner !== undefined,
            summands: fired.flatMap((each, summand) =>
                each.template === template ? [{ summand, binding: each.binding }] : [],
            ),
        })),
    };
}

/** By first participant, then by location. */
function rankOf({ participants: [first] }: Summand): number {
    return first!.instance * 100 + first!.source;
}

interface VariableDraft extends Omit<Variable, 'cells'> {
    readonly name: string;
    /** The number of elements. */
    readonly count: number;
    readonly initial: InitialValue;
}

function randomVariables(
    random: Random,
    processCount: number,
    kind: StructureKind,
    dataSize: number,
    slotCount: number,
): VariableDraft[] {
    const plain = (size: number): Pick<Variable, 'sort' | 'domain' | 'size'> => ({
        sort: 'plain',
        domain: size === 2 && random.below(2) === 0 ? { kind: 'boolean' } : { kind: 'range', low: 0, high: size - 1 },
        size,
    });
    const index: Domain = { kind: 'range', low: 0, high: processCount - 1 };
    const colors: Domain = { kind: 'enumeration', name: 'Color', values: ['red', 'green', 'blue'].slice(0, dataSize) };
    const data: Pick<Variable, 'sort' | 'domain' | 'size'> = { sort: 'data', domain: colors, size: dataSize };
    const shared = [
        plain(2),
        plain(2 + random.below(3)),
        { sort: 'index', domain: index, size: processCount } as const,
        { sort: 'optional index', domain: { kind: 'optional', base: index }, size: processCount } as const,
        ...(dataSize > 0 ? [data] : []),
    ];
    const drafts: Omit<VariableDraft, 'initial'>[] = [];
    if (kind !== 'markers') {
        if (random.below(5) > 0) {
            drafts.push({
                ...plain(2 + random.below(processCount < 4 ? 2 : 1)),
                owner: 'process',
                name: 'own',
                count: processCount,
            });
        }
        if (dataSize > 0 && processCount < 4 && random.below(2) === 0) {
            drafts.push({ ...data, owner: 'process', name: 'color', count: processCount });
        }
    }
    if (slotCount > 0) {
        drafts.push({ ...plain(2), owner: 'slot', name: 'slot', count: slotCount });
    }
    for (let number = random.below(3) + (kind === 'markers' ? 1 : 0); number > 0; number--) {
        // Processes that are told apart by an index have more than markers to move.
        const choices = shared.filter(({ sort }) => kind !== 'markers' || sort === 'plain' || sort === 'data');
        drafts.push({ ...pick(random, choices), owner: 'none', name: `shared${number}`, count: 1 });
    }
    return drafts.map(draft => ({ ...draft, initial: randomInitial(random, draft) }));
}

/** An index or a data value at first breaks the symmetry of the start, not of the steps. */
function randomInitial(random: Random, { sort, size }: Pick<Variable, 'sort' | 'size'>): InitialValue {
    switch (random.below(sort === 'plain' ? 8 : 4)) {
        case 0:
        case 1:
            return { kind: 'any' };
        case 2:
            return sort === 'optional index' ? valued(constant(NONE)) : { kind: 'any' };
        case 3:
            return size > 1
                ? { kind: 'oneOf', expressions: [constant(0), constant(1)], range: NOWHERE }
                : { kind: 'any' };
        default:
            return valued(constant(random.below(size)));
    }
}

function valued(expression: SequentialExpression): InitialValue {
    return { kind: 'value', expression, range: NOWHERE };
}

function sharedCell(name: string, domain: Domain, { length }: readonly Cell[]): Cell {
    return {
        name,
        domain,
        kind: 'shared',
        variable: length,
        instance: -1,
        indices: [],
        mayBeAbsent: false,
        declaration: NOWHERE,
    };
}

function counterCell(instance: number, locationCount: number): Cell {
    const values = Array.from({ length: locationCount }, (_, location) => `l${location}`);
    return {
        name: `P[${instance}].at`,
        domain: { kind: 'enumeration', name: `P[${instance}] location`, values },
        kind: 'counter',
        variable: -1,
        instance,
        indices: [],
        mayBeAbsent: false,
        declaration: NOWHERE,
    };
}

/** What one participant does. */
interface Part {
    readonly source: number;
    readonly target: number;
    readonly guards: readonly Recipe<SequentialExpression>[];
    readonly effects: Recipe<readonly SequentialStatement[]>;
}

interface Template {
    readonly name: string;
    /** The processes whose step it is. */
    readonly family: readonly number[];
    readonly bound: readonly Name[];
    /** What `other` ranges over, by process. */
    readonly relation: readonly (readonly number[])[];
    readonly own: Part;
    /** What `other` does in a joint step. */
    readonly partner?: Part;
}

/** For each family one step at least from each location. */
function randomTemplates(scope: Scope): Template[] {
    const { random, structure, locationCount } = scope;
    const count = Math.max(locationCount, 2) + random.below(3);
    const templates = structure.families.flatMap((family, familyNumber) =>
        Array.from({ length: count }, (_, number) => {
            const name = `${'ab'[familyNumber]}${number}`;
            return randomTemplate(scope, name, family, number % locationCount);
        }),
    );
    return random.below(10) === 0 ? [...templates, randomTemplate(scope, 'odd', [0], 0)] : templates;
}

function randomTemplate(scope: Scope, name: string, family: readonly number[], source: number): Template {
    const { random, structure, locationCount, dataSize, slotCount } = scope;
    // Other processes are all alike, unless a step tells them apart.
    const isStructured = ['rotations', 'reflections', 'pairs'].includes(structure.kind);
    const bound: readonly Name[] = [
        'self',
        ...(random.below(isStructured ? 2 : 4) === 0 ? ['other' as const] : []),
        ...(dataSize > 0 && random.below(2) === 0 ? ['value' as const] : []),
        ...(slotCount > 0 && random.below(2) === 0 ? ['slot' as const] : []),
    ];
    const isJoint = bound.includes('other') && random.below(2) === 0;
    const inner = { ...scope, bound };
    const part = (from: number, effectScope: Scope): Part => ({
        source: from,
        target: random.below(4) === 0 ? from : random.below(locationCount),
        guards: Array.from({ length: 1 + random.below(2) }, () => perhapsFaulty(inner, randomStateCondition(inner, 1))),
        effects: random.below(6) === 0 ? () => [] : randomEffects(effectScope),
    });
    // Partners write different cells, and neither reads what the other one writes.
    const alone: Scope = {
        ...inner,
        bound: bound.filter(each => each !== 'other'),
        structure: { ...structure, families: [[]], relations: [structure.relations[0]!.map(() => [])] },
        mayPoint: false,
    };
    const partner: Scope = {
        ...alone,
        bound: ['other'],
        variables: scope.variables.filter(({ owner }) => owner === 'process'),
    };
    return {
        name,
        family,
        bound,
        relation: pick(random, structure.relations),
        own: part(source, isJoint ? alone : inner),
        ...(isJoint && { partner: part(random.below(locationCount), partner) }),
    };
}

function bindingsOf({ family, bound, relation }: Template, { dataSize, slotCount }: Scope): Binding[] {
    const choices = (name: Name, values: readonly number[]): readonly (number | undefined)[] =>
        bound.includes(name) ? values : [undefined];
    const below = (count: number): number[] => Array.from({ length: count }, (_, number) => number);
    return family.flatMap(self =>
        choices('other', relation[self]!).flatMap(other =>
            choices('value', below(dataSize)).flatMap(value =>
                choices('slot', below(slotCount)).map(slot => ({ self, other, value, slot })),
            ),
        ),
    );
}

function toSummand({ name, own, partner }: Template, binding: Binding, { counters }: Scope): Summand {
    const participant = (instance: number, label: string, part: Part): Participant => {
        const { source, target, guards, effects } = part;
        const counter = counters[instance];
        const at: readonly SequentialExpression[] =
            counter === undefined
                ? []
                : [binary({ kind: 'cell', cell: counter, range: NOWHERE }, '==', constant(source))];
        const move: readonly SequentialStatement[] =
            counter === undefined || source === target
                ? []
                : [
                      {
                          kind: 'assign',
                          target: { kind: 'cell', cell: counter },
                          value: constant(target),
                          range: NOWHERE,
                      },
                  ];
        return {
            instance,
            source,
            target,
            path: [...at, ...guards.map(guard => guard(binding))].map(condition => ({ kind: 'test', condition })),
            body: [...effects(binding), ...move],
            label,
            range: NOWHERE,
        };
    };
    const first = participant(binding.self!, name, own);
    return {
        label: name,
        participants:
            partner === undefined
                ? [first]
                : [first, participant(binding.other!, `${name}Partner`, partner)].sort(
                      (one, other) => one.instance - other.instance,
                  ),
    };
}
