/** `orbit format`: format files in place, standard input to standard output; `--check` only names unformatted files. */
import { formatCount } from '../../engine/describe/words.js';
import type { DocumentProblem } from '../../language-server/document-schema.js';
import { toDocumentProblem } from '../../language-server/documents.js';
import { formatText } from '../../language-server/formatting/format-text.js';
import type { FormatInvocation } from '../options/invocation.js';
import { CallError } from '../call-error.js';
import { EXIT, type ExitCode, worstExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import { type ModelSource, decodeForExcerpts, readModelSource } from '../model-source.js';
import { styleFor, toCallProblem, writeFile, writeJson } from '../output.js';
import { formatProblems } from '../text/problems.js';

interface FormattedFile {
    readonly file: string;
    readonly state: 'unchanged' | 'changed' | 'wrong';
    readonly problems: readonly DocumentProblem[];
    /** For excerpts. */
    readonly text: string;
    /** Of standard input, for the document. */
    readonly formatted?: string;
}

export async function formatFiles(invocation: FormatInvocation, io: CommandIo): Promise<ExitCode> {
    const { files } = invocation;
    if (files.includes('-') && files.length > 1) {
        throw new CallError('call/file', 'standard input is formatted to standard output, alone', '-');
    }
    const formatted: FormattedFile[] = [];
    for (const file of files) {
        formatted.push(await formatFile(file, invocation, io));
    }
    report(formatted, invocation, io);
    return worstExitCode(
        formatted.map(({ state }) =>
            state === 'wrong' ? EXIT.wrong : state === 'changed' && invocation.isCheck ? EXIT.violated : EXIT.holds,
        ),
    );
}

async function formatFile(file: string, invocation: FormatInvocation, io: CommandIo): Promise<FormattedFile> {
    let source: ModelSource;
    try {
        source = await readModelSource(file, io);
    } catch (error) {
        // An unreadable file must not keep the others from being formatted.
        if (error instanceof CallError && error.file !== '') {
            return { file, state: 'wrong', problems: [toCallProblem(error.code, error.message, file)], text: '' };
        }
        throw error;
    }
    const text = decodeForExcerpts(source);
    const result = formatText(source.bytes, source.uri);
    if (result.text === undefined) {
        const problems = result.problems.map(problem => toDocumentProblem(problem, () => file));
        return { file, state: 'wrong', problems, text };
    }
    const state = result.text === text ? 'unchanged' : 'changed';
    if (file === '-' && !invocation.isCheck) {
        if (invocation.json) {
            return { file, state, problems: [], text, formatted: result.text };
        }
        io.stdout.writeData(result.text);
    } else if (result.text !== text && !invocation.isCheck) {
        await writeFile(file, result.text, io);
    }
    return { file, state, problems: [], text };
}

function report(formatted: readonly FormattedFile[], invocation: FormatInvocation, io: CommandIo): void {
    const problems = formatted.flatMap(file => file.problems);
    if (invocation.json) {
        const files = formatted.map(({ file, state }) => ({ file, changed: state === 'changed' }));
        const [{ formatted: text } = {}] = formatted;
        writeJson({ schemaVersion: 1, problems, files, ...(text !== undefined && { text }) }, io);
        return;
    }
    // Standard output is for the formatted text of standard input.
    const isPiped = invocation.files.includes('-') && !invocation.isCheck;
    const sink = isPiped ? io.stderr : io.stdout;
    const style = styleFor(sink, invocation.color, io.environment);
    for (const { file, state, problems: found, text } of formatted) {
        sink.write(formatProblems(found, () => text, style));
        if (state === 'changed' && !isPiped) {
            const what = invocation.isCheck ? 'is not laid out as `orbit format` would' : 'formatted';
            sink.write(`${style.colors.bold(file)}: ${what}\n`);
        }
    }
    const changed = formatted.filter(({ state }) => state === 'changed').length;
    if (!invocation.quiet && !isPiped && problems.length === 0 && changed === 0) {
        sink.write(
            `${formatCount(formatted.length)} ${formatted.length === 1 ? 'file is' : 'files are'} laid out well\n`,
        );
    }
}
