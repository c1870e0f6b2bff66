/** `orbit simulate`: one walk through the model as written, at random or by a script, printed like a trace. */
import { invariant } from '../../engine/common/assert.js';
import { createRandom } from '../../engine/common/random.js';
import { isUnexpected } from '../../engine/describe/meant-words.js';
import type { Simulation } from '../../engine/explore/simulate.js';
import type { ScriptProblem } from '../../engine/explore/script.js';
import type { TraceEntry } from '../../engine/explore/verdict.js';
import type { AskedValue, Model } from '../../engine/model/model.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { toSimulateDocument } from '../../language-server/documents.js';
import type { DocumentProblem } from '../../language-server/document-schema.js';
import { linearizeFile, reportProblems, type LinearizedModel } from '../analysis.js';
import type { SimulateInvocation } from '../options/invocation.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type CommandIo, withRepeatableInput } from '../io.js';
import { load } from '../load.js';
import { readFile, styleFor, writeJson } from '../output.js';
import { formatProblems } from '../text/problems.js';
import { walkFile } from './walks.js';
import { formatSimulation, formatSimulationInALine } from '../text/simulation.js';

/**
 * Ends with 1 if the walk meets a violation that is not expected; without one it says nothing about other walks. Throws
 * TimeIsOver if the time ends before the walk, or before an initial state is found.
 */
export async function simulateFile(invocation: SimulateInvocation, io: CommandIo): Promise<ExitCode> {
    const { scriptFile, timeoutSeconds = Infinity, runs } = invocation;
    const deadline = io.now() + timeoutSeconds * 1000;
    if (runs !== undefined) {
        return walkFile({ ...invocation, runs }, deadline, io);
    }
    // The script is read first: a missing file is an error of the call.
    const scriptText = scriptFile === undefined ? undefined : new TextDecoder().decode(await readFile(scriptFile, io));
    const { ask = [] } = invocation;
    const repeatable = ask.length === 0 ? io : withRepeatableInput(io);
    const linearized = await linearizeFile(invocation.file, invocation, repeatable, deadline);
    if (typeof linearized === 'number') {
        return linearized;
    }
    const values: AskedValue[] = [];
    for (const text of ask) {
        const question = { kind: 'value', text } as const;
        const asked = await load(invocation.file, invocation.parameters, repeatable, deadline, question);
        if (asked.model === undefined) {
            await reportProblems(asked, asked.problems, EXIT.wrong, invocation, io);
            return EXIT.wrong;
        }
        values.push(...(asked.model.asked ?? []).map(value => ({ ...value, fromStart: true as const })));
    }
    const { loaded } = linearized;
    const { model, sequential } = values.length === 0 ? linearized : asking(linearized, values);
    const simulation = await walk({ model, sequential }, invocation, scriptText, deadline, io);
    if (simulation.kind === 'script-problem') {
        reportScriptProblem(simulation.problem, scriptFile ?? '', scriptText ?? '', invocation, io);
        return EXIT.wrong;
    }
    if (simulation.kind === 'problem') {
        const { code } = simulation.problem;
        const exitCode = code.startsWith('limit/') ? EXIT.undecided : EXIT.wrong;
        await reportProblems(loaded, [simulation.problem], exitCode, invocation, io);
        return exitCode;
    }
    const trace = await withAnswers(model, simulation.trace, ask, work => io.finish(work, deadline - io.now()));
    const document = toSimulateDocument(model, invocation.seed, { ...simulation, trace }, loaded.fileOf);
    if (invocation.json) {
        writeJson(document, io);
    } else {
        const style = styleFor(io.stdout, invocation.color, io.environment);
        io.stdout.write((invocation.quiet ? formatSimulationInALine : formatSimulation)(document, style));
    }
    return document.violation !== undefined && isUnexpected(document.violation) ? EXIT.violated : EXIT.holds;
}

/** The model with what is asked of its states: locals that are asked for are kept as those of properties are. */
function asking(
    { model, sequential }: Pick<LinearizedModel, 'model' | 'sequential'>,
    asked: readonly AskedValue[],
): Pick<LinearizedModel, 'model' | 'sequential'> {
    const withValues = { ...model, asked };
    return { model: withValues, sequential: linearize(withValues).sequential ?? sequential };
}

/** The entries with what is asked of their states; `ask` has the texts in the order of the model's values. */
async function withAnswers(
    model: Model,
    trace: readonly TraceEntry[],
    ask: readonly string[],
    finish: <Result>(work: () => Result) => Result,
): Promise<readonly TraceEntry[]> {
    if (ask.length === 0) {
        return trace;
    }
    const { askedAlong } = await import('../../engine/verdict/asked-values.js');
    const states = trace.map(({ state }) => state);
    const values = finish(() => askedAlong(model, states));
    return trace.map((entry, index) => {
        const own = values[index];
        invariant(own !== undefined, 'a state of a walk is one of the model');
        return { ...entry, asked: Object.fromEntries(ask.map((text, place) => [text, own[place] ?? ''])) };
    });
}

async function walk(
    { model, sequential }: { readonly model: Model; readonly sequential: SequentialModel },
    { seed = 1, steps }: SimulateInvocation,
    scriptText: string | undefined,
    deadline: number,
    io: CommandIo,
): Promise<Exclude<Simulation, { readonly kind: 'slots' }>> {
    const { follow, simulate } = await import('../../engine/explore/simulate.js');
    const { walkGrowing } = await import('../../engine/verdict/enough-slots.js');
    const growing = (way: (enough: SequentialModel) => Simulation): Exclude<Simulation, { readonly kind: 'slots' }> =>
        io.finish(() => walkGrowing(model, sequential, way), deadline - io.now());
    if (scriptText === undefined) {
        return growing(enough => simulate(enough, { random: createRandom(seed), steps }));
    }
    const { parseScript } = await import('../../engine/explore/script.js');
    const script = parseScript(scriptText);
    return 'code' in script ? { kind: 'script-problem', problem: script } : growing(enough => follow(enough, script));
}

function reportScriptProblem(
    { code, line, message }: ScriptProblem,
    file: string,
    text: string,
    invocation: SimulateInvocation,
    io: CommandIo,
): void {
    const written = text.split(/\r\n|\n|\r/)[line - 1] ?? '';
    const problem: DocumentProblem = {
        severity: 'error',
        code,
        message,
        file,
        line,
        column: 1 + written.length - written.trimStart().length,
        endLine: line,
        endColumn: 1 + written.trimEnd().length,
    };
    if (invocation.json) {
        writeJson({ schemaVersion: 1, problems: [problem] }, io);
    } else {
        io.stderr.write(formatProblems([problem], () => text, styleFor(io.stderr, invocation.color, io.environment)));
    }
}
