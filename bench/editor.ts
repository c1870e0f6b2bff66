/**
 * How soon the editor gets its answers in a long model: the server as it ships, over stdio.
 *
 *     npx esbuild bench/editor.ts --bundle --platform=node --format=esm --packages=external --outfile=out/bench/editor.mjs
 *     node out/bench/editor.mjs [--lines=5000] [--rounds=7]
 *
 * Writes one line of JSON: the size of the text, and for each question the median of the rounds in milliseconds, with the
 * least and the greatest. `completion` and `signature` are asked directly behind a key, `busy` two hundred milliseconds
 * after one, when the server may be reading the whole text anew; `hover` and `diagnostics` are of the text with that key.
 * `lens` is the processor time from a save of an edited text to its group above the model, `firstLens` from its opening.
 */
import { buildServer, TestEditor } from '../test/lsp/language-client.js';
import type { AnalysisStatus } from '../language-server/protocol.js';
import { longModel } from '../test/arbitrary/long-model.js';

const flag = (name: string, otherwise: number): number =>
    Number(process.argv.find(argument => argument.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);

const URI = 'file:///long.orbit';

async function main(): Promise<void> {
    const { serverFile, remove } = await buildServer();
    const editor = await TestEditor.start(serverFile);
    const text = longModel(flag('lines', 5000));
    const opened = await milliseconds(async () => {
        await editor.open(URI, text);
        await editor.diagnosticsWhere(URI, () => true);
    });
    const isFound = ({ version, order, state, summary }: AnalysisStatus): boolean =>
        version === editor.versionOf(URI) &&
        order !== undefined &&
        (state === 'done' || summary.startsWith('explaining'));
    await editor.statusWhere(URI, isFound);
    const firstLens = Math.round(editor.processorMilliseconds());
    const times: Record<'lens' | 'completion' | 'signature' | 'busy' | 'hover' | 'diagnostics', number[]> = {
        lens: [],
        completion: [],
        signature: [],
        busy: [],
        hover: [],
        diagnostics: [],
    };
    let offered = 0;
    for (let round = 0; round < flag('rounds', 7); round++) {
        const group = 20 + round;
        const before = `rest: when count${group}[i] < 15`;
        await editor.edit(URI, before, before.replace('15', '14'));
        const processorBefore = editor.processorMilliseconds();
        await editor.save(URI);
        await editor.statusWhere(URI, isFound);
        times.lens.push(editor.processorMilliseconds() - processorBefore);
        await editor.edit(URI, before.replace('15', '14'), before);
        const key = (added: string): Promise<void> => editor.edit(URI, before, `${before}${added}`);
        const back = (added: string): Promise<void> => editor.edit(URI, `${before}${added}`, before);
        const textDocument = { uri: URI };
        await key(' && ');
        const position = editor.positionOf(URI, before, before.length + 4);
        times.completion.push(
            await milliseconds(async () => {
                const list = await editor.request<{ items: unknown[] }>('textDocument/completion', {
                    textDocument,
                    position,
                });
                offered = list.items.length;
            }),
        );
        await new Promise(resolve => setTimeout(resolve, 200));
        times.busy.push(
            await milliseconds(() => editor.request('textDocument/completion', { textDocument, position })),
        );
        await back(' && ');
        await key(` && next${group}(`);
        const inside = editor.positionOf(URI, before, before.length + ` && next${group}(`.length);
        times.signature.push(
            await milliseconds(() => editor.request('textDocument/signatureHelp', { textDocument, position: inside })),
        );
        await back(` && next${group}(`);
        await key(' && wrong');
        times.diagnostics.push(
            await milliseconds(() =>
                editor.diagnosticsWhere(URI, found => found.some(({ code }) => code === 'name/unresolved')),
            ),
        );
        await back(' && wrong');
        times.hover.push(await milliseconds(() => editor.hoverText(URI, `count${group}: 0`)));
        await editor.diagnosticsWhere(URI, found => !found.some(({ code }) => code === 'name/unresolved'));
    }
    await editor.stop();
    remove();
    const summaries = Object.entries(times).map(([name, values]) => [name, summary(values)] as const);
    const line = {
        lines: text.split('\n').length,
        characters: text.length,
        offered,
        opened: Math.round(opened),
        firstLens,
    };
    process.stdout.write(`${JSON.stringify({ ...line, ...Object.fromEntries(summaries) })}\n`);
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
    const start = performance.now();
    await work();
    return performance.now() - start;
}

function summary(values: readonly number[]): { median: number; least: number; greatest: number } {
    const sorted = [...values].sort((one, other) => one - other);
    const at = (index: number): number => Math.round(sorted[index] ?? NaN);
    return { median: at(sorted.length >> 1), least: at(0), greatest: at(sorted.length - 1) };
}

await main();
