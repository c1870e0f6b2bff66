/** Whether a firing, or a state, is what a line of a log says, and what its names then stand for. */
import { unreachable } from '../common/assert.js';
import { domainKey, NO_VALUE, valueOfCode, type Domain, type Value } from '../model/domain.js';
import type { Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { Bindings } from './log-names.js';
import type { NamedProcess, Observation, ObservedPlace, ObservedValue, PathIndex, PathPart } from './observation.js';
import { indicesOf, type Shape, type Shapes } from './shapes.js';
import { codeAsIndex, stepFacts, type NamedValue, type ParticipantFacts, type StepFacts } from './step-facts.js';
import { along, type ValueMatch } from './value-match.js';
import type { Wanted } from './wanted.js';

/** A firing by its states; of a question about a state both are that state. */
export interface Passage {
    readonly before: Readonly<Int32Array>;
    readonly after: Readonly<Int32Array>;
}

/** Why a firing is not what a line says: the part of the line that it contradicts. */
export type Contradiction =
    | { readonly kind: 'process' }
    | { readonly kind: 'created' }
    | { readonly kind: 'message' }
    | { readonly kind: 'value'; readonly value: ObservedValue };

export class StepMatch {
    readonly facts: readonly StepFacts[];
    readonly #model: Model;
    readonly #sequential: SequentialModel;
    readonly #shapes: Shapes;
    readonly #values: ValueMatch;
    /** By process the names of its binders. */
    readonly #binders: readonly ReadonlySet<string>[];
    readonly #channels: readonly Extract<Shape, { kind: 'sequence' }>[];

    constructor(model: Model, sequential: SequentialModel, shapes: Shapes, values: ValueMatch) {
        this.facts = stepFacts(model, sequential);
        this.#model = model;
        this.#sequential = sequential;
        this.#shapes = shapes;
        this.#values = values;
        const participants = this.facts.flatMap(each => each.participants);
        this.#binders = model.processes.map((_, process) => {
            const own = participants.filter(participant => participant.process === process);
            return new Set(own.flatMap(({ chosen }) => chosen.map(({ name }) => name)));
        });
        this.#channels = model.channels.flatMap(({ name }) => sequencesIn(shapes.shared.get(name)));
    }

    /** The bindings under which the firing of a summand is the step of the line. */
    ofFiring(observation: Observation, summand: number, passage: Passage, bindings: Bindings): readonly Bindings[] {
        const found: Bindings[] = [];
        for (const participant of this.#partsOf(observation, summand)) {
            let all = this.#participants(observation, participant, summand, bindings).flatMap(known =>
                along(observation.values, known, (value, _index, bound) =>
                    this.#value(value, participant, passage, bound),
                ),
            );
            if (observation.created.length > 0) {
                all = all.flatMap(known =>
                    along(observation.created, known, ({ template, wanted }, _index, bound) =>
                        this.#created(template, wanted, passage, bound),
                    ),
                );
            }
            const { message } = observation;
            if (message !== undefined) {
                all = all.flatMap(known => this.#message(message, passage, known));
            }
            found.push(...all);
        }
        return found;
    }

    /** The first part of the line that no participant satisfies. */
    contradiction(
        observation: Observation,
        summand: number,
        passage: Passage,
        bindings: Bindings,
    ): Contradiction | undefined {
        for (const participant of this.#partsOf(observation, summand)) {
            let all: readonly Bindings[] = [bindings];
            for (const { part, fit } of this.#tests(observation, participant, summand, passage)) {
                all = all.flatMap(fit);
                if (all.length === 0) {
                    return part;
                }
            }
        }
        return undefined;
    }

    /** The bindings under which the line, which names no step, is true in a state. */
    ofState(observation: Observation, state: Readonly<Int32Array>, bindings: Bindings): readonly Bindings[] {
        const passage = { before: state, after: state };
        return along(observation.values, bindings, (value, _index, known) =>
            this.#value(value, undefined, passage, known),
        );
    }

    /** The participants that may carry the line. */
    #partsOf({ step, process }: Observation, summand: number): readonly ParticipantFacts[] {
        return this.facts[summand].participants.filter(
            ({ labels, family }) =>
                step !== undefined && labels.has(step) && (process === undefined || process.family === family),
        );
    }

    /** Whether the participant can be who the line names. */
    isBy(observation: Observation, participant: ParticipantFacts, bindings: Bindings): boolean {
        const { process, values } = observation;
        if (process !== undefined && process.family !== participant.family) {
            return false;
        }
        const known = this.#process(process, participant, bindings);
        return values.every(({ place }) => place.kind !== 'own')
            ? known.length > 0
            : known.some(each => this.contradictedName(observation, participant.indices, each) === undefined);
    }

    /** A name of the step whose value is not what the line says. */
    contradictedName(
        { values }: Observation,
        names: readonly NamedValue[],
        bindings: Bindings,
    ): NamedValue | undefined {
        let all: readonly Bindings[] = [bindings];
        for (const { place, wanted } of values) {
            const [first, ...rest] = place.kind === 'own' ? place.path : [];
            const named = names.find(({ name }) => first?.kind === 'field' && first.name === name);
            if (named !== undefined && rest.length === 0) {
                all = all.flatMap(known => this.#values.ofValue(wanted, named.domain, named.value, known));
                if (all.length === 0) {
                    return named;
                }
            }
        }
        return undefined;
    }

    /** Who carries the line, and who else takes part. */
    #participants(
        { process, others = [] }: Observation,
        participant: ParticipantFacts,
        summand: number,
        bindings: Bindings,
    ): readonly Bindings[] {
        return this.#process(process, participant, bindings).flatMap(known =>
            along(others, known, (other, _index, bound) =>
                this.facts[summand].participants
                    .filter(each => each !== participant && each.family === other.family)
                    .flatMap(each => this.#process(other, each, bound)),
            ),
        );
    }

    #process(
        process: NamedProcess | undefined,
        { indices }: ParticipantFacts,
        bindings: Bindings,
    ): readonly Bindings[] {
        return along(process?.indices ?? [], bindings, (wanted, index, known) =>
            this.#values.ofValue(wanted, indices[index].domain, indices[index].value, known),
        );
    }

    #tests(
        observation: Observation,
        participant: ParticipantFacts,
        summand: number,
        passage: Passage,
    ): readonly { readonly part: Contradiction; readonly fit: (known: Bindings) => readonly Bindings[] }[] {
        const { message } = observation;
        return [
            { part: { kind: 'process' }, fit: known => this.#participants(observation, participant, summand, known) },
            ...observation.values.map(value => ({
                part: { kind: 'value', value } as const,
                fit: (known: Bindings) => this.#value(value, participant, passage, known),
            })),
            ...observation.created.map(({ template, wanted }) => ({
                part: { kind: 'created' } as const,
                fit: (known: Bindings) => this.#created(template, wanted, passage, known),
            })),
            ...(message === undefined
                ? []
                : [
                      {
                          part: { kind: 'message' } as const,
                          fit: (known: Bindings) => this.#message(message, passage, known),
                      },
                  ]),
        ];
    }

    #created(template: string, wanted: Wanted, { before, after }: Passage, bindings: Bindings): readonly Bindings[] {
        const slots = this.#sequential.templates?.find(({ name }) => name === template);
        const domain = slots && this.#model.processes[slots.process].indices[0].domain;
        return (slots?.slots ?? []).flatMap(({ counter, ended }, slot) =>
            before[counter] === ended && after[counter] !== ended && domain !== undefined
                ? this.#values.ofValue(wanted, domain, slot, bindings)
                : [],
        );
    }

    /** The channel whose length has changed says what was sent, or received. */
    #message(wanted: Wanted, { before, after }: Passage, bindings: Bindings): readonly Bindings[] {
        return this.#channels.flatMap(({ length, elements }) => {
            if (after[length] === before[length]) {
                return [];
            }
            return after[length] > before[length]
                ? this.#values.inState(wanted, elements[before[length]], after, bindings)
                : this.#values.inState(wanted, elements[0], before, bindings);
        });
    }

    #value(
        { place, wanted, isBefore }: ObservedValue,
        participant: ParticipantFacts | undefined,
        { before, after }: Passage,
        bindings: Bindings,
    ): readonly Bindings[] {
        const state = isBefore ? before : after;
        if (place.kind === 'at') {
            return this.#instances(place, participant, bindings).flatMap(([instance, known]) => {
                const { counter, locations } = this.#sequential.instances[instance];
                const { name } = locations[counter < 0 ? 0 : state[counter]];
                return wanted.kind === 'scalar' && wanted.value === name ? [known] : [];
            });
        }
        const [named] = place.kind === 'own' ? this.#ownNames(place.path, participant) : [];
        return named === undefined
            ? this.#forEachShape(place, participant, { before, after: state }, bindings, (shape, known, at) =>
                  this.#values.inState(wanted, shape, at, known),
              )
            : this.#values.ofValue(wanted, named.domain, named.value, bindings);
    }

    /** The parts of the state that a place may be, each with the bindings that say so. */
    #forEachShape(
        place: ObservedPlace,
        participant: ParticipantFacts | undefined,
        { before, after }: Passage,
        bindings: Bindings,
        then: (shape: Shape, known: Bindings, state: Readonly<Int32Array>) => readonly Bindings[],
    ): readonly Bindings[] {
        const thenAfter = (shape: Shape, known: Bindings): readonly Bindings[] => then(shape, known, after);
        switch (place.kind) {
            case 'at':
                return [];
            case 'shared':
                return this.#along(
                    this.#shapes.shared.get(place.name),
                    place.path,
                    participant,
                    after,
                    bindings,
                    thenAfter,
                );
            case 'local':
                return this.#instances(place, participant, bindings).flatMap(([instance, known]) => {
                    const [first, ...rest] = place.path;
                    const own = first?.kind === 'field' ? this.#shapes.locals[instance].get(first.name) : undefined;
                    return this.#alongLocal(own, rest, participant, after, known, thenAfter);
                });
            case 'own': {
                const [first, ...rest] = place.path;
                const name = first?.kind === 'field' ? first.name : '';
                const local = participant && this.#shapes.locals[participant.instance].get(name);
                if (participant !== undefined && local !== undefined) {
                    const isDead = isAbsent(local, after);
                    // What is not written has its value in the step, too.
                    const state = isDead ? before : after;
                    // A step that chooses others is behind another branch.
                    const { chosen, process, written } = participant;
                    if (chosen.length > 0 && this.#binders[process].has(name) && isAbsent(local, state)) {
                        return [];
                    }
                    if (isDead && !everyCell(local, cell => !written.has(cell))) {
                        return [bindings];
                    }
                    return this.#alongLocal(local, rest, participant, state, bindings, (shape, known) =>
                        then(shape, known, state),
                    );
                }
                const shared = this.#shapes.shared.get(name);
                const own = shared && participant && ownElement(shared, participant.indices);
                return this.#along(own ?? shared, rest, participant, after, bindings, thenAfter);
            }
            default:
                return unreachable(place);
        }
    }

    /** An index or a choice of the participant of this name. */
    #ownNames(path: readonly PathPart[], participant: ParticipantFacts | undefined): readonly NamedValue[] {
        const [first] = path;
        return path.length === 1 && first.kind === 'field' ? this.#named(first.name, participant) : [];
    }

    /** The value of a place as a reader writes it; undefined if it has none, or several. */
    textOf(
        place: ObservedPlace,
        participant: ParticipantFacts | undefined,
        state: Readonly<Int32Array>,
        bindings: Bindings,
        textOfValue: (domain: Domain, value: Value) => string,
    ): string | undefined {
        const texts = new Set<string>();
        const note = (shape: Shape): readonly Bindings[] => {
            if (shape.kind === 'cell' && state[shape.cell] !== NO_VALUE) {
                texts.add(textOfValue(shape.domain, valueOfCode(shape.domain, state[shape.cell])));
            }
            return [];
        };
        this.#forEachShape(place, participant, { before: state, after: state }, bindings, note);
        const [only] = texts;
        return texts.size === 1 ? only : undefined;
    }

    /** The instances that a place may name. */
    #instances(
        { family, indices }: Extract<ObservedPlace, { kind: 'at' | 'local' }>,
        participant: ParticipantFacts | undefined,
        bindings: Bindings,
    ): readonly (readonly [number, Bindings])[] {
        const { instances } = this.#sequential;
        return instances.flatMap(({ process, indices: values }, instance) => {
            const declaration = this.#model.processes[process];
            if (declaration.name !== family) {
                return [];
            }
            const fitting = along(indices, bindings, (index, position, known) => {
                const { domain } = declaration.indices[position];
                return index.kind === 'value'
                    ? this.#values.ofValue(index.wanted, domain, values[position], known)
                    : this.#named(index.name, participant).some(named => named.value === values[position])
                      ? [known]
                      : [];
            });
            return fitting.map(known => [instance, known] as const);
        });
    }

    #named(name: string, participant: ParticipantFacts | undefined): readonly NamedValue[] {
        const known = participant === undefined ? [] : [...participant.chosen, ...participant.indices];
        return known.filter(each => each.name === name);
    }

    /** The same of a local: what the model does not keep of it may be anything. */
    #alongLocal(
        local: Shape | undefined,
        path: readonly PathPart[],
        participant: ParticipantFacts | undefined,
        state: Readonly<Int32Array>,
        bindings: Bindings,
        then: (shape: Shape, known: Bindings) => readonly Bindings[],
    ): readonly Bindings[] {
        return local !== undefined && isAbsent(local, state)
            ? [bindings]
            : this.#along(local, path, participant, state, bindings, (shape, known) =>
                  isAbsent(shape, state) ? [known] : then(shape, known),
              );
    }

    /** The parts of a shape that a path may lead to. */
    #along(
        shape: Shape | undefined,
        path: readonly PathPart[],
        participant: ParticipantFacts | undefined,
        state: Readonly<Int32Array>,
        bindings: Bindings,
        then: (shape: Shape, known: Bindings) => readonly Bindings[],
    ): readonly Bindings[] {
        const [part, ...rest] = path;
        if (shape === undefined) {
            return [];
        }
        if (part === undefined) {
            return then(shape, bindings);
        }
        if (part.kind === 'field') {
            const next =
                shape.kind === 'record' ? shape.fields.find(({ name }) => name === part.name)?.shape : undefined;
            return this.#along(next, rest, participant, state, bindings, then);
        }
        return this.#codes(part.index, shape, participant, state, bindings).flatMap(([code, known]) =>
            this.#along(
                shape.kind === 'array' || shape.kind === 'sequence' ? shape.elements[code] : undefined,
                rest,
                participant,
                state,
                known,
                then,
            ),
        );
    }

    #codes(
        index: PathIndex,
        shape: Shape,
        participant: ParticipantFacts | undefined,
        state: Readonly<Int32Array>,
        bindings: Bindings,
    ): readonly (readonly [number, Bindings])[] {
        if (shape.kind === 'sequence') {
            const place = index.kind === 'value' && index.wanted.kind === 'scalar' ? Number(index.wanted.value) : -1;
            return place >= 0 && place < state[shape.length] ? [[place, bindings]] : [];
        }
        if (shape.kind !== 'array') {
            return [];
        }
        return index.kind === 'value'
            ? this.#values.ofIndex(index.wanted, shape.domain, bindings)
            : this.#named(index.name, participant).map(named => [codeAsIndex(named, shape.domain), bindings] as const);
    }
}

