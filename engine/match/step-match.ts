/** Whether a firing, or a state, is what a line of a log says, and what its names then stand for. */
import { unreachable } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import { codeOfValue, domainSize, NO_VALUE, valueOfCode, type Domain, type Value } from '../model/domain.js';
import type { Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { usedSlots } from '../sequential/templates/slot-usage.js';
import { UNBOUND, type Bindings } from './log-names.js';
import type { NamedProcess, Observation, ObservedPlace, ObservedValue, PathIndex, PathPart } from './observation.js';
import { Messages } from './messages.js';
import { ownElement, type LocalShape, type Shape, type Shapes } from './shapes.js';
import { bystandersOf, stepFacts, type NamedValue, type ParticipantFacts, type StepFacts } from './step-facts.js';
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
    readonly messages: Messages;
    /** Of the line that is asked about. */
    #asked: Observation | undefined;
    readonly #tests = new Map<ParticipantFacts | undefined, readonly Test[]>();
    /** By family. */
    readonly #bystanders = new Map<string, readonly ParticipantFacts[]>();

    constructor(model: Model, sequential: SequentialModel, shapes: Shapes, values: ValueMatch) {
        this.facts = stepFacts(model, sequential);
        this.#model = model;
        this.#sequential = sequential;
        this.#shapes = shapes;
        this.#values = values;
        this.messages = new Messages(model, sequential, shapes);
    }

    /** The bindings under which the firing of a summand is the step of the line. */
    ofFiring(observation: Observation, summand: number, passage: Passage, bindings: Bindings): readonly Bindings[] {
        const found: Bindings[] = [];
        for (const participant of this.facts[summand].participants) {
            if (mayCarry(observation, participant)) {
                found.push(...this.#fitting(observation, summand, participant, passage, bindings));
            }
        }
        return this.#known(found, bindings, passage);
    }

    #fitting(
        observation: Observation,
        summand: number,
        participant: ParticipantFacts | undefined,
        passage: Passage,
        bindings: Bindings,
    ): readonly Bindings[] {
        const tests = this.#testsOf(observation, summand, participant);
        return along(tests, bindings, ({ fit }, _index, known) => fit(passage, known));
    }

    /** Without those in which a name is first used for an instance that neither lives nor is held. */
    #known(found: readonly Bindings[], before: Bindings, passage: Passage): readonly Bindings[] {
        const { templates = [], cells } = this.#sequential;
        if (templates.length === 0) {
            return found;
        }
        return found.filter(bindings =>
            templates.every(template => {
                const first = bindings.filter(
                    (code, place) =>
                        code >= 0 &&
                        (before[place] ?? UNBOUND) === UNBOUND &&
                        this.#values.names.bound[place].type === template.name,
                );
                if (first.length === 0) {
                    return true;
                }
                const [usedBefore, usedAfter] = [passage.before, passage.after].map(state => {
                    const isUsed = new Uint8Array(template.slots.length);
                    usedSlots(template, cells, state, isUsed);
                    return isUsed;
                });
                return first.every(slot => usedBefore[slot] + usedAfter[slot] > 0);
            }),
        );
    }

    /** The first part of the line that no participant satisfies. */
    contradiction(
        observation: Observation,
        summand: number,
        passage: Passage,
        bindings: Bindings,
    ): Contradiction | undefined {
        for (const participant of this.facts[summand].participants) {
            let all: readonly Bindings[] = mayCarry(observation, participant) ? [bindings] : [];
            for (const { part, fit } of all.length === 0 ? [] : this.#testsOf(observation, summand, participant)) {
                all = all.flatMap(known => fit(passage, known));
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
        const { process } = observation;
        const about = process === undefined ? [undefined] : this.#living(process, state);
        const found = about.flatMap(participant => this.#fitting(observation, -1, participant, passage, bindings));
        return this.#known(found, bindings, passage);
    }

    /** The instances of a family; of a template those that live. */
    #living({ family }: NamedProcess, state: Readonly<Int32Array>): readonly ParticipantFacts[] {
        const all = remembered(this.#bystanders, family, () => bystandersOf(this.#model, this.#sequential, family));
        const template = this.#sequential.templates?.find(({ name }) => name === family);
        return template === undefined
            ? all
            : all.filter(({ instance }) =>
                  template.slots.some(slot => slot.instance === instance && state[slot.counter] !== slot.ended),
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
                    .filter(each => each !== participant && each.family === other.process?.family)
                    .flatMap(each =>
                        this.#process(other.process, each, bound).flatMap(named => this.#choices(other, each, named)),
                    ),
            ),
        );
    }

    #choices(
        { values }: Pick<Observation, 'values'>,
        participant: ParticipantFacts,
        bindings: Bindings,
    ): readonly Bindings[] {
        return along(values, bindings, ({ place, wanted }, _index, known) => {
            const [named] = place.kind === 'own' ? this.#ownNames(place.path, participant) : [];
            return named === undefined ? [] : this.#values.ofValue(wanted, named.domain, named.value, known);
        });
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

    /** What a line asks of a firing and of who carries it, in the order in which it is told; made once for a line. */
    #testsOf(observation: Observation, summand: number, participant: ParticipantFacts | undefined): readonly Test[] {
        if (observation !== this.#asked) {
            this.#asked = observation;
            this.#tests.clear();
        }
        return remembered(this.#tests, participant, () => {
            const { message } = observation;
            const tests: Test[] = [];
            if (participant !== undefined) {
                const fit: Test['fit'] = (_passage, known) =>
                    this.#participants(observation, participant, summand, known);
                tests.push({ part: { kind: 'process' }, fit });
            }
            for (const value of observation.values) {
                tests.push({ part: { kind: 'value', value }, fit: this.#valueTest(value, participant) });
            }
            for (const { template, wanted } of observation.created) {
                const fit: Test['fit'] = (passage, known) => this.#created(template, wanted, passage, known);
                tests.push({ part: { kind: 'created' }, fit });
            }
            if (message !== undefined) {
                const fit: Test['fit'] = (passage, known) => this.#message(message, summand, passage, known);
                tests.push({ part: { kind: 'message' }, fit });
            }
            return tests;
        });
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

    #message(wanted: Wanted, summand: number, { before }: Passage, bindings: Bindings): readonly Bindings[] {
        const message = this.messages.of(summand, before);
        return message === undefined ? [] : this.#values.inState(wanted, message.shape, message.codes, bindings);
    }

    #valueTest({ place, wanted, isBefore }: ObservedValue, participant: ParticipantFacts | undefined): Test['fit'] {
        const sightOf = ({ before, after }: Passage): Sight => ({
            participant,
            before,
            state: isBefore ? before : after,
        });
        if (place.kind === 'at') {
            return (passage, bindings) => {
                const sight = sightOf(passage);
                return this.#instances(place, sight, bindings).flatMap(([instance, known]) => {
                    const { counter, locations } = this.#sequential.instances[instance];
                    const { name } = locations[counter < 0 ? 0 : sight.state[counter]];
                    return wanted.kind === 'scalar' && wanted.value === name ? [known] : [];
                });
            };
        }
        const [named] = place.kind === 'own' ? this.#ownNames(place.path, participant) : [];
        if (named !== undefined) {
            return (_passage, bindings) => this.#values.ofValue(wanted, named.domain, named.value, bindings);
        }
        const shape = place.kind === 'own' ? this.#fixedShape(place.path, participant) : undefined;
        if (shape !== undefined) {
            return ({ before, after }, known) => this.#values.inState(wanted, shape, isBefore ? before : after, known);
        }
        return (passage, bindings) =>
            this.#forEachShape(place, sightOf(passage), bindings, (shape, known, state) =>
                this.#values.inState(wanted, shape, state, known),
            );
    }

    /** What a name is in all states; undefined if that depends on the state. */
    #fixedShape([first, ...rest]: readonly PathPart[], participant: ParticipantFacts | undefined): Shape | undefined {
        return first?.kind === 'field' && rest.length === 0 && this.#localsOf(first.name, participant).length === 0
            ? this.#sharedOf(first.name, participant)
            : undefined;
    }

    /** A variable, or the own element of one. */
    #sharedOf(name: string, participant: ParticipantFacts | undefined): Shape | undefined {
        const shared = this.#shapes.shared.get(name);
        return (shared && participant && ownElement(shared, participant.indices)) ?? shared;
    }

    /** The parts of the state that a place may be, each with the bindings that say so. */
    #forEachShape(place: ObservedPlace, sight: Sight, bindings: Bindings, then: Then): readonly Bindings[] {
        switch (place.kind) {
            case 'at':
                return [];
            case 'shared':
                return this.#along(this.#shapes.shared.get(place.name), place.path, sight, bindings, then);
            case 'local':
                return this.#instances(place, sight, bindings).flatMap(([instance, known]) => {
                    const [first, ...rest] = place.path;
                    const all = first?.kind === 'field' ? this.#shapes.locals[instance].get(first.name) : undefined;
                    // Of several with one name that which is there.
                    const own = all?.find(({ shape }) => !isAbsent(shape, sight.state)) ?? all?.[0];
                    return this.#alongLocal(own?.shape, rest, sight, known, then);
                });
            case 'own': {
                const [first, ...rest] = place.path;
                const name = first?.kind === 'field' ? first.name : '';
                const local = this.#localOf(name, sight);
                if (local !== undefined) {
                    const inStep = this.#stateInStep(local, sight);
                    return inStep.isLost
                        ? [bindings]
                        : this.#alongLocal(local, rest, { ...sight, state: inStep.state }, bindings, then);
                }
                return this.#along(this.#sharedOf(name, sight.participant), rest, sight, bindings, then);
            }
            default:
                return unreachable(place);
        }
    }

    /** The local of this name at the step, or of a process that takes none that which is there. */
    #localOf(name: string, { participant, state }: Sight): Shape | undefined {
        const seen = this.#localsOf(name, participant);
        return (seen.find(({ shape }) => !isAbsent(shape, state)) ?? seen[0])?.shape;
    }

    #localsOf(name: string, participant: ParticipantFacts | undefined): readonly LocalShape[] {
        const all = (participant && this.#shapes.locals[participant.instance].get(name)) ?? [];
        return all.filter(({ declared }) => participant?.scope?.has(declared) !== false);
    }

    /** The state that has the value of a local in the step; it is lost if the step writes what is dead behind it. */
    #stateInStep(
        local: Shape,
        { participant, before, state }: Sight,
    ): { readonly state: Readonly<Int32Array>; readonly isLost: boolean } {
        if (!isAbsent(local, state)) {
            return { state, isLost: false };
        }
        // What is not written has its value in the step, too.
        return { state: before, isLost: !everyCell(local, cell => participant?.written.has(cell) !== true) };
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
        this.#forEachShape(place, { participant, before: state, state }, bindings, note);
        const [only] = texts;
        return texts.size === 1 ? only : undefined;
    }

    /** The instances that a place may name. */
    #instances(
        { family, indices }: Extract<ObservedPlace, { kind: 'at' | 'local' }>,
        sight: Sight,
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
                    : this.#valuesOf(index.name, sight).some(value => value === undefined || value === values[position])
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

    /** The values of a name of the step, an index, a choice or a local; undefined for one that may be any. */
    #valuesOf(name: string, sight: Sight): readonly (Value | undefined)[] {
        const { participant } = sight;
        const named = this.#named(name, participant);
        const local = this.#localOf(name, sight);
        if (named.length > 0 || local?.kind !== 'cell') {
            return named.map(({ value }) => value);
        }
        const { state, isLost } = this.#stateInStep(local, sight);
        const code = state[local.cell];
        return [isLost || code === NO_VALUE ? undefined : valueOfCode(local.domain, code)];
    }

    /** The same of a local: what the model does not keep of it may be anything. */
    #alongLocal(
        local: Shape | undefined,
        path: readonly PathPart[],
        sight: Sight,
        bindings: Bindings,
        then: Then,
    ): readonly Bindings[] {
        return local !== undefined && isAbsent(local, sight.state)
            ? [bindings]
            : this.#along(local, path, sight, bindings, (shape, known, state) =>
                  isAbsent(shape, state) ? [known] : then(shape, known, state),
              );
    }

    /** The parts of a shape that a path may lead to. */
    #along(
        shape: Shape | undefined,
        path: readonly PathPart[],
        sight: Sight,
        bindings: Bindings,
        then: Then,
    ): readonly Bindings[] {
        const [part, ...rest] = path;
        if (shape === undefined) {
            return [];
        }
        if (part === undefined) {
            return then(shape, bindings, sight.state);
        }
        if (part.kind === 'field') {
            const next =
                shape.kind === 'record' ? shape.fields.find(({ name }) => name === part.name)?.shape : undefined;
            return this.#along(next, rest, sight, bindings, then);
        }
        return shape.kind === 'array' || shape.kind === 'sequence'
            ? this.#codes(part.index, shape, sight, bindings).flatMap(([code, known]) =>
                  this.#along(shape.elements[code], rest, sight, known, then),
              )
            : [];
    }

    /** The elements that an index may mean. */
    #codes(
        index: PathIndex,
        shape: Extract<Shape, { kind: 'array' | 'sequence' }>,
        sight: Sight,
        bindings: Bindings,
    ): readonly (readonly [number, Bindings])[] {
        if (shape.kind === 'array' && index.kind === 'value') {
            return this.#values.ofIndex(index.wanted, shape.domain, bindings);
        }
        const domain: Domain =
            shape.kind === 'array' ? shape.domain : { kind: 'range', low: 0, high: sight.state[shape.length] - 1 };
        const values =
            index.kind === 'binder'
                ? this.#valuesOf(index.name, sight)
                : [index.wanted.kind === 'scalar' ? Number(index.wanted.value) : -1];
        const codes = values.flatMap(value =>
            value === undefined ? [...shape.elements.keys()] : [codeOfValue(domain, value)],
        );
        return codes.filter(code => 0 <= code && code < domainSize(domain)).map(code => [code, bindings] as const);
    }
}

/** From where places are looked at: their values are in `state`; `before` is in front of the step. */
interface Sight {
    readonly participant: ParticipantFacts | undefined;
    readonly before: Readonly<Int32Array>;
    readonly state: Readonly<Int32Array>;
}

/** What a line asks of a firing: the bindings under which it is so. */
interface Test {
    readonly part: Contradiction;
    readonly fit: (passage: Passage, known: Bindings) => readonly Bindings[];
}

type Then = (shape: Shape, known: Bindings, state: Readonly<Int32Array>) => readonly Bindings[];

/** Whether the line may be that of a participant. */
function mayCarry({ step, process }: Observation, { labels, family }: ParticipantFacts): boolean {
    return step !== undefined && labels.has(step) && (process === undefined || process.family === family);
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
