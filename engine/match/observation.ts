/**
 * A line of a log as a question to candidates: which step was taken by whom, and which values places had before and after.
 * Keys of a line are names of places, of indices, binders and locals of the step; a mapping says the rest.
 */
import type { Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { splitAtCommas } from '../sequential/split-values.js';
import { baseOf, domainSize, formatDomain, formatValue, valueOfCode, type Domain } from '../model/domain.js';
import type { LogNames } from './log-names.js';
import type { Shape, Shapes } from './shapes.js';
import { stepFacts, type StepFacts } from './step-facts.js';
import { formatWanted, wantedOf, type Wanted } from './wanted.js';

export interface Observation {
    /** Of the log, from 1. */
    readonly line: number;
    /** The label of the step or its event; without it the line is about a state. */
    readonly step?: string;
    readonly process?: NamedProcess;
    /** Who else takes part in it, of a step that a tester asks for. */
    readonly others?: readonly NamedProcess[];
    /** What is sent or received. */
    readonly message?: Wanted;
    /** By template: the instance that the step creates. */
    readonly created: readonly { readonly template: string; readonly wanted: Wanted }[];
    readonly values: readonly ObservedValue[];
}

/** One of a family; one of those that its indices leave if they are not said. */
export interface NamedProcess {
    readonly family: string;
    readonly indices?: readonly Wanted[];
}

export interface ObservedValue {
    /** As the log writes it. */
    readonly key: string;
    readonly place: ObservedPlace;
    readonly wanted: Wanted;
    readonly isBefore: boolean;
}

export type ObservedPlace =
    | { readonly kind: 'shared'; readonly name: string; readonly path: readonly PathPart[] }
    | {
          readonly kind: 'local';
          readonly family: string;
          readonly indices: readonly PathIndex[];
          readonly path: readonly PathPart[];
      }
    | { readonly kind: 'at'; readonly family: string; readonly indices: readonly PathIndex[] }
    /** A name of the participant: an index, a binder, a local, or its own element of a variable. */
    | { readonly kind: 'own'; readonly path: readonly PathPart[] };

export type PathPart =
    { readonly kind: 'field'; readonly name: string } | { readonly kind: 'index'; readonly index: PathIndex };

/** A value of the log, or a name of the step in a mapping. */
export type PathIndex =
    { readonly kind: 'value'; readonly wanted: Wanted } | { readonly kind: 'binder'; readonly name: string };

export interface LogProblem {
    readonly code: 'log/step' | 'log/key' | 'log/value';
    readonly line: number;
    readonly message: string;
}

/** What a mapping says of keys and words; all optional parts are as the model says. */
export interface Vocabulary {
    /** The key of the step. */
    readonly step: string;
    readonly steps: ReadonlyMap<string, string>;
    readonly keys: ReadonlyMap<string, string>;
    readonly values: ReadonlyMap<string, string>;
    readonly ignored: ReadonlySet<string>;
}

export const PLAIN_VOCABULARY: Vocabulary = {
    step: 'step',
    steps: new Map(),
    keys: new Map(),
    values: new Map(),
    ignored: new Set(),
};

export class ObservationReader {
    readonly #model: Model;
    readonly #shapes: Shapes;
    readonly #names: LogNames;
    readonly #vocabulary: Vocabulary;
    /** Labels and events of the text. */
    readonly steps: ReadonlySet<string>;
    readonly #facts: readonly StepFacts[];
    readonly #ownNames: ReadonlyMap<string, readonly Domain[]>;
    /** Keys that say nothing of the model, in the order of their first lines. */
    readonly unknownKeys = new Set<string>();

    constructor(model: Model, sequential: SequentialModel, shapes: Shapes, names: LogNames, vocabulary: Vocabulary) {
        this.#model = model;
        this.#shapes = shapes;
        this.#names = names;
        this.#vocabulary = vocabulary;
        this.#facts = stepFacts(model, sequential);
        this.steps = new Set(this.#facts.flatMap(({ labels }) => [...labels]));
        const own = new Map<string, Domain[]>();
        const add = (name: string, domain: Domain): void => {
            own.set(name, [...(own.get(name) ?? []), domain]);
        };
        for (const { indices, locals, template } of model.processes) {
            indices.forEach(({ name, domain }) => {
                add(template === undefined ? name : 'self', domain);
            });
            locals.forEach(({ name, element }) => {
                add(name, element);
            });
        }
        this.#ownNames = own;
    }

    /** The question of a line; undefined for a step that the mapping ignores. */
    read(line: number, entry: Readonly<Record<string, unknown>>): Observation | LogProblem | undefined {
        const { step: stepKey, steps, keys, values: words, ignored } = this.#vocabulary;
        const wordOf = (text: string): string => words.get(text) ?? text;
        const problem = (code: LogProblem['code'], message: string): LogProblem => ({ code, line, message });
        const said = entry[stepKey];
        if (said !== undefined && typeof said !== 'string') {
            return problem('log/step', `\`${stepKey}\` is the name of a step, and a text`);
        }
        if (said !== undefined && ignored.has(said)) {
            return undefined;
        }
        const step = said === undefined ? undefined : (steps.get(said) ?? said);
        if (step !== undefined && !this.steps.has(step)) {
            return problem(
                'log/step',
                `no step or event is called \`${step}\`; there are ${[...this.steps].map(name => `\`${name}\``).join(', ')}`,
            );
        }
        let who: Pick<Observation, 'process'> = {};
        let message: Pick<Observation, 'message'> = {};
        const created: Observation['created'][number][] = [];
        const values: ObservedValue[] = [];
        const parts: [string, unknown, boolean][] = [];
        for (const [key, value] of Object.entries(entry)) {
            if (key === 'before' && typeof value === 'object' && value !== null && !this.#isPlace(key)) {
                parts.push(
                    ...Object.entries(value).map(([own, each]): [string, unknown, boolean] => [own, each, true]),
                );
            } else if (key !== stepKey) {
                parts.push([key, value, false]);
            }
        }
        for (const [written, value, isBefore] of parts) {
            const key = keys.get(written) ?? written;
            const isMapped = keys.has(written);
            if (key === 'process') {
                const process = typeof value === 'string' ? this.processOf(wordOf(value)) : undefined;
                if (process === undefined) {
                    return problem('log/key', `\`${String(value)}\` is no process: ${this.#example()}`);
                }
                who = { process };
                continue;
            }
            const wanted = wantedOf(value, wordOf);
            if (key === 'message') {
                message = { message: wanted };
                continue;
            }
            if (this.#model.processes.some(({ name, template }) => name === key && template !== undefined)) {
                created.push({ template: key, wanted });
                continue;
            }
            const place = this.#place(key, isMapped, wordOf);
            if (place === undefined) {
                this.unknownKeys.add(written);
                continue;
            }
            const wrong = this.#wrong(place, wanted, key);
            if (wrong !== undefined) {
                return problem(wrong.code, wrong.message);
            }
            values.push({ key: written, place, wanted, isBefore });
        }
        const unread = message.message && this.#unreadMessage(step, who.process);
        return unread === undefined
            ? { line, ...(step !== undefined && { step }), ...who, ...message, created, values }
            : problem('log/key', unread);
    }

    /** Why nothing in a firing, or in a state, says what the message is; undefined if a buffer does. */
    #unreadMessage(step: string | undefined, process: NamedProcess | undefined): string | undefined {
        if (step === undefined) {
            return '`message` is what a step sends or receives, and the line names no step';
        }
        const isUnread = this.#facts.some(
            ({ isUnbuffered, participants }) =>
                isUnbuffered &&
                participants.some(
                    ({ labels, family }) => labels.has(step) && (process === undefined || process.family === family),
                ),
        );
        return isUnread
            ? `\`message\` is read from a buffer, and that of \`${step}\` is in none: say what the receiver or the bag holds behind the step, \`P[alpha].x\``
            : undefined;
    }

    /** `P[1]`; undefined if it is no process of the model. */
    processOf(text: string): NamedProcess | undefined {
        const { values: words } = this.#vocabulary;
        const wordOf = (word: string): string => words.get(word) ?? word;
        const [, family = '', , inner] = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*(\[(.*)\])?\s*$/u.exec(text) ?? [];
        const process = this.#model.processes.find(({ name }) => name === family);
        const indices =
            inner === undefined ? undefined : splitAtCommas(inner).map(index => wantedOf(index.trim(), wordOf));
        return process === undefined || (indices !== undefined && indices.length !== process.indices.length)
            ? undefined
            : { family, ...(indices !== undefined && { indices }) };
    }

    #example(): string {
        const [process] = this.#model.processes;
        if (process === undefined) {
            return 'the model has none';
        }
        const { indices, name } = process;
        const inBrackets = indices.length === 0 ? '' : `[${indices.map(index => index.name).join(', ')}]`;
        return `it is written \`${name}${inBrackets}\``;
    }

    #isPlace(name: string): boolean {
        return this.#shapes.shared.has(name);
    }

    /** Undefined if the key begins with no name of the model. */
    #place(key: string, isMapped: boolean, wordOf: (text: string) => string): ObservedPlace | undefined {
        const text = key.replace(/\s+at\s*$/, '');
        const parsed = partsOfPlace(text, part => this.#index(part, isMapped, wordOf));
        if (parsed === undefined) {
            return undefined;
        }
        const { name, path } = parsed;
        const [first] = path;
        const process = this.#model.processes.find(each => each.name === name);
        if (process !== undefined && (text !== key || path.length > 0)) {
            const count = process.indices.length;
            const indices = path.slice(0, count).flatMap(part => (part.kind === 'index' ? [part.index] : []));
            const rest = path.slice(count);
            if (indices.length === count) {
                return text === key
                    ? { kind: 'local', family: name, indices, path: rest }
                    : { kind: 'at', family: name, indices };
            }
        }
        if (text !== key) {
            return undefined;
        }
        if (first?.kind !== 'index' && (this.#ownNames.has(name) || this.#shapes.shared.has(name))) {
            return { kind: 'own', path: [{ kind: 'field', name }, ...path] };
        }
        return this.#shapes.shared.has(name) ? { kind: 'shared', name, path } : undefined;
    }

    #index(text: string, isMapped: boolean, wordOf: (text: string) => string): PathIndex {
        return isMapped && this.#ownNames.has(text)
            ? { kind: 'binder', name: text }
            : { kind: 'value', wanted: wantedOf(text, wordOf) };
    }

    /** What no candidate can have, because of its place or its type. */
    #wrong(place: ObservedPlace, wanted: Wanted, key: string): Pick<LogProblem, 'code' | 'message'> | undefined {
        if (place.kind === 'at') {
            return undefined;
        }
        const shapes = this.#shapesAt(place);
        if (shapes.length === 0) {
            return { code: 'log/key', message: `there is no place \`${key}\` in the model` };
        }
        const reasons = shapes.map(shape => this.#misfit(wanted, shape));
        const [reason] = reasons;
        return reason === undefined || reasons.includes(undefined)
            ? undefined
            : { code: 'log/value', message: `\`${key}\` cannot be \`${formatWanted(wanted)}\`: ${reason}` };
    }

    /** The shapes that a place may have, those of an array by its first element; domains of names as shapes. */
    #shapesAt(place: Exclude<ObservedPlace, { kind: 'at' }>): readonly (Shape | Domain)[] {
        const walk = (shape: Shape | undefined, path: readonly PathPart[]): readonly Shape[] => {
            const [part, ...rest] = path;
            if (shape === undefined || part === undefined) {
                return shape === undefined ? [] : [shape];
            }
            if (part.kind === 'index') {
                const isIndexed = shape.kind === 'array' || shape.kind === 'sequence';
                return isIndexed ? walk(shape.elements[0], rest) : [];
            }
            return shape.kind === 'record'
                ? walk(shape.fields.find(({ name }) => name === part.name)?.shape, rest)
                : [];
        };
        if (place.kind === 'shared') {
            return walk(this.#shapes.shared.get(place.name), place.path);
        }
        if (place.kind === 'local') {
            return this.#shapes.locals.flatMap(own => {
                const [name, ...rest] = place.path;
                return name?.kind === 'field' ? walk(own.get(name.name), rest) : [];
            });
        }
        const [first, ...rest] = place.path;
        if (first?.kind !== 'field') {
            return [];
        }
        const shared = this.#shapes.shared.get(first.name);
        const inOwn = (shape: Shape): readonly Shape[] =>
            shape.kind === 'array' ? inOwn(shape.elements[0]) : walk(shape, rest);
        return [
            ...(rest.length === 0 ? (this.#ownNames.get(first.name) ?? []) : []),
            ...this.#shapes.locals.flatMap(own => walk(own.get(first.name), rest)),
            ...(shared === undefined ? [] : [...walk(shared, rest), ...inOwn(shared)]),
        ];
    }

    /** Why no value of the shape is what the log says; undefined if one may be. */
    #misfit(wanted: Wanted, shape: Shape | Domain): string | undefined {
        const noPart = missingPart(wanted, shape);
        if (noPart !== undefined) {
            return noPart;
        }
        const domain = domainOf(shape);
        if (domain === undefined || baseOf(domain).kind === 'record') {
            const isComposite = 'kind' in shape && shape.kind !== 'cell' && shape.kind !== 'cases';
            return isComposite && wanted.kind === 'scalar' ? 'it has several parts' : undefined;
        }
        if (wanted.kind !== 'scalar') {
            return shape.kind === 'cases' ? undefined : `it is one of ${formatDomain(domain)}`;
        }
        return this.#names.meaningOf(wanted.value, domain).kind === 'unknown'
            ? `it is one of ${domain.name ?? formatDomain(domain)}${this.#names.typeOf(domain) === undefined ? '' : ', and only a text is a name of one'}`
            : undefined;
    }
}

