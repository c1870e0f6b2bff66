/** The places that keys of a log name, and what may stand there: a name of the step is one of those who may take it. */
import { remembered } from '../common/list-map.js';
import type { Domain } from '../model/domain.js';
import type { Model, Process } from '../model/model.js';
import { stepsIn } from '../model/walk-model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { impossibleValue } from './impossible-values.js';
import type { LogNames } from './log-names.js';
import { Messages } from './messages.js';
import type { ObservedPlace, PathIndex, PathPart } from './observation.js';
import { partsOfPlace } from './place-text.js';
import { cellOf, ownElement, type Shape, type Shapes } from './shapes.js';
import { bystandersOf, stepFacts, type ParticipantFacts, type StepFacts } from './step-facts.js';
import { wantedOf, type Wanted } from './wanted.js';

/** Those who may take the step of a line, or whom a line without one is about. */
export interface Speakers {
    /** Equal for the same step and family. */
    readonly key: string;
    readonly step?: string;
    /** One for each instance. */
    readonly participants: readonly ParticipantFacts[];
    /** By name the domains of indices and choices. */
    readonly names: ReadonlyMap<string, readonly Domain[]>;
    readonly messages: readonly Shape[];
    /** The templates of which the step may create an instance. */
    readonly creates: ReadonlySet<string>;
}

/** How the text of a key is read. */
interface KeyText {
    readonly isMapped: boolean;
    readonly wordOf: (text: string) => string;
}

interface FoundPlace {
    readonly place: ObservedPlace;
    /** One of them is what may stand there. */
    readonly shapes: readonly Shape[];
    /** Of a place of control: where a process may stand. */
    readonly labels?: ReadonlySet<string>;
}

export class KeyPlaces {
    readonly #model: Model;
    readonly #sequential: SequentialModel;
    readonly #shapes: Shapes;
    readonly #names: LogNames;
    readonly #facts: readonly StepFacts[];
    readonly #messages: Messages;
    readonly #speakers = new Map<string, Speakers>();
    /** Labels and events of the text. */
    readonly steps: ReadonlySet<string>;
    /** Of steps and processes: indices, binders and locals. */
    readonly #ownNames: ReadonlySet<string>;

    constructor(model: Model, sequential: SequentialModel, shapes: Shapes, names: LogNames) {
        this.#model = model;
        this.#sequential = sequential;
        this.#shapes = shapes;
        this.#names = names;
        this.#facts = stepFacts(model, sequential);
        this.#messages = new Messages(model, sequential, shapes);
        this.steps = new Set(this.#facts.flatMap(({ labels }) => [...labels]));
        this.#ownNames = new Set(
            model.processes.flatMap(({ indices, locals, body }) => {
                // A choice among messages is a local that the text does not have.
                const isChosen = stepsIn(body).some(({ message }) => message !== undefined);
                const names = [...indices, ...locals].map(({ name }) => name);
                return isChosen ? names.filter(name => name !== 'message') : names;
            }),
        );
    }

    isShared(name: string): boolean {
        return this.#shapes.shared.has(name);
    }

    /** Whether it is a variable, or a name of some step. */
    isKnown(name: string): boolean {
        return this.isShared(name) || this.#ownNames.has(name);
    }

    /** The shapes of the indices of a family. */
    indicesOf(family: string): readonly Shape[] {
        return this.#familyOf(family)?.indices.map(({ domain }) => cellOf(domain)) ?? [];
    }

