/**
 * Builds the npm library into a folder: `library.js` and `library.cjs`, and its declarations in `types` and
 * `types-commonjs`. The bundles import nothing, so they run wherever JavaScript does.
 */
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

/** Returns what esbuild says of the bundles. */
export async function buildLibrary(root, folder) {
    const require = createRequire(import.meta.url);
    // Langium takes an error and its codes from packages that would bring Node along.
    const withoutNode = {
        name: 'without-node',
        setup({ onResolve }) {
            onResolve({ filter: /^vscode-(jsonrpc|languageserver-protocol)$/ }, ({ path }) => ({
                path: require.resolve(`${path}/lib/common/api.js`),
            }));
        },
    };
    const results = await Promise.all(
        [
            ['esm', 'library.js'],
            ['cjs', 'library.cjs'],
        ].map(([format, file]) =>
            build({
                bundle: true,
                platform: 'neutral',
                mainFields: ['module', 'main'],
                target: 'es2022',
                sourcemap: true,
                metafile: true,
                logLevel: 'warning',
                plugins: [withoutNode],
                entryPoints: [join(root, 'library/index.ts')],
                outfile: join(folder, file),
                format,
            }),
        ),
    );
    return results.map(({ metafile }) => metafile);
}

/**
 * Declarations, once for importers and once for those who `require`: TypeScript takes the module kind from the nearest
 * package.json, and one copy cannot have two. Throws if the compiler finds an error.
 */
export function writeDeclarations(root, folder) {
    const [types, commonjs] = ['types', 'types-commonjs'].map(name => join(folder, name));
    for (const each of [types, commonjs]) {
        rmSync(each, { recursive: true, force: true });
    }
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const project = join(root, 'library', 'tsconfig.declarations.json');
    const { status } = spawnSync(process.execPath, [compiler, '-p', project, '--outDir', types], { stdio: 'inherit' });
    if (status !== 0) {
        throw new Error('the declarations of the library have errors');
    }
    removeInternal(types);
    cpSync(types, commonjs, { recursive: true });
    writeFileSync(join(types, 'package.json'), '{"type":"module"}\n');
    writeFileSync(join(commonjs, 'package.json'), '{"type":"commonjs"}\n');
}

/** Removes the declarations to which no import leads from the index: nobody can name what is in them. */
function removeInternal(folder) {
    const reached = new Set([join(folder, 'library', 'index.d.ts')]);
    // A set goes on with what is added meanwhile.
    for (const file of reached) {
        for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]*)\.js['"]/g)) {
            reached.add(join(dirname(file), `${path}.d.ts`));
        }
    }
    for (const name of readdirSync(folder, { recursive: true })) {
        const file = join(folder, name);
        if (file.endsWith('.d.ts') && !reached.has(file)) {
            rmSync(file);
        }
    }
}
