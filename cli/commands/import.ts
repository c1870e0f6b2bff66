/** `orbit import`: a model of Murphi as a text of this language. */
import type { Problem } from '../../engine/common/problem.js';

import { toDocumentProblem } from '../../language-server/documents.js';
import { importFormatted } from '../../language-server/import-murphi.js';
import { decodeUtf8 } from '../../language-server/parsing/utf-8.js';
import { fileError } from '../call-error.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import { decodeForExcerpts, readModelSource } from '../model-source.js';
import type { ImportInvocation } from '../options/invocation.js';
import { styleFor, writeFile, writeJson, writing } from '../output.js';
import { formatProblems } from '../text/problems.js';

/** Ends with 2 if the source is wrong, or if something of it is left out and the call does not allow that. */
export async function importModel(invocation: ImportInvocation, io: CommandIo): Promise<ExitCode> {
    const { file, outputFile, isLossy, json, quiet, color } = invocation;
    if (outputFile !== undefined) {
        if (io.absolutePath(outputFile) === io.absolutePath(file)) {
            throw fileError('write', outputFile, 'the call names it for something else, too');
        }
        await writing(outputFile, () => io.checkWritable(outputFile));
    }
    const source = await readModelSource(file, io);
    const decoded = decodeUtf8(source.bytes, source.uri);
    const { text, problems } =
        decoded.text === undefined
            ? { text: undefined, problems: [decoded.problem] }
            : await importFormatted(decoded.text, source.uri, file);
    const told = problems.map(problem => withSeverity(problem, isLossy && text !== undefined));
    const isComplete = text !== undefined && !told.some(({ severity }) => severity === 'error');
    if (isComplete && outputFile !== undefined) {
        await writeFile(outputFile, text, io);
    }
    const shown = told.map(problem => toDocumentProblem(problem, () => file));
    if (json) {
        const result = !isComplete ? {} : outputFile === undefined ? { text } : { output: outputFile };
        writeJson({ schemaVersion: 1, problems: shown, ...result }, io);
    } else {
        if (isComplete && outputFile === undefined) {
            io.stdout.writeData(text);
        }
        const important = quiet ? shown.filter(({ severity }) => severity === 'error') : shown;
        const excerpts = decodeForExcerpts(source);
        io.stderr.write(formatProblems(important, () => excerpts, styleFor(io.stderr, color, io.environment)));
    }
    return isComplete ? EXIT.holds : EXIT.wrong;
}

/** What is left out is an error unless the call allows it. */
function withSeverity(problem: Problem, isLossy: boolean): Problem {
    return isLossy && problem.code === 'murphi/not-carried-over' ? { ...problem, severity: 'warning' } : problem;
}
