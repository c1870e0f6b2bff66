/**
 * Logs of random runs with one line changed: left out, doubled, exchanged with the next one, or with another step, name or
 * value. If the change is caught, its place is among the best repairs. Changes that leave a run are not caught.
 */
// @module-tag long
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../engine/common/random.js';
import { UNLIMITED, withinQuestions } from '../../engine/common/work-limit.js';
import { LogCheck } from '../../engine/match/log-check.js';
import { NO_SETTINGS } from '../../engine/match/log-names.js';
import { PLAIN_VOCABULARY, type Observation } from '../../engine/match/observation.js';
import type { Repair } from '../../engine/match/repairs.js';
import { foldingOf } from '../../engine/match/symmetries.js';
import { withSlots } from '../../engine/model/with-slots.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { cases } from '../cases.js';
import { modelOf } from '../model-of-text.js';
import { SlowJudge, type Entry, type LogKind } from './random-logs.js';

const indexOf = (process: string): readonly string[] => /\[(.*)\]/.exec(process)?.[1]?.split(', ') ?? [];

interface Row {
    readonly model: string;
    readonly parameters: Readonly<Record<string, number>>;
    /** Steps of the text that get a label, so that a log can show them: text and label. */
    readonly labels?: readonly (readonly [text: string, label: string])[];
    /** By template, so that the logs need no more. */
    readonly slots?: Readonly<Record<string, number>>;
    readonly hidden: readonly string[];
    readonly keysOf: LogKind['keysOf'];
    /** The keys of a line that are changed: beside the step the name, and a field. */
    readonly changed: readonly string[];
}

/** By its number in the text of a trace. */
const HANDLER = /Handler@(\d)/;

const ROWS: readonly Row[] = [
    { model: 'two-phase-commit', parameters: { N: 4 }, hidden: [], keysOf: indicesOf, changed: ['i'] },
    {
        model: 'two-phase-commit',
        parameters: { N: 4 },
        hidden: ['receivePrepared', 'decideAbort'],
        keysOf: ({ process }, after) => ownValue(process, 'state', after),
        changed: ['i', 'state'],
    },
    { model: 'raft-election', parameters: { N: 3, T: 2 }, hidden: [], keysOf: indicesOf, changed: ['i', 'j', 't'] },
    {
        model: 'german-cache',
        parameters: { N: 4 },
        labels: [
            ['order[i] ? grantShared', 'getShared'],
            ['order[i] ? grantExclusive', 'getExclusive'],
            ['order[i] ? invalidate', 'lose'],
        ],
        hidden: ['revoke'],
        keysOf: ({ process }, after) => ownValue(process, 'line', after),
        changed: ['i', 'line'],
    },
    ...[[], ['done', 'coll']].map((hidden): Row => ({
        model: 'sessions',
        parameters: { N: 2, K: 2 },
        slots: { Handler: 4, Leap: 4 },
        hidden: [...hidden, 'calculate'],
        keysOf: sessionLine,
        changed: ['process'],
    })),
];

function indicesOf({ process, choice = '' }: Parameters<LogKind['keysOf']>[0]): Entry {
    const [i = /i = (\d+)/.exec(choice)?.[1], j, t] = indexOf(process);
    return {
        ...(i !== undefined && { i }),
        ...(j !== undefined && { j }),
        ...(t !== undefined && { t: Number(t) }),
    };
}

function ownValue(process: string, variable: string, after: Parameters<LogKind['keysOf']>[1]): Entry {
    const [i] = indexOf(process);
    return i === undefined ? {} : { i, [variable]: after[`${variable}[${i}]`] ?? null };
}

/** A step of a handler and another process is told by the handler. */
function sessionLine(...[{ process, label }, after, before]: Parameters<LogKind['keysOf']>): Entry {
    const slot = HANDLER.exec(process)?.[1];
    const created = ['1', '2', '3', '4'].find(
        each => before[`Handler@${each}.at`] === 'end' && after[`Handler@${each}.at`] !== 'end',
    );
    return {
        step: { calculate: 'ret', coll: 'done' }[label] ?? label,
        process: slot === undefined ? process.replace('[', '[s') : `Handler[Handler@${slot}]`,
        ...(created !== undefined && { Handler: `Handler@${created}` }),
    };
}

/** Each handler has another name. */
function withNames(log: readonly Entry[]): Entry[] {
    const names = new Map<string, string>();
    let count = 0;
    return log.map(entry => {
        const { Handler: created } = entry;
        if (created !== undefined) {
            names.set(String(created), `h${++count}`);
        }
        const nameOf = (slot: string): string => names.get(slot) ?? slot;
        return Object.fromEntries(
            Object.entries(entry).map(([key, value]) => [
                key,
                typeof value === 'string' ? value.replace(HANDLER, nameOf) : value,
            ]),
        );
    });
}

