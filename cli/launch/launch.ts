/**
 * What the shell starts: runs the program beside it, `orbit.cjs`, from what was compiled before where that is possible.
 *
 * The file that comes with the package serves the Node that has built it. For others, Node itself keeps what it compiles,
 * beside the package where it may write there (since 22.8).
 */
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { CompiledProgram } from './compiled-program.js';

const file = join(__dirname, 'orbit.cjs');
// Source maps are for modules that Node has loaded itself.
const program = process.sourceMapsEnabled ? undefined : CompiledProgram.fromCache(file);
if (program !== undefined) {
    program.run(__filename);
} else {
    const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };
    enableCompileCache?.(join(__dirname, 'compile-cache'));
    nodeModule.createRequire(__filename)(file);
}
