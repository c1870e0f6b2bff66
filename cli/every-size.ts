/** What `explore` and `verify` share for `--param N=all`: the narrow model, or the exit code after it is refused. */
import type { CommonOptions } from './options/invocation.js';
import type { Narrow } from '../family/narrow.js';
import type { Family } from '../language/instantiate.js';
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
    readonly family: Family;
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
    const { loaded, family: found } = await loadFamily(file, options.parameters, io, deadline);
    if (found.kind === 'one') {
        return undefined;
    }
    const { narrowOf } = await import('../family/narrow.js');
    const outcome = found.kind === 'refused' ? found : io.finish(() => narrowOf(found.family), deadline - io.now());
    if (outcome.kind === 'refused' || found.kind === 'refused') {
        const problems = 'problems' in outcome ? outcome.problems : [];
        await reportProblems(loaded, problems, EXIT.wrong, options, io);
        return EXIT.wrong;
    }
    const { family } = found;
    const { narrow } = outcome;
    const { model: sample } = narrow.largest;
    const { titleOf } = await import('../language-server/documents.js');
    const title = titleOf(sample);
    const params = { ...title.params, ...Object.fromEntries(family.parameters.map(({ name }) => [name, ALL])) };
    return { loaded, title: { ...title, params }, family, narrow, sample };
}