/** The element of a variable whose index types are those of the family; undefined if they are others. */
function ownElement(shape: Shape, indices: readonly NamedValue[]): Shape | undefined {
    const domains = indicesOf(shape);
    if (
        indices.length === 0 ||
        domains.length !== indices.length ||
        !indices.every(({ domain }, at) => isSameType(domain, domains[at]))
    ) {
        return undefined;
    }
    return indices.reduce<Shape>(
        (outer, named) => (outer.kind === 'array' ? outer.elements[codeAsIndex(named, outer.domain)] : outer),
        shape,
    );
}

function isSameType(first: Domain, second: Domain): boolean {
    return first.name === second.name && domainKey(first) === domainKey(second);
}

function isAbsent(shape: Shape, state: Readonly<Int32Array>): boolean {
    return everyCell(shape, cell => state[cell] === NO_VALUE);
}

function everyCell(shape: Shape, test: (cell: number) => boolean): boolean {
    const ofFields = (fields: readonly { readonly shape: Shape }[]): boolean =>
        fields.every(field => everyCell(field.shape, test));
    switch (shape.kind) {
        case 'cell':
            return test(shape.cell);
        case 'cases':
            return test(shape.cell) && shape.cases.every(ofFields);
        case 'sequence':
            return test(shape.length) && shape.elements.every(element => everyCell(element, test));
        case 'set':
            return shape.elements.every(({ cell }) => test(cell));
        case 'array':
            return shape.elements.every(element => everyCell(element, test));
        case 'record':
            return ofFields(shape.fields);
        default:
            return unreachable(shape);
    }
}

function sequencesIn(shape: Shape | undefined): Extract<Shape, { kind: 'sequence' }>[] {
    switch (shape?.kind) {
        case 'sequence':
            return [shape];
        case 'array':
            return shape.elements.flatMap(sequencesIn);
        default:
            return [];
    }
}
