/**
 * The symmetries of a model: what they save, a sentence and a picture for each factor, what keeps them and what breaks
 * expected ones. The algebra is folded away.
 */
import { formatSteps } from '../../engine/describe/words.js';
import { isProblemsDocument } from '../../language-server/document-schema.js';
import type {
    AssertionDocument,
    BrokenSymmetryDocument,
    SymmetryDocument,
} from '../../language-server/document-schema.js';
import { counterpartOf } from './counterpart.js';
import { button, element, extensionHost, withCode } from './elements.js';
import { showContent } from './frame.js';
import type { StateMessage, SymmetriesContent } from './messages.js';
import { headerOf, placeLink, problemList } from './shared-parts.js';
import { drawPicture } from './symmetry-picture.js';
import {
    caveatOf,
    describeFairness,
    describeKept,
    describeSearch,
    describeStates,
    describeWays,
    listSome,
    nameGain,
    nameGroup,
    NO_VALUE_MARK,
    subtitleOf,
} from './wording.js';

const root = document.getElementById('root') as HTMLElement;

let content: SymmetriesContent | undefined;

showContent<SymmetriesContent, StateMessage>(shown => {
    content = shown;
    root.replaceChildren(...partsOf(shown));
}, showCounterpart);

function partsOf(content: SymmetriesContent): readonly (Node | string)[] {
    const { document } = content;
    if (isProblemsDocument(document)) {
        return [
            headerOf({ ...content, mark: 'violated', title: 'The model has errors' }),
            problemList(document.problems),
        ];
    }
    const caveat = caveatOf(document);
    return [
        headerOf({
            ...content,
            mark: 'symmetries',
            title: nameGain(document),
            subtitle: subtitleOf(document, undefined),
        }),
        caveat === undefined ? '' : element('p', { class: 'notice' }, ...withCode(caveat)),
        ...(document.heldFixed ?? []).map(heldFixedPart),
        ...document.factors.map(factorPart),
        propertiesPart(document),
        ...document.broken.filter(({ intended }) => intended !== true).map(brokenPart),
        ...(document.unexplained ?? []).map(text => element('p', {}, 'Not explained: ', ...withCode(text), '.')),
        assertionsPart(document.assertions),
        algebraPart(document),
    ];
}

type Factor = SymmetryDocument['factors'][number];

/** A sentence, a picture where there is a simple one, and the ways to see what it means. */
function factorPart(factor: Factor, index: number): Node {
    const { permutes, moves, order, picture, example } = factor;
    const along = moves.filter(name => !permutes.includes(`\`${name}\``) && !permutes.includes(`${name}[`));
    const verb = along.length === 1 ? 'goes' : 'go';
    const goesWith = along.length === 0 ? '' : `; ${along.map(name => `\`${name}\``).join(', ')} ${verb} with them`;
    const drawn = picture && drawPicture(picture, permutes.replaceAll('`', ''));
    return element(
        'section',
        { class: 'factor' },
        element(
            'div',
            { class: 'sentence' },
            element('p', {}, ...withCode(sentence(`${permutes}${goesWith}`))),
            element('span', { class: 'muted ways' }, describeWays(order)),
        ),
        drawn === undefined ? undefined : wrapped(drawn),
        element(
            'p',
            { class: 'links' },
            example === undefined
                ? undefined
                : button('Show on this state', { class: 'link', id: `state-${index}` }, () =>
                      extensionHost.postMessage({ kind: 'state', factor: index }),
                  ),
            button('Mark in the text', { class: 'link', id: `mark-${index}` }, () =>
                extensionHost.postMessage({ kind: 'mark', names: moves }),
            ),
        ),
        element('div', { class: 'counterpart', id: `counterpart-${index}`, role: 'status' }),
    );
}

/** A picture may be wider than the panel. */
function wrapped(drawn: SVGSVGElement): Node {
    const frame = element('div', { class: 'picture', tabindex: '0' });
    frame.append(drawn);
    return frame;
}

function sentence(text: string): string {
    return text.replace(/^[a-z]/, first => first.toUpperCase());
}

/** The cells of a state that an example of a factor changes, with the values of the symmetric state. */
function showCounterpart({ factor, states }: StateMessage): void {
    const place = document.getElementById(`counterpart-${factor}`);
    const shown = content?.document;
    if (place === null || shown === undefined || isProblemsDocument(shown)) {
        return;
    }
    const generator = shown.generators[shown.factors[factor]?.example ?? -1];
    const changes = states.map(({ what, state }) => ({ what, rows: counterpartOf(state, generator?.moves ?? []) }));
    const changed = changes.find(({ rows }) => rows.length > 0);
    if (changed === undefined) {
        const text =
            states.length === 0 ? 'There is no state to show it on.' : 'It leaves the first states as they are.';
        place.replaceChildren(element('p', { class: 'muted' }, text));
        return;
    }
    const { what, rows } = changed;
    const lines = rows
        .slice(0, MOST_CELLS)
        .map(({ name, before = NO_VALUE_MARK, after = NO_VALUE_MARK }) =>
            element(
                'tr',
                {},
                element('th', { scope: 'row' }, name),
                element('td', {}, before),
                element('td', { class: 'now' }, after),
            ),
        );
    const head = ['cell', what, 'its counterpart'].map(text => element('th', { scope: 'col' }, text));
    const left = rows.length - lines.length;
    place.replaceChildren(
        element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...lines)),
        left > 0 ? element('p', { class: 'muted' }, `and ${left} more`) : '',
    );
}

