/** What a log can say of a step: who takes it, its label and event, and the values of its indices and binders. */
import { remembered } from '../common/list-map.js';
import { baseOf, codeOfValue, domainSize, valueOfCode, type Domain, type Value } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { cellsOfPlace, forEachSequentialStatement } from '../sequential/cell-access.js';
import type { Participant, SequentialModel, Summand } from '../sequential/sequential-model.js';
import { declaredLocal, localsAt, type DeclaredLocal } from './local-scopes.js';
import { codeOfText, splitAtCommas } from '../sequential/split-values.js';

export interface StepFacts {
    /** The labels of the text and the event: what a line can call it. Empty for a step that is always hidden. */
    readonly labels: ReadonlySet<string>;
    readonly participants: readonly ParticipantFacts[];
}

export interface ParticipantFacts {
    readonly instance: number;
    /** Index into `Model.processes`. */
    readonly process: number;
    readonly family: string;
    /** What a line calls its part. */
    readonly labels: ReadonlySet<string>;
    /** Those of the family, in order, and the binders on the way to the step. */
    readonly indices: readonly NamedValue[];
    readonly chosen: readonly NamedValue[];
    /** The locals that are there at the step; undefined for all. */
    readonly scope: ReadonlySet<DeclaredLocal> | undefined;
    /** The cells that get a value on the path or in the body, also those that are dead behind the step. */
    readonly written: ReadonlySet<number>;
}

export interface NamedValue {
    readonly name: string;
    readonly domain: Domain;
    readonly value: Value;
}

const known = new WeakMap<SequentialModel, readonly StepFacts[]>();

/** By summand. */
export function stepFacts(model: Model, sequential: SequentialModel): readonly StepFacts[] {
    return remembered(known, sequential, () => sequential.summands.map(summand => factsOf(summand, model, sequential)));
}

function factsOf(summand: Summand, model: Model, { instances }: SequentialModel): StepFacts {
    const event = summand.event && model.events[summand.event.event].name;
    const participants = summand.participants.map((participant): ParticipantFacts => {
        const { process, indices } = instances[participant.instance];
        const declaration = model.processes[process];
        const labels = [event, labelOf(participant)].filter(name => name !== undefined);
        const scope = localsAt(declaration, participant.range);
        return {
            instance: participant.instance,
            process,
            family: declaration.name,
            labels: new Set(labels),
            indices: declaration.indices.map(({ name, domain }, position) => ({
                name,
                domain,
                value: indices[position],
            })),
            chosen: chosenBy(
                participant,
                declaration.locals.filter(local => scope?.has(declaredLocal(local)) !== false),
            ),
            scope,
            written: cellsAssigned(participant),
        };
    });
    return {
        labels: new Set(participants.flatMap(({ labels }) => [...labels])),
        participants,
    };
}

/** The instances of a family where they take no step: what a line is about that names a process and no step. */
export function bystandersOf(
    model: Model,
    { instances }: SequentialModel,
    family: string,
): readonly ParticipantFacts[] {
    return instances.flatMap(({ process, indices }, instance): ParticipantFacts[] => {
        const { name, indices: declared } = model.processes[process];
        if (name !== family) {
            return [];
        }
        const named = declared.map((index, position) => ({
            name: index.name,
            domain: index.domain,
            value: indices[position],
        }));
        const nothing = { chosen: [], scope: undefined, written: new Set<number>() };
        return [{ instance, process, family, labels: new Set(), indices: named, ...nothing }];
    });
}

/** The arguments of its event, by their numbers. */
export function argumentsOf({ events }: Model, { event }: Summand): readonly NamedValue[] {
    return event === undefined
        ? []
        : events[event.event].arguments.map((domain, position) => ({
              name: String(position),
              domain,
              value: valueOfCode(domain, event.codes[position]),
          }));
}

function cellsAssigned({ path, body }: Participant): ReadonlySet<number> {
    const cells = new Set(path.flatMap(element => (element.kind === 'assign' ? [element.cell] : [])));
    forEachSequentialStatement(body, statement => {
        if (statement.kind === 'assign') {
            cellsOfPlace(statement.target).forEach(cell => cells.add(cell));
        }
    });
    return cells;
}

/** The label in the text: the end of a body has none. */
function labelOf({ label }: Participant): string | undefined {
    return label === 'end' ? undefined : label;
}

function chosenBy(
    { choice }: Participant,
    locals: readonly { readonly name: string; readonly element: Domain }[],
): readonly NamedValue[] {
    return splitAtCommas(choice ?? '').flatMap((part): NamedValue[] => {
        const [name, text = ''] = part.trim().split(' = ', 2);
        const domain = locals.find(local => local.name === name)?.element;
        const code = domain && codeOfText(domain, text);
        return domain === undefined || code === undefined ? [] : [{ name, domain, value: valueOfCode(domain, code) }];
    });
}

/** The value that a name of the text has, as an index of another place. */
export function codeAsIndex({ domain, value }: NamedValue, index: Domain): number {
    const base = baseOf(domain);
    const code = codeOfValue(base, value);
    return domainSize(base) === domainSize(index) || base.kind === 'range'
        ? codeOfValue(index, valueOfCode(base, Math.max(0, code)))
        : -1;
}
