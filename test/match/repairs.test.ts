/**
 * Logs of random runs with one line changed: where the change is caught, its place is among the best repairs. Changes that
 * leave a run are not caught.
 */
// @module-tag long
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { UNLIMITED, withinQuestions } from '../../engine/common/work-limit.js';
import { LogCheck } from '../../engine/match/log-check.js';
import { NO_SETTINGS } from '../../engine/match/log-names.js';
import { PLAIN_VOCABULARY, type Observation } from '../../engine/match/observation.js';
import type { Repair } from '../../engine/match/repairs.js';
import { foldingOf } from '../../engine/match/symmetries.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { cases } from '../cases.js';
import { modelOf } from '../model-of-text.js';
import { SlowJudge, type Entry, type LogKind } from './random-logs.js';

const indexOf = (process: string): readonly string[] => /\[(.*)\]/.exec(process)?.[1]?.split(', ') ?? [];

const KIND: LogKind = {
    hidden: [],
    names: ['1', '2', '3', '4'],
    named: ['i', 'j'],
    keysOf: ({ process, choice = '' }) => {
        const [i = /i = (\d+)/.exec(choice)?.[1], j, t] = indexOf(process);
        return {
            ...(i !== undefined && { i }),
            ...(j !== undefined && { j }),
            ...(t !== undefined && { t: Number(t) }),
        };
    },
};

/** The log with one line changed, and the repairs that undo it. */
interface Changed {
    readonly log: readonly Entry[];
    readonly undone: (repair: Repair) => boolean;
}

function changesAt(log: readonly Entry[], at: number, other: Entry): readonly Changed[] {
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
        {
            log: [
                ...before,
                { ...line, ...(line['i'] !== undefined && other['i'] !== undefined && { i: other['i'] }) },
                ...after,
            ],
            undone: is('other', number),
        },
        { log: [...before, { ...line, step: other['step']! }, ...after], undone: is('other', number) },
    ];
}

test.each([
    ['two-phase-commit', { N: 4 }, 60],
    ['raft-election', { N: 3, T: 2 }, 60],
])('the changed line is among the best repairs: %s', { timeout: 480_000 }, async (file, parameters, runs) => {
    const model = await modelOf(readFileSync(`models/${file}.orbit`, 'utf-8'), parameters);
    const { sequential } = linearize(model);
    const judge = new SlowJudge(sequential!, { ...KIND, names: KIND.names.slice(0, parameters.N) });
    const settings = {
        vocabulary: PLAIN_VOCABULARY,
        names: NO_SETTINGS,
        hides: new Set<string>(),
        maxCandidates: 100_000,
    };
    const folding = foldingOf(() => UNLIMITED);
    let [caught, among] = [0, 0];
    for (let seed = 0; seed < cases(runs); seed++) {
        const random = createRandom(seed);
        const full = judge.randomLog(16, random, ['nx', 'ny', 'nz', 'nw']);
        for (const { log, undone } of changesAt(
            full,
            2 + random.below(full.length - 4),
            full[random.below(full.length)]!,
        )) {
            const check = new LogCheck(model, sequential!, settings, folding, () => undefined);
            const following: Observation[] = [];
            log.forEach((entry, index) => {
                if (check.state.kind === 'fits') {
                    check.take(index + 1, entry);
                } else {
                    following.push(check.reader.read(index + 1, entry) as Observation);
                }
            });
            if (check.state.kind === 'misfit') {
                caught++;
                among += check.repairs(following, UNLIMITED).best.some(undone) ? 1 : 0;
            }
        }
    }
    expect(caught).toBeGreaterThan(cases(runs) / 4);
    expect(among / caught).toBeGreaterThanOrEqual(0.95);
});

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
