/** Models of several files on the command line: which files are read, and what they are called. */
import { describe, expect, test } from 'vitest';
import type { DocumentProblem, ExploreDocument } from '../../language-server/document-schema.js';
import { orbit } from './in-process.js';

const LOCK = 'type Proc = 0 .. 1\nvar holder: Proc? = none\n';
const LOOP =
    'process P[i: Proc] { loop { when holder == none { holder := i }; when holder == i { holder := none } } }\n';
const BROKEN = 'var holder bool\n';

async function problemsOf(words: readonly string[], files: Record<string, string>): Promise<string[]> {
    const outcome = await orbit(['check', ...words, '--json'], { files, standardInput: files['-'] ?? '' });
    const { problems } = JSON.parse(outcome.stdout) as { problems: DocumentProblem[] };
    return problems.map(({ file, line, code }) => `${file}:${line} ${code}`);
}

describe('an imported file', () => {
    const places: readonly [from: string, name: string, to: string][] = [
        ['main.orbit', 'lock.orbit', 'lock.orbit'],
        ['./main.orbit', 'lib/lock.orbit', './lib/lock.orbit'],
        ['models/main.orbit', 'lock.orbit', 'models/lock.orbit'],
        ['models/main.orbit', '../lib/lock.orbit', 'lib/lock.orbit'],
        ['main.orbit', '../lock.orbit', '../lock.orbit'],
        ['../models/main.orbit', '../lock.orbit', '../lock.orbit'],
        ['/my models/main', 'lock.orbit', '/my models/lock.orbit'],
        ['/a/b/main.orbit', '../c d/lock.orbit', '/a/c d/lock.orbit'],
        ['-', 'lib/lock.orbit', 'lib/lock.orbit'],
    ];
    test.each(places)('%s imports "%s" from %s', async (from, name, to) => {
        const main = `import "${name}"\n${LOOP}`;
        expect(await problemsOf([from], { [from]: main, [to]: LOCK })).toEqual([]);
        expect(await problemsOf([from], { [from]: main, [to]: BROKEN })).toEqual([
            `${to}:1 syntax/unexpected`,
            `${from}:1 import/has-errors`,
        ]);
        expect(await problemsOf([from], { [from]: main })).toEqual([`${from}:1 import/not-found`]);
    });

    test('shows its own lines', async () => {
        const files = { 'main.orbit': `import "lock.orbit"\n${LOOP}`, 'lock.orbit': BROKEN };
        const { stdout, exitCode } = await orbit(['check', 'main.orbit'], { files });
        expect(exitCode).toBe(2);
        expect(stdout).toContain('lock.orbit:1:12');
        expect(stdout).toContain('var holder bool');
        expect(stdout).toContain('main.orbit:1:8');
        expect(stdout).toContain('import "lock.orbit"');
    });

    test('is reported once when two files import it', async () => {
        const files = { a: `import "lock.orbit"\n${LOOP}`, b: `import "lock.orbit"\n${LOOP}`, 'lock.orbit': BROKEN };
        expect(await problemsOf(['a', 'b'], files)).toEqual([
            'lock.orbit:1 syntax/unexpected',
            'a:1 import/has-errors',
            'b:1 import/has-errors',
        ]);
    });

    test('takes part in an exploration, with its name at its steps and properties', async () => {
        const files = {
            'main.orbit': 'import "lib/lock.orbit"\nallow deadlock\n',
            'lib/lock.orbit': `${LOCK}${LOOP}invariant free = holder == none\n`,
        };
        const outcome = await orbit(['explore', 'main.orbit', '--json', '--reduction', 'none'], { files });
        const document = JSON.parse(outcome.stdout) as ExploreDocument;
        expect(outcome.exitCode).toBe(1);
        expect(document.violations[0]).toMatchObject({ name: 'free', location: { file: 'lib/lock.orbit', line: 4 } });
        expect(document.violations[0]?.trace[1]?.step?.location).toMatchObject({ file: 'lib/lock.orbit', line: 3 });
    });
});
