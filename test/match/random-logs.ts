/**
 * Random logs of a model, and a slow judge of them: for each way in which all names of a log may be values, one after the
 * other, the states of the model along the log. It reads what traces show, and nothing of the engine's matching.
 */
import { formatState } from '../../engine/describe/shown-state.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { describeStep } from '../../engine/explore/trace.js';
import type { TraceStep } from '../../engine/explore/verdict.js';
import type { Random } from '../../engine/common/random.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';

export type Entry = Readonly<Record<string, string | number | boolean | null>>;

/** How lines of one model are written. `names` are values of the one index type with names, at these keys. */
export interface LogKind {
    readonly hidden: readonly string[];
    readonly names: readonly string[];
    /** The values that a line tells of a step, by key: of indices and binders, and of places behind it and before it. */
    readonly keysOf: (
        step: Pick<TraceStep, 'process' | 'label' | 'choice' | 'range'>,
        after: Shown,
        before: Shown,
    ) => Entry;
    /** Keys whose values are names, or have names inside. */
    readonly named: readonly string[];
}

/** A name, and a value that a log may give a name, in the text of a value. */
const NAME = /\bn[a-z]\b/g;
const VALUE = /\b\d+\b/g;

type Shown = ReturnType<typeof formatState>;

interface Firing {
    readonly entry: Entry;
    readonly isHidden: boolean;
    readonly after: Int32Array;
}

/** A way in which the names of a log may be values, and the states that it may have come to. */
export class SlowJudge {
    readonly #model: SequentialModel;
    readonly #kind: LogKind;
    readonly #known = new Map<string, readonly Firing[]>();

    constructor(model: SequentialModel, kind: LogKind) {
        this.#model = model;
        this.#kind = kind;
    }

    initial(): readonly Int32Array[] {
        const states = new InitialStates(this.#model);
        const state = new Int32Array(this.#model.cells.length);
        const all: Int32Array[] = [];
        while (states.nextInto(state)) {
            all.push(state.slice());
        }
        return all;
    }

    firingsOf(state: Int32Array): readonly Firing[] {
        const key = state.join();
        let firings = this.#known.get(key);
        if (firings === undefined) {
            const found: Firing[] = [];
            const before = formatState(this.#model, state);
            interpretedSuccessors(this.#model).forEachFiring(state, {
                fired: (summand, after) => {
                    const step = describeStep(this.#model, summand);
                    const participants = this.#model.summands[summand]?.participants ?? [];
                    const isHidden = participants.every(
                        ({ label }) => label === undefined || this.#kind.hidden.includes(label),
                    );
                    found.push({
                        isHidden,
                        after: after.slice(),
                        entry: {
                            step: step.label,
                            ...this.#kind.keysOf(step, formatState(this.#model, after), before),
                        },
                    });
                    return true;
                },
                faulted: () => true,
            });
            firings = found;
            this.#known.set(key, firings);
        }
        return firings;
    }

    /** By line the candidates: a state, and the values of the names so far. The last one is empty for a log without a run. */
    candidates(log: readonly Entry[]): readonly (readonly Candidate[])[] {
        const names = [...new Set(log.flatMap(entry => this.#namesIn(entry)))];
        const values = this.#kind.names;
        const lines = Array.from({ length: log.length + 1 }, () => new Map<string, Candidate>());
        const choose = (chosen: readonly string[]): void => {
            if (chosen.length < names.length) {
                values
                    .filter(value => !chosen.includes(value))
                    .forEach(value => {
                        choose([...chosen, value]);
                    });
                return;
            }
            this.#follow(log, names, new Map(names.map((name, index) => [name, chosen[index] ?? ''])), lines);
        };
        choose([]);
        const last = lines.findIndex(line => line.size === 0);
        return lines.slice(0, last < 0 ? lines.length : last + 1).map(line => [...line.values()]);
    }

    #follow(
        log: readonly Entry[],
        names: readonly string[],
        meaning: ReadonlyMap<string, string>,
        lines: readonly Map<string, Candidate>[],
    ): void {
        let states = new Map(this.initial().map(state => [state.join(), state]));
        const used = new Set<string>();
        const add = (line: number): void => {
            states.forEach((state, key) => {
                const bound = names.filter(name => used.has(name)).map(name => meaning.get(name) ?? '');
                lines[line]?.set(`${key};${bound.join()}`, { state, bound });
            });
        };
        add(0);
        for (const [index, entry] of log.entries()) {
            this.#namesIn(entry).forEach(name => used.add(name));
            const reached = new Map(states);
            // The map grows during the loop.
            for (const state of reached.values()) {
                this.firingsOf(state)
                    .filter(({ isHidden }) => isHidden)
                    .forEach(({ after }) => reached.set(after.join(), after));
            }
            states = new Map();
            for (const state of reached.values()) {
                for (const firing of this.firingsOf(state)) {
                    const isMeant = Object.entries(entry).every(([key, value]) => {
                        const meant = this.#kind.named.includes(key)
                            ? String(value).replaceAll(NAME, name => meaning.get(name) ?? name)
                            : value;
                        return String(firing.entry[key] ?? '') === String(meant);
                    });
                    if (isMeant) {
                        states.set(firing.after.join(), firing.after);
                    }
                }
            }
            add(index + 1);
        }
    }

    #namesIn(entry: Entry): readonly string[] {
        return this.#kind.named.flatMap(key => String(entry[key] ?? '').match(NAME) ?? []);
    }

    /** The lines of a random run, with names for values. */
    randomLog(length: number, random: Random, renamed: readonly string[]): Entry[] {
        const initial = this.initial();
        let [state] = initial;
        const log: Entry[] = [];
        for (let tries = 0; log.length < length && state !== undefined && tries < 20 * length; tries++) {
            const firings = this.firingsOf(state);
            const firing = firings[random.below(Math.max(1, firings.length))];
            if (firing === undefined) {
                break;
            }
            const { isHidden, after, entry } = firing;
            if (!isHidden) {
                log.push(this.#renamed(entry, renamed));
            }
            state = after;
        }
        return log;
    }

    #renamed(entry: Entry, renamed: readonly string[]): Entry {
        return Object.fromEntries(
            Object.entries(entry).map(([key, value]) => {
                const nameOf = (text: string): string => renamed[this.#kind.names.indexOf(text)] ?? text;
                const isNamed = this.#kind.named.includes(key);
                return [key, isNamed ? String(value).replaceAll(VALUE, nameOf) : value];
            }),
        );
    }
}

export interface Candidate {
    readonly state: Int32Array;
    readonly bound: readonly string[];
}

/** One line of a log changed: left out, said twice, exchanged with the next one, or with another name or step. */
export function changed(log: readonly Entry[], random: Random): Entry[] {
    const at = random.below(Math.max(1, log.length - 1));
    const [line = {}, other = {}] = [log[at], log[random.below(Math.max(1, log.length))]];
    const before = log.slice(0, at);
    const after = log.slice(at + 1);
    switch (random.below(4)) {
        case 0:
            return [...before, ...after];
        case 1:
            return [...before, line, line, ...after];
        case 2:
            return [...before, ...after.slice(0, 1), line, ...after.slice(1)];
        default: {
            const key = Object.keys(line)[random.below(Math.max(1, Object.keys(line).length))] ?? 'step';
            return [...before, { ...line, ...(other[key] !== undefined && { [key]: other[key] }) }, ...after];
        }
    }
}
