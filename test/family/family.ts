/** Families of models from texts, and their views, for tests. */
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { checkEverySize, type EverySizeOptions, type EverySizeVerdict } from '../../family/every-size.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { startExploration } from '../../engine/pipeline.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { narrowOf, type Narrow } from '../../family/narrow.js';
import { instantiate, type Family } from '../../language/instantiate.js';
import { searchViews, type ViewSearchResult } from '../../family/view-search.js';
import { loadEverySize } from '../../language-server/load-model.js';

export interface TestFamily {
    readonly narrow: Narrow;
    readonly family: Family;
}

/** The family, or its refusals as `line:column message` without their common beginning. */
export async function familyOf(text: string, parameters: readonly string[] = ['N']): Promise<TestFamily | string[]> {
    const values = new Map(parameters.map(name => [name, 'all']));
    const family = await loadEverySize(text, 'file:///model.orbit', values);
    invariant(family.kind !== 'one', 'a parameter has all values');
    const outcome = family.kind === 'refused' ? family : narrowOf(family.family);
    if (outcome.kind === 'refused' || family.kind === 'refused') {
        const problems = 'problems' in outcome ? outcome.problems : [];
        return problems.map(
            ({ message, range: { start } }) =>
                `${start.line + 1}:${start.character + 1} ${message.replace('cannot be checked for every size: ', '')}`,
        );
    }
    return { narrow: outcome.narrow, family: family.family };
}

/** The family of a text that must be narrow. */
export async function narrowFamilyOf(text: string, parameters?: readonly string[]): Promise<TestFamily> {
    const family = await familyOf(text, parameters);
    invariant(!Array.isArray(family), `the text is narrow: ${Array.isArray(family) ? family.join() : ''}`);
    return family;
}

/** The verdict of a text for all values of its parameters. */
export async function verdictOf(
    text: string,
    options: Partial<EverySizeOptions> & { readonly parameters?: readonly string[] } = {},
): Promise<EverySizeVerdict> {
    const { narrow, family } = await narrowFamilyOf(text, options.parameters);
    const verdict = checkEverySize(narrow, family, { workLimit: UNLIMITED, now: () => 0, ...options });
    invariant(!('problems' in verdict), 'the instances of a narrow text are uniform');
    return verdict;
}

/** Views of one size, by the interpreter. */
export function viewsOf(narrow: Narrow, viewSize: number, maxConfigurations?: number): ViewSearchResult {
    return searchViews(narrow, {
        viewSize,
        invariants: checkable(narrow),
        successorsOf: interpretedSuccessors,
        workLimit: UNLIMITED,
        maxConfigurations,
    });
}

/** The invariants that views can check. */
export function checkable({ invariants }: Narrow): string[] {
    return invariants.filter(({ members }) => members !== undefined).map(({ name }) => name);
}

/** The verdict of one instance by the exploration of all its states; undefined if it has no initial state. */
export function exactVerdict(
    { family }: Pick<TestFamily, 'family'>,
    values: readonly number[],
    properties: readonly string[],
    maxStates = 20_000,
): 'holds' | 'violated' | 'undecided' | undefined {
    const { model, problems } = instantiate(family, values);
    invariant(model !== undefined, `the instance has a model: ${problems[0]?.message ?? ''}`);
    const linearized = linearize(model);
    const { sequential } = linearized;
    invariant(sequential !== undefined, `the instance is linearized: ${linearized.problems[0]?.message ?? ''}`);
    const analysis = { model, sequential };
    const options = { reduction: 'none', properties, maxStates, now: () => 0 } as const;
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    exploration.close();
    return report?.verdict;
}
