/** The scripts for shells, in the shells that are there; their syntax and what they complete. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completions } from '../../cli/completion/completions.js';
import { parseArguments } from '../../cli/options/arguments.js';
import { SHELLS } from '../../cli/options/commands.js';
import { orbit } from './in-process.js';

const folder = mkdtempSync(join(tmpdir(), 'orbit-completion-'));
const MODEL = `model Lock
param N: 2 .. 5 = 3
  param size: 2 .. 5 = 3
invariant alone = true
property again = infinitely often true
`;

beforeAll(async () => {
    mkdirSync(join(folder, 'sub'));
    for (const file of ['lock.orbit', 'a lock.orbit', 'other.txt']) {
        writeFileSync(join(folder, file), MODEL);
    }
    for (const shell of SHELLS) {
        const { exitCode, stdout } = await orbit(['completion', shell]);
        expect(exitCode).toBe(0);
        writeFileSync(join(folder, `completion.${shell}`), stdout);
    }
});

afterAll(() => {
    rmSync(folder, { recursive: true });
});

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

function run(shell: string, words: readonly string[]): string {
    const { stdout, stderr } = spawnSync(shell, words, { cwd: folder, encoding: 'utf8', timeout: 30_000 });
    expect(stderr).toBe('');
    return stdout;
}

/** A call as it is typed so far, and everything that may come next. */
const CASES: readonly (readonly [string, readonly string[]])[] = [
    ['orbit ex', ['expand', 'explore', 'export']],
    ['orbit explore --format ', ['json', 'junit', 'sarif', 'text']],
    ['orbit explore --format=j', ['json', 'junit']],
    ['orbit explore --co', ['--color', '--continue', '--coverage']],
    ['orbit explore lock.orbit --param ', ['N=', 'size=']],
    ['orbit explore lock.orbit --sweep s', ['size=']],
    ['orbit explore lock.orbit --property ', ['again', 'alone', 'deadlock']],
    ['orbit explore lock.orbit --max-states ', []],
    ['orbit export --to graph', ['graph-dimacs', 'graph-dot']],
    ['orbit check l', ['lock.orbit']],
    ['orbit check ', ['a lock.orbit', 'lock.orbit', 'sub']],
    ['orbit completion ', ['bash', 'fish', 'zsh']],
];

describe.runIf(isThere('bash'))('bash', () => {
    test('reads its script', () => {
        run('bash', ['-n', 'completion.bash']);
    });

    test.each(CASES)('completes "%s"', (line, expected) => {
        // Bash takes `=` for a word of its own.
        const words = line
            .split(' ')
            .flatMap(word => word.split(/(?<=.)(=)/).flatMap(part => (part === '' && word !== '' ? [] : [part])));
        const typed = words.map(word => `'${word}'`).join(' ');
        const script = `source completion.bash; COMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _orbit; printf '%s\\n' "\${COMPREPLY[@]}"`;
        const found = run('bash', ['--norc', '-c', script])
            .split('\n')
            .filter(word => word !== '');
        expect(found.sort()).toEqual(expected);
    });
});

describe.runIf(isThere('fish'))('fish', () => {
    test('reads its script', () => {
        run('fish', ['-n', 'completion.fish']);
    });

    test.each(CASES)('completes "%s"', (line, expected) => {
        const found = run('fish', ['--no-config', '-c', `source completion.fish; complete -C '${line}'`])
            .split('\n')
            .filter(word => word !== '')
            // The option before `=` is repeated; what stands behind a tab is said of the word.
            .map(word => word.replace(/\t.*/, '').replace('--format=', '').replaceAll('\\ ', ' ').replace(/\/$/, ''));
        // Fish lists models first and then, after all, other files.
        const wanted = line === 'orbit check ' ? found.filter(word => expected.includes(word)) : found;
        expect(wanted.sort()).toEqual(expected);
    });
});

describe.runIf(isThere('zsh'))('zsh', () => {
    test('reads its script', () => {
        run('zsh', ['-n', 'completion.zsh']);
    });

    test('completes in a terminal', () => {
        // Each line is typed with a tab; reading ends where the last of the words is there.
        const script = `
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell 'autoload -Uz compinit; compinit -D -u; source completion.zsh; unsetopt list_beep; print RE""ADY'
            zpty -r shell text '*READY*'
            zpty -w -n shell $'orbit explore --format \\t'
            zpty -r shell text '*text*'
            print -r -- "$text"
            zpty -w -n shell $'\\x15orbit explore lock.orbit --param s\\t'
            zpty -r shell text '*size=*'
            print -r -- "$text"
            zpty -d shell`;
        const found = run('zsh', ['-f', '-c', script]);
        expect(found).toMatch(/json\s+junit\s+sarif\s+text/);
        expect(found).toContain('size=');
    }, 40_000);
});

test('every command of the help is completed, with every option of its own', async () => {
    const { stdout: help } = await orbit(['--help']);
    const commands = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
    expect(
        completions()
            .map(({ name }) => name)
            .sort(),
    ).toEqual(commands.sort());
    for (const { name, options } of completions().filter(command => command.name !== 'help')) {
        const { stdout } = await orbit([name, '--help']);
        const shown = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option);
        expect(options.map(option => option.name).sort()).toEqual(
            shown.filter(option => option !== '--version').sort(),
        );
    }
});

test('an unknown shell is an error', () => {
    expect(() => parseArguments(['completion', 'tcsh'])).toThrow('Allowed choices are bash, zsh, fish');
});
