/**
 * Random lines with all forms of keys, with names for values and with one value changed: the candidates without symmetries
 * are those of a judge that compares texts of what traces show, for each way in which the names may be values; with
 * symmetries some are left exactly if some are.
 */
// @module-tag long
import { expect, test } from 'vitest';
import { formatState } from '../../engine/describe/shown-state.js';
import { createRandom, type Random } from '../../engine/common/random.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { NO_FOLDING } from '../../engine/match/folding.js';
import { LogCheck, type FoldingOf } from '../../engine/match/log-check.js';
import { foldingOf } from '../../engine/match/symmetries.js';
import type { Model } from '../../engine/model/model.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { parseMapping, type LogMapping } from '../../logs/log-mapping.js';
import { cases } from '../cases.js';
import { modelOf } from '../model-of-text.js';

/** Keys of a line with texts; of the state before a step with `before ` in front. */
type Facts = ReadonlyMap<string, string>;

interface Row {
    readonly name: string;
    readonly text: string;
    /** The values that names stand for. */
    readonly values: readonly string[];
    readonly hidden: readonly string[];
    /** Variables of which a line may name the own element alone. */
    readonly own: readonly string[];
    /** By label the locals that its step writes: if they are dead behind it, they may be anything. */
    readonly writes: Readonly<Record<string, readonly string[]>>;
    readonly mapping?: object;
    /** Other names for keys: of the log, and what they mean for a step, with its names in place of their values. */
    readonly mapped?: Readonly<Record<string, string>>;
}

const PLAIN: Pick<Row, 'values' | 'hidden' | 'own' | 'writes'> = {
    values: ['1', '2', '3'],
    hidden: [],
    own: [],
    writes: {},
};

const ROWS: readonly Row[] = [
    {
        ...PLAIN,
        name: 'records in arrays',
        hidden: ['drop'],
        own: ['node'],
        text: `type Id = 1 .. 3
            enum Role = { idle, busy }
            record Node = { role: Role, peer: Id?, seen: set of Id }
            var node: Node[Id] = Node(idle, none, {})
            var queue: seq 2 of Id = []
            process P[i: Id] {
                loop {
                    choose j in Id where !(j in node[i].seen) { meet: { node[i].peer := j; node[i].seen := node[i].seen union { j } } }
                    or { drop: when node[i].peer != none { node[i].peer := none; node[i].role := busy } }
                    or { wait: when !full(queue) { queue := append(queue, i); node[i].role := idle } }
                    or { serve: when !empty(queue) && head(queue) != i { queue := tail(queue) } }
                }
            }
            allow deadlock`,
        mapping: { keys: { who: 'node[j].role', mine: 'node[i].peer' } },
        mapped: { who: 'node[j].role', mine: 'node[i].peer' },
    },
    {
        ...PLAIN,
        name: 'locals',
        hidden: ['skip'],
        writes: { end: ['t'], take: ['t'] },
        text: `type Id = 1 .. 3
            var owner: Id? = none
            var marks: bool[Id] = false
            process P[i: Id] {
                var t: Id = i
                var k: 4 .. 6 = 4
                loop {
                    choose { take: when owner == none { owner := t; t := i; k := min(6, k + 1) } }
                    or j in Id where j != t { pass: when owner != none { t := j; owner := t } }
                    or { give: when owner == i { marks[t] := !marks[t]; owner := none } }
                    or { last: when k == 6 { marks[i] := true }; terminate }
                }
            }
            allow deadlock`,
        mapping: { keys: { mark: 'marks[t]' } },
        mapped: { mark: 'marks[t]' },
    },
    {
        ...PLAIN,
        name: 'three in one step',
        values: ['a', 'b', 'c'],
        own: ['load'],
        text: `enum Host = { a, b, c }
            enum Color = { red, green }
            event join[Host, Color]
            var load: 0 .. 2[Host] = 0
            var last: Color? = none
            process P[h: Host] {
                loop {
                    choose x in Color { enter: join[h, x] { load[h] := min(2, load[h] + 1) } }
                    or { leave: when load[h] > 0 { load[h] := load[h] - 1 } }
                }
            }
            process Guard { loop { choose h in Host, x in Color { admit: join[h, x] { last := x } } } }
            process Clock { var n: 0 .. 1 = 0  loop { choose g in Host, x in Color { tick: join[g, x] { n := 1 - n } } } }
            allow deadlock`,
        mapping: { opaque: ['Host'] },
    },
    {
        ...PLAIN,
        name: 'values of several cases',
        text: `type Id = 1 .. 3
            record R = { from: Id, tags: set of Id }
            enum Mail = { nothing, note(about: Id?, of: R), reply(to: Id) }
            var box: Mail[Id] = nothing
            var all: set of R = {}
            process P[i: Id] {
                loop {
                    choose j in Id { write: when box[j] is nothing { box[j] := note(if i == j then none else i, R(i, { i, j })) } }
                    or { answer: when box[i] is note { if box[i].about != none { box[i] := reply(i) } else { box[i] := nothing } } }
                    or { forget: when box[i] is reply { all := all union { R(i, { box[i].to }) }; box[i] := nothing } }
                }
            }
            allow deadlock`,
    },
];

