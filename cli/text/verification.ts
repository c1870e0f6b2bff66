/** The result of checking symmetries. */
import { formatForEvery } from '../../engine/describe/for-every.js';
import { formatCount, formatLargeCount, formatNumberOf } from '../../engine/describe/words.js';
import type { RefutationDocument, VerifyDocument } from '../../language-server/document-schema.js';
import { abbreviate, formatLocation, formatTable, type TextStyle } from './layout.js';
import { formatTitle, groupCells } from './states.js';

export function formatVerification(document: VerifyDocument, style: TextStyle): string {
    const { colors } = style;
    const groups = document.groups.map(({ order, properties, alike = [], start }) => {
        const kept = [...properties, ...alike.map(set => `the set of ${set.join(', ')}`)];
        const keeps = kept.length === 0 ? '' : ` keep ${kept.join(', ')}`;
        return [formatLargeCount(order), `symmetries of the ${start === undefined ? 'model' : 'steps'}${keeps}`];
    });
    const lines = [
        formatTitle(document.model, document.params, style),
        formatVerificationVerdict(document, style),
        '',
        ...formatTable(groups.map(([order = '', text = '']) => [order, text])).map(line => `  ${line}`),
        ...(document.ordersChecked || document.verdict !== 'verified'
            ? []
            : [colors.dim('  These orders were not computed again: the groups are too large for that.')]),
        ...(document.verdict === 'verified' ? (document.templates ?? []) : [])
            .filter(({ interchangeable }) => interchangeable)
            .map(({ name }) => `  ${name}: instances are interchangeable, however many there are`),
        ...formatUniform(document, style),
        ...document.refutations.flatMap(refutation => [
            '',
            `${colors.bold(colors.red('Refuted'))}  ${abbreviate(refutation.cycles ?? '')}`.trimEnd(),
            `  ${refutation.message}` +
                (refutation.step === undefined ? '' : ` (${formatLocation(refutation.step.location)})`),
            ...formatStates(refutation),
        ]),
    ];
    return `${lines.join('\n')}\n`;
}

/** `for every N: 1 class of values has its group, checked from the text`. */
function formatUniform({ uniform }: VerifyDocument, { colors }: TextStyle): string[] {
    if (uniform === undefined) {
        return [];
    }
    const { forAll, classes, objections } = uniform;
    return objections.length === 0
        ? [
              `  ${formatForEvery(forAll)}: the groups of ${formatNumberOf(classes, 'class', 'classes')} of places, checked from the text`,
          ]
        : objections.map(
              ({ message, location }) =>
                  `  ${colors.bold(colors.red('Refuted'))}  ${formatForEvery(forAll)}: ${message} (${formatLocation(location)})`,
          );
}

/** The verdict in a line. */
export function formatVerificationInALine(document: VerifyDocument, style: TextStyle): string {
    return `${formatVerificationVerdict(document, style)}\n`;
}

function formatVerificationVerdict(document: VerifyDocument, { colors }: TextStyle): string {
    const { verdict, generators, states, exhaustive, numbersUpTo, complete } = document;
    const within = numbersUpTo === undefined ? '' : ` with numbers up to ${formatCount(numbersUpTo)}`;
    const tried =
        `${formatNumberOf(generators, 'generator')} on the graph and on ` +
        (exhaustive
            ? `${states === 1 ? 'the one state' : `all ${formatCount(states)} states`} that can be reached${within}`
            : `${formatNumberOf(states, 'state')} of random walks${within}`);
    switch (verdict) {
        case 'verified':
            return (
                `${colors.bold(colors.green('verified'))}: ${tried}` +
                (complete === false ? colors.yellow(' (perhaps of a subgroup: a limit came first)') : '')
            );
        case 'refuted':
            return `${colors.bold(colors.red('refuted'))}: ${tried}`;
        case 'undecided':
            return `${colors.bold(colors.yellow('undecided'))}: the time limit ended the check after ${formatNumberOf(states, 'state')}`;
    }
}

/** The refuting state and its image, if there are any. */
function formatStates({ state, image }: Pick<RefutationDocument, 'state' | 'image'>): string[] {
    const names = [state, image].flatMap(each => Object.keys(each ?? {}));
    return Object.entries({ state, image }).flatMap(([title, cells]) =>
        cells === undefined ? [] : [`  ${title}`, ...groupCells(cells, names).map(line => `    ${line}`)],
    );
}
