/** `orbit simulate --runs`: many random walks, and how much of what further ones meet would be new. */
import { createRandom } from '../../engine/common/random.js';
import { isUnexpected } from '../../engine/describe/meant-words.js';
import { toWalksDocument } from '../../language-server/documents.js';
import { reportProblems, searchFile, symmetriesAlone } from '../analysis.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type CommandIo, TimeIsOver } from '../io.js';
import { detectionMilliseconds } from '../one-exploration.js';
import type { SimulateInvocation } from '../options/invocation.js';
import { styleFor, writeJson } from '../output.js';
import { formatWalks, formatWalksInALine } from '../text/walks.js';

/**
 * Ends with 1 if a walk meets a violation that is not expected, with 3 at a limit before the last walk. Throws TimeIsOver
 * before the first.
 */
export async function walkFile(
    invocation: SimulateInvocation & Required<Pick<SimulateInvocation, 'runs'>>,
    deadline: number,
    io: CommandIo,
): Promise<ExitCode> {
    const { file, seed = 1, runs, steps, timeoutSeconds } = invocation;
    const detectionSeconds = detectionMilliseconds(deadline, io) / 1000;
    const analyzed = await searchFile(file, invocation, { detectionSeconds, deadline }, io, symmetriesAlone);
    if (typeof analyzed === 'number') {
        return analyzed;
    }
    const { loaded, analysis } = analyzed;
    const { walkManyTimes } = await import('../../engine/verdict/walks.js');
    const options = {
        createRandom: () => createRandom(seed),
        runs,
        steps,
        isOver: () => io.now() >= deadline,
    };
    const walks = walkManyTimes(analysis.model, analysis.sequential, analysis.symmetry, options);
    if ('code' in walks) {
        const exitCode = walks.code.startsWith('limit/') ? EXIT.undecided : EXIT.wrong;
        await reportProblems(loaded, [walks], exitCode, invocation, io);
        return exitCode;
    }
    if (walks.runs === 0) {
        throw new TimeIsOver();
    }
    const isCut = walks.runs < runs;
    const document = toWalksDocument(analysis.model, seed, walks, isCut ? timeoutSeconds : undefined, loaded.fileOf);
    if (invocation.json) {
        writeJson(document, io);
    } else {
        const style = styleFor(io.stdout, invocation.color, io.environment);
        io.stdout.write((invocation.quiet ? formatWalksInALine : formatWalks)(document, style));
    }
    return document.violations.some(isUnexpected) ? EXIT.violated : isCut ? EXIT.undecided : EXIT.holds;
}
