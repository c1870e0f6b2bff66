/**
 * Checks that a list of views proves properties for all sizes, by the definition and without the search that found it:
 * the views of the initial states are in it, a step from any state all of whose views are in it leads to such a state,
 * and no such state violates a property or takes a faulty step. Interpreted, over texts, in one pass.
 */
import type { WorkLimit } from '../engine/common/work-limit.js';
import { InitialStates } from '../engine/explore/initial/initial-states.js';
import { Properties } from '../engine/explore/properties.js';
import { interpretedSuccessors } from '../engine/explore/successors.js';
import { domainSize, NO_VALUE } from '../engine/model/domain.js';
import type { Cell } from '../engine/sequential/sequential-model.js';
import type { Narrow } from './narrow.js';
import type { Refused } from './sized-instances.js';
import { startSizes, widthOf } from './sizes.js';
import { forEachSelection } from './view.js';
import { familyOfText, formatView, parseView, stateOfText, viewTextOf, type ViewText } from './view-text.js';

export type ViewCheck =
    | { readonly verdict: 'verified'; readonly configurations: number; readonly steps: number }
    | { readonly verdict: 'refuted'; readonly reason: string }
    | { readonly verdict: 'undecided' };

/** `list` has the views of size `viewSize` and smaller ones, as texts. */
export function checkViews(
    narrow: Narrow,
    viewSize: number,
    list: readonly string[],
    invariants: readonly string[],
    workLimit: WorkLimit,
): ViewCheck | Refused {
    const known = new Set(list);
    const hasFamilies = ({ named, others }: ViewText): boolean =>
        [...named, ...others].every(local => narrow.carrier.families[familyOfText(local)] !== undefined);
    const localsOf = new Map<string, Set<string>>();
    const begun: ViewText[] = [];
    for (const text of list) {
        const view = parseView(text);
        const isView =
            view !== undefined && formatView(view) === text && view.others.length <= viewSize && hasFamilies(view);
        if (!isView) {
            return { verdict: 'refuted', reason: `this is no view: ${text}` };
        }
        // States are built member by member, so that all parts of a view must be in the list.
        const part = view.others
            .map((_, left) => formatView({ ...view, others: view.others.filter((_other, index) => index !== left) }))
            .find(smaller => !known.has(smaller));
        if (part !== undefined) {
            return { verdict: 'refuted', reason: `a part of a view is missing: ${part}` };
        }
        const key = formatView({ ...view, others: [] });
        const locals = localsOf.get(key);
        if (locals === undefined) {
            localsOf.set(key, new Set(view.others));
            begun.push({ ...view, others: [] });
        } else {
            view.others.forEach(local => locals.add(local));
        }
    }
    /** States whose views are all in the list. */
    const seen = new Set<string>();
    const missing = (state: ViewText): string | undefined => {
        const whole = formatView(state);
        if (seen.has(whole)) {
            return undefined;
        }
        let found: string | undefined;
        forEachSelection([...state.others].sort(), Math.min(viewSize, state.others.length), others => {
            const text = formatView({ ...state, others });
            found ??= known.has(text) ? undefined : text;
        });
        if (found === undefined) {
            seen.add(whole);
        }
        return found;
    };
    for (const sizes of startSizes(narrow, viewSize)) {
        const instance = narrow.instanceAt(sizes);
        if ('problems' in instance) {
            return instance;
        }
        const { sequential, layout } = instance;
        const initial = new InitialStates(sequential);
        const state = new Int32Array(sequential.cells.length);
        while (initial.nextInto(state, workLimit)) {
            const view = missing(viewTextOf(state, layout));
            if (view !== undefined) {
                return { verdict: 'refuted', reason: `a view of an initial state is missing: ${view}` };
            }
        }
        if (initial.isPaused) {
            return { verdict: 'undecided' };
        }
        if (initial.problem !== undefined && initial.problem.code !== 'model/no-initial-state') {
            return { verdict: 'refuted', reason: initial.problem.message };
        }
    }
    const width = widthOf(narrow, viewSize, invariants);
    let configurations = 0;
    let steps = 0;
    let refused: Refused | undefined;
    const run = (state: ViewText): string | undefined => {
        const sizes = narrow.carrier.families.map(
            (_, family) => [...state.named, ...state.others].filter(local => familyOfText(local) === family).length,
        );
        const { families } = narrow.carrier;
        if (sizes.some((size, family) => size < narrow.least[family] || size > families[family].most)) {
            return undefined;
        }
        const instance = narrow.instanceAt(sizes);
        if ('problems' in instance) {
            refused ??= instance;
            return undefined;
        }
        const { sequential, layout } = instance;
        const codes = stateOfText(state, layout);
        if (codes === undefined || !sequential.cells.every((cell, index) => mayHold(cell, codes[index]))) {
            return `this is no view: ${formatView(state)}`;
        }
        configurations++;
        let reason: string | undefined;
        propertiesOf(sequential, invariants).checkState(codes, ({ kind, name }) => {
            reason ??= `${kind} ${name} is violated in ${formatView(state)}`;
        });
        interpretedSuccessors(sequential).forEachFiring(codes, {
            fired: (_, successor) => {
                steps++;
                const view = missing(viewTextOf(successor, layout));
                reason ??= view === undefined ? undefined : `a step from ${formatView(state)} leads to ${view}`;
                return reason === undefined;
            },
            faulted: (_, { kind }) => {
                if (kind === 'outside') {
                    return true;
                }
                reason ??= `a step from ${formatView(state)} is a fault: ${kind}`;
                return false;
            },
        });
        return reason;
    };
    const complete = (state: ViewText, locals: readonly string[]): string | undefined => {
        if (workLimit.isExhausted()) {
            return undefined;
        }
        let reason = run(state);
        if (state.others.length < width) {
            // A view that is missing here is missing in all larger states, too.
            const larger = locals
                .map(local => ({ local, state: { ...state, others: [...state.others, local] } }))
                .filter(each => missing(each.state) === undefined);
            const possible = larger.map(({ local }) => local);
            for (const [position, each] of larger.entries()) {
                reason ??= complete(each.state, possible.slice(position));
            }
        }
        return reason;
    };
    for (const view of begun) {
        const locals = localsOf.get(formatView(view));
        const reason = complete(view, [...(locals ?? [])].sort());
        if (reason !== undefined) {
            return { verdict: 'refuted', reason };
        }
    }
    if (refused !== undefined) {
        return refused;
    }
    return workLimit.isExhausted() ? { verdict: 'undecided' } : { verdict: 'verified', configurations, steps };
}

function mayHold({ domain, kind, mayBeAbsent }: Cell, code: number): boolean {
    return code === NO_VALUE ? mayBeAbsent || kind === 'temporary' : code >= 0 && code < domainSize(domain);
}

const compiled = new WeakMap<object, Map<string, Properties>>();

/** Compiled once for each instance. */
function propertiesOf(
    sequential: ConstructorParameters<typeof Properties>[0],
    invariants: readonly string[],
): Properties {
    const known = compiled.get(sequential) ?? new Map<string, Properties>();
    compiled.set(sequential, known);
    const properties = known.get(invariants.join()) ?? new Properties(sequential, invariants);
    known.set(invariants.join(), properties);
    return properties;
}