/** The case, the field or the length of the value that its place never has. */
function missingPart(wanted: Wanted, shape: Shape | Domain): string | undefined {
    if ('elements' in shape && shape.kind === 'array' && wanted.kind === 'list') {
        const { length } = shape.elements;
        // Instances become more with the log.
        const isFixed = baseOf(shape.domain).kind === 'range';
        return isFixed && wanted.items.length !== length ? `it has ${length} elements` : undefined;
    }
    if (wanted.kind !== 'record') {
        return undefined;
    }
    if ('fields' in shape && shape.kind === 'record' && !('tuples' in shape)) {
        return missingField(wanted, shape.fields);
    }
    if (!('cases' in shape) || shape.kind !== 'cases') {
        return undefined;
    }
    const { domain, cases } = shape;
    const names = Array.from({ length: domainSize(domain) }, (_, code) =>
        formatValue(domain, valueOfCode(domain, code)),
    );
    const meant = names.flatMap((name, code) =>
        wanted.name === undefined || wanted.name === name ? [missingField(wanted, cases[code] ?? [])] : [],
    );
    return meant.length === 0 ? `it is one of ${names.join(', ')}` : meant.includes(undefined) ? undefined : meant[0];
}

function missingField(
    { fields }: Extract<Wanted, { kind: 'record' }>,
    own: readonly { readonly name: string }[],
): string | undefined {
    const other = fields.find(({ name }, at) =>
        name === undefined ? at >= own.length : own.every(field => field.name !== name),
    );
    return (
        other && (other.name === undefined ? `it has no field ${own.length + 1}` : `it has no field \`${other.name}\``)
    );
}

