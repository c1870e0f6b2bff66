/**
 * Builds the command `orbit` into a folder: `cli.cjs` starts the program `orbit.cjs` from `orbit.cache`, what V8 has compiled
 * of it; each thread of a large search runs `search-thread.cjs`. The program that makes the cache stays there, too.
 *
 * `manual.json` is what assistants are given to read. `root` is that of the repository. Returns what esbuild says of the
 * bundles; throws if one cannot be built, or if a call that the cache is made from fails.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

export async function buildCommand(root, folder) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'manual.json'), JSON.stringify(manualOf(join(root, 'docs'))));
    const common = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', metafile: true, sourcemap: true };
    const bundle = (entry, file, options = {}) =>
        build({
            ...common,
            logLevel: 'warning',
            entryPoints: [join(root, entry)],
            outfile: join(folder, file),
            ...options,
        });
    const results = await Promise.all([
        bundle('cli/launch/launch.ts', 'cli.cjs', { banner: { js: '#!/usr/bin/env node' } }),
        // Without comments: they have characters that would make every one of the source two bytes long.
        bundle('cli/main.ts', 'orbit.cjs', { minifyWhitespace: true, lineLimit: 120 }),
        bundle('cli/launch/make-cache.ts', 'make-cache.cjs'),
        bundle('language-server/analysis/search-thread.ts', 'search-thread.cjs'),
    ]);
    const { status } = spawnSync(process.execPath, [join(folder, 'make-cache.cjs')], {
        cwd: root,
        stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) {
        throw new Error(`${folder}: the program does not run`);
    }
    return results.map(({ metafile }) => metafile);
}

/** The pages about the language, the commands and the messages: by name their titles and texts. */
function manualOf(folder) {
    const language = readdirSync(join(folder, 'language')).filter(file => file.endsWith('.md'));
    const others = [
        'language',
        'diagnostics',
        'state-exploration',
        'temporal',
        'symmetry',
        'every-size',
        'mutants',
        'logs',
        'conformance/README',
    ];
    const pages = [...others, ...language.map(file => `language/${file.slice(0, -'.md'.length)}`)].map(name => {
        const text = readFileSync(join(folder, `${name}.md`), 'utf8');
        return [name, { title: /^# (.*)$/m.exec(text)?.[1] ?? name, text }];
    });
    return Object.fromEntries(pages);
}
