/** Tests of a model: their runs, and how much of the model they take. */
import { isRecord } from '../../engine/common/record.js';
import { formatNumberOf } from '../../engine/describe/words.js';
import { formatStep } from '../../engine/explore/written-trace.js';
import type { Message } from '../../engine/tests/conversation.js';
import type { SuiteReport } from '../../engine/tests/run-suite.js';
import type { TestMisfit } from '../../engine/tests/tester.js';
import type { TestsDocument } from '../../language-server/document-schema.js';
import type { TextStyle } from './layout.js';
import { formatTitle } from './states.js';

export function formatTests(document: TestsDocument, style: TextStyle): string {
    const { colors } = style;
    if (document.executed !== undefined) {
        return formatExecuted(document, document.executed, style);
    }
    const starts = new Set(document.tests.map(({ initial }) => JSON.stringify(initial)));
    const tests = document.tests.map(({ name, initial, steps }) => {
        const values = Object.entries(initial).map(([place, value]) => `${place} = ${String(value)}`);
        const start = starts.size === 1 ? [] : [colors.dim(`  from ${values.join(', ')}`)];
        const lines = steps.map((step, index) => `${String(index + 1).padStart(4)}  ${formatStep(step)}`);
        return ['', colors.bold(`test ${name}`), ...start, ...lines].join('\n');
    });
    return [
        formatTitle(document.model, document.params, style),
        ...tests,
        '',
        formatTestsInALine(document, style),
    ].join('\n');
}

/** `131 tests, 1,229 steps: all 572 orbits of transitions`. */
export function formatTestsInALine(
    { tests, cover, covered, transitionOrbits, limit, executed }: TestsDocument,
    { colors }: TextStyle,
): string {
    if (executed !== undefined) {
        return `${formatResult(executed, covered, transitionOrbits)}${open(limit, colors)}`;
    }
    const steps = tests.reduce((sum, test) => sum + test.steps.length, 0);
    const orbits = formatNumberOf(transitionOrbits, 'orbit');
    const all = covered === transitionOrbits ? `all ${orbits}` : `${covered} of ${orbits}`;
    const each = { steps: 'each step of the text, ', transitions: '', pairs: 'each pair of transitions, ' }[cover];
    const what = limit === undefined ? each : '';
    const said = `${formatNumberOf(tests.length, 'test')}, ${formatNumberOf(steps, 'step')}: ${what}${all} of transitions`;
    return `${said}\n${open(limit, colors)}`;
}

function open(limit: TestsDocument['limit'], colors: TextStyle['colors']): string {
    if (limit === undefined) {
        return '';
    }
    const reason = {
        states: 'the limit of states was reached',
        time: 'the time was over',
        instances: 'more instances live at once than can be named',
        steps: 'tests have a million steps at most',
    }[limit];
    return `${colors.yellow(`undecided: ${reason}, and other tests are missing`)}\n`;
}

function formatExecuted(document: TestsDocument, executed: SuiteReport, style: TextStyle): string {
    const { colors } = style;
    const shown = executed.failures
        .slice(0, MOST_FAILURES)
        .map(failure => ['', ...formatFailure(failure, colors)].join('\n'));
    const left = executed.failures.length - shown.length;
    const more =
        left > 0 ? [colors.dim(`\n… and ${formatNumberOf(left, 'other failing test')} (--json lists all)`)] : [];
    const open = executed.undecided.map(({ test, why }) => colors.yellow(`\ntest ${test} is undecided: ${OPEN[why]}`));
    return [
        formatTitle(document.model, document.params, style),
        ...shown,
        ...more,
        ...open,
        '',
        formatTestsInALine(document, style),
    ].join('\n');
}

const MOST_FAILURES = 3;

