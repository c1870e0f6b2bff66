/** What `explore` and `verify` share for `--param N=all`: the narrow model, or the exit code after it is refused. */
import type { CommonOptions } from './options/invocation.js';
import type { Narrow } from '../family/narrow.js';
import type { ModelOfSizes, SizeParameter } from '../family/sized-model.js';
import type { Model } from '../engine/model/model.js';
import type { DocumentTitle } from '../language-server/document-schema.js';
import { reportProblems } from './analysis.js';
import { EXIT, type ExitCode } from './exit-code.js';
import type { CommandIo } from './io.js';
import { loadFamily, type LoadedFile } from './load.js';

/** The value that stands for all; see language-server/family-of-document.ts. */
const ALL = 'all';

export interface LoadedFamily {
    readonly loaded: LoadedFile;
    readonly title: DocumentTitle;
    readonly parameters: readonly SizeParameter[];
    readonly modelAt: ModelOfSizes;
    readonly narrow: Narrow;
    /** One of the models, for what all have in common. */
    readonly sample: Model;
}

export function asksForEverySize({ parameters }: Pick<CommonOptions, 'parameters'>): boolean {
    return [...parameters.values()].some(value => value.trim() === ALL);
}

/** Undefined if the model declares a name `all`, so that the call is about one value. */
export async function narrowFamily(
    file: string,
    options: CommonOptions,
    io: CommandIo,
    deadline: number,
): Promise<LoadedFamily | ExitCode | undefined> {
    const { loaded, family } = await loadFamily(file, options.parameters, io, deadline);
    if (family.kind === 'one') {
        return undefined;
    }
    const { narrowOf } = await import('../family/narrow.js');
    const outcome =
        family.kind === 'refused'
            ? family
            : io.finish(() => narrowOf(family.parameters, family.modelAt), deadline - io.now());
    if (outcome.kind === 'refused' || family.kind === 'refused') {
        const problems = 'problems' in outcome ? outcome.problems : [];
        await reportProblems(loaded, problems, EXIT.wrong, options, io);
        return EXIT.wrong;
    }
    const { parameters, modelAt } = family;
    const { narrow } = outcome;
    const { model: sample } = narrow.instanceAt(narrow.sample);
    const { titleOf } = await import('../language-server/documents.js');
    const title = titleOf(sample);
    const params = { ...title.params, ...Object.fromEntries(parameters.map(({ name }) => [name, ALL])) };
    return { loaded, title: { ...title, params }, parameters, modelAt, narrow, sample };
}
