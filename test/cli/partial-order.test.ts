/** `orbit explore --por`: what is taken, what is said of it, and calls that ask for something else as well. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

const file = 'models/dining-philosophers.orbit';
const files = { [file]: readFileSync(file, 'utf8') };

async function explore(...words: string[]): Promise<ExploreDocument> {
    const { stdout } = await orbit(['explore', file, '--param', 'N=8', '--continue', '--json', ...words], { files });
    return JSON.parse(stdout) as ExploreDocument;
}

// 14,158 states, 1,788 orbits, 226 states with stubborn sets, 30 orbits with them: counted apart with another program.
test('eight philosophers have one deadlock, whatever is taken', async () => {
    const all = await explore('--reduction', 'none');
    expect(all).toMatchObject({ states: 14_158, deadlocks: 1 });
    expect(all.por).toBeUndefined();
    for (const mode of ['shortest', 'fewest']) {
        const some = await explore('--reduction', 'none', '--por', mode);
        expect(some).toMatchObject({ states: 226, deadlocks: 1, por: { mode, goals: ['deadlock'] } });
        const orbits = await explore('--reduction', 'unique', '--por', mode);
        expect(orbits).toMatchObject({ states: 30, deadlocks: 1 });
        expect(orbits.violations.map(({ trace }) => trace.length)).toEqual([9]);
        expect(orbits.por?.fired).toBe(orbits.transitions);
    }
});

test('the choice is told with the counts', async () => {
    const { stdout } = await orbit(['explore', file, '--param', 'N=10', '--por', 'auto'], { files });
    expect(stdout).toContain('(reduced by C10 and by partial order)');
    expect(stdout).toMatch(/partial order {2}stubborn sets for deadlock; \d+ % of the possible steps taken/);
});

test('searches for one property each are told together', async () => {
    const each = await explore('--por', 'fewest', '--each');
    expect(each.por?.goals).toEqual(['deadlock']);
    expect(each.por?.fired).toBe(each.transitions);
    expect(each.por?.enabled).toBeGreaterThan(each.transitions);
});

test('two threads, pieces and a checkpoint have the same states', async () => {
    const [alone, together] = [
        await explore('--por', 'shortest', '--workers', '1'),
        await explore('--por', 'shortest'),
    ];
    expect(together).toMatchObject({ states: alone.states, transitions: alone.transitions, por: alone.por });
});

test('what counts all steps does not go with it', async () => {
    const coverage = await orbit(['explore', file, '--por', 'shortest', '--coverage'], { files });
    expect(coverage).toMatchObject({ exitCode: 2 });
    expect(coverage.stderr).toContain(
        "option '--por shortest' cannot be used with option '--coverage': some steps are left out",
    );
    const several = await orbit(['explore', file, '--por', 'auto', '--max-violations', '2'], { files });
    expect(several.stderr).toContain("option '--por auto' cannot be used with option '--max-violations <count>'");
});

test('a sweep says what share of the steps was taken, and not how many states there are', async () => {
    const words = ['explore', file, '--por', 'shortest', '--sweep', 'N=3 .. 4', '--continue', '--reduction', 'none'];
    const { stdout } = await orbit(words, { files });
    expect(stdout).toMatch(/N +stored +all states +factor +transitions/);
    expect(stdout).toMatch(/deadlock .*\d+ % of the steps/);
});

test('beside properties of runs nothing is said of steps', async () => {
    const text =
        'model M\nvar x: bool = false\nprocess P { loop { a: x := !x } }\nproperty often = always eventually x\n';
    const { stdout } = await orbit(['explore', 'm', '--por', 'shortest', '--property', 'often'], {
        files: { m: text },
    });
    expect(stdout).toContain('nothing to look for; properties of runs take all steps');
});

test('a model with too many steps is searched with all of them, and says why', async () => {
    const many = 'model Many\nprocess P { choose k in 0 .. 2048 { a: skip } }\n';
    const words = ['explore', 'm', '--por', 'shortest', '--reduction', 'none', '--max-states', '3'];
    const { stdout } = await orbit(words, { files: { m: many } });
    expect(stdout).toContain(
        'all steps are taken: the model has 2049 steps, and at most 2048 are compared with each other',
    );
});

test('auto compares no steps that take more work than it may gain', async () => {
    const peterson = 'models/peterson.orbit';
    const words = ['explore', peterson, '--param', 'N=5', '--property', 'mutex', '--por', 'auto'];
    const { stdout } = await orbit(words, { files: { [peterson]: readFileSync(peterson, 'utf8') } });
    expect(stdout).toContain('all steps are taken: comparing the steps with each other takes more than it may gain');
});

test('how many instances live at once is not known where steps are left out', async () => {
    const supervisor = 'models/supervisor.orbit';
    const words = ['explore', supervisor, '--json', '--por', 'shortest'];
    const { stdout } = await orbit(words, { files: { [supervisor]: readFileSync(supervisor, 'utf8') } });
    expect((JSON.parse(stdout) as ExploreDocument).templates).toBeUndefined();
});
