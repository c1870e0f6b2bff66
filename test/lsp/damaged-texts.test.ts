/** No provider fails on a text that is being written: models with parts left out, doubled or replaced. */
import { readFileSync, readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { piecesOf } from '../formatting/layouts.js';
import { InProcessServer, askEverything } from './in-process.js';

const URI = 'file:///damaged.orbit';

const models = readdirSync('models')
    .filter(file => file.endsWith('.orbit'))
    .map(file => readFileSync(`models/${file}`, 'utf8').replace(/^\/\/\/.*\n/gm, ''));

/** Words and signs of all models. */
const words = [...new Set(models.flatMap(text => piecesOf(text)))].filter(word => !word.startsWith('//'));

let server: InProcessServer;

beforeAll(async () => {
    server = new InProcessServer();
    await server.initialize();
    server.Orbit.shared.workspace.ConfigurationProvider.updateConfiguration({
        settings: { orbit: { inlayHints: { parameterValues: true, constants: true, domainSizes: true } } },
    });
});

interface Damage {
    /** Where, as a part of the text's length. */
    readonly at: number;
    readonly removed: number;
    readonly inserted: string;
}

const damages: fc.Arbitrary<readonly Damage[]> = fc.array(
    fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        removed: fc.oneof(fc.constant(0), fc.nat(5), fc.nat(200)),
        inserted: fc.oneof(
            fc.constant(''),
            fc.constantFrom(...words),
            fc.constantFrom(...words).map(word => ` ${word} `),
            fc.string({ maxLength: 3 }),
        ),
    }),
    { minLength: 1, maxLength: 4 },
);

function damaged(text: string, list: readonly Damage[]): string {
    return list.reduce((result, { at, removed, inserted }) => {
        const offset = Math.floor(at * result.length);
        return result.slice(0, offset) + inserted + result.slice(offset + removed);
    }, text);
}

test('every question has an answer, wherever the cursor is', async () => {
    await fc.assert(
        fc.asyncProperty(
            fc.constantFrom(...models),
            damages,
            fc.double({ min: 0, max: 1, noNaN: true }),
            async (model, list, cursor) => {
                const text = damaged(model, list);
                const document = await server.write(URI, text);
                const position = document.textDocument.positionAt(Math.floor(cursor * text.length));
                await askEverything(server, document, position);
                expect(server.log).toEqual([]);
            },
        ),
        { numRuns: Number(process.env['ORBIT_FUZZ_RUNS'] ?? 100) },
    );
}, 120_000);