const TOKEN = /[\p{L}_]?[\p{L}\p{N}_]*/gu;

function renamed(text: string, names: ReadonlyMap<string, string>): string {
    return text.replaceAll(TOKEN, token => names.get(token) ?? token);
}

/** With the elements of sets in order. */
function normal(text: string): string {
    return text.replaceAll(/\{([^{}]*)\}/g, (_, inner: string) => `{${inner.split(', ').sort().join(', ')}}`);
}

interface Spoken {
    readonly label: string;
    readonly facts: Facts;
}

interface Firing {
    readonly after: Int32Array;
    readonly isHidden: boolean;
    /** By participant and what it calls the step. */
    readonly spoken: readonly Spoken[];
}

type Line = Readonly<Record<string, string>>;

const ANYTHING = '*';

class TextJudge {
    readonly #row: Row;
    readonly #model: Model;
    readonly #sequential: SequentialModel;
    readonly #firings = new Map<string, readonly Firing[]>();

    constructor(row: Row, model: Model, sequential: SequentialModel) {
        this.#row = row;
        this.#model = model;
        this.#sequential = sequential;
    }

    initial(): Int32Array[] {
        const states = new InitialStates(this.#sequential);
        const state = new Int32Array(this.#sequential.cells.length);
        const all: Int32Array[] = [];
        while (states.nextInto(state)) {
            all.push(state.slice());
        }
        return all;
    }

    factsOf(state: Int32Array): Map<string, string> {
        const facts = new Map<string, string>();
        // What is not there of a local may be anything.
        for (const { name, kind } of this.#sequential.cells) {
            if (kind === 'local') {
                facts.set(name, ANYTHING);
            }
        }
        for (const [name, value] of Object.entries(formatState(this.#sequential, state))) {
            if (value !== null && value !== '-') {
                facts.set(name.replace(/\.at$/, ' at'), String(value));
            }
        }
        return facts;
    }

    firingsOf(state: Int32Array): readonly Firing[] {
        const key = state.join();
        const known = this.#firings.get(key);
        if (known !== undefined) {
            return known;
        }
        const found: Firing[] = [];
        const before = this.factsOf(state);
        interpretedSuccessors(this.#sequential).forEachFiring(state, {
            fired: (summand, after) => {
                const { participants, event } = this.#sequential.summands[summand]!;
                const places = this.factsOf(after.slice());
                const common = [...places, ...[...before].map(([name, value]) => [`before ${name}`, value] as const)];
                const labels = new Set<string>();
                const spoken = participants.flatMap(({ instance, label, choice = '' }): Spoken[] => {
                    const { name, process, indices } = this.#sequential.instances[instance]!;
                    const inside = /\[(.*)\]/.exec(name)?.[1]?.split(', ') ?? [];
                    const facts = new Map<string, string>([...common, ['process', name]]);
                    for (const variable of this.#row.own) {
                        // Also its fields: `node.role`.
                        [...places].forEach(([place, value]) => {
                            const own = `${variable}[${inside.join(', ')}]`;
                            if (place.startsWith(own) && indices.length > 0) {
                                facts.set(`${variable}${place.slice(own.length)}`, value);
                            }
                        });
                    }
                    for (const local of this.#model.processes[process]!.locals) {
                        const [now, then] = [places, before].map(each => each.get(`${name}.${local.name}`));
                        const isWritten = label !== undefined && this.#row.writes[label]?.includes(local.name);
                        if (now !== undefined) {
                            facts.set(local.name, now !== ANYTHING || isWritten === true ? now : (then ?? now));
                        }
                    }
                    this.#model.processes[process]!.indices.forEach((index, at) => facts.set(index.name, inside[at]!));
                    for (const [, binder = '', value = ''] of choice.matchAll(/(\w+) = (\w+)/g)) {
                        facts.set(binder, value);
                    }
                    for (const [key, place] of Object.entries(this.#row.mapped ?? {})) {
                        const inner = /\[(\w+)\]/.exec(place)?.[1] ?? '';
                        const index = facts.get(inner);
                        facts.delete(key);
                        if (index !== undefined) {
                            const meant =
                                index === ANYTHING ? ANYTHING : facts.get(place.replace(`[${inner}]`, `[${index}]`));
                            facts.set(key, meant ?? 'nothing');
                        }
                    }
                    const called = [label, event && this.#model.events[event.event]!.name].filter(
                        each => each !== undefined,
                    );
                    called.forEach(each => labels.add(each));
                    return called.map(each => ({ label: each, facts }));
                });
                found.push({
                    after: after.slice(),
                    isHidden: [...labels].every(label => this.#row.hidden.includes(label)),
                    spoken,
                });
                return true;
            },
            faulted: () => true,
        });
        this.#firings.set(key, found);
        return found;
    }

    /** By line whether some run explains the lines so far. */
    candidates(log: readonly Line[], names: readonly string[]): number[] {
        const counts = log.map(() => new Set<string>());
        const used = log.map((_, at) =>
            names.filter(name => JSON.stringify(log.slice(0, at + 1)).match(new RegExp(`\\b${name}\\b`))),
        );
        const choose = (chosen: readonly string[]): void => {
            if (chosen.length < names.length) {
                this.#row.values.filter(value => !chosen.includes(value)).forEach(value => choose([...chosen, value]));
                return;
            }
            const meaning = new Map(names.map((name, at) => [name, chosen[at]!]));
            let states = new Map(this.initial().map(state => [state.join(), state]));
            log.forEach((line, at) => {
                states = this.#behind(line, meaning, states);
                const bound = used[at]!.map(name => meaning.get(name)).join();
                [...states.keys()].forEach(key => counts[at]!.add(`${key};${bound}`));
            });
        };
        choose([]);
        return counts.map(({ size }) => size);
    }

    #behind(
        { step, ...said }: Line,
        meaning: ReadonlyMap<string, string>,
        states: ReadonlyMap<string, Int32Array>,
    ): Map<string, Int32Array> {
        const isSo = (facts: Facts): boolean =>
            Object.entries(said).every(([key, value]) => {
                const fact = facts.get(renamed(key, meaning));
                return fact === ANYTHING || (fact !== undefined && normal(fact) === normal(renamed(value, meaning)));
            });
        const reached = new Map(states);
        for (const state of reached.values()) {
            this.firingsOf(state).forEach(({ isHidden, after }) => isHidden && reached.set(after.join(), after));
        }
        if (step === undefined) {
            return new Map([...reached].filter(([, state]) => isSo(this.factsOf(state))));
        }
        const next = new Map<string, Int32Array>();
        for (const state of reached.values()) {
            for (const { after, spoken } of this.firingsOf(state)) {
                if (spoken.some(({ label, facts }) => label === step && isSo(facts))) {
                    next.set(after.join(), after);
                }
            }
        }
        return next;
    }

    /** Lines of a random run, each with some of what is so; the values are the model's. */
    randomLog(length: number, random: Random): Line[] {
        let [state] = this.initial();
        const log: Line[] = [];
        for (let tries = 0; log.length < length && state !== undefined && tries < 10 * length; tries++) {
            const firings = this.firingsOf(state);
            const firing = firings[random.below(Math.max(1, firings.length))];
            if (firing === undefined) {
                break;
            }
            if (!firing.isHidden) {
                const { label, facts } = firing.spoken[random.below(firing.spoken.length)]!;
                log.push({ step: label, ...some(facts, random) });
            }
            state = firing.after;
            if (random.below(4) === 0) {
                log.push(some(this.factsOf(state), random));
            }
        }
        return log.slice(0, length);
    }
}

function some(facts: Facts, random: Random): Line {
    const told = [...facts].filter(([key, value]) => value !== ANYTHING && value !== 'nothing' && key !== 'step');
    const count = 1 + random.below(3);
    return Object.fromEntries(Array.from({ length: count }, () => told[random.below(told.length)]!));
}

/** With a value of another log in the place of one that is not the same. */
function withOther(log: readonly Line[], other: readonly Line[], random: Random): Line[] {
    const said = (lines: readonly Line[]): (readonly [number, string, string])[] =>
        lines.flatMap((line, at) =>
            Object.entries(line).flatMap(([key, value]) => (key === 'step' ? [] : [[at, key, value] as const])),
        );
    const others = said(other);
    const changes = said(log).flatMap(([at, key, value]) =>
        others.flatMap(([, like, instead]) =>
            kindOf(like) === kindOf(key) && instead !== value ? [[at, key, instead] as const] : [],
        ),
    );
    const [at, key, value] = changes[random.below(Math.max(1, changes.length))] ?? [-1, '', ''];
    return log.map((line, index) => (index === at ? { ...line, [key]: value } : line));
}

/** Equal for places of one type. */
function kindOf(key: string): string {
    return key
        .replace('before ', '')
        .replaceAll(/\[[^\]]*\]/g, '')
        .replace(/^[A-Z]\w*\./, '');
}

function entryOf(line: Line): Readonly<Record<string, unknown>> {
    const parts = Object.entries(line);
    const before = parts.filter(([key]) => key.startsWith('before ')).map(([key, value]) => [key.slice(7), value]);
    return {
        ...Object.fromEntries(parts.filter(([key]) => !key.startsWith('before '))),
        ...(before.length > 0 && { before: Object.fromEntries(before) as unknown }),
    };
}

let [fitting, misfits, lines] = [0, 0, 0];

for (const row of ROWS) {
    test(`all forms of keys: ${row.name}`, { timeout: 480_000 }, async () => {
        const model = await modelOf(row.text);
        const sequential = linearize(model).sequential!;
        const judge = new TextJudge(row, model, sequential);
        const mapping = parseMapping(JSON.stringify({ ...row.mapping, hide: row.hidden })) as LogMapping;
        const countsOf = (log: readonly Line[], folding: FoldingOf): readonly number[] => {
            const settings = { ...mapping.settings, maxCandidates: 1_000_000 };
            const check = new LogCheck(model, sequential, settings, folding, () => undefined);
            const counts: number[] = [];
            for (const [at, line] of log.entries()) {
                const isTaken = check.take(at + 1, entryOf(line));
                expect(check.state.kind === 'wrong' ? check.state.problem : undefined).toBe(undefined);
                counts.push(isTaken ? check.matcher.candidates.length : 0);
                if (!isTaken) {
                    break;
                }
            }
            expect([...check.reader.unknownKeys]).toEqual([]);
            return counts;
        };
        const folding = foldingOf(() => UNLIMITED);
        for (let seed = 0; seed < cases(40); seed++) {
            const random = createRandom(seed);
            const shuffled = ['nx', 'ny', 'nz'].sort(() => random.below(2) - 0.5);
            const names = new Map(row.values.map((value, at) => [value, shuffled[at]!]));
            const told = judge.randomLog(5, random);
            const other = judge.randomLog(20, random);
            for (const log of [told, withOther(told, other, random), withOther(told, other, random)]) {
                const renamedLog = log.map(line =>
                    Object.fromEntries(
                        Object.entries(line).map(([key, value]) => [renamed(key, names), renamed(value, names)]),
                    ),
                );
                for (const version of row.mapping !== undefined && 'opaque' in row.mapping
                    ? [renamedLog]
                    : [log, renamedLog]) {
                    const said = JSON.stringify(version);
                    const known = shuffled.filter(name => said.match(new RegExp(`\\b${name}\\b`)));
                    const expected = judge.candidates(version, known);
                    const end = expected.indexOf(0);
                    if (log === told) {
                        expect(end, said).toBe(-1);
                    }
                    const counts = end < 0 ? expected : expected.slice(0, end + 1);
                    expect(
                        countsOf(version, () => () => NO_FOLDING),
                        said,
                    ).toEqual(counts);
                    const folded = countsOf(version, folding);
                    expect(
                        folded.map(count => count > 0),
                        said,
                    ).toEqual(counts.map(count => count > 0));
                    fitting += end < 0 ? 1 : 0;
                    misfits += end < 0 ? 0 : 1;
                    lines += counts.length;
                }
            }
        }
    });
}

test('many of these logs have a run, and many have none', () => {
    expect(fitting).toBeGreaterThan(50);
    expect(misfits).toBeGreaterThan(50);
    expect(lines).toBeGreaterThan(300);
});