    #familyOf(name: string): Process | undefined {
        return this.#model.processes.find(process => process.name === name);
    }

    /** Without a step all of the family; if none of the family takes the step, all who do. */
    speakers(step: string | undefined, family: string | undefined): Speakers {
        const key = `${step ?? ''} ${family ?? ''}`;
        return remembered(this.#speakers, key, () => {
            if (step === undefined) {
                const about = family === undefined ? [] : bystandersOf(this.#model, this.#sequential, family);
                return { key, participants: about, names: namesOf(about), messages: [], creates: new Set() };
            }
            const taken = (own: string | undefined): Speakers => this.#takers(key, step, own);
            const found = taken(family);
            return found.participants.length > 0 ? found : taken(undefined);
        });
    }

    #takers(key: string, step: string, family: string | undefined): Speakers {
        const participants: ParticipantFacts[] = [];
        const messages = new Set<Shape>();
        const creates = new Set<string>();
        this.#facts.forEach((facts, summand) => {
            const own = facts.participants.filter(
                each => each.labels.has(step) && (family === undefined || each.family === family),
            );
            if (own.length === 0) {
                return;
            }
            participants.push(...own);
            const message = this.#messages.shapeOf(summand);
            if (message !== undefined) {
                messages.add(message);
            }
            for (const { name, slots } of this.#sequential.templates ?? []) {
                const isCreated = slots.some(({ instance, counter }) =>
                    facts.participants.some(each => each.instance !== instance && each.written.has(counter)),
                );
                if (isCreated) {
                    creates.add(name);
                }
            }
        });
        const byScope = new Map<unknown, Map<number, ParticipantFacts>>();
        participants.forEach(each => {
            remembered(byScope, each.scope, () => new Map<number, ParticipantFacts>()).set(each.instance, each);
        });
        return {
            key,
            step,
            participants: [...byScope.values()].flatMap(byInstance => [...byInstance.values()]),
            names: namesOf(participants),
            messages: [...messages],
            creates,
        };
    }

    /** Undefined if the key begins with no name of the model; why there is no such place if it does. */
    placeOf(key: string, how: KeyText, speakers: Speakers): FoundPlace | { readonly reason: string } | undefined {
        const text = key.replace(/\s+at\s*$/, '');
        const isAt = text !== key;
        const parsed = partsOfPlace(text, part => this.#index(part, how));
        if (parsed === undefined) {
            return undefined;
        }
        const { name, path } = parsed;
        const noPlace = { reason: `there is no place \`${key}\` in the model` };
        const process = this.#familyOf(name);
        if (process === undefined ? isAt : path.length === 0 && !isAt) {
            return undefined;
        }
        if (process !== undefined) {
            const count = process.indices.length;
            const indices = path.slice(0, count).flatMap(part => (part.kind === 'index' ? [part.index] : []));
            const rest = path.slice(count);
            const wrong = this.#wrongIndex(indices, process, speakers);
            if (indices.length < count || (rest.length === 0) !== isAt || wrong !== undefined) {
                return wrong ?? noPlace;
            }
            const place = { family: name, indices };
            return isAt
                ? { place: { kind: 'at', ...place }, shapes: [], labels: this.#labelsOf(name) }
                : this.#found(
                      { kind: 'local', ...place, path: rest },
                      this.#localShapes(name, rest, speakers),
                      noPlace,
                  );
        }
        if (!this.isKnown(name)) {
            return undefined;
        }
        const shared = this.#shapes.shared.get(name);
        if (speakers.participants.length === 0 || (shared !== undefined && path[0]?.kind === 'index')) {
            const { step } = speakers;
            const isOwn = shared === undefined && step === undefined;
            return this.#found(
                { kind: 'shared', name, path },
                this.#walk(shared, path, speakers),
                isOwn ? { reason: `\`${key}\` is of a step or a process, and the line names none` } : noPlace,
            );
        }
        const place: ObservedPlace = { kind: 'own', path: [{ kind: 'field', name }, ...path] };
        // A name of other steps is none of this one: such a line is possible, and fits nothing.
        return shared === undefined && path.length === 0 && speakers.step !== undefined
            ? { place, shapes: this.#ownShapes(name, path, speakers) }
            : this.#found(place, this.#ownShapes(name, path, speakers), noPlace);
    }

    #found(
        place: ObservedPlace,
        shapes: readonly Shape[],
        noPlace: { readonly reason: string },
    ): FoundPlace | { readonly reason: string } {
        return shapes.length === 0 ? noPlace : { place, shapes };
    }

    #index(text: string, { isMapped, wordOf }: KeyText): PathIndex {
        return isMapped && this.#ownNames.has(text)
            ? { kind: 'binder', name: text }
            : { kind: 'value', wanted: ofMapping(wantedOf(text, wordOf), isMapped) };
    }

    #labelsOf(family: string): ReadonlySet<string> {
        const own = this.#sequential.instances.filter(({ process }) => this.#model.processes[process].name === family);
        return new Set(own.flatMap(({ locations }) => locations.map(({ name }) => name)));
    }

    #wrongIndex(
        indices: readonly PathIndex[],
        process: Process,
        speakers: Speakers,
    ): { readonly reason: string } | undefined {
        for (const [position, index] of indices.entries()) {
            const { domain } = process.indices[position];
            if (!this.#mayIndex(index, cellOf(domain), speakers)) {
                const text = index.kind === 'binder' ? index.name : 'the index';
                return { reason: `\`${text}\` is no \`${process.name}\`` };
            }
        }
        return undefined;
    }

    /** Whether an index may be a value, or is a name of the speakers. */
    #mayIndex(index: PathIndex, shape: Shape, { participants, names }: Speakers): boolean {
        return index.kind === 'value'
            ? impossibleValue(index.wanted, shape, this.#names) === undefined
            : names.has(index.name) ||
                  participants.some(each => this.#localsOf(index.name, each).some(({ kind }) => kind === 'cell'));
    }

    #localShapes(family: string, [first, ...rest]: readonly PathPart[], speakers: Speakers): readonly Shape[] {
        const { instances } = this.#sequential;
        return first?.kind !== 'field'
            ? []
            : instances.flatMap(({ process }, instance) =>
                  this.#model.processes[process].name === family
                      ? (this.#shapes.locals[instance].get(first.name) ?? []).flatMap(({ shape }) =>
                            this.#walk(shape, rest, speakers),
                        )
                      : [],
              );
    }

    #ownShapes(name: string, path: readonly PathPart[], speakers: Speakers): readonly Shape[] {
        const named = path.length === 0 ? (speakers.names.get(name) ?? []) : [];
        const shared = this.#shapes.shared.get(name);
        const ofShared = new Set<Shape>();
        const locals = speakers.participants.flatMap(participant => {
            const own = this.#localsOf(name, participant);
            if (own.length === 0 && shared !== undefined) {
                ofShared.add(ownElement(shared, participant.indices) ?? shared);
            }
            return own.flatMap(local => this.#walk(local, path, speakers));
        });
        const elements = [...ofShared].flatMap(element => this.#walk(element, path, speakers));
        return [...named.map(cellOf), ...locals, ...elements];
    }

    #localsOf(name: string, { instance, scope }: ParticipantFacts): readonly Shape[] {
        const all = this.#shapes.locals[instance].get(name) ?? [];
        return all.flatMap(({ declared, shape }) => (scope?.has(declared) === false ? [] : [shape]));
    }

    /** What a path leads to, in an array by its first element; empty if it leads nowhere. */
    #walk(shape: Shape | undefined, [part, ...rest]: readonly PathPart[], speakers: Speakers): readonly Shape[] {
        if (shape === undefined || part === undefined) {
            return shape === undefined ? [] : [shape];
        }
        if (part.kind === 'field') {
            return shape.kind === 'record'
                ? this.#walk(shape.fields.find(({ name }) => name === part.name)?.shape, rest, speakers)
                : [];
        }
        switch (shape.kind) {
            case 'array':
                return this.#mayIndex(part.index, cellOf(shape.domain), speakers)
                    ? this.#walk(shape.elements[0], rest, speakers)
                    : [];
            case 'sequence': {
                const place: Domain = { kind: 'range', low: 0, high: shape.elements.length - 1 };
                return this.#mayIndex(part.index, cellOf(place), speakers)
                    ? this.#walk(shape.elements[0], rest, speakers)
                    : [];
            }
            default:
                return [];
        }
    }
}

function ofMapping(wanted: Wanted, isMapped: boolean): Wanted {
    return isMapped && wanted.kind === 'scalar' ? { ...wanted, isOfMapping: true } : wanted;
}

function namesOf(participants: readonly ParticipantFacts[]): ReadonlyMap<string, readonly Domain[]> {
    const names = new Map<string, Set<Domain>>();
    for (const { indices, chosen } of participants) {
        [...indices, ...chosen].forEach(({ name, domain }) =>
            remembered(names, name, () => new Set<Domain>()).add(domain),
        );
    }
    return new Map([...names].map(([name, domains]) => [name, [...domains]]));
}
