/** What views say of the families of arbitrary/hidden-asks.ts; bench/every-size.ts looks at all of them. */
import { checkable, exactVerdict, familyOf, viewsOf } from './family.js';

/** `wrong` if views hold and the instance with five members is violated; `open` if they do not hold. */
export type HiddenComparison = 'refused' | 'open' | 'agreed' | 'wrong';

export async function compareHidden(text: string, maxConfigurations: number): Promise<HiddenComparison> {
    const family = await familyOf(text);
    if (Array.isArray(family)) {
        return 'refused';
    }
    const { end } = viewsOf(family.narrow, 1, maxConfigurations);
    if (end !== undefined) {
        return 'open';
    }
    return exactVerdict(family, [5], checkable(family.narrow), 200_000) === 'violated' ? 'wrong' : 'agreed';
}