function formatFailure(
    { test, exchanges, misfit }: SuiteReport['failures'][number],
    colors: TextStyle['colors'],
): readonly string[] {
    // Steps that are forbidden and refused change nothing, if the system is right about that.
    const told = exchanges.filter(({ isForbidden }, index) => isForbidden !== true || index === exchanges.length - 1);
    const lines = told.map(
        ({ sent, answer }, index) =>
            `${String(index).padStart(4)}  ${formatMessage(sent)}  ${colors.dim(shortened(answer))}`,
    );
    const refused = exchanges.length - told.length;
    const between =
        refused === 0
            ? []
            : [
                  colors.dim(
                      `      between these it refused ${formatNumberOf(refused, 'forbidden step')} (--json lists all)`,
                  ),
              ];
    const hasOwnSteps = exchanges.some(({ sent }) => 'wait' in sent);
    const what = colors.red(misfit.what === 'forbidden' ? 'is forbidden' : 'fits nothing');
    return [
        colors.bold(colors.red(`test ${test} fails`)),
        ...lines.slice(0, -1),
        `${lines.slice(-1).join('')}  ${what}`,
        ...between,
        ...formatMisfit(misfit, hasOwnSteps).map(line => `      ${line}`),
    ];
}

const OPEN = {
    candidates: 'the system may be in too many states (--max-candidates)',
    instances: 'more instances live at once than were looked at',
    constraint: 'the constraint cuts off steps that may be what the system has done',
} as const;

function formatMessage(sent: Message): string {
    if ('do' in sent) {
        const { process, step, ...others } = sent.do;
        const names = Object.entries(others).map(([name, value]) => `${name} = ${formatSaid(value)}`);
        return `${String(process)} ${String(step)}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
    }
    return 'reset' in sent ? 'begins' : 'waits';
}

/** Others who take part may choose, too. */
function formatSaid(value: unknown): string {
    return Array.isArray(value)
        ? value.map(formatSaid).join(', ')
        : isRecord(value)
          ? formatMessage({ do: value })
          : String(value);
}

/** As JSON, without what is in the middle of much. */
function shortened(value: unknown): string {
    const text = JSON.stringify(value);
    const half = MOST_CHARACTERS / 2;
    return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, half)} … ${text.slice(-half)}`;
}

const MOST_CHARACTERS = 1_000;

function formatMisfit({ what, said, candidates, nearest, instead }: TestMisfit, hasOwnSteps: boolean): string[] {
    const states = candidates === 1 ? 'the state' : `each of the ${formatNumberOf(candidates, 'state')}`;
    const stands = nearest.map(({ step, refusedBy }) => `${step === '' ? '' : `${step}: `}${refusedBy}`);
    const reasons = {
        line: [shortened(said), ...stands],
        quiet: [`it is quiet, and ${states} before has a step that it must take on its own`],
        refused: [
            `it refuses a step that is possible in ${states} before it`,
            ...(hasOwnSteps ? ['if it has taken a step of its own before, its answer says so in `first`'] : []),
        ],
        forbidden: [
            `the system took \`${formatMessage({ do: said })}\` where the model forbids it, in ${states} before it:`,
            ...stands,
        ],
    }[what];
    return [...reasons, ...(instead.length === 0 ? [] : [`could have come: ${instead.join(' · ')}`])];
}

/** `34 tests, 1 failed; 230 of 235 orbits of transitions were taken; 812 forbidden steps asked for`. */
function formatResult(
    { tests, failed, forbidden, undecided, isEndless, ignoredKeys = [] }: SuiteReport,
    covered: number,
    transitionOrbits: number,
): string {
    const judged = [
        failed > 0 ? `${failed} failed` : undefined,
        undecided.length > 0 ? `${undecided.length} undecided` : undefined,
    ].filter(part => part !== undefined);
    const asked = forbidden === undefined ? '' : `; ${formatNumberOf(forbidden, 'forbidden step')} asked for`;
    const orbits = `${covered} of ${formatNumberOf(transitionOrbits, 'orbit')} of transitions were taken`;
    const endless = isEndless === true ? '\nit was quiet where hidden steps can go on without end' : '';
    const unknown =
        ignoredKeys.length === 0 ? '' : `\nkeys of answers that say nothing of the model: ${ignoredKeys.join(', ')}`;
    const passed = tests === 0 ? 'none was finished' : 'all passed';
    return `${formatNumberOf(tests, 'test')}, ${judged.length === 0 ? passed : judged.join(', ')}; ${orbits}${asked}${endless}${unknown}\n`;
}
