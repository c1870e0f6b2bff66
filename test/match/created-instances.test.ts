/**
 * Random logs of servers that open sessions, whose processes are created: the engine's candidates are those of a slow judge
 * that keeps the slot of each name, and with symmetries one of each of their orbits. Names end in hidden steps, too.
 */
// @module-tag long
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { createRandom, type Random } from '../../engine/common/random.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { NO_FOLDING } from '../../engine/match/folding.js';
import { LogCheck, type FoldingOf } from '../../engine/match/log-check.js';
import { NO_SETTINGS } from '../../engine/match/log-names.js';
import { PLAIN_VOCABULARY } from '../../engine/match/observation.js';
import { foldingOf } from '../../engine/match/symmetries.js';
import type { Model } from '../../engine/model/model.js';
import { withSlots } from '../../engine/model/with-slots.js';
import type { LiteralImage } from '../../engine/sequential/literal-image.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { usedSlots } from '../../engine/sequential/templates/slot-usage.js';
import { literalImages } from '../../engine/symmetry/model-symmetry.js';
import { analyze } from '../../engine/pipeline.js';
import { cases } from '../cases.js';
import { modelOf } from '../model-of-text.js';

interface Line {
    readonly step: string;
    readonly process: string;
    readonly Handler?: string;
}

interface Passage {
    readonly after: Int32Array;
    /** Each participant with its label, and the handler that is created. */
    readonly parts: readonly { readonly name: string; readonly label: string }[];
    readonly created?: string;
}

const HANDLERS = ['Handler@1', 'Handler@2', 'Handler@3', 'Handler@4'];

/** The state, and what each name is: a server, a slot, or an instance that is gone. */
interface Candidate {
    readonly state: Int32Array;
    readonly meaning: ReadonlyMap<string, string>;
}

class SlowJudge {
    readonly model: SequentialModel;
    readonly hidden: readonly string[];
    /** By state; of the model, whatever is hidden. */
    readonly known: Map<string, readonly Passage[]>;

    constructor(model: SequentialModel, hidden: readonly string[], known: Map<string, readonly Passage[]>) {
        this.model = model;
        this.hidden = hidden;
        this.known = known;
    }

    get initial(): Int32Array {
        const state = new Int32Array(this.model.cells.length);
        new InitialStates(this.model).nextInto(state);
        return state;
    }

    passages(state: Int32Array): readonly Passage[] {
        const key = state.join();
        const known = this.known.get(key) ?? this.#passagesOf(state);
        this.known.set(key, known);
        return known;
    }

