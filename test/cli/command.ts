/** The command as it ships, for tests that start it as a process of its own. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommand } from '../../cli/build.js';

/** Puts it into a folder. `npm test` names the folder of what it has just built, which is then not built again. */
export async function provideCommand(folder: string): Promise<void> {
    const built = process.env['ORBIT_BUILT'];
    if (built === undefined) {
        await buildCommand('.', folder);
        return;
    }
    for (const file of readdirSync(built).filter(name => /^(cli|orbit|search-thread|manual)\./.test(name))) {
        cpSync(join(built, file), join(folder, file));
    }
}