/** More cells of a state are counted only. */
const MOST_CELLS = 16;

/** Group, generators and orbits. */
function algebraPart(document: SymmetryDocument): Node {
    const { generators, order, variableOrbits } = document;
    const steps = formatSteps(document);
    const details = element(
        'details',
        { class: 'algebra' },
        element('summary', {}, 'For algebraists ', element('span', { class: 'muted' }, nameGroup(document))),
        steps === undefined ? '' : element('p', {}, `${steps}.`),
        ...(order === '1'
            ? []
            : [
                  structurePart(document),
                  ...(generators.length === 0 ? [] : [generatorsPart(document)]),
                  orbitsPart(variableOrbits),
              ]),
        element('p', { class: 'muted' }, describeSearch(document)),
    );
    return details;
}

function heldFixedPart({ message, location, cells }: NonNullable<SymmetryDocument['heldFixed']>[number]): Node {
    return element(
        'div',
        {},
        element('p', {}, 'Held fixed: ', ...withCode(message), '.'),
        element('ul', {}, element('li', {}, placeLink(location, listSome(cells)))),
    );
}

function brokenPart({ message, locations }: BrokenSymmetryDocument): Node {
    return section(
        'A symmetry is missing',
        element('p', {}, ...withCode(message)),
        element('ul', {}, ...placesOf(locations)),
    );
}

function assertionsPart(assertions: readonly AssertionDocument[]): Node | string {
    const items = assertions.map(({ text, verdict, message, location, locations }) =>
        element(
            'li',
            {},
            placeLink(location, text),
            ` · ${verdict}`,
            element('p', {}, ...withCode(message)),
            locations.length === 0 ? undefined : element('ul', {}, ...placesOf(locations)),
        ),
    );
    return items.length === 0 ? '' : section('Assertions', element('ul', {}, ...items));
}

function placesOf(locations: AssertionDocument['locations']): readonly Node[] {
    return locations.map(location => element('li', {}, placeLink(location, location.text)));
}

/** The names of the direct factors, and the number of distinct states. */
function structurePart(document: SymmetryDocument): Node {
    const factors = document.factors.map(({ structure, permutes }) =>
        element('li', {}, `${structure}: `, ...withCode(permutes)),
    );
    return section(
        'Structure',
        factors.length === 0 ? undefined : element('ul', {}, ...factors),
        ...describeStates(document).map(text => element('p', {}, text)),
    );
}

/** Each generator in cycle notation, with its moves on demand. */
function generatorsPart(document: SymmetryDocument): Node {
    const items = document.generators.map(({ cycles, moves }) => {
        const summary = element('summary', {}, moves.length === 1 ? '1 move' : `${moves.length} moves`);
        const list = element('p', { class: 'moves' }, moves.join(', '));
        const details = moves.length === 0 ? undefined : element('details', {}, summary, list);
        return element('li', {}, element('code', {}, cycles), details);
    });
    return section('Generators', element('ol', { class: 'generators' }, ...items));
}

/** Each orbit of variables on one line, and the fixed variables on the last. */
function orbitsPart(orbits: readonly (readonly string[])[]): Node | string {
    const moved = orbits.filter(orbit => orbit.length > 1);
    const others = orbits.filter(orbit => orbit.length === 1).flat();
    const items = moved.map(orbit => element('li', {}, element('code', {}, orbit.join('  '))));
    return section(
        'Orbits of variables',
        items.length === 0 ? undefined : element('ul', { class: 'orbits' }, ...items),
        others.length === 0
            ? undefined
            : element('p', { class: 'muted' }, 'In their places: ', element('code', {}, listSome(others))),
    );
}

function propertiesPart(document: SymmetryDocument): Node | string {
    const lines = document.properties.map(property => describeKept(property, document));
    const fairness = describeFairness(document);
    const items = [...lines, ...(fairness === undefined ? [] : [fairness])].map(line =>
        element('li', {}, ...withCode(line)),
    );
    return items.length === 0 || document.order === '1' ? '' : section('Properties', element('ul', {}, ...items));
}

function section(title: string, ...body: readonly (Node | undefined)[]): Node {
    return element('section', {}, element('h2', {}, title), ...body);
}
