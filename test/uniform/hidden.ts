/** What views say of the families of arbitrary/hidden-asks.ts; bench/every-size.ts looks at all of them. */
import { loadEverySize } from '../../language-server/load-model.js';
import { ASKS, hiddenAsk, PLACES } from '../arbitrary/hidden-asks.js';
import { checkable, exactVerdict, familyOf, viewsOf } from './family.js';

export type HiddenComparison = 'no model' | 'refused' | 'open' | 'agreed' | 'wrong';

/** `wrong` if views hold and the instance with five members is violated. */
export async function compareHidden(text: string): Promise<HiddenComparison> {
    const family = await familyOf(text);
    if (Array.isArray(family)) {
        return (await isModel(text)) ? 'refused' : 'no model';
    }
    const { end } = viewsOf(family.narrow, 1, 2_000);
    if (end !== undefined) {
        return 'open';
    }
    return exactVerdict(family, [5], checkable(family.narrow), 200_000) === 'violated' ? 'wrong' : 'agreed';
}

async function isModel(text: string): Promise<boolean> {
    const family = await loadEverySize(text.replace('param N: 1 .. 9 = 3', 'param N: 1 .. 9 = 3\nparam all_: 0 .. 1 = 0'), 'file:///m.orbit', new Map([['all_', 'all']]));
    return family.kind === 'family' && family.modelAt([0]).model !== undefined;
}

export function allHidden(): { name: string; text: string }[] {
    return Object.entries(PLACES).flatMap(([place, at]) =>
        Object.entries(ASKS).map(([name, ask]) => ({ name: `${name} / ${place}`, text: hiddenAsk(ask, at) })),
    );
}