    #passagesOf(state: Int32Array): readonly Passage[] {
        const { summands, instances } = this.model;
        const found: Passage[] = [];
        const wasUsed = this.used(state);
        interpretedSuccessors(this.model).forEachFiring(state, {
            fired: (summand, after) => {
                const parts = (summands[summand]?.participants ?? []).map(({ instance, label = '' }) => ({
                    name: instances[instance]?.name.replace(/^(\w+)\[(\w+@\d+)\]$/, '$2') ?? '',
                    label: label === 'end' ? '' : label,
                }));
                const created = this.used(after).find(name => !wasUsed.includes(name) && name.startsWith('Handler'));
                found.push({ after: after.slice(), parts, ...(created !== undefined && { created }) });
                return true;
            },
            faulted: () => true,
        });
        return found;
    }

    isHidden({ parts }: Passage): boolean {
        return parts.every(({ label }) => label === '' || this.hidden.includes(label));
    }

    /** The slots of instances that live or are held. */
    used(state: Int32Array): readonly string[] {
        return (this.model.templates ?? []).flatMap(template => {
            const isUsed = new Uint8Array(template.slots.length);
            usedSlots(template, this.model.cells, state, isUsed);
            return [...isUsed.keys()].filter(slot => isUsed[slot] === 1).map(slot => `${template.name}@${slot + 1}`);
        });
    }

    candidates(log: readonly Line[]): readonly (readonly Candidate[])[] {
        let now: readonly Candidate[] = [{ state: this.initial, meaning: new Map() }];
        const lines = [now];
        for (const line of log) {
            const reached = new Map(now.map(candidate => [keyOf(candidate), candidate]));
            // The map grows during the loop.
            for (const { state, meaning } of reached.values()) {
                for (const passage of this.passages(state).filter(each => this.isHidden(each))) {
                    const next = this.#ended({ state: passage.after, meaning });
                    reached.set(keyOf(next), next);
                }
            }
            const next = [...reached.values()].flatMap(candidate => this.#taken(line, candidate));
            now = [...new Map(next.map(candidate => [keyOf(candidate), candidate])).values()];
            lines.push(now);
            if (now.length === 0) {
                break;
            }
        }
        return lines;
    }

    #taken({ step, process, Handler: created }: Line, { state, meaning }: Candidate): readonly Candidate[] {
        const [, family = '', name = ''] = /^(\w+)\[(\w+)\]$/.exec(process) ?? [];
        return this.passages(state).flatMap(passage =>
            passage.parts.flatMap(part => {
                const isMeant = part.label === step && part.name.startsWith(family);
                const named = isMeant ? bound(meaning, name, part.name) : undefined;
                const all =
                    created === undefined || passage.created === undefined
                        ? created === undefined
                            ? named
                            : undefined
                        : named && bound(named, created, passage.created);
                return all === undefined ? [] : [this.#ended({ state: passage.after, meaning: all })];
            }),
        );
    }

    #ended({ state, meaning }: Candidate): Candidate {
        const used = this.used(state);
        const isGone = (value: string): boolean => value.startsWith('Handler') && !used.includes(value);
        return { state, meaning: new Map([...meaning].map(([name, value]) => [name, isGone(value) ? 'gone' : value])) };
    }

    /** A random run, with the names of its log. */
    randomLog(length: number, random: Random): Line[] {
        let state = this.initial;
        let number = 0;
        const names = new Map<string, string>();
        const log: Line[] = [];
        for (let tries = 0; log.length < length && tries < 10 * length; tries++) {
            const passages = this.passages(state);
            const passage = passages[random.below(passages.length)]!;
            if (passage.created !== undefined) {
                names.set(passage.created, `h${++number}`);
            }
            const seen = passage.parts.filter(
                ({ label, name }) => label !== '' && !this.hidden.includes(label) && !name.startsWith('Leap'),
            );
            const part = seen[random.below(Math.max(1, seen.length))];
            if (part !== undefined && !this.isHidden(passage)) {
                const name = names.get(part.name) ?? `s${part.name.replaceAll(/\D/g, '')}`;
                log.push({
                    step: part.label,
                    process: `${part.name.replace(/\W.*$/, '')}[${name}]`,
                    ...(passage.created !== undefined && { Handler: names.get(passage.created)! }),
                });
            }
            state = passage.after;
        }
        return log;
    }
}

function bound(
    meaning: ReadonlyMap<string, string>,
    name: string,
    value: string,
): ReadonlyMap<string, string> | undefined {
    const known = meaning.get(name);
    if (known !== undefined) {
        return known === value ? meaning : undefined;
    }
    return [...meaning.values()].includes(value) ? undefined : new Map([...meaning, [name, value]]);
}

function keyOf({ state, meaning }: Candidate): string {
    return `${state.join()};${[...meaning]
        .map(([name, value]) => `${name}=${value}`)
        .sort()
        .join()}`;
}

/**
 * Counts orbits of candidates. Lines of one log share most of theirs, so each orbit is listed once; a state with its names
 * is a text of one character for each cell and each name, since there are hundreds of thousands.
 */
class Orbits {
    readonly #images: readonly LiteralImage[];
    /** By image, for each of the values. */
    readonly #valuesTo: readonly (readonly number[])[];
    readonly #values: readonly string[];
    readonly #orbitOf = new Map<string, number>();
    #orbits = 0;

    constructor(
        images: readonly LiteralImage[],
        values: readonly string[],
        valueTo: (image: LiteralImage, value: string) => string,
    ) {
        this.#images = images;
        this.#values = values;
        this.#valuesTo = images.map(image => values.map(value => this.#numberOf(valueTo(image, value))));
    }

