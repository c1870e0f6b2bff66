/** An automaton as text: a line for each transition. */
import type { Automaton } from '../../engine/temporal/automaton.js';

const ATOMS = ['p', 'q', 'r', 's', 't'];

/** The atoms are p, q, …; promises are numbers in brackets. The initial state is 0. */
export function printAutomaton({ initial, transitions }: Automaton): string {
    const lines = transitions.flatMap((ofState, state) =>
        ofState.map(({ target, positive, negative, promised }) => {
            const literals = [...positive.map(atom => ATOMS[atom]), ...negative.map(atom => `!${ATOMS[atom]}`)];
            const cube = literals.length === 0 ? 'any' : literals.join(' ');
            return `${state} -> ${target}: ${cube}${promised.map(promise => ` [${promise}]`).join('')}`;
        }),
    );
    return initial.length === 0 ? 'empty' : lines.join('\n');
}