/** The log with one line changed, and the repairs that undo it. */
interface Changed {
    readonly log: readonly Entry[];
    readonly undone: (repair: Repair) => boolean;
}

function changesAt(log: readonly Entry[], at: number, keys: readonly string[], random: Random): readonly Changed[] {
    const [before, line, after] = [log.slice(0, at), log[at]!, log.slice(at + 1)];
    const number = at + 1;
    const is =
        (kind: Repair['kind'], ...lines: readonly number[]) =>
        (repair: Repair): boolean =>
            repair.kind === kind && lines.includes(repair.line);
    return [
        { log: [...before, ...after], undone: is('missing', number) },
        { log: [...before, line, line, ...after], undone: is('remove', number, number + 1) },
        { log: [...before, ...after.slice(0, 1), line, ...after.slice(1)], undone: is('exchange', number) },
        ...['step', ...keys].flatMap((key): Changed[] => {
            const others = log.flatMap(({ [key]: value }) =>
                value === undefined || value === line[key] ? [] : [value],
            );
            const other = others[random.below(Math.max(1, others.length))];
            return line[key] === undefined || other === undefined
                ? []
                : [{ log: [...before, { ...line, [key]: other }, ...after], undone: is('other', number) }];
        }),
    ];
}

test.each(ROWS)(
    'the changed line is among the best repairs: $model, hidden $hidden',
    { timeout: 480_000 },
    async row => {
        const text = readFileSync(`models/${row.model}.orbit`, 'utf-8');
        const labeled = (row.labels ?? []).reduce(
            (known, [step, label]) => known.replace(step, `${label}: ${step}`),
            text,
        );
        const small = await modelOf(labeled, row.parameters);
        const slots = Object.entries(row.slots ?? {}).map(([template, count]): [number, number] => [
            small.processes.findIndex(({ name }) => name === template),
            count,
        ]);
        const model = withSlots(small, new Map(slots));
        const { sequential } = linearize(model);
        const names = row.slots === undefined ? ['1', '2', '3', '4'].slice(0, row.parameters['N']) : [];
        const judge = new SlowJudge(sequential!, { hidden: row.hidden, names, named: ['i', 'j'], keysOf: row.keysOf });
        const settings = {
            vocabulary: PLAIN_VOCABULARY,
            names: NO_SETTINGS,
            hides: new Set(row.hidden),
            maxCandidates: 100_000,
        };
        const folding = foldingOf(() => UNLIMITED);
        let [caught, among] = [0, 0];
        for (let seed = 0; seed < cases(40, 4); seed++) {
            const random = createRandom(seed);
            const full = withNames(judge.randomLog(16, random, ['nx', 'ny', 'nz', 'nw']));
            if (full.length < 6) {
                continue;
            }
            for (const { log, undone } of changesAt(full, 2 + random.below(full.length - 4), row.changed, random)) {
                const check = new LogCheck(model, sequential!, settings, folding, () => undefined);
                const following: Observation[] = [];
                log.forEach((entry, index) => {
                    if (check.state.kind === 'misfit') {
                        following.push(check.reader.read(index + 1, entry) as Observation);
                    } else {
                        check.take(index + 1, entry);
                    }
                });
                // A step that creates nothing cannot say what it creates: such a line is wrong by itself.
                if (check.state.kind === 'misfit') {
                    caught++;
                    among += check.repairs(following, UNLIMITED).best.some(undone) ? 1 : 0;
                }
            }
        }
        expect(caught).toBeGreaterThan(cases(40, 4) / 4);
        expect(among / caught).toBeGreaterThanOrEqual(0.95);
    },
);

test('a limit that has ended the search for repairs is told', async () => {
    const model = await modelOf('model M process P { loop { a: skip; b: skip; c: skip } }');
    const settings = {
        vocabulary: PLAIN_VOCABULARY,
        names: NO_SETTINGS,
        hides: new Set<string>(),
        maxCandidates: 100,
    };
    const foldings = foldingOf(() => UNLIMITED);
    const check = new LogCheck(model, linearize(model).sequential!, settings, foldings, () => undefined);
    [...'abcac'].forEach((step, index) => check.take(index + 1, { step }));
    expect(check.repairs([], UNLIMITED)).toMatchObject({ isComplete: true });
    expect(check.repairs([], withinQuestions(UNLIMITED, 3))).toMatchObject({ isComplete: false });
});
