/** A path that chooses a value for a local (`choose x in T`) becomes one path for each value; tests so decided go. */
import type { SourceRange } from '../../common/source-range.js';
import type { Value } from '../../model/domain.js';
import type { DeclareSite, TestSite } from './control-graph.js';
import type { UnfoldingBudget } from '../linearization-limits.js';
import type { Offer, PathItem } from './locations.js';

/** By local the values of its cells. */
export type Chosen = ReadonlyMap<number, readonly Value[]>;

export const NOTHING_CHOSEN: Chosen = new Map();

export interface ChoiceFacts {
    /** Whether the declaration chooses the value of its local. */
    readonly isChoice: (site: DeclareSite) => boolean;
    /** For each choice one value for each cell; a field of a record may depend on earlier ones, in `chosen`. */
    readonly choicesOf: (site: DeclareSite, chosen: Chosen) => readonly (readonly Value[])[];
    /** Whether a test holds after these choices; `undefined` if that is not known. */
    readonly decide: (site: TestSite, chosen: Chosen) => boolean | undefined;
}

/** In the order of the offers, then of the chosen values. */
export function withChoices(
    offers: readonly Offer[],
    { isChoice, choicesOf, decide }: ChoiceFacts,
    range: SourceRange,
    budget: UnfoldingBudget,
): Offer[] {
    const made: Offer[] = [];
    for (const offer of offers) {
        const { path } = offer;
        if (!path.some(item => item.kind === 'declare' && isChoice(item.site))) {
            made.push(offer);
            continue;
        }
        const chosen = new Map<number, readonly Value[]>();
        const items: PathItem[] = [];
        const along = (position: number): void => {
            budget.visit(0, range);
            if (position === path.length) {
                budget.addPaths(1, range);
                made.push({ ...offer, path: [...items] });
                return;
            }
            const item = path[position];
            if (item.kind === 'test' && chosen.size > 0) {
                const known = decide(item.site, chosen);
                if (known !== undefined) {
                    if (known === item.outcome) {
                        along(position + 1);
                    }
                    return;
                }
            }
            if (item.kind !== 'declare' || !isChoice(item.site)) {
                items.push(item);
                along(position + 1);
                items.pop();
                return;
            }
            const { local } = item.site;
            const before = chosen.get(local);
            for (const values of choicesOf(item.site, chosen)) {
                chosen.set(local, values);
                items.push({ ...item, values });
                along(position + 1);
                items.pop();
            }
            chosen.delete(local);
            if (before !== undefined) {
                chosen.set(local, before);
            }
        };
        along(0);
    }
    return made;
}
