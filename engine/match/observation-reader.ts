/** Lines of a log as questions: what each key is, by the step of the line and who takes it, and what is wrong with it. */
import { remembered } from '../common/list-map.js';
import type { Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { splitAtCommas } from '../sequential/split-values.js';
import { impossibleValue } from './impossible-values.js';
import { KeyPlaces, type Speakers } from './key-places.js';
import type { LogNames } from './log-names.js';
import type { LogProblem, NamedProcess, Observation, ObservedPlace, ObservedValue, Vocabulary } from './observation.js';
import type { Shape, Shapes } from './shapes.js';
import { formatWanted, wantedOf, type Wanted } from './wanted.js';

/** A key of a line with its value. */
interface Said {
    /** As the log writes it, and as the mapping does. */
    readonly written: string;
    readonly key: string;
    readonly value: unknown;
    readonly isBefore: boolean;
}

type Problem = Omit<LogProblem, 'line'>;

/** What a key is on the lines of some speakers. */
type Meaning =
    | { readonly kind: 'message'; readonly shapes: readonly Shape[] }
    | { readonly kind: 'created'; readonly template: string; readonly shapes: readonly Shape[] }
    | {
          readonly kind: 'place';
          readonly place: ObservedPlace;
          readonly shapes: readonly Shape[];
          readonly labels?: ReadonlySet<string>;
          /** By a value without parts what it says. */
          readonly known: Map<unknown, ObservedValue>;
      }
    | { readonly kind: 'unknown' }
    | { readonly kind: 'problem'; readonly problem: Problem };

/** More meanings of keys, processes and values are not kept; those with names in them never end. */
const MOST_KEPT = 10_000;

export class ObservationReader {
    readonly #model: Model;
    readonly #names: LogNames;
    readonly #vocabulary: Vocabulary;
    readonly #places: KeyPlaces;
    /** By speakers, key and side of the step. */
    readonly #meanings = new Map<string, Meaning>();
    /** By the text of a log. Most lines say what others have said: they share it. */
    readonly #processes = new Map<string, NamedProcess | Problem>();
    /** Keys that say nothing of the model, in the order of their first lines. */
    readonly unknownKeys = new Set<string>();

    constructor(model: Model, sequential: SequentialModel, shapes: Shapes, names: LogNames, vocabulary: Vocabulary) {
        this.#model = model;
        this.#names = names;
        this.#vocabulary = vocabulary;
        this.#places = new KeyPlaces(model, sequential, shapes, names);
    }

    /** Labels and events of the text. */
    get steps(): ReadonlySet<string> {
        return this.#places.steps;
    }

    /** The question of a line; undefined for a step that the mapping ignores. `about`: the step, if the line names none. */
    read(
        line: number,
        entry: Readonly<Record<string, unknown>>,
        about: Pick<Observation, 'step' | 'process'> = {},
    ): Observation | LogProblem | undefined {
        const { step: stepKey, steps, ignored } = this.#vocabulary;
        const said = entry[stepKey];
        if (said !== undefined && typeof said !== 'string') {
            return { line, code: 'log/step', message: `\`${stepKey}\` is the name of a step, and a text` };
        }
        if (said !== undefined && ignored.has(said)) {
            return undefined;
        }
        const step = said === undefined ? about.step : (steps.get(said) ?? said);
        if (step !== undefined && !this.steps.has(step)) {
            const known = [...this.steps].map(name => `\`${name}\``).join(', ');
            return { line, code: 'log/step', message: `no step or event is called \`${step}\`; there are ${known}` };
        }
        const parts = this.#partsOf(entry);
        const process = this.#processIn(parts);
        if (process !== undefined && 'code' in process) {
            return { line, ...process };
        }
        const read = this.#values(
            parts.filter(({ key }) => key !== 'process'),
            this.#places.speakers(step, (process ?? about.process)?.family),
        );
        return 'code' in read
            ? { line, ...read }
            : {
                  line,
                  ...(step !== undefined && { step }),
                  ...(process !== undefined && { process }),
                  ...read,
              };
    }

    #partsOf(entry: Readonly<Record<string, unknown>>): readonly Said[] {
        const { step: stepKey, keys } = this.#vocabulary;
        const saidOf = ([written, value]: [string, unknown], isBefore: boolean): Said => ({
            written,
            key: keys.get(written) ?? written,
            value,
            isBefore,
        });
        return Object.entries(entry).flatMap(([key, value]): Said[] => {
            const isBefore = key === 'before' && typeof value === 'object' && value !== null;
            return isBefore && !this.#places.isShared(key)
                ? Object.entries(value).map(part => saidOf(part, true))
                : key === stepKey
                  ? []
                  : [saidOf([key, value], false)];
        });
    }

    /** Who takes the step, or whom the line is about; undefined if it does not say. */
    #processIn(parts: readonly Said[]): NamedProcess | Problem | undefined {
        const [first, second] = parts.filter(({ key }) => key === 'process');
        if (first === undefined) {
            return undefined;
        }
        if (first.isBefore || second !== undefined) {
            return { code: 'log/key', message: 'a line has one `process`, and none in `before`' };
        }
        const { value } = first;
        return typeof value === 'string'
            ? rememberedOfMany(this.#processes, value, () => this.#processNamed(value))
            : this.#noProcess(value);
    }

    #noProcess(value: unknown): Problem {
        return { code: 'log/key', message: `\`${formatJson(value)}\` is no process: ${this.#example()}` };
    }

    #processNamed(text: string): NamedProcess | Problem {
        const process = this.processOf(this.#wordOf(text));
        if (process === undefined) {
            return this.#noProcess(text);
        }
        const shapes = this.#places.indicesOf(process.family);
        for (const [position, index] of (process.indices ?? []).entries()) {
            const reason = impossibleValue(index, shapes[position], this.#names);
            if (reason !== undefined) {
                const message = `no process is \`${text}\`: \`${formatWanted(index)}\` cannot be, ${reason}`;
                return { code: 'log/value', message };
            }
        }
        return process;
    }

    #values(parts: readonly Said[], speakers: Speakers): Pick<Observation, 'created' | 'values' | 'message'> | Problem {
        const created: Observation['created'][number][] = [];
        const values: ObservedValue[] = [];
        let message: Wanted | undefined;
        for (const said of parts) {
            const { written, value, isBefore } = said;
            const meaning = this.#meaningOf(said, speakers);
            if (meaning.kind === 'problem') {
                return meaning.problem;
            }
            if (meaning.kind === 'unknown') {
                this.unknownKeys.add(written);
                continue;
            }
            const known = meaning.kind === 'place' ? meaning.known.get(value) : undefined;
            if (known !== undefined) {
                values.push(known);
                continue;
            }
            const wanted = wantedOf(value, text => this.#wordOf(text));
            const wrong =
                meaning.kind === 'place' && meaning.labels !== undefined
                    ? noLabel(meaning.labels, wanted, written)
                    : this.#wrong(meaning.shapes, wanted, written);
            if (wrong !== undefined) {
                return wrong;
            }
            switch (meaning.kind) {
                case 'message':
                    if (message !== undefined) {
                        return { code: 'log/key', message: 'a step has one `message`, and the line says two' };
                    }
                    message = wanted;
                    break;
                case 'created':
                    created.push({ template: meaning.template, wanted });
                    break;
                case 'place': {
                    const observed = { key: written, place: meaning.place, wanted, isBefore };
                    values.push(observed);
                    if (typeof value !== 'object') {
                        rememberedOfMany(meaning.known, value, () => observed);
                    }
                }
            }
        }
        return { ...(message !== undefined && { message }), created, values };
    }

    /** What a key is; that is the same on all lines with the same speakers. */
    #meaningOf(said: Said, speakers: Speakers): Meaning {
        return rememberedOfMany(this.#meanings, `${speakers.key} ${String(said.isBefore)} ${said.written}`, () =>
            this.#meaningAnew(said, speakers),
        );
    }

    #meaningAnew({ written, key, isBefore }: Said, speakers: Speakers): Meaning {
        const problem = (message: string): Meaning => ({ kind: 'problem', problem: { code: 'log/key', message } });
        const { step } = speakers;
        const isMapped = this.#vocabulary.keys.has(written);
        const template = this.#model.processes.find(({ name, template: isOne }) => name === key && isOne !== undefined);
        const isMessage = key === 'message' && (speakers.messages.length > 0 || !this.#places.isKnown(key));
        if (isMessage || template !== undefined) {
            const what = isMessage ? 'what a step sends or receives' : 'the instance that a step creates';
            if (step === undefined) {
                return problem(`\`${key}\` is ${what}, and the line names no step`);
            }
            if (isBefore) {
                return problem(`\`${key}\` is ${what}, and nothing in front of it`);
            }
        }
        if (isMessage) {
            const { messages } = speakers;
            return messages.length === 0
                ? problem(`\`message\` is what a step sends or receives, and \`${step ?? ''}\` does neither`)
                : { kind: 'message', shapes: messages };
        }
        if (template !== undefined) {
            return speakers.creates.has(template.name)
                ? { kind: 'created', template: template.name, shapes: this.#places.indicesOf(template.name) }
                : problem(`\`${key}\` is the instance that a step creates, and \`${step ?? ''}\` creates none`);
        }
        const found = this.#places.placeOf(key, { isMapped, wordOf: text => this.#wordOf(text) }, speakers);
        if (found === undefined) {
            return isMapped
                ? problem(`the mapping says that \`${written}\` is \`${key}\`, which the model does not have`)
                : { kind: 'unknown' };
        }
        return 'reason' in found ? problem(found.reason) : { kind: 'place', ...found, known: new Map() };
    }

    /** What no candidate can have, because of its type. */
    #wrong(shapes: readonly Shape[], wanted: Wanted, key: string): Problem | undefined {
        let first: string | undefined;
        for (const shape of shapes) {
            const reason = impossibleValue(wanted, shape, this.#names);
            if (reason === undefined) {
                return undefined;
            }
            first ??= reason;
        }
        return first === undefined
            ? undefined
            : { code: 'log/value', message: `\`${key}\` cannot be \`${formatWanted(wanted)}\`: ${first}` };
    }

    /** `P[1]`; undefined if it is no process of the model. */
    processOf(text: string): NamedProcess | undefined {
        const [, family = '', , inner] = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*(\[(.*)\])?\s*$/u.exec(text) ?? [];
        const process = this.#model.processes.find(({ name }) => name === family);
        const indices =
            inner === undefined
                ? undefined
                : splitAtCommas(inner).map(index => wantedOf(index.trim(), word => this.#wordOf(word)));
        return process === undefined || (indices !== undefined && indices.length !== process.indices.length)
            ? undefined
            : { family, ...(indices !== undefined && { indices }) };
    }

    #wordOf(text: string): string {
        return this.#vocabulary.values.get(text) ?? text;
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
}

function noLabel(labels: ReadonlySet<string>, wanted: Wanted, key: string): Problem | undefined {
    const isKnown = wanted.kind === 'scalar' && typeof wanted.value === 'string' && labels.has(wanted.value);
    const known = [...labels].map(label => `\`${label}\``).join(', ');
    return isKnown
        ? undefined
        : { code: 'log/value', message: `\`${key}\` cannot be \`${formatWanted(wanted)}\`: it is one of ${known}` };
}

function formatJson(value: unknown): string {
    return typeof value === 'string' ? value : JSON.stringify(value);
}

function rememberedOfMany<Key, Value extends NonNullable<unknown>>(
    map: Map<Key, Value>,
    key: Key,
    make: () => Value,
): Value {
    if (map.size > MOST_KEPT) {
        map.clear();
    }
    return remembered(map, key, make);
}