/** The domain of a single value; undefined for what has parts. */
function domainOf(shape: Shape | Domain): Domain | undefined {
    switch (shape.kind) {
        case 'cell':
        case 'cases':
            return shape.domain;
        case 'array':
        case 'sequence':
        case 'set':
            return undefined;
        case 'record':
            return 'tuples' in shape ? shape : undefined;
        default:
            return shape;
    }
}

/** `node[n1, 2].term` as a name and a path; undefined if it is no place. */
function partsOfPlace(
    text: string,
    indexOf: (text: string) => PathIndex,
): { readonly name: string; readonly path: readonly PathPart[] } | undefined {
    const [whole, name] = /^\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(text) ?? [];
    if (whole === undefined || name === undefined) {
        return undefined;
    }
    const path: PathPart[] = [];
    let rest = text.slice(whole.length);
    while (rest.trim() !== '') {
        const [part, inner, field] = /^\s*(?:\[([^[\]]*)\]|\.([\p{L}_][\p{L}\p{N}_]*))/u.exec(rest) ?? [];
        if (part === undefined) {
            return undefined;
        }
        if (field === undefined) {
            path.push(
                ...splitAtCommas(inner ?? '').map((index): PathPart => ({
                    kind: 'index',
                    index: indexOf(index.trim()),
                })),
            );
        } else {
            path.push({ kind: 'field', name: field });
        }
        rest = rest.slice(part.length);
    }
    return { name, path };
}