    count(candidates: readonly Candidate[]): number {
        return new Set(candidates.map(candidate => this.#orbitNumber(candidate))).size;
    }

    #orbitNumber({ state, meaning }: Candidate): number {
        // No symmetry moves a name, only what it means.
        const names = [...meaning.keys()].sort();
        const prefix = `${names.join()};`;
        const first = Uint16Array.of(...state, ...names.map(name => this.#numberOf(meaning.get(name)!)));
        const known = this.#orbitOf.get(prefix + textOf(first));
        if (known !== undefined) {
            return known;
        }
        const number = this.#orbits++;
        this.#orbitOf.set(prefix + textOf(first), number);
        const orbit: Uint16Array[] = [first];
        // The list grows during the loop.
        for (const candidate of orbit) {
            for (const [index, image] of this.#images.entries()) {
                const next = this.#moved(candidate, state.length, image, this.#valuesTo[index]!);
                const key = prefix + textOf(next);
                if (!this.#orbitOf.has(key)) {
                    this.#orbitOf.set(key, number);
                    orbit.push(next);
                }
            }
        }
        return number;
    }

    #moved(candidate: Uint16Array, cells: number, image: LiteralImage, valueTo: readonly number[]): Uint16Array {
        const next = new Uint16Array(candidate.length);
        for (let cell = 0; cell < cells; cell++) {
            // As it was before it was made 16 bits wide.
            const code = (candidate[cell]! << 16) >> 16;
            next[image.cells[cell]!] = code < 0 ? code : (image.codeOf(cell, code) ?? code);
        }
        for (let name = cells; name < candidate.length; name++) {
            next[name] = valueTo[candidate[name]!]!;
        }
        return next;
    }

    #numberOf(value: string): number {
        const number = this.#values.indexOf(value);
        invariant(number >= 0, 'a name means a server, a handler or one that is gone');
        return number;
    }
}

function textOf(codes: Uint16Array): string {
    return String.fromCharCode(...codes);
}

function countsOf(
    model: Model,
    sequential: SequentialModel,
    log: readonly Line[],
    hidden: readonly string[],
    folding: FoldingOf,
): number[] {
    const settings = {
        vocabulary: PLAIN_VOCABULARY,
        names: NO_SETTINGS,
        hides: new Set(hidden),
        maxCandidates: 100_000,
    };
    const check = new LogCheck(model, sequential, settings, folding, () => undefined);
    const counts = [check.matcher.candidates.length];
    for (const [index, line] of log.entries()) {
        const fits = check.take(index + 1, { ...line });
        counts.push(fits ? check.matcher.candidates.length : 0);
        if (!fits) {
            expect(check.state.kind).toBe('misfit');
            break;
        }
    }
    if (check.state.kind === 'fits') {
        expect(check.run(100)).toBeDefined();
    }
    return counts;
}

const HIDDEN: readonly (readonly string[])[] = [
    [],
    ['ret', 'calculate'],
    ['done', 'coll'],
    ['ret', 'calculate', 'done', 'coll', 'answer'],
];

test('candidates of random logs: sessions', { timeout: 480_000 }, async () => {
    const text = readFileSync('models/sessions.orbit', 'utf-8');
    const small = await modelOf(text, { N: 2, K: 2 });
    const indexOf = (name: string): number => small.processes.findIndex(process => process.name === name);
    const model = withSlots(
        small,
        new Map([
            [indexOf('Handler'), 4],
            [indexOf('Leap'), 4],
        ]),
    );
    const { sequential, symmetry } = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
    const images = literalImages(symmetry!.group);
    const cellNamed = new Map(sequential!.cells.map(({ name }, cell) => [name, cell]));
    const values = new Map<string, string>([
        ...['Main[1]', 'Main[2]'].map((name): [string, string] => [name, `${name}.open`]),
        ...HANDLERS.map((name): [string, string] => [name, `${name}.at`]),
    ]);
    const valueTo = (image: LiteralImage, value: string): string =>
        [...values].find(
            ([, cell]) => cellNamed.get(cell) === image.cells[cellNamed.get(values.get(value) ?? '') ?? -1],
        )?.[0] ?? value;
    const folding = foldingOf(() => UNLIMITED);
    const known = new Map<string, readonly Passage[]>();
    let [misfits, folded] = [0, 0];
    for (let seed = 0; seed < cases(40, 10); seed++) {
        const random = createRandom(seed);
        const hidden = HIDDEN[seed % HIDDEN.length]!;
        const judge = new SlowJudge(sequential!, hidden, known);
        const orbitsOf = new Orbits(images, [...values.keys(), 'gone'], valueTo);
        const full = judge.randomLog(12, random);
        const at = random.below(full.length);
        const logs = [
            full,
            full.filter((_, index) => index !== at),
            full.map((line, index) =>
                index === at ? { ...line, process: full[random.below(full.length)]!.process } : line,
            ),
        ];
        for (const log of logs) {
            const expected = judge.candidates(log);
            const message = JSON.stringify([hidden, log]);
            expect(
                countsOf(model, sequential!, log, hidden, () => () => NO_FOLDING),
                message,
            ).toEqual(expected.map(({ length }) => length));
            const orbits = expected.map(line => orbitsOf.count(line));
            expect(countsOf(model, sequential!, log, hidden, folding), message).toEqual(orbits);
            misfits += expected.at(-1)!.length === 0 ? 1 : 0;
            folded += orbits.some((count, line) => count < expected[line]!.length) ? 1 : 0;
        }
    }
    expect(misfits).toBeGreaterThan(1);
    expect(folded).toBeGreaterThan(3);
});
