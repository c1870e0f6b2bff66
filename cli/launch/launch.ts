/**
 * Starts the program beside it, `orbit.cjs`, from compiled code if possible. The file that comes with the package
 * serves the version of Node that has built it. Other versions keep compiled code beside the package, if they may
 * write there (since 22.8).
 */
import './end-by-signal.js';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { CompiledProgram } from './compiled-program.js';

const file = join(__dirname, 'orbit.cjs');
// Source maps only work for modules that Node has loaded.
const program = process.sourceMapsEnabled ? undefined : CompiledProgram.fromCache(file);
if (program !== undefined) {
    program.run(__filename);
} else {
    const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };
    enableCompileCache?.(join(__dirname, 'compile-cache'));
    nodeModule.createRequire(__filename)(file);
}
