/** Models of Murphi with the counts that Rumur gives them, which stand in their first lines, and what they become. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importFormatted } from '../../language-server/import-murphi.js';
import { explore, loadModel } from '../../library/index.js';

const FOLDER = 'test/import/models';
const COUNTS =
    /^-- Rumur v[\d.]+: (\d+) states(?:, (\d+) with exhaustive symmetry reduction| of the same model .*)\.$/m;

const files = readdirSync(FOLDER).filter(name => name.endsWith('.m'));

test.each(files)('%s has the states that Rumur counts, and is laid out well', async file => {
    const source = readFileSync(`${FOLDER}/${file}`, 'utf8');
    const [, states, orbits] = COUNTS.exec(source) ?? [];
    const { text = '', problems } = await importFormatted(source, `file:///${file}`, file);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    await expect(text).toMatchFileSnapshot(`models/${file.replace(/\.m$/, '.orbit')}`);
    const { model, problems: found } = await loadModel(text);
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
    if (model === undefined) {
        throw new Error('a text without errors has a model');
    }
    expect(explore(model, { reduction: 'none' }).report).toMatchObject({ verdict: 'holds', states: Number(states) });
    if (orbits !== undefined && source.includes('scalarset')) {
        const reduced = explore(model, { reduction: 'unique' }).report;
        expect(reduced?.verdict).toBe('holds');
        expect(reduced?.states).toBeLessThanOrEqual(Number(orbits));
    }
});
