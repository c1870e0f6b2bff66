/**
 * Verdicts as JUnit's XML, which build servers show as tests. There is no schema of its makers; this is the part that all
 * read: suites, cases, failures, errors and skipped ones. What could not be decided is an error: it must not look passed.
 */
import type { Case, Suite } from './report.js';

export function toJunit(suites: readonly Suite[]): string {
    const cases = suites.flatMap(suite => suite.cases);
    const lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites name="Orbit" ${countsOf(cases)}>`,
        ...suites.flatMap(toSuite),
        '</testsuites>',
    ];
    return `${lines.join('\n')}\n`;
}

function toSuite({ name, file, seconds, cases }: Suite): string[] {
    const time = seconds === undefined ? '' : ` time="${seconds.toFixed(3)}"`;
    return [
        `  <testsuite name="${escaped(name)}" file="${escaped(file)}" ${countsOf(cases)}${time}>`,
        ...cases.flatMap(each => toCase(each, name)),
        '  </testsuite>',
    ];
}

function countsOf(cases: readonly Case[]): string {
    const count = (outcome: Case['outcome']): number => cases.filter(each => each.outcome === outcome).length;
    return `tests="${cases.length}" failures="${count('failed')}" errors="${count('undecided')}" skipped="${count('skipped')}"`;
}

const ELEMENTS = { failed: 'failure', undecided: 'error', skipped: 'skipped' } as const;

function toCase({ name, outcome, reason = '', text = '', findings }: Case, suite: string): string[] {
    const place = findings?.[0];
    const at = place === undefined ? '' : ` file="${escaped(place.file)}" line="${place.line}"`;
    const head = `    <testcase name="${escaped(name)}" classname="${escaped(suite)}"${at}`;
    if (outcome === 'passed') {
        return text === ''
            ? [`${head}/>`]
            : [`${head}>`, `      <system-out>${escaped(text)}</system-out>`, '    </testcase>'];
    }
    const element = ELEMENTS[outcome];
    const type = place === undefined ? '' : ` type="${escaped(place.code)}"`;
    const opening = `      <${element} message="${escaped(reason)}"${type}`;
    const body = text === '' ? [`${opening}/>`] : [`${opening}>${escaped(text)}</${element}>`];
    return [`${head}>`, ...body, '    </testcase>'];
}

/** Characters that XML 1.0 cannot have at all become a replacement character. */
function escaped(text: string): string {
    return text
        .replaceAll(UNREPRESENTABLE, '\ufffd')
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;');
}

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const UNREPRESENTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
