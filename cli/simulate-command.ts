/** `orbit simulate`: one random walk through the model as written, printed like a trace. */
import { createRandom } from '../engine/common/random.js';
import { toSimulateDocument } from '../language-server/documents.js';
import { linearizeFile, reportProblems } from './analysis.js';
import type { SimulateInvocation } from './arguments.js';
import { EXIT, type ExitCode } from './exit-code.js';
import type { CommandIo } from './io.js';
import { styleFor, writeJson } from './output.js';
import { formatSimulation, formatSimulationInALine } from './report-text.js';

/** Ends with 1 where the walk has met a violation. That it has met none says nothing about other walks. */
export async function simulateFile(invocation: SimulateInvocation, io: CommandIo): Promise<ExitCode> {
    const linearized = await linearizeFile(invocation.file, invocation, io);
    if (typeof linearized === 'number') {
        return linearized;
    }
    const { loaded, model, sequential } = linearized;
    const { simulate } = await import('../engine/explore/simulate.js');
    const { seed, steps } = invocation;
    const simulation = simulate(sequential, { random: createRandom(seed), steps });
    if (simulation.kind === 'problem') {
        reportProblems(loaded, [simulation.problem], invocation, io);
        return EXIT.wrong;
    }
    const document = toSimulateDocument(model, seed, simulation, loaded.fileOf);
    if (invocation.json) {
        writeJson(document, io);
    } else {
        const style = styleFor(io.stdout, invocation.color, io.environment);
        io.stdout.write((invocation.quiet ? formatSimulationInALine : formatSimulation)(document, style));
    }
    return document.end === 'violated' ? EXIT.violated : EXIT.holds;
}
